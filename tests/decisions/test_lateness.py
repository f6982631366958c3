"""How late something is: exactly, by the clock on the wall, and never by a guess."""

import re
from datetime import timedelta
from fractions import Fraction

import pytest

from grader.decisions.lateness import UNKNOWN, LateRule, compute_lateness
from grader.people.times import parse_moment

DUE = "2026-11-20 23:59 Europe/Zurich"
RULE = LateRule(per_day=Fraction(1, 10), grace=timedelta(minutes=15), at_most=3, closed_after=None)


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        (DUE, "2026-11-20T22:59:00Z"),
        ("2026-07-20 23:59 Europe/Zurich", "2026-07-20T21:59:00Z"),
        ("2026-11-20T23:59:10.5+01:00", "2026-11-20T22:59:10Z"),
        ("2018-09-12 18:39:34.110193000 Z", "2018-09-12T18:39:34Z"),  # as Gradescope's export has it
        ("2020-01-31 17:03:18 -0800", "2020-02-01T01:03:18Z"),
        ("2026-10-25 02:30 +02:00", "2026-10-25T00:30:00Z"),
    ],
)
def test_a_time_has_a_zone(written: str, instant: str) -> None:
    assert parse_moment(written).instant == instant


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("2026-11-20 23:59", "the zone is missing: write 2026-11-20 23:59 Europe/Zurich, or"),
        ("tomorrow", 'wanted a date, a time and a zone, such as 2026-11-20 23:59 Europe/Zurich, found "tomorrow"'),
        ("20.11.2026 23:59 Europe/Zurich", "wanted a date, a time and a zone"),
        ("2026-11-31 23:59 Z", "there is no such time: 2026-11-31 23:59 Z"),
        ("2026-11-20 24:59 Europe/Zurich", "there is no such time"),
        ("2026-11-20 23:59 +99:00", "there is no such time"),
        ("0001-01-01 00:00 Europe/Zurich", "there is no such time"),
        ("2026-11-20 23:59 Europe/Zürich", "wanted a date"),
        ("2026-11-20 23:59 Europe/Zurch", 'there is no time zone "Europe/Zurch"; did you mean "Europe/Zurich"?'),
        ("2026-11-20 23:59 etc/../passwd", "wanted a date"),
        ("2026-03-29 02:30 Europe/Zurich", "there is no such time, because the clocks are put forward then"),
        (
            "2026-10-25 02:30 Europe/Zurich",
            "2026-10-25 02:30 Europe/Zurich is there twice, because the clocks are put back then: write +0200 or +0100",
        ),
    ],
)
def test_what_is_no_time_is_told(written: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        parse_moment(written)


@pytest.mark.parametrize(
    ("due", "submitted", "days", "takes"),
    [
        (DUE, "2026-11-20 23:59:59.9 Europe/Zurich", None, None),  # all of the minute
        (DUE, "2026-11-20 22:59:59 Z", None, None),
        ("2026-11-20 23:59:00 Europe/Zurich", "2026-11-20 23:59:01 Europe/Zurich", 0, 0),  # the grace
        (DUE, "2026-11-21 00:00:00 Europe/Zurich", 0, 0),
        (DUE, "2026-11-21 00:14:59 Europe/Zurich", 0, 0),
        (DUE, "2026-11-21 00:15:00 Europe/Zurich", 1, 0.1),
        (DUE, "2026-11-22 00:14:59 Europe/Zurich", 1, 0.1),  # the grace moves the end of every day
        (DUE, "2026-11-22 00:15:00 Europe/Zurich", 2, 0.2),
        (DUE, "2026-11-23 12:00:00 Europe/Zurich", 3, 0.3),
        (DUE, "2031-11-23 12:00:00 Europe/Zurich", 1829, 0.3),
        # A day is 25 hours long when the clocks are put back, and 23 when they are put forward.
        ("2026-10-24 23:59 Europe/Zurich", "2026-10-25 23:59 Europe/Zurich", 1, 0.1),
        ("2026-10-24 23:59 +02:00", "2026-10-25 23:59 Europe/Zurich", 2, 0.2),
        ("2026-03-28 23:59 Europe/Zurich", "2026-03-29 23:59 Europe/Zurich", 1, 0.1),
        ("2026-03-28 23:59 Europe/Zurich", "2026-03-30 00:15 Europe/Zurich", 2, 0.2),
        # The end of a day that is there twice, or not at all, is the later one that may be meant.
        ("2026-10-24 02:30 Europe/Zurich", "2026-10-25 02:30 +01:00", 1, 0.1),
        ("2026-03-28 02:30 Europe/Zurich", "2026-03-29 03:30 Europe/Zurich", 1, 0.1),
    ],
)
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
