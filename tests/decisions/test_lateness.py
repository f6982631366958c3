"""How late something is: exactly, by the clock on the wall, and never by a guess."""

import re
from datetime import timedelta
from fractions import Fraction

import pytest

from grader.decisions.lateness import LateRule, compute_lateness, describe_rule
from grader.people.times import parse_moment
from tests.support.rows import each_row

DUE = "2026-11-20 23:59 Europe/Zurich"
RULE = LateRule(per_day=Fraction(1, 10), grace=timedelta(minutes=15), at_most=3, closed_after=None)
STEEP = LateRule(per_day=Fraction(2, 5), grace=timedelta(), at_most=None, closed_after=None)
CLOSED = LateRule(per_day=Fraction(1, 10), grace=timedelta(), at_most=3, closed_after=5)


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


@each_row
def test_lateness_is_told_with_its_cost(rule: LateRule, submitted: str, takes: float, told: str) -> None:
    found = compute_lateness(submitted, parse_moment(DUE), rule)
    assert found is not None
    assert (found.takes, told in found.message) == (takes, True), found.message


@each_row
def test_the_whole_sentence_of_lateness(rule: LateRule, submitted: str, told: str) -> None:
    found = compute_lateness(submitted, parse_moment(DUE), rule, min(1, rule.free_days))
    assert found is not None
    assert found.message == f"Handed in at {told}."


@each_row
def test_the_whole_description_of_a_rule(rule: LateRule | None, told: str) -> None:
    assert describe_rule(parse_moment(DUE), rule) == f"The work is due at {DUE}.{told}"
