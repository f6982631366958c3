"""The mutants of a reference are tried on unit tests. What students are told of these is in `scenarios/unit-tests/`."""

from pathlib import Path

from grader.check.verification import verify_spec
from grader.core.pipeline import prepare
from tests.support.courses import course

SPEC = """
spec: 1
id: echo
title: Twice
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
tests:
  - {name: number, unit: {pytest: tests/test_twice.py}}
"""


def test_the_mutants_of_the_reference_are_tried_on_unit_tests(tmp_path: Path) -> None:
    path = course(tmp_path, SPEC, "def twice(value):\n    return value + value\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_twice.py").write_text(
        "from echo import twice\n\ndef test_number():\n    assert twice(4) == 8\n"
    )
    found = verify_spec(path, prepare(path), most=3, samples=False)
    source = [trial for trial in found.trials if trial.mutant.kind == "source"]
    assert {str(trial.outcome) for trial in source} <= {"killed", "survived"}
    assert "killed" in {str(trial.outcome) for trial in source}
