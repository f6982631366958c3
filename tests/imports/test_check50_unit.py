"""Checks of check50 that are run as they are, and what stands in for check50 then."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.check50 import import_check50
from tests.support.courses import grade_files
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

STAND_IN = Path(__file__).parents[2] / "grader/imports/check50_stand_in.py"
DATA = read_data(__file__)
CHECKS = DATA["CHECKS"]
TESTING = DATA["TESTING"]
RIGHT = DATA["RIGHT"]


def imported(folder: Path, files: dict[str, str]) -> Written:
    problem = folder / "votes"
    lay(problem, {".cs50.yml": "check50: true\n", **files})
    return write_assignment(import_check50(problem), folder / "course")


@pytest.fixture
def check50(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """What stands in for check50, with files of a problem, in an empty working folder."""
    lay(tmp_path / "beside", {"check50.py": STAND_IN.read_text(), "files/in/a.txt": "a\n", "files/b.txt": "b\n"})
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    spec = importlib.util.spec_from_file_location("check50_here", tmp_path / "beside/check50.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@each_row
def test_a_chain_passes_or_says_why_not(check50: ModuleType, check: str, problem: str) -> None:
    assert check50.problem_of(lambda: exec(check, {"check50": check50, "Path": Path})) == problem  # noqa: S102


def test_a_check_runs_behind_those_that_it_needs_and_gets_what_they_return(check50: ModuleType) -> None:
    def first() -> int:
        Path("made").touch()
        return 3

    def second(three: int) -> None:
        check50.exists("made")
        if three == 3:
            raise check50.Failure("three", help="not three")

    chain = [
        check50.check()(first),
        check50.check(first)(second),
        check50.check(second)(check50.hidden("no")(lambda: None)),
    ]
    assert [check50.problem_of(one) for one in chain] == ["", "three (not three)", "no"]
    assert not Path(check50.__file__ or "").with_name("files").exists()


@each_row
def test_what_has_no_counterpart_remains_to_be_written(tmp_path: Path, head: str, reason: str) -> None:
    checks = CHECKS.replace("import check50.c\n", head)
    assert "To be written" in imported(tmp_path, {"__init__.py": checks, "testing.c": TESTING, "known/a": ""}).notes[-1]
    assert reason in (tmp_path / "course/data/votes/to_do.py").read_text()


@pytest.mark.slow
def test_a_program_that_the_checks_make_of_two_files_is_graded_as_there(tmp_path: Path) -> None:
    written = imported(tmp_path, {"__init__.py": CHECKS, "testing.c": TESTING, "known/equal.txt": "best 4 same\n"})
    spec = load(written.spec)
    assert (spec.language, [test.visibility for test in spec.tests]) == ("c", [*["visible"] * 3, "hidden"])
    assert b"equal" not in (tmp_path / "course/tests/votes/test_votes.py").read_bytes()

    def scores(program: str) -> list[str]:
        report = grade_files(written.spec, tmp_path / "work", {"votes.c": program})
        return [test.verdict.value for test in report.tests]

    assert scores(RIGHT) == ["passed"] * 4
    assert scores(RIGHT.replace("if (a == b)", "if (0)")) == ["passed", "passed", "passed", "failed"]
    assert scores(RIGHT.replace("b > a", "b < a")) == ["passed", "passed", "failed", "passed"]
