"""The checks of COMP 333's program, on what the reference prints and on what real programs print instead."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from comp333_checks import ordered, snapshot, solutions, trace

from grader import Wrong
from tests.support.rows import each_row
from tests.support.wrong import complaint

PROGRAM = Path(__file__).parents[2] / "reference" / "comp333_queens_java.py"
FIVE = "0 2 4 1 3\n0 3 1 4 2\n1 3 0 2 4\n1 4 2 0 3\n2 0 3 1 4\n2 4 1 3 0\n3 0 2 4 1\n3 1 4 2 0\n4 1 3 0 2\n4 2 0 3 1\n"


def printed(*args: str) -> bytes:
    """What the reference prints."""
    return subprocess.run([sys.executable, PROGRAM, *args], capture_output=True, check=True).stdout


TRACE = printed("4", "trace").decode()


@each_row
def test_any_layout_will_do(output: str) -> None:
    solutions(output.encode(), "4")


@each_row
def test_a_wrong_listing_is_told(output: str, sentence: str) -> None:
    listing = output.format(first=FIVE[:10], others=FIVE[10:]).encode()
    assert complaint(solutions, listing, "5").splitlines()[0] == sentence


def test_a_wrong_board_is_drawn() -> None:
    with pytest.raises(Wrong, match="attack each other") as told:
        solutions(b"1 3 2 0\n", "4")
    assert str(told.value).splitlines()[1:] == [". . . Q", "Q . . .", ". . X .", ". X . ."]


@pytest.mark.parametrize(
    "output",
    [
        TRACE,
        TRACE[: TRACE.rindex("Snapshot")],
        re.sub(r"(?m)^[^0-9c].*\n", "", TRACE),
        TRACE.replace("curcol = ", "Curcol: ").replace("\n", "\r\n"),
        re.sub(r"(\d): (.*)", lambda row: f" {row[1]} |{row[2].ljust(7).replace(' ', '|')}|", TRACE),
        TRACE + "Solution: 1 3 0 2\n",
    ],
    ids=["reference", "no board at the end", "no headings of the board", "another heading", "bars", "a line behind"],
)
def test_any_drawing_will_do(output: str) -> None:
    trace(output.encode(), "4")


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("", "The trace ends after 0 snapshots, the search after 8 placements."),
        (TRACE[: TRACE.rindex("curcol")], "The trace ends after 7 snapshots, the search after 8 placements."),
        (TRACE + TRACE, "The trace goes on after placement 8, with which the search for one solution ends."),
    ],
)
def test_a_wrong_trace_is_told(output: str, sentence: str) -> None:
    assert complaint(trace, output.encode(), "4") == sentence


@each_row
def test_a_trace_in_which_something_else_stands_is_told(old: str, new: str, sentence: str) -> None:
    assert old in TRACE
    assert complaint(trace, TRACE.replace(old, new).encode(), "4") == sentence


@each_row
def test_a_snapshot_shows_the_positions(text: str) -> None:
    snapshot(text.encode(), "7 3 -1")


@each_row
def test_a_wrong_snapshot_is_told(text: str, column: int) -> None:
    with pytest.raises(Wrong, match=f"column {column} is not there"):
        snapshot(text.encode(), "7 3 -1")


@each_row
def test_hostile_output_is_wrong_and_nothing_worse(output: bytes) -> None:
    for check in (solutions, trace):
        with pytest.raises(Wrong):
            check(output, "5")


@each_row
def test_solutions_in_order_are_right_however_they_are_laid_out(n: str, output: str) -> None:
    ordered(output.encode(), n)


@each_row
def test_another_order_or_number_is_wrong(output: str, told: str) -> None:
    with pytest.raises(Wrong, match=told):
        ordered(output.encode(errors="surrogatepass"), "4")
