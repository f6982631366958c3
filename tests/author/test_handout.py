"""`grader handout`: what students may know, and nothing else."""

import re
from pathlib import Path

import pytest

from grader.author.handout import describe_expectation, to_handout
from grader.core.model.spec import Expectation, ExpectedExit
from grader.core.pipeline import prepare
from tests.support.commands import run_grader_text
from tests.support.courses import course
from tests.support.expected import ROOT
from tests.support.handout_samples import MARKER, REFERENCE, SPEC
from tests.support.rows import each_row


def page(folder: Path, spec: str = SPEC, reference: str = REFERENCE) -> str:
    return to_handout(prepare(course(folder, spec, reference)))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page(tmp_path_factory.mktemp("course"), MARKER.replace("# MARKER-comment", "# nothing"))


@each_row
def test_it_tells(told: str, shown: str) -> None:
    assert told in shown


def test_nothing_of_a_hidden_test_is_told_but_its_points(tmp_path: Path) -> None:
    path = course(tmp_path, MARKER, REFERENCE)
    done = run_grader_text("handout", path)
    assert done.returncode == 0, done.stderr
    assert "MARKER" not in done.stdout + done.stderr
    assert "59" not in done.stdout


def test_a_page_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    path = course(tmp_path, SPEC, REFERENCE)
    done = run_grader_text("handout", path, "--out", tmp_path / "deep/page.md")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "deep/page.md").read_text() == page(tmp_path / "again")


def test_without_a_reference_there_is_no_session(tmp_path: Path) -> None:
    spec = re.sub(r"reference: python3.*\n", "", SPEC).replace("expect: reference", 'expect: {stdout: "x"}')
    told = page(tmp_path, spec)
    assert "sample session" not in told
    assert "## usage" in told


def test_a_reference_that_fails_makes_no_page(tmp_path: Path) -> None:
    done = run_grader_text("handout", course(tmp_path, SPEC, "raise ValueError\n"))
    assert (done.returncode, done.stdout) == (3, "")
    assert "the reference failed" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", [path.stem for path in sorted((ROOT / "specs").glob("*.yaml"))])
def test_the_pages_of_the_course_are_whole(name: str) -> None:
    told = to_handout(prepare(ROOT / "specs" / f"{name}.yaml"))
    assert told.count("```") % 2 == 0
    assert "\n\n\n" not in re.sub(r"(?s)```.*?```", "CODE", told)
    for title in ("What to hand in", "How it is built and started", "Points", "Limits", "What is tolerated"):
        assert told.count(f"\n## {title}\n") == 1


def test_a_dialogue_is_shown_as_a_script() -> None:
    told = to_handout(prepare(ROOT / "specs/comp333-queens-prolog.yaml"))
    assert "  you      queens(8, Qs).\n" in told
    assert "it says `?- `; you type `queens(8, Qs).`; it says what matches" in told


def test_functions_are_shown_as_calls() -> None:
    told = to_handout(prepare(ROOT / "specs/cmps12b-pa2.yaml"))
    place = "in the class `Queens` (or `queens` or `NQueens`); it may be private:"
    assert f"`static int findSolutions(int[][] B, int i, String mode)` {place}" in told
    assert (
        "- If the build fails: The Makefile did not work, so the program was built with one of the course. This" in told
    )
    assert '- `findSolutions(new int[7][7], 1, "")` returns `4`, prints nothing\n' in told
    assert "- `placeQueen(new int[9][9], 3, 6)` leaves `B`: judged by a program, since many answers are right\n" in told


@each_row
def test_what_is_run_more_than_once_is_told(keys: str, told: str, tmp_path: Path) -> None:
    spec = SPEC[: SPEC.index("tests:")] + f"tests:\n  - name: words\n    {keys}\n    expect: {{exit: 0}}\n"
    assert told in to_handout(prepare(course(tmp_path, spec)))


@each_row
def test_an_exit_status_is_told_in_the_words_of_the_language(asked: ExpectedExit, told: str) -> None:
    assert describe_expectation(Expectation(exit=asked)) == f"- Exit status: {told}\n"
