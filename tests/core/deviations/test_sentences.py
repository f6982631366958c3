"""What a wrong line has to do with the expected one."""

from grader.core.deviations.sentences import remark_on_line, wrong_text
from tests.support.rows import each_row


@each_row
def test_a_remark_says_what_alone_makes_the_difference(line: bytes, wanted: bytes, remark: str) -> None:
    assert remark_on_line(line, wanted) == remark


@each_row
def test_a_first_wrong_line_that_fits_its_neighbour(actual: bytes, expected: bytes, told: str) -> None:
    assert wrong_text(actual, expected, "it") == told
