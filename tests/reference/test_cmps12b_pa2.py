"""The reference program of CMPS 12B as a process, against the sample session of the hand-out."""

import subprocess
import sys
from pathlib import Path

from tests.support.rows import each_row, read_data

PROGRAM = Path(__file__).parents[2] / "reference" / "cmps12b_pa2.py"

DATA = read_data(__file__)
USAGE = DATA["USAGE"]
FOUR = DATA["FOUR"]
FIVE = DATA["FIVE"]


def session(*args: str) -> tuple[str, str, int]:
    """What the program writes to standard output and standard error, and its exit status."""
    run = subprocess.run([sys.executable, PROGRAM, *args], capture_output=True, text=True, check=False)
    return run.stdout, run.stderr, run.returncode


@each_row
def test_a_number_is_answered(args: list[str], output: str) -> None:
    assert session(*args) == (output, "", 0)


@each_row
def test_anything_else_gets_the_usage_message(args: list[str]) -> None:
    assert session(*args) == ("", USAGE, 1)
