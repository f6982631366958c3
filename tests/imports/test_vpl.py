"""Moodle's Virtual Programming Lab: each form of output accepts here what it accepts there, and nothing else."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from grader.core.model.report import Verdict
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.vpl import import_vpl
from tests.support.courses import grade_files
from tests.support.packages import lay
from tests.support.rows import from_data, read_data

DATA = read_data(__file__)
FORMS = from_data(DATA["FORMS"], Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]])
"""name of a case -> its statements, what a right program writes, and what a wrong one does"""
PROGRAM = "import sys\nsys.stdout.write({!r}[input().strip()])\n"


def imported(folder: Path, cases: str, name: str | None = None) -> Written:
    lay(folder / "sums", {"vpl_evaluate.cases": cases, "main.py": "", "vpl_run.sh": ""})
    return write_assignment(import_vpl(folder / "sums", name), folder / "course")


def verdicts(spec: Path, folder: Path, program: str, *only: str) -> dict[str, Verdict]:
    report = grade_files(spec, folder, {"main.py": program}, only=only)
    return {test.name: test.verdict for test in report.tests}


@pytest.mark.slow
def test_each_form_of_output_accepts_what_it_accepts_there(tmp_path: Path) -> None:
    cases = "".join(f"Case = {name}\nInput = {name}\n{output}\n" for name, (output, _, _) in FORMS.items())
    spec = imported(tmp_path, cases).spec
    for number in range(3):
        for column, verdict in ((1, Verdict.PASSED), (2, Verdict.FAILED))[number // 2 :]:
            outputs = {name: form[column][number] for name, form in FORMS.items() if number < len(form[column])}
            found = verdicts(spec, tmp_path / f"{verdict}-{number}", PROGRAM.format(outputs), *outputs)
            assert found == dict.fromkeys(outputs, verdict), outputs


def test_what_the_reductions_leave_is_declared_as_lost(tmp_path: Path) -> None:
    made = import_vpl(lay(tmp_path, {"vpl_evaluate.cases": "Case = a\nOutput = 1\nGrade reduction = 4\n"}))
    assert (made.points, made.lost) == (10, Fraction(6))
    assert any("VPL gives the rest to everybody" in note and "Points: 6." in note for note in made.notes)
    assert any("`main.py` is a guess" in note for note in made.notes)


def test_each_variation_has_a_spec_of_its_own(tmp_path: Path) -> None:
    cases = "Case = all\nOutput = 1\nCase = b\nVariation = Blue\nOutput = 2\nCase = r\nVariation = Red\nOutput = 3\n"
    written = imported(tmp_path, cases, "x")
    names = {path.stem: [test.name for test in load(path).tests] for path in written.spec.parent.iterdir()}
    assert names == {"x-blue": ["all", "b"], "x-red": ["all", "r"]}
