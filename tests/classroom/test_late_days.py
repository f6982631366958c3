"""A bank of free late days: what is taken, in which order, and what the student reads."""

from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from grader.classroom.late_days import BankedClass, LateBank, resettled
from grader.classroom.lateness import LateRule, compute_lateness, describe_rule, parse_moment
from grader.core.model.gradebook import Afterwards, Entry, Student
from grader.core.model.report import ByHand

DUE = parse_moment("2026-11-06 23:59 Europe/Zurich")
RULE = LateRule(per_day=Fraction(1, 10), grace=timedelta(), at_most=None, closed_after=5, free_days=3)


@pytest.mark.parametrize(
    ("days", "left", "at_most", "free", "takes", "told"),
    [
        (1, 3, None, 1, 0, "1 started day; it is free, so nothing is deducted; 2 of 3 free late days are left"),
        (2, 3, None, 2, 0, "2 started days; they are free, so nothing is deducted; 1 of 3 free late days is left"),
        (2, 1, None, 1, 0.1, "2 started days, of which 1 is free, the rest at 10 %"),
        (2, 0, None, 0, 0.2, "2 started days at 10 % of the graded points each, so 20 % of them; 0 of 3"),
        # No free day is spent on a day that costs nothing anyway.
        (4, 3, 2, 2, 0, "4 started days, of which 2 count; they are free, so nothing is deducted"),
        (6, 3, None, 0, 1, "after 5 days nothing counts any more; 3 of 3 free late days are left"),
    ],
)
def test_what_free_days_cost(  # noqa: PLR0917 - a row of the table
    days: int, left: int, at_most: int | None, free: int, takes: float, told: str
) -> None:
    rule = LateRule(per_day=RULE.per_day, grace=RULE.grace, at_most=at_most, closed_after=5, free_days=3)
    late = compute_lateness(f"2026-11-{6 + days:02} 20:00 Europe/Zurich", DUE, rule, left)
    assert late is not None
    assert (late.days, late.free_days, late.takes) == (days, free, takes)
    assert told in late.message


def test_without_a_bank_nothing_is_said_of_free_days() -> None:
    rule = LateRule(per_day=Fraction(1, 10), grace=timedelta(), at_most=None, closed_after=None)
    late = compute_lateness("2026-11-07 20:00 Europe/Zurich", DUE, rule)
    assert late is not None
    assert (late.free_days, late.takes, "free" in late.message) == (0, 0.1, False)
    assert "free" not in describe_rule(DUE, rule)
    assert "The first 3 late days of all assignments together cost nothing" in describe_rule(DUE, RULE)


def entry(name: str, submitted: str, due: str, team: str = "", *, excused: bool = False) -> Entry:
    students = tuple(Student(id=one) for one in name.split("+"))
    late = compute_lateness(submitted, parse_moment(due), RULE)
    by_hand = (ByHand(why="Ill.", excused=True),) if excused else ()
    after = Afterwards(late=late, by_hand=by_hand)
    return Entry(id=name, path=Path(name), students=students, team=team, submitted=submitted, after=after)


def banked(spec: str, due: str, *works: tuple[str, str], folder: str = "", excused: str = "") -> BankedClass:
    moment = parse_moment(f"{due} 23:59 Z")
    bank = LateBank(
        course="c", spec=spec, due=moment.instant, free=3, per_day="1/10", grace=0, at_most=None, closed_after=5
    )
    entries = [entry(name, f"{time} 20:00 Z", moment.written, excused=name == excused) for name, time in works]
    return BankedClass(folder=Path(folder or spec), bank=bank, entries=tuple(entries))


def free_days(classes: list[BankedClass]) -> dict[tuple[str, str], int]:
    now = {(one.folder.name, entry.id): entry for one in classes for entry in one.entries}
    for one, changed in resettled(classes):
        now |= {(one.folder.name, name): entry for name, entry in changed.items()}
    return {key: entry.after.late.free_days for key, entry in now.items() if entry.after.late}


def test_days_are_taken_by_due_date_and_the_poorest_of_a_team_decides() -> None:
    classes = [
        banked("one", "2026-11-06", ("ada", "2026-11-08"), ("bo", "2026-11-06")),
        banked("two", "2026-11-13", ("ADA+bo", "2026-11-15")),  # a team, and ids as another roster writes them
        banked("three", "2026-11-20", ("ada", "2026-11-22"), ("bo", "2026-11-23")),
    ]
    assert free_days(classes) == {("one", "ada"): 2, ("two", "ADA+bo"): 1, ("three", "ada"): 0, ("three", "bo"): 2}


def test_two_results_of_one_assignment_take_the_days_once_and_who_is_excused_none() -> None:
    classes = [
        banked("one", "2026-11-06", ("ada", "2026-11-07"), ("cy", "2026-11-09"), excused="cy"),
        banked("one", "2026-11-06", ("ada", "2026-11-07"), folder="one-shard"),
        banked("two", "2026-11-13", ("ada", "2026-11-16"), ("cy", "2026-11-16")),
    ]
    assert free_days(classes) == {
        ("one", "ada"): 1,
        ("one", "cy"): 0,
        ("one-shard", "ada"): 1,
        ("two", "ada"): 2,
        ("two", "cy"): 3,
    }
    assert list(resettled([classes[0]]))[0][1].keys() == {"cy"}  # noqa: RUF015 - the class is not meant
