"""The Prolog reference, and the driver that asks a student's program, as SWI-Prolog runs them."""

import shutil
import subprocess
from pathlib import Path

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
