"""Where a missing function is, and what ended a file whose functions are right."""

import pytest

from grader.core.diagnosis import ReadLine
from grader.kinds.functions.model import Calls, Missing, Raised
from grader.kinds.functions.remarks import remark_on_loading, remark_on_missing
from tests.support.functions import function


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
IN_CLASS, IN_FUNCTION = (
    f" Line {line} of `four.py` defines it inside the {around}; move it out of there."
    for line, around in ((3, "class `Board`"), (2, "function `main`"))
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("class Board:\n    n = 1\n    def f(self, i):\n        pass\n", IN_CLASS),
        ("def main():\n    def f(i):\n        pass\n", IN_FUNCTION),
        ("class Board:\n    def g(self):\n        pass\n", ""),
        ("class Board:\n    pass\n\nif True:\n    def f(i):\n        pass\n", ""),
        ("class Board:\n    pass\n\nx = 1\n  def f(i):\n", ""),
        ("", ""),
    ],
)
def test_where_a_missing_function_is(text: str, told: str) -> None:
    asked = function("def f(i)", 1)
    assert remark_on_missing(asked, Calls(loaded=True, missing=Missing(call=0)), reader(text)) == told
    assert not remark_on_missing(asked, Calls(loaded=True, missing=Missing(call=7)), reader(text))
    assert not remark_on_missing(asked, Calls(loaded=True), reader(text))


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
