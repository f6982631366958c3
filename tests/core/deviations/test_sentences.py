"""What a wrong line has to do with the expected one."""

import pytest

from grader.core.deviations.sentences import remark_on_line

LOST = ": its decimals are missing (integer division?)"


@pytest.mark.parametrize(
    ("line", "wanted", "remark"),
    [
        (b"Average: 67.00\n", b"Average: 67.33\n", LOST),
        (b"Average: 1", b"Average: 1.5", LOST),
        (b"-2.0 and 3.0", b"-2.75 and 3.5", LOST),
        (b"Sum: 67", b"Sum: 67.33", LOST),
        (b"67.33\r\r", b"67.33\r", ""),
        # What looks alike and is not.
        (b"Average: 66.00", b"Average: 67.33", ""),
        (b"Average: 67.30", b"Average: 67.33", ""),
        (b"Averages: 67.00", b"Average: 67.33", ""),
        (b"67.00 3", b"67.33 4", ""),
        (b"67.00 9.0", b"67.33 9", ""),
        (b"1,5 2.50", b"1.5 2.5", ""),
        (b"v1.0.2", b"v1.5.2", ""),
        (b"", b"1.5", ""),
        (b"1" * 500, b"1.5" * 500, ""),
        (b"\xff 67.00", b"\xff 67.33", LOST),
    ],
)
def test_a_remark_says_what_alone_makes_the_difference(line: bytes, wanted: bytes, remark: str) -> None:
    assert remark_on_line(line, wanted) == remark
