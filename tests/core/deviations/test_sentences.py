"""What a wrong line has to do with the expected one."""

import pytest

from grader.core.deviations.sentences import describe_kinds, is_joined, remark_on_line

LOST = ": its decimals are missing (integer division?)"


@pytest.mark.parametrize(
    ("line", "wanted", "remark"),
    [
        (b"Average: 67.00\n", b"Average: 67.33\n", LOST),
        (b"Average: 1", b"Average: 1.5", LOST),
        (b"-2.0 and 3.0", b"-2.75 and 3.5", LOST),
        (b"67.333333", b"67.33", ": it has 6 decimals, expected 2"),
        (b"67.335", b"67.34", ": it has 3 decimals, expected 2"),
        (b"Sum: 9.0", b"Sum: 9", ": it has 1 decimal, expected none"),
        (b"Sum: 67", b"Sum: 67.33", ": it has no decimals, expected 2"),
        (b"67.33\r\r", b"67.33\r", ""),
        (b"67,33 EUR", b"67.33 EUR", ": it has a comma where the decimal point is expected"),
        (b"10 100 9", b"9 10 100", ": the numbers are sorted as texts (`100` before `9`)"),
        # What looks alike and is not.
        (b"Average: 66.00", b"Average: 67.33", ""),
        (b"Average: 67.30", b"Average: 67.33", ""),
        (b"Averages: 67.00", b"Average: 67.33", ""),
        (b"67.00 3", b"67.33 4", ""),
        (b"67.00 9.0", b"67.33 9", ""),
        (b"100 10 9", b"9 10 100", ""),
        (b"10 9", b"9 10", ""),
        (b"10 100 8", b"9 10 100", ""),
        (b"1,5 2.50", b"1.5 2.5", ""),
        (b"v1.0.2", b"v1.5.2", ""),
        (b"", b"1.5", ""),
        (b"1" * 500, b"1.5" * 500, ""),
        (b"\xff 67.00", b"\xff 67.33", LOST),
    ],
)
def test_a_remark_says_what_alone_makes_the_difference(line: bytes, wanted: bytes, remark: str) -> None:
    assert remark_on_line(line, wanted) == remark


def test_lines_that_are_numbers_in_the_order_of_texts() -> None:
    ((_, told),) = describe_kinds(b"10\n100\n9\n", b"9\n10\n100\n", frozenset({"order"}), "standard output")
    assert told.startswith(
        "The lines are in the wrong order: the numbers are sorted as texts (`100` before `9`); line 1"
    )
    ((_, told),) = describe_kinds(b"10\n9\n100\n", b"9\n10\n100\n", frozenset({"order"}), "standard output")
    assert told.startswith("The lines are in the wrong order: line 1")


def test_a_line_that_goes_on_with_the_next_one() -> None:
    assert is_joined(b"foxbrown 4\n", b"fox\n", b"brown\n")
    assert is_joined(b"5.25 7\n", b"5.25\n", b"7\n")
    assert not is_joined(b"foxes\n", b"fox\n", b"brown\n")
    assert not is_joined(b"fox\n", b"fox\n", b"")
    assert not is_joined(b"fox brown\n", b"", b"brown\n")
