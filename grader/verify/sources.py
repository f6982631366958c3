"""Whether what a spec asks of the source is right: what samples show of it, and what is found in the reference."""

import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from grader.core.kind import kind_of, kinds_in
from grader.core.model.judgement import Judgement, Verdict
from grader.core.model.spec import Spec
from grader.core.pipeline import Course


def untried_sources(spec: Spec, reports: Sequence[Judgement]) -> tuple[list[str], list[str]]:
    """Return what is asked of the source that no sample meets, and what none breaks, as ids of cases.

    There are no mutants of a source's style, or of a student's tests: that such a case can be lost, and had, samples
    alone show.
    """
    cases = [case for test in spec.tests for case in test.cases if case.weight]
    asked = [case.id for case in cases if not kind_of(case).has_answer]
    judged = [case for report in reports for test in report.tests for case in test.cases]
    met = {case.id for case in judged if case.verdict is Verdict.PASSED}
    broken = {case.id for case in judged if case.verdict in (Verdict.FAILED, Verdict.PARTIAL)}
    return [name for name in asked if name not in met], [name for name in asked if name not in broken]


def look_at_reference(course: Course) -> tuple[str, ...]:
    """Return, in sentences, what is good to know of the reference by what a spec asks of the source."""
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        looks = (kind.check.look_at_reference(course, Path(folder)) for kind in kinds_in(course.spec))
        return tuple(chain.from_iterable(looks))
