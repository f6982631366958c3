"""Where a missing function is, and what ended a file whose functions are right."""

import pytest

from grader.core.diagnosis import ReadLine
from grader.kinds.functions.judge import remark_on_loading
from grader.kinds.functions.model import Raised


def reader(text: str) -> ReadLine:
    lines = dict(enumerate(text.splitlines(), 1))
    return lambda name, number: lines.get(number, "") if name == "four.py" else ""


READS = (
    "Your program reads input outside of its functions in line 2 of `four.py`, `n = int(input())`: it is imported "
    "here, and there is no input (`EOFError`)."
)
ENDED = (
    "Outside of its functions your program ended with `ValueError: no number` in line 2 of `four.py`, "
    "`n = int(input())`; what comes after that did not run."
)


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        (
            Raised(type="EOFError", place="four.py:2"),
            READS,
        ),
        (
            Raised(type="ValueError", message="no number", place="four.py:2"),
            ENDED,
        ),
        (Raised(type="SystemExit", place="four.py:2"), ""),
        (None, ""),
    ],
)
def test_what_ended_a_file_whose_functions_are_right(ended: Raised | None, told: str) -> None:
    assert remark_on_loading(ended, reader("\nn = int(input())\n")) == told
