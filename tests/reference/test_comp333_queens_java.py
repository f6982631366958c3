"""The search of COMP 333 against the trace that its hand-out prints, and the reference program as a process."""

import subprocess
import sys
from pathlib import Path

import pytest
from comp333_queens_java import listing, placements
from queens import is_solution, solutions

from tests.support.rows import each_row, read_data

PROGRAM = Path(__file__).parents[2] / "reference" / "comp333_queens_java.py"
PRINTED = [int(figure) for figure in (Path(__file__).parent / "comp333_trace.txt").read_text().split()]
"""All figures behind `curcol =` in the trace that the hand-out prints, up to the first solution of 8 queens."""


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


@pytest.mark.parametrize("n", range(1, 10))
def test_the_listing_has_all_solutions_in_the_order_of_the_search(n: int) -> None:
    found = list(listing(n))
    assert all(is_solution([row + 1 for row in rows]) for rows in found)
    assert found == sorted(set(found))
    assert len(found) == len(list(solutions(n)))


@each_row
def test_the_program_prints(args: list[str], output: str) -> None:
    run = subprocess.run([sys.executable, PROGRAM, *args], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == (output, "", 0)


@pytest.mark.parametrize("args", [[], ["x"], ["4", "5"], ["-4"]], ids=str)
def test_anything_else_is_refused(args: list[str]) -> None:
    run = subprocess.run([sys.executable, PROGRAM, *args], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("", "Usage: NQueens number [trace]\n", 2)
