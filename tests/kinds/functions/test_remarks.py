"""What is remarked on a wrong value, and what ended a file whose functions are right."""

from grader.core.diagnosis import ReadLine
from grader.core.model.report import Contrast
from grader.kinds.functions.judge import remark_on_calls, remark_on_loading
from grader.kinds.functions.model import Raised
from tests.support.rows import each_row


def reader(text: str) -> ReadLine:
    lines = dict(enumerate(text.splitlines(), 1))
    return lambda name, number: lines.get(number, "") if name == "four.py" else ""


@each_row
def test_what_ended_a_file_whose_functions_are_right(ended: Raised | None, told: str) -> None:
    assert remark_on_loading(ended, reader("\nn = int(input())\n")) == told


@each_row
def test_why_a_result_may_be_wrong(actual: str, expected: str, told: str) -> None:
    contrast = Contrast(name="returned value", actual=f"{actual}\n", expected=f"{expected}\n")
    assert remark_on_calls([contrast], b"").strip() == told
