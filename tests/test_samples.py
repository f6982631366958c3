"""Every sample submission gets exactly what its `expected.yaml` states, and the reference's answers are the truth."""

from functools import cache

import pytest
from expected import ROOT, SAMPLES, differences, expectations

from grader.model import Job, Submission
from grader.pipeline import Course, grade, prepare

SPECS = sorted(path.stem for path in (ROOT / "specs").glob("*.yaml"))


@cache
def course(spec_id: str) -> Course:
    return prepare(ROOT / "specs" / f"{spec_id}.yaml")


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("spec_id", "name"), [(spec_id, name) for spec_id in SPECS for name in expectations(spec_id)])
def test_a_sample_gets_what_is_stated(spec_id: str, name: str) -> None:
    path = SAMPLES / spec_id / name
    job = Job(spec=ROOT / "specs" / f"{spec_id}.yaml", submission=Submission(id=name, path=path))
    told = differences(grade(job, course(spec_id)), expectations(spec_id)[name])
    assert not told, "\n".join(told)


@pytest.mark.parametrize("spec_id", SPECS)
def test_every_sample_is_stated_and_every_statement_has_its_sample(spec_id: str) -> None:
    folders = {path.name for path in (SAMPLES / spec_id).iterdir() if path.name != "expected.yaml"}
    assert folders == set(expectations(spec_id))
