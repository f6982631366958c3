"""A sample of each kind of case, from the command that a course types to the report: what it gets is what is stated."""

from pathlib import Path

import pytest

from grader.check.samples import read_samples, sample_differences
from grader.core.reader.spec import load
from grader.core.report.json import from_json
from tests.support.commands import run_grader
from tests.support.expected import ROOT
from tests.support.rows import from_data, read_data

DATA = read_data(__file__)
SAMPLES = from_data(DATA["SAMPLES"], dict[str, tuple[str, str]])
"""of each kind: a course of this repository, and a sample of it that loses points for it; test_examples.py grades unit
tests, whose samples are in Java"""


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_sample_of_each_kind_gets_what_is_stated(kind: str, tmp_path: Path) -> None:
    course, name = SAMPLES[kind]
    (submission,) = (ROOT / course / "sample_submissions").glob(name if "/" in name else f"*/{name}")
    spec = load(ROOT / course / "specs" / f"{submission.parent.name}.yaml")
    (sample,) = (one for one in read_samples(spec) if one.submission.id == submission.name)
    words = ("run", submission, "--out", tmp_path, "--format", "json")
    done = run_grader(*words, cwd=ROOT / course)
    assert done.returncode == 1, done.stderr.decode()
    assert sample_differences(from_json(done.stdout), sample) == ()
