"""A submission gets the same on a machine with much else to do as on a quiet one: verdicts, deviations and points.

The load would be that of other tests, so these run alone. `make soak` runs every sample so: see `test_samples.py`.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from grader.check.samples import Sample, read_samples
from grader.core.model.report import Job, Report
from grader.core.pipeline import Course, grade, prepare
from tests.support.busy import busy_machine
from tests.support.expected import ROOT
from tests.support.rows import read_data

DATA = read_data(__file__)
SMALL = DATA["SMALL"]
"""a spec of each language, a sample, and tests: of functions, of a dialogue, and some that end at a limit"""


@cache
def sample_of(spec_id: str, name: str) -> Sample:
    (found,) = (one for one in read_samples(course(spec_id).spec) if one.submission.id == name)
    return found


@cache
def course(spec_id: str) -> Course:
    return prepare(ROOT / "specs" / f"{spec_id}.yaml")


def outcome(sample: Sample, spec_id: str, tests: tuple[str, ...]) -> list[object]:
    job = Job(spec=ROOT / "specs" / f"{spec_id}.yaml", submission=sample.submission, only=tests)
    report = grade(job, course(spec_id))
    return [report.verdict, report.score, *_judged(report)]


def _judged(report: Report) -> Iterator[object]:
    for test in report.tests:
        for case in test.cases:
            yield case.id, case.verdict, case.credit, [(one.kind, one.stream, one.keeps) for one in case.deviations]


@pytest.mark.load
@pytest.mark.timeout(600)
def test_a_small_class_gets_under_load_what_it_gets_without() -> None:
    quiet = [outcome(sample_of(spec_id, name), spec_id, tests) for spec_id, name, tests in SMALL]
    with busy_machine():
        loaded = [outcome(sample_of(spec_id, name), spec_id, tests) for spec_id, name, tests in SMALL]
    assert loaded == quiet
