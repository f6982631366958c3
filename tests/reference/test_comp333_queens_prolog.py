"""The Prolog reference, and the driver that asks a student's program, as SWI-Prolog runs them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from prolog_checks import every, once
from queens import solutions

from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade
from tests.support.rows import each_row

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reference" / "comp333_queens_prolog.pl"
ASK = ROOT / "reference" / "ask_queens.pl"

RIGHT = REFERENCE.read_text()
HALTS = ":- initialization(main).\nmain :- queens(4, Qs), print(Qs), nl, halt.\n"
"""A directive that shows an answer and ends Prolog, as in a script."""


def ask(folder: Path, program: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Ask a program as the specification does."""
    (folder / "queens.pl").write_text(program)
    shutil.copy(ASK, folder / "ask.pl")
    command = ["swipl", "-q", "-g", "ask:ask", "ask.pl", "queens.pl", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def answers(folder: Path, program: str, *args: str) -> list[str]:
    return ask(folder, program, *args).stdout.splitlines()


def test_the_reference_finds_all_solutions_in_order(tmp_path: Path) -> None:
    shown = [f"ask: answer [{','.join(map(str, rows))}]" for rows in solutions(8)]
    assert answers(tmp_path, RIGHT, "8", "2000") == ["ask: loaded", *shown, "ask: end"]


@pytest.mark.parametrize("n", ["1", "4", "6", "9"])
def test_the_answers_of_the_reference_are_right(tmp_path: Path, n: str) -> None:
    output = ask(tmp_path, RIGHT, n, "2000").stdout.encode()
    every(output, n)
    once(output, n)


@each_row
def test_what_the_driver_tells(tmp_path: Path, program: str, args: list[str], lines: list[str]) -> None:
    asked = ask(tmp_path, program, *args)
    assert (asked.stdout.splitlines(), asked.returncode) == (lines, 0)


def test_constraints_are_left_out_of_an_answer(tmp_path: Path) -> None:
    program = ":- use_module(library(clpfd)).\nqueens(N, Qs) :- length(Qs, N), Qs ins 1..N, all_different(Qs)."
    assert answers(tmp_path, program, "3", "1") == ["ask: loaded", "ask: answer [A,B,C]"]


def test_a_program_that_calls_halt_is_told_so_and_asked_all_the_same(tmp_path: Path) -> None:
    asked = ask(tmp_path, RIGHT + HALTS, "4", "9")
    assert asked.stdout.splitlines() == [
        "[2,4,1,3]",
        "ask: loaded",
        "ask: answer [2,4,1,3]",
        "ask: answer [3,1,4,2]",
        "ask: end",
    ]
    assert "it calls halt" in asked.stderr


@pytest.mark.slow
def test_the_reference_has_full_marks(tmp_path: Path) -> None:
    shutil.copy(REFERENCE, tmp_path / "queens.pl")
    spec = ROOT / "specs" / "comp333-queens-prolog.yaml"
    report = grade(Job(spec=spec, submission=Submission(id="reference", path=tmp_path)))
    assert report.score == report.max_score, [t for t in report.tests if t.verdict != "passed"]
