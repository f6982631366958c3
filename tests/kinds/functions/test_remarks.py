"""Where a missing function is, and what ended a file whose functions are right."""

from grader.core.diagnosis import ReadLine
from grader.kinds.functions.judge import remark_on_calls, remark_on_loading
from grader.kinds.functions.model import Calls, Missing, Raised
from tests.support.functions import function
from tests.support.rows import each_row


def reader(text: str) -> ReadLine:
    lines = dict(enumerate(text.splitlines(), 1))
    return lambda name, number: lines.get(number, "") if name == "four.py" else ""


@each_row
def test_what_ended_a_file_whose_functions_are_right(ended: Raised | None, told: str) -> None:
    assert remark_on_loading(ended, reader("\nn = int(input())\n")) == told


def test_the_lines_of_a_file_are_read_once_for_all_its_cases() -> None:
    read, lines = list[int](), reader("class Four:\n    def f(self):\n        return 1\n")

    def read_line(name: str, number: int) -> str:
        read.append(number)
        return lines(name, number)

    missing = Calls(loaded=True, missing=Missing(call=0))
    told = {remark_on_calls(function("def f()", within="four"), missing, (), b"", read_line) for _ in range(9)}
    assert told == {" Line 2 of `four.py` defines it inside the class `Four`; move it out of there."}
    assert len(read) == len(set(read))
