from collections.abc import Callable
from fractions import Fraction

import pytest

from grader.yaml import units


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (units.parse_duration, "10 s", 10.0),
        (units.parse_duration, "10s", 10.0),
        (units.parse_duration, "500 ms", 0.5),
        (units.parse_duration, "0.1 s", 0.1),
        (units.parse_duration, "2 min", 120.0),
        (units.parse_duration, "10", None),
        (units.parse_duration, "0 s", None),
        (units.parse_duration, "-1 s", None),
        (units.parse_duration, "1 h", None),
        (units.parse_duration, "1e3 s", None),
        (units.parse_duration, "9" * 13 + " s", None),
        (units.parse_size, "512 MiB", 512 * 2**20),
        (units.parse_size, "8 MB", 8_000_000),
        (units.parse_size, "64 KiB", 65_536),
        (units.parse_size, "1.5 GiB", 3 * 2**29),
        (units.parse_size, "100 B", 100),
        (units.parse_size, "0.1 B", None),
        (units.parse_size, "100", None),
        (units.parse_size, "8 mb", None),
        (units.parse_count, "64", 64),
        (units.parse_count, "0", None),
        (units.parse_count, "064", None),
        (units.parse_count, "1.5", None),
        (units.parse_percent, "0%", Fraction(0)),
        (units.parse_percent, "12.5 %", Fraction(1, 8)),
        (units.parse_percent, "100%", Fraction(1)),
        (units.parse_percent, "100.1%", None),
        (units.parse_percent, "50", None),
        (units.parse_points, "0", Fraction(0)),
        (units.parse_points, "2.1", Fraction(21, 10)),
        (units.parse_points, "-1", None),
        (units.parse_points, "1e99999999", None),
        (units.parse_number, "-3", -3.0),
        (units.parse_number, "+.5", 0.5),
        (units.parse_number, "1e-6", 1e-6),
        (units.parse_number, "7.", 7.0),
        (units.parse_number, "1e999", None),
        (units.parse_number, "nan", None),
        (units.parse_number, ".", None),
        (units.parse_number, "٣", None),
        (units.parse_exit_status, "0", 0),
        (units.parse_exit_status, "255", 255),
        (units.parse_exit_status, "256", None),
        (units.parse_exit_status, "-1", None),
        (units.parse_range, "1..10", range(1, 11)),
        (units.parse_range, "-3..3", range(-3, 4)),
        (units.parse_range, "3..3", range(3, 4)),
        (units.parse_range, "1...3", None),
        (units.parse_range, "01..10", None),
    ],
)
def test_a_quantity(parse: Callable[[str], object], text: str, value: object) -> None:
    assert parse(text) == value


def test_a_range_the_wrong_way_round_is_empty() -> None:
    assert units.parse_range("3..1") == range(3, 2)
