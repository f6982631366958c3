"""What a wrong line has to do with the expected one."""

from grader.core.deviations.sentences import describe_kinds, remark_on_line, wrong_text
from tests.support.rows import each_row


@each_row
def test_a_remark_says_what_alone_makes_the_difference(line: bytes, wanted: bytes, remark: str) -> None:
    assert remark_on_line(line, wanted) == remark


@each_row
def test_a_first_wrong_line_that_fits_its_neighbour(actual: bytes, expected: bytes, told: str) -> None:
    assert wrong_text(actual, expected, "it") == told


def test_lines_in_another_order_are_found_however_far_behind_a_difference_of_form() -> None:
    numbers = range(300)
    actual = b"".join(b"line %d \n" % number for number in numbers) + b"x\ny\n"
    expected = b"".join(b"line %d\n" % number for number in numbers) + b"y\nx\n"
    told = dict(describe_kinds(actual, expected, frozenset({"order", "trailing-space"}), "it"))
    assert told["order"] == "The lines are in the wrong order: line 301 of it is `x`, expected `y`."
