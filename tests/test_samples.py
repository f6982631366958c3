"""Every sample submission gets exactly what its `expected.yaml` states, and the reference's answers are the truth."""

from functools import cache

import pytest

from grader.load import load
from grader.model import Job
from grader.pipeline import Course, grade, prepare
from grader.verify.samples import Sample, read_samples, sample_differences
from tests.support.expected import ROOT

SPECS = {path.stem: path for path in sorted((ROOT / "specs").glob("*.yaml"))}
STATED = {name: read_samples(load(path)) for name, path in SPECS.items()}


ENDLESS = ("cmps12b-pa2-leo", "comp333-queens-prolog-karen", "comp333-queens-prolog-ulrich")
"""who run into a time limit in every case, as others do too that are graded each time: minutes, for `make soak`"""


@cache
def course(spec_id: str) -> Course:
    return prepare(SPECS[spec_id])


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("spec_id", "sample"),
    [
        pytest.param(
            spec_id,
            sample,
            id=(name := f"{spec_id}-{sample.submission.id}"),
            marks=[pytest.mark.soak] if name in ENDLESS else [],
        )
        for spec_id, samples in STATED.items()
        for sample in samples
    ],
)
def test_a_sample_gets_what_is_stated(spec_id: str, sample: Sample) -> None:
    told = sample_differences(grade(Job(spec=SPECS[spec_id], submission=sample.submission), course(spec_id)), sample)
    assert not told, "\n".join(told)


@pytest.mark.parametrize("spec_id", SPECS)
def test_every_assignment_has_samples_and_one_of_them_is_right(spec_id: str) -> None:
    stated = STATED[spec_id]
    assert any(not sample.tests and sample.every is None for sample in stated)
    assert any(sample.tests or sample.every for sample in stated)
