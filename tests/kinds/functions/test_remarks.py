"""Where a missing function is, and what ended a file whose functions are right."""

from grader.core.diagnosis import ReadLine
from grader.kinds.functions.judge import remark_on_loading
from grader.kinds.functions.model import Raised
from tests.support.rows import each_row


def reader(text: str) -> ReadLine:
    lines = dict(enumerate(text.splitlines(), 1))
    return lambda name, number: lines.get(number, "") if name == "four.py" else ""


@each_row
def test_what_ended_a_file_whose_functions_are_right(ended: Raised | None, told: str) -> None:
    assert remark_on_loading(ended, reader("\nn = int(input())\n")) == told
