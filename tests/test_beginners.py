"""`examples/beginners`: ten assignments as first courses give them, and what beginners hand in.

`fair.yaml` there has what a fair person would give each program, written before any was graded; the score has to be in
that range, and exactly what `expected.yaml` states.
"""

from functools import cache
from pathlib import Path

import pytest

from grader.check.runner import examine
from grader.check.samples import Sample, read_samples, sample_differences
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import Course, grade, prepare
from grader.core.reader.files import read_data
from grader.core.reader.spec import load
from tests.support.sampled import in_sample

BEGINNERS = Path(__file__).parent.parent / "examples" / "beginners"
FAIR = read_data(BEGINNERS / "fair.yaml")


def spec_of(subject: str) -> Path:
    return BEGINNERS / "specs" / f"{subject}.yaml"


@cache
def course(subject: str) -> tuple[Course, dict[str, Sample]]:
    ready = prepare(spec_of(subject))
    return ready, {sample.submission.id: sample for sample in read_samples(ready.spec)}


EVERYBODY = [
    pytest.param(subject, name, marks=[] if in_sample(place, 10) else [pytest.mark.soak])
    for subject, programs in FAIR.items()
    for place, name in enumerate(programs)
]
"""the right program of each and a tenth of the wrong ones each time, the others by `make soak`"""


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("subject", "name"), EVERYBODY)
def test_a_beginner_gets_what_a_fair_person_gives(subject: str, name: str) -> None:
    ready, samples = course(subject)
    report = grade(Job(spec=spec_of(subject), submission=samples[name].submission), ready)
    told = [case.message for test in report.tests for case in test.cases if case.verdict is Verdict.UNGRADED]
    if told and all(message.startswith("The machine was too busy") for message in told):
        pytest.skip("the machine is too busy for a program that never ends")
    assert sample_differences(report, samples[name]) == ()
    fair = FAIR[subject][name]
    least, most = fair if isinstance(fair, list) else (fair, fair)
    assert report.score is not None
    assert float(least) <= report.score <= float(most)


def test_there_are_ten_subjects_with_a_handout_and_five_beginners_each() -> None:
    assert {path.stem for path in (BEGINNERS / "specs").glob("*.yaml")} == set(FAIR)
    assert {path.stem for path in (BEGINNERS / "handouts").glob("*.md")} == set(FAIR)
    assert len(FAIR) == 10
    for subject, programs in FAIR.items():
        samples = read_samples(load(spec_of(subject)))
        assert {sample.submission.id for sample in samples} == set(programs)
        assert len(programs) == 6
    assert len({load(spec_of(subject)).language for subject in FAIR}) >= 5


@pytest.mark.parametrize("subject", FAIR)
def test_lint_has_no_remark(subject: str) -> None:
    assert examine(spec_of(subject), None).remarks == ()
