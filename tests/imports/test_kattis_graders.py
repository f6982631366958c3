"""Packages that programs score: `grading: custom`, and validators that write points."""

from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model.report import Verdict
from grader.imports import write_assignment
from grader.imports.default_grader import grade_results
from grader.imports.kattis import import_kattis
from tests.support.courses import grade_files
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
_SQUARES = DATA["_SQUARES"]
FORMS = DATA["FORMS"]
_ROOT = "range: 0 {most}\ngrader_flags: ignore_sample\non_reject: continue\n"


def _package(root: Path, files: dict[str, str]) -> Path:
    groups = {"sample": (1,), "secret/g1": (2, 3), "secret/g2": (4, 5, 6)}
    data = {f"data/{group}/{n}.in": f"{n}\n" for group, numbers in groups.items() for n in numbers}
    data |= {f"data/{group}/{n}.ans": f"{2 * n}\n" for group, numbers in groups.items() for n in numbers}
    written = {"problem.yaml": "name: doubles\ntype: scoring\nproblem_format_version: legacy\n", **data, **files}
    return lay(root / "doubles", written)


def _grade(root: Path, package: Path, program: str) -> tuple[Verdict, float | None, str]:
    written = write_assignment(import_kattis(package), root / "course")
    report = grade_files(written.spec, root / "work", {"main.py": f"n = int(input())\n{program}\n"})
    messages = [case.message for test in report.tests for case in test.cases if case.verdict == Verdict.UNGRADED]
    return report.verdict, report.score, (messages or [""])[0]


# Packages much like these had the same scores with problemtools 1.20260907.
@each_row
def test_programs_of_the_package_give_the_points(tmp_path: Path, form: str, program: str, score: float) -> None:
    assert _grade(tmp_path, _package(tmp_path, FORMS[form]), program)[1] == score


# Fourteen packages drawn with such flags had the same points for all of 56 programs with problemtools 1.20260907.
@pytest.mark.slow
@each_row
def test_default_grader_and_one_in_c_give_the_points(
    tmp_path: Path, form: str, flags: str, program: str, score: float
) -> None:
    files = {name: text.replace("FLAGS", flags) for name, text in FORMS[form].items()}
    assert _grade(tmp_path, _package(tmp_path, files), program)[1] == score


@each_row
def test_what_is_behind_a_failure_is_not_run(
    tmp_path: Path, flags: tuple[str, str], came_to: str, why: str, score: int
) -> None:
    files = {
        "data/testdata.yaml": "grader_flags: ignore_sample\n",
        "data/secret/testdata.yaml": f"grader_flags: {flags[0]}\n",
        "data/secret/g1/testdata.yaml": f"on_reject: break\naccept_score: 2\n{flags[1]}\n",
        "data/secret/g2/testdata.yaml": "on_reject: break\ngrader_flags: min\n",
    }
    written = write_assignment(import_kattis(_package(tmp_path, files)), tmp_path / "course")
    program = "n = int(input())\nprint(2 * n if n not in (3, 4) else 0)\n"
    report = grade_files(written.spec, tmp_path / "work", {"main.py": program})
    (secret,) = (test for test in report.tests if test.name == "secret")
    assert "".join(case.verdict[0] for case in secret.cases) == came_to
    assert why in secret.cases[-1].message
    assert report.score == score


@each_row
def test_wrong_grader_costs_nobody_points(tmp_path: Path, grader: str, problem: str) -> None:
    files = {"graders/wrong.py": grader, "data/testdata.yaml": f"grading: custom\n{_ROOT.format(most=13)}"}
    verdict, score, message = _grade(tmp_path, _package(tmp_path, files), "print(2 * n)")
    assert (verdict, score) == (Verdict.UNGRADED, None)
    assert problem in message


def test_points_without_a_range_are_refused(tmp_path: Path) -> None:
    files = {"graders/squares.py": _SQUARES, "data/testdata.yaml": "grading: custom\n"}
    with pytest.raises(UsageError, match="range"):
        import_kattis(_package(tmp_path, files))


@each_row
def test_default_grader(results: list[tuple[str, float]], flags: list[str], came_to: tuple[str, float]) -> None:
    assert grade_results(results, flags) == came_to
