"""How late something is: exactly, by the clock on the wall, and never by a guess."""

import re
from datetime import timedelta
from fractions import Fraction

import pytest

from grader.decisions.lateness import UNKNOWN, LateRule, compute_lateness
from grader.people.times import parse_moment
from tests.support.rows import each_row

DUE = "2026-11-20 23:59 Europe/Zurich"
RULE = LateRule(per_day=Fraction(1, 10), grace=timedelta(minutes=15), at_most=3, closed_after=None)


@each_row
def test_a_time_has_a_zone(written: str, instant: str) -> None:
    assert parse_moment(written).instant == instant


@each_row
def test_what_is_no_time_is_told(written: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        parse_moment(written)


@each_row
def test_started_days(due: str, submitted: str, days: int | None, takes: float | None) -> None:
    found = compute_lateness(submitted, parse_moment(due), RULE)
    assert (found and found.days, found and found.takes) == (days, takes)


@pytest.mark.parametrize(
    ("rule", "submitted", "takes", "told"),
    [
        (RULE, "", 0, UNKNOWN),
        (
            RULE,
            "2026-11-22 08:13:05 Z",
            0.2,
            "1 day 9 h 15 min after it was due (2026-11-20 23:59 Europe/Zurich): 2 started days at 10 % of the graded",
        ),
        (RULE, "2026-11-21 00:10 Europe/Zurich", 0, "11 min after it was due (2026-11-20 23:59 Europe/Zurich): within"),
        (RULE, "2026-11-26 00:10 Europe/Zurich", 0.3, "5 started days, of which 3 count, at 10 %"),
        (
            LateRule(per_day=Fraction(2, 5), grace=timedelta(), at_most=None, closed_after=None),
            "2026-11-26 00:10 Europe/Zurich",
            1,
            "6 started days at 40 % of the graded points each, so 100 % of them.",
        ),
        (
            LateRule(per_day=Fraction(1, 10), grace=timedelta(), at_most=3, closed_after=5),
            "2026-11-26 00:10 Europe/Zurich",
            1,
            "after 5 days nothing counts any more.",
        ),
    ],
)
def test_lateness_is_told_with_its_cost(rule: LateRule, submitted: str, takes: float, told: str) -> None:
    found = compute_lateness(submitted, parse_moment(DUE), rule)
    assert found is not None
    assert (found.takes, told in found.message) == (takes, True), found.message
