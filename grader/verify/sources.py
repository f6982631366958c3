"""Whether what a spec asks of the source is right: what samples show of it, and what tools find in the reference."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model import Judgement, Spec, Verdict
from grader.core.pipeline import Course
from grader.core.text import count, one_line
from grader.kinds.style.model import StyleCheck
from grader.kinds.style.tool import check_style, runner_for


def untried_sources(spec: Spec, reports: Sequence[Judgement]) -> tuple[list[str], list[str]]:
    """Return what is asked of the source that no sample meets, and what none breaks, as ids of cases.

    There are no mutants of a source's style: that such a case can be lost, and had, is shown by samples alone.
    """
    asked = [case.id for test in spec.tests for case in test.cases if case.source]
    judged = [case for report in reports for test in report.tests for case in test.cases]
    met = {case.id for case in judged if case.verdict is Verdict.PASSED}
    broken = {case.id for case in judged if case.verdict in (Verdict.FAILED, Verdict.PARTIAL)}
    return [name for name in asked if name not in met], [name for name in asked if name not in broken]


def reference_style(course: Course) -> tuple[str, ...]:
    """Return, in sentences, what each tool finds in those files of the reference that its command names.

    Files are taken by their endings: they have not the names that students are asked for.
    """
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        return tuple(_told(course, Path(folder)))


def _told(course: Course, folder: Path) -> Iterator[str]:
    files = {} if isinstance(course.reference, HostError) else course.reference
    work = course.spec.reference_work
    named = files if work else [name for name in files if name in (course.spec.reference or ())]
    for name in named:
        (folder / PurePosixPath(name).name).write_bytes(files[name])
    for test in course.spec.tests:
        check = test.cases[0].source
        if isinstance(check, StyleCheck) and check.tool.endings:
            try:
                any_name = replace(check, files=())
                found = check_style(any_name, folder, (), runner_for(course, check.tool))
            except HostError as error:
                yield f"{test.name}: the reference cannot be looked at: {error}"
                continue
            if found.total:
                first = found.spots[0]
                told = f"{count(found.total, 'finding')} in the reference, as in {first.file}:{first.line}"
                yield one_line(f"{test.name}: {check.tool.name} has {told}: {first.rule} {first.what}")
