"""The reference program of CMPS 12B as a process, against the sample session of the hand-out."""

import subprocess
import sys
from pathlib import Path

import pytest
from cmps12b_pa2 import findSolutions, placeQueen, printBoard, removeQueen
from queens import count, solutions

from tests.support.rows import each_row, read_data

PROGRAM = Path(__file__).parents[2] / "reference" / "cmps12b_pa2.py"

USAGE = """\
Usage: Queens [-v] number
Option: -v  verbose output, print all solutions
"""
DATA = read_data(__file__)
FOUR = DATA["FOUR"]
FIVE = DATA["FIVE"]


def session(*args: str) -> tuple[str, str, int]:
    """What the program writes to standard output and standard error, and its exit status."""
    run = subprocess.run([sys.executable, PROGRAM, *args], capture_output=True, text=True, check=False)
    return run.stdout, run.stderr, run.returncode


@each_row
def test_a_number_is_answered(args: list[str], output: str) -> None:
    assert session(*args) == (output, "", 0)


def test_the_listing_is_complete() -> None:
    lines = session("-v", "10")[0].splitlines()
    assert lines == [*map(str, solutions(10)), "10-Queens has 724 solutions"]


@each_row
def test_anything_else_gets_the_usage_message(args: list[str]) -> None:
    assert session(*args) == ("", USAGE, 1)


def board(n: int, *queens: tuple[int, int]) -> list[list[int]]:
    """A board with queens on it, placed one after the other."""
    squares = [[0] * (n + 1) for _ in range(n + 1)]
    for i, j in queens:
        placeQueen(squares, i, j)
    return squares


@each_row
def test_boards_are_those_of_the_hand_out(queens: list[tuple[int, int]], rows: list[list[int]]) -> None:
    squares = board(4, *queens)
    assert squares == [[0] * 5, *rows]
    for i, j in reversed(queens):
        removeQueen(squares, i, j)
    assert squares == board(4)


def test_a_board_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    printBoard(board(4, (1, 2), (2, 4), (3, 1), (4, 3)))
    assert capsys.readouterr().out == "(2, 4, 1, 3)\n"


@pytest.mark.parametrize("n", range(1, 9))
def test_solutions_are_found(n: int, capsys: pytest.CaptureFixture[str]) -> None:
    squares = board(n)
    assert findSolutions(squares, 1, "") == count(n)
    assert capsys.readouterr().out == ""
    assert findSolutions(squares, 1, "verbose") == count(n)
    assert capsys.readouterr().out.splitlines() == [f"({', '.join(map(str, found))})" for found in solutions(n)]
    assert squares == board(n)


def test_solutions_are_found_below_queens_that_are_placed() -> None:
    assert [findSolutions(board(8, (1, j)), 2, "") for j in range(1, 9)] == [4, 8, 16, 18, 18, 16, 8, 4]
