"""What is remarked on a wrong value, and what ended a file whose functions are right."""

import pytest

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


@pytest.mark.parametrize(("actual", "told"), [("NaN", ""), ("Infinity", ""), ("3", "missing"), ("9", "whole number")])
def test_what_is_no_number_is_no_whole_number(actual: str, told: str) -> None:
    said = remark_on_calls([Contrast(name="x", actual=actual, expected="3.14")], b"")
    assert told in said
    assert bool(said) == bool(told)
