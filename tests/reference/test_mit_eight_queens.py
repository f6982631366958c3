"""The reference of the lecture as a process and as a module, and the boards that are drawn at random for it."""

import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import mit_generators
import pytest
from mit_checks import every, none, once
from mit_eight_queens import no_conflicts

from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade
from tests.support.rows import each_row, read_data

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "reference" / "mit_eight_queens.py"

DATA = read_data(__file__)
SCRIPT = DATA["SCRIPT"]


def session(n: int) -> bytes:
    return subprocess.run([sys.executable, PROGRAM, str(n)], capture_output=True, check=True).stdout


def test_the_boards_of_the_lecture_are_printed() -> None:
    assert session(4) == b"[1, 3, 0, 2]\n[2, 0, 3, 1]\n"
    assert b"[3, 6, 2, 7, 1, 4, 0, 5]\n" in session(8)


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_all_solutions_are_printed_once(n: int) -> None:
    every(session(n), str(n))
    once(session(n), str(n))


@pytest.mark.parametrize("n", [2, 3])
def test_no_board_is_printed_where_there_is_none(n: int) -> None:
    none(session(n), str(n))


@each_row
def test_both_boards_have_the_same_conflicts(rows: list[int], safe: bool) -> None:  # noqa: FBT001  a column of the table
    n, current = max(4, len(rows)), len(rows) - 1
    squares = [[int(row == queen) for queen in rows] + [0] * (n - len(rows)) for row in range(n)]
    assert no_conflicts(rows + [-1] * (n - len(rows)), current) is safe
    assert no_conflicts(squares, current, rows[-1], n) is safe


def test_an_empty_column_attacks_nobody() -> None:
    assert no_conflicts([-1, 0, -1, -1], 1)


def drawn(name: str) -> list[list[Any]]:
    return list(islice(getattr(mit_generators, name)(Random(1)), 500))  # noqa: S311 - no secret


@pytest.mark.parametrize("name", ["matrices", "lists"])
def test_boards_at_random_are_safe_and_attacked_on_small_and_large_boards(name: str) -> None:
    found = {(len(board), no_conflicts(board, *rest)) for board, *rest in drawn(name)}
    assert found == {(4, True), (4, False), (8, True), (8, False)}


def test_matrices_have_a_queen_in_each_column_up_to_the_last() -> None:
    for board, current, row, n in drawn("matrices"):
        assert len(board) == n
        assert [sum(column) for column in zip(*board, strict=True)] == [1] * (current + 1) + [0] * (n - current - 1)
        assert board[row][current] == 1


def test_lists_have_a_queen_in_each_column_up_to_the_last() -> None:
    for board, current in drawn("lists"):
        n = len(board)
        assert current >= 1
        assert all(0 <= row < n for row in board[: current + 1])
        assert board[current + 1 :] == [-1] * (n - current - 1)


def test_only_the_last_queen_of_a_board_is_attacked() -> None:
    for board, current in drawn("lists"):
        assert all(no_conflicts(board, column) for column in range(current))


@pytest.mark.parametrize("line", [-1, 0, 1], ids=["falling", "row", "rising"])
def test_boards_at_random_tell_each_line_from_the_others(line: int) -> None:
    def attacked(rows: list[int], current: int, sign: int) -> bool:
        return any(rows[current] - rows[at] == sign * (current - at) for at in range(current))

    others = {-1, 0, 1} - {line}
    assert any(
        attacked(board, current, line) and not any(attacked(board, current, sign) for sign in others)
        for board, current in drawn("lists")
    )


@pytest.mark.slow
def test_the_reference_has_full_marks(tmp_path: Path) -> None:
    shutil.copy(PROGRAM, tmp_path)
    shutil.copy(PROGRAM, tmp_path / "n_queens.py")
    shutil.copy(PROGRAM.with_name("queens.py"), tmp_path)
    (tmp_path / "four_queens.py").write_text(SCRIPT.format(n=4, parameters="board, current, qindex, n"))
    (tmp_path / "eight_queens.py").write_text(SCRIPT.format(n=8, parameters="board, current"))
    spec = ROOT / "specs" / "mit-eight-queens.yaml"
    report = grade(Job(spec=spec, submission=Submission(id="reference", path=tmp_path)))
    assert report.score == report.max_score, [case for test in report.tests for case in test.cases if case.message]
