"""The reference program of CMPS 12B as a process, against the sample session of the hand-out."""

import subprocess
import sys
from pathlib import Path

import pytest
from cmps12b_pa2 import findSolutions, placeQueen, printBoard, removeQueen
from queens import count, solutions

PROGRAM = Path(__file__).parents[2] / "reference" / "cmps12b_pa2.py"

USAGE = """\
Usage: Queens [-v] number
Option: -v  verbose output, print all solutions
"""
FOUR = """\
(2, 4, 1, 3)
(3, 1, 4, 2)
4-Queens has 2 solutions
"""
FIVE = """\
(1, 3, 5, 2, 4)
(1, 4, 2, 5, 3)
(2, 4, 1, 3, 5)
(2, 5, 3, 1, 4)
(3, 1, 4, 2, 5)
(3, 5, 2, 4, 1)
(4, 1, 3, 5, 2)
(4, 2, 5, 3, 1)
(5, 2, 4, 1, 3)
(5, 3, 1, 4, 2)
5-Queens has 10 solutions
"""


def session(*args: str) -> tuple[str, str, int]:
    """What the program writes to standard output and standard error, and its exit status."""
    run = subprocess.run([sys.executable, PROGRAM, *args], capture_output=True, text=True, check=False)
    return run.stdout, run.stderr, run.returncode


@pytest.mark.parametrize(
    ("args", "output"),
    [
        (["4"], "4-Queens has 2 solutions\n"),
        (["-v", "4"], FOUR),
        (["-v", "5"], FIVE),
        (["1"], "1-Queens has 1 solutions\n"),
        (["-v", "1"], "(1)\n1-Queens has 1 solutions\n"),
        (["-v", "3"], "3-Queens has 0 solutions\n"),
        (["08"], "8-Queens has 92 solutions\n"),
        (["13"], "13-Queens has 73712 solutions\n"),
    ],
    ids=str,
)
def test_a_number_is_answered(args: list[str], output: str) -> None:
    assert session(*args) == (output, "", 0)


def test_the_listing_is_complete() -> None:
    lines = session("-v", "10")[0].splitlines()
    assert lines == [*map(str, solutions(10)), "10-Queens has 724 solutions"]


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["blah"],
        ["-v"],
        ["-v", "blah"],
        ["blah", "4"],
        ["-x", "4"],
        ["4", "5"],
        ["4", "-v"],
        ["-v", "4", "5"],
        ["-v", "-v"],
        ["-V", "4"],
        [""],
        ["-v", ""],
        ["4.0"],
        [" 4"],
        ["1_0"],
        ["٤"],
        ["-4"],
        ["0"],
    ],
    ids=" ".join,
)
def test_anything_else_gets_the_usage_message(args: list[str]) -> None:
    assert session(*args) == ("", USAGE, 1)


def board(n: int, *queens: tuple[int, int]) -> list[list[int]]:
    """A board with queens on it, placed one after the other."""
    squares = [[0] * (n + 1) for _ in range(n + 1)]
    for i, j in queens:
        placeQueen(squares, i, j)
    return squares


@pytest.mark.parametrize(
    ("queens", "rows"),
    [
        ([(1, 2)], [[2, 0, 1, 0, 0], [0, -1, -1, -1, 0], [0, 0, -1, 0, -1], [0, 0, -1, 0, 0]]),
        ([(1, 2), (2, 4)], [[2, 0, 1, 0, 0], [4, -1, -1, -1, 1], [0, 0, -1, -1, -2], [0, 0, -2, 0, -1]]),
        ([(1, 4), (2, 2)], [[4, 0, 0, 0, 1], [2, 0, 1, -1, -1], [0, -1, -2, -1, -1], [0, -1, -1, 0, -2]]),
        ([(4, 3)], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [3, 0, 0, 1, 0]]),
    ],
    ids=str,
)
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
