from collections.abc import Callable
from fractions import Fraction

import pytest

from grader.core.yaml.value import (
    parse_count,
    parse_duration,
    parse_exit_status,
    parse_number,
    parse_percent,
    parse_points,
    parse_range,
    parse_size,
)


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (parse_duration, "10 s", 10.0),
        (parse_duration, "10s", 10.0),
        (parse_duration, "500 ms", 0.5),
        (parse_duration, "0.1 s", 0.1),
        (parse_duration, "2 min", 120.0),
        (parse_duration, "10", None),
        (parse_duration, "0 s", None),
        (parse_duration, "-1 s", None),
        (parse_duration, "1 h", None),
        (parse_duration, "1e3 s", None),
        (parse_duration, "9" * 13 + " s", None),
        (parse_size, "512 MiB", 512 * 2**20),
        (parse_size, "8 MB", 8_000_000),
        (parse_size, "64 KiB", 65_536),
        (parse_size, "1.5 GiB", 3 * 2**29),
        (parse_size, "100 B", 100),
        (parse_size, "0.1 B", None),
        (parse_size, "100", None),
        (parse_size, "8 mb", None),
        (parse_count, "64", 64),
        (parse_count, "0", None),
        (parse_count, "064", None),
        (parse_count, "1.5", None),
        (parse_percent, "0%", Fraction(0)),
        (parse_percent, "12.5 %", Fraction(1, 8)),
        (parse_percent, "100%", Fraction(1)),
        (parse_percent, "100.1%", None),
        (parse_percent, "50", None),
        (parse_points, "0", Fraction(0)),
        (parse_points, "2.1", Fraction(21, 10)),
        (parse_points, "-1", None),
        (parse_points, "1e99999999", None),
        (parse_number, "-3", -3.0),
        (parse_number, "+.5", 0.5),
        (parse_number, "1e-6", 1e-6),
        (parse_number, "7.", 7.0),
        (parse_number, "1e999", None),
        (parse_number, "nan", None),
        (parse_number, ".", None),
        (parse_number, "٣", None),
        (parse_exit_status, "0", 0),
        (parse_exit_status, "255", 255),
        (parse_exit_status, "256", None),
        (parse_exit_status, "-1", None),
        (parse_range, "1..10", range(1, 11)),
        (parse_range, "-3..3", range(-3, 4)),
        (parse_range, "3..3", range(3, 4)),
        (parse_range, "1...3", None),
        (parse_range, "01..10", None),
    ],
)
def test_a_quantity(parse: Callable[[str], object], text: str, value: object) -> None:
    assert parse(text) == value


def test_a_range_the_wrong_way_round_is_empty() -> None:
    assert parse_range("3..1") == range(3, 2)
