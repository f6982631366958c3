"""What a wrong line has to do with the expected one."""

import pytest

from grader.core.deviations.sentences import remark_on_line, wrong_text

LOST = ": its decimals are missing (integer division?)"


@pytest.mark.parametrize(
    ("line", "wanted", "remark"),
    [
        (b"Average: 67.00\n", b"Average: 67.33\n", LOST),
        (b"Average: 1", b"Average: 1.5", LOST),
        (b"-2.0 and 3.0", b"-2.75 and 3.5", LOST),
        (b"Sum: 67", b"Sum: 67.33", LOST),
        (b"67.33\r\r", b"67.33\r", ""),
        (b"largest: 0", b"largest: -7", ": a number below zero is expected (does a largest value begin at 0?)"),
        (b"Average: 66", b"Average: 67.33", ": it is a whole number; decimals are expected"),
        (b"North: 156.3", b"North: 156.30", ": it has 1 decimal, expected 2"),
        (b"North: 156.3", b"North: 156.41", ""),
        (b"largest: 1", b"largest: -7", ""),
        (b"largest: 0", b"largest: 7", ""),
        (b"Sum: 66.50", b"Sum: 67", ""),
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


@pytest.mark.parametrize(
    ("actual", "expected", "told"),
    [
        (b"a\nc\nd\nx\n", b"a\nb\nc\nd\ne\n", "Line 2 of it, `b`, is missing: `c` is in its place."),
        (b"a\nc\nd\ne\nx\n", b"a\nb\nc\nd\ne\n", "Line 2 of it, `b`, is missing: `c` is in its place."),
        (b"a\n*\nb\nc\nx\n", b"a\nb\nc\nd\n", "Line 2 of it, `*`, is one too many before `b`."),
        (b"a\nbc\nx\n", b"a\nb\nc\nd\n", "The newline after `b` is missing: line 2 of it is `bc`."),
        # a neighbour fits, and not the line behind it
        (b"a\nc\nx\nd\n", b"a\nb\nc\nd\n", "Line 2 of it is `c`, expected `b`."),
        (b"a\n*\nb\nx\n", b"a\nb\nc\nd\n", "Line 2 of it is `*`, expected `b`."),
        (b"b\na\nx\n", b"a\nb\nc\n", "Line 1 of it is `b`, expected `a`."),
        (b"a\nb\n", b"a\nb\nc\n", "It ends where line 3, `c`, is expected."),
        (b"a\nb\nx\n", b"a\nb\n", "Line 3 of it is `x`, where nothing more is expected."),
    ],
)
def test_a_first_wrong_line_that_fits_its_neighbour(actual: bytes, expected: bytes, told: str) -> None:
    assert wrong_text(actual, expected, "it") == told
