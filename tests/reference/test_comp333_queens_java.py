"""The search of COMP 333 against the trace that its hand-out prints, and the reference program as a process."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import comp333_queens_java as reference
import pytest
from comp333_queens_java import listing, nc, placements
from queens import is_solution, solutions

from tests.support.rows import each_row, read_data

PROGRAM = Path(__file__).parents[2] / "reference" / "comp333_queens_java.py"
PRINTED = [int(figure) for figure in (Path(__file__).parent / "comp333_trace.txt").read_text().split()]
"""All figures behind `curcol =` in the trace that the hand-out prints, up to the first solution of 8 queens."""

EXAMPLE = [0, 4, 2, 7, 1, 5, 5, 3]
"""The hand-out's board: a to f are the queens of the columns 0 to 4 and 7."""

DATA = read_data(__file__)
THREE = DATA["THREE"]


def test_the_trace_is_that_of_the_hand_out_but_for_the_52nd_heading() -> None:
    # The copy has 112 headings and 114 boards. The last board is the solution once more, without a heading. The other
    # board without one is the 52nd, where the layout of the board before has run into it: `curcol = 2` is lost there.
    columns = [len(rows) - 1 for rows in placements(8)]
    assert len(columns) == 113
    assert len(PRINTED) == 112
    assert [place for place in range(113) if columns[:place] + columns[place + 1 :] == PRINTED] == [51]
    assert columns[51] == 2


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7, 8, 9, 10])
def test_the_trace_ends_with_the_first_solution(n: int) -> None:
    steps = list(placements(n))
    assert steps[-1] == next(listing(n))
    assert all(len(rows) < n for rows in steps[:-1])


@pytest.mark.parametrize("n", range(2, 9))
def test_every_step_places_one_queen_that_nothing_attacks(n: int) -> None:
    steps = [(), *placements(n)]
    assert all(later[:-1] == earlier[: len(later) - 1] for earlier, later in pairwise(steps))
    assert all(
        abs(rows[-1] - row) not in {0, len(rows) - 1 - column}
        for rows in steps[1:]
        for column, row in enumerate(rows[:-1])
    )
    assert steps == sorted(steps)


@pytest.mark.parametrize("n", range(1, 10))
def test_the_listing_has_all_solutions_in_the_order_of_the_search(n: int) -> None:
    found = list(listing(n))
    assert all(is_solution([row + 1 for row in rows]) for rows in found)
    assert found == sorted(set(found))
    assert len(found) == len(list(solutions(n)))


@each_row
def test_nc_on_the_board_of_the_hand_out(
    a: int,
    b: int,
    peaceful: bool,  # noqa: FBT001  a column of the table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reference, "queenPos", EXAMPLE)
    assert nc(a, b) is peaceful


@each_row
def test_the_program_prints(args: list[str], output: str) -> None:
    run = subprocess.run([sys.executable, PROGRAM, *args], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == (output, "", 0)


@pytest.mark.parametrize(("n", "number"), {8: 92, 9: 352, 10: 724}.items())
def test_the_program_finds_as_many_as_the_hand_out_says(n: int, number: int) -> None:
    run = subprocess.run([sys.executable, PROGRAM, str(n)], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[number:] == [f"Solutions: {number}"]


@pytest.mark.parametrize("args", [[], ["x"], ["4", "5"], ["-4"]], ids=str)
def test_anything_else_is_refused(args: list[str]) -> None:
    run = subprocess.run([sys.executable, PROGRAM, *args], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("", "Usage: NQueens number [trace]\n", 2)
