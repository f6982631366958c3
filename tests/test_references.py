"""The reference of a spec, handed in as if it were a submission, has full marks wherever its program is asked."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.model.layout import FileRules, Submission
from grader.core.model.report import Job
from grader.core.model.spec import Spec, Test
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.kinds.functions.model import functions_of
from tests.support.expected import ROOT

SPECS = {path.stem: load(path) for path in sorted((ROOT / "specs").glob("*.yaml"))}


def asked(spec: Spec) -> tuple[Test, ...]:
    """The tests that start the program; the others call functions, or a command of their own."""
    return tuple(t for t in spec.tests if all(case.command is None and functions_of(case) is None for case in t.cases))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [name for name, spec in SPECS.items() if asked(spec)])
def test_the_reference_has_full_marks(name: str, tmp_path: Path) -> None:
    course = prepare(ROOT / "specs" / f"{name}.yaml")
    spec = course.spec
    assert spec.reference
    shutil.copytree(ROOT / "reference", tmp_path / "reference", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "README").write_text("so that the folder beside it is no wrapping\n")
    as_program = replace(spec, program=spec.reference, build=None, files=FileRules(), tests=asked(spec))
    job = Job(spec=ROOT / "specs" / f"{name}.yaml", submission=Submission(id="reference", path=tmp_path))
    report = grade(job, replace(course, spec=as_program))
    assert [case.message for result in report.tests for case in result.cases if case.message] == []
    assert report.score == as_program.max_score


def test_nearly_every_spec_is_covered() -> None:
    assert {"cmps12b-pa2", "comp333-queens-java", "nqueens-matrix"} <= {n for n, spec in SPECS.items() if asked(spec)}
