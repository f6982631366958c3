from collections.abc import Callable
from fractions import Fraction

import pytest

from grader.yaml import units


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (units.duration, "10 s", 10.0),
        (units.duration, "10s", 10.0),
        (units.duration, "500 ms", 0.5),
        (units.duration, "0.1 s", 0.1),
        (units.duration, "2 min", 120.0),
        (units.duration, "10", None),
        (units.duration, "0 s", None),
        (units.duration, "-1 s", None),
        (units.duration, "1 h", None),
        (units.duration, "1e3 s", None),
        (units.duration, "9" * 13 + " s", None),
        (units.size, "512 MiB", 512 * 2**20),
        (units.size, "8 MB", 8_000_000),
        (units.size, "64 KiB", 65_536),
        (units.size, "1.5 GiB", 3 * 2**29),
        (units.size, "100 B", 100),
        (units.size, "0.1 B", None),
        (units.size, "100", None),
        (units.size, "8 mb", None),
        (units.count, "64", 64),
        (units.count, "0", None),
        (units.count, "064", None),
        (units.count, "1.5", None),
        (units.percent, "0%", Fraction(0)),
        (units.percent, "12.5 %", Fraction(1, 8)),
        (units.percent, "100%", Fraction(1)),
        (units.percent, "100.1%", None),
        (units.percent, "50", None),
        (units.points, "0", Fraction(0)),
        (units.points, "2.1", Fraction(21, 10)),
        (units.points, "-1", None),
        (units.points, "1e99999999", None),
        (units.number, "-3", -3.0),
        (units.number, "+.5", 0.5),
        (units.number, "1e-6", 1e-6),
        (units.number, "7.", 7.0),
        (units.number, "1e999", None),
        (units.number, "nan", None),
        (units.number, ".", None),
        (units.number, "٣", None),
        (units.exit_status, "0", 0),
        (units.exit_status, "255", 255),
        (units.exit_status, "256", None),
        (units.exit_status, "-1", None),
        (units.whole_range, "1..10", range(1, 11)),
        (units.whole_range, "-3..3", range(-3, 4)),
        (units.whole_range, "3..3", range(3, 4)),
        (units.whole_range, "1...3", None),
        (units.whole_range, "01..10", None),
    ],
)
def test_a_quantity(parse: Callable[[str], object], text: str, value: object) -> None:
    assert parse(text) == value


def test_a_range_the_wrong_way_round_is_empty() -> None:
    assert units.whole_range("3..1") == range(3, 2)
