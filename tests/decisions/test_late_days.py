"""A bank of free late days: what is taken, in which order, and what the student reads."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model.gradebook import Afterwards, Entry, Student
from grader.core.model.report import ByHand
from grader.decisions.late_days import LEDGER_NAME, days_used_before, record_times, resettle, unknown_before
from grader.decisions.lateness import LateRule, compute_lateness, describe_rule
from grader.decisions.post_grading import Rules, bank_key
from grader.people.times import parse_moment
from tests.support.rows import each_row

DUE = parse_moment("2026-11-06 23:59 Europe/Zurich")
RULE = LateRule(per_day=Fraction(1, 10), grace=timedelta(), at_most=None, closed_after=5, free_days=3)


@each_row
def test_what_free_days_cost(  # noqa: PLR0917 - a row of the table
    days: int, left: int, at_most: int | None, free: int, takes: float, told: str
) -> None:
    rule = LateRule(per_day=RULE.per_day, grace=RULE.grace, at_most=at_most, closed_after=5, free_days=3)
    late = compute_lateness(f"2026-11-{6 + days:02} 20:00 Europe/Zurich", DUE, rule, left)
    assert late is not None
    assert (late.days, late.free or 0, late.takes) == (days, free, takes)
    assert told in late.message


def test_without_a_bank_nothing_is_said_of_free_days() -> None:
    rule = LateRule(per_day=Fraction(1, 10), grace=timedelta(), at_most=None, closed_after=None)
    late = compute_lateness("2026-11-07 20:00 Europe/Zurich", DUE, rule)
    assert late is not None
    assert (late.free or 0, late.takes, "free" in late.message) == (0, 0.1, False)
    assert "free" not in describe_rule(DUE, rule)
    assert "The first 3 late days of all assignments together cost nothing" in describe_rule(DUE, RULE)


def rules(folder: Path, dues: Mapping[str, str], *, free: int = 3) -> Rules:
    """Return the rules of a course in `folder`, for the last of its assignments."""
    file = folder / "grader.yaml"
    file.touch()
    moments = {spec: parse_moment(f"2026-11-{day} 23:59 Z") for spec, day in dues.items()}
    late = LateRule(per_day=RULE.per_day, grace=timedelta(), at_most=None, closed_after=5, free_days=free)
    due = [*moments.values()][-1]
    return Rules(file=folder / "adjustments.yaml", due=due, late=late, course_file=file, dues=moments)


def entry(name: str, day: str, *, excused: bool = False) -> Entry:
    by_hand = (ByHand(why="Ill.", excused=True),) if excused else ()
    students = tuple(Student(id=one) for one in name.split("+"))
    submitted = f"2026-11-{day} 20:00 Z" if day else ""
    after = Afterwards(by_hand=by_hand)
    return Entry(id=name, path=Path(name) if day else None, students=students, submitted=submitted, after=after)


def take(course: Rules, spec: str, *works: tuple[str, str], excused: str = "") -> tuple[str, ...]:
    """Grade an assignment, or a part of it; return the assignments whose free days change."""
    return record_times(course, spec, [entry(name, day, excused=name == excused) for name, day in works])


DUES = {"one": "06", "two": "13", "three": "20"}


def test_days_are_taken_by_due_date_and_the_poorest_of_a_team_decides(tmp_path: Path) -> None:
    course = rules(tmp_path, DUES)
    assert take(course, "three", ("ada", "22"), ("bo", "23")) == ("three",)
    take(course, "two", ("ADA+bo", "15"))  # a team, and ids as another roster writes them
    assert take(course, "one", ("ada", "08"), ("bo", "06")) == ("one", "two", "three")
    assert days_used_before(course, "one") == {}
    assert days_used_before(course, "two") == {"ada": 2}
    assert days_used_before(course, "three") == {"ada": 3, "bo": 1}
    # Whatever was graded first.
    assert take(course, "one", ("ada", "08"), ("bo", "06")) == ()


def test_the_parts_of_a_class_take_the_days_once_and_who_is_excused_none(tmp_path: Path) -> None:
    course = rules(tmp_path, DUES)
    take(course, "one", ("ada", "07"), ("cy", "09"), excused="cy")
    take(course, "one", ("ada", "07"))  # again, somewhere else
    take(course, "one", ("bo", "08"))  # another part
    assert days_used_before(course, "two") == {"ada": 1, "bo": 2}
    take(course, "one", ("ada", ""))  # it was somebody else's work
    assert days_used_before(course, "two") == {"bo": 2}


def test_the_present_rule_and_due_dates_hold_and_last_year_counts_for_nothing(tmp_path: Path) -> None:
    take(rules(tmp_path, DUES), "one", ("ada", "08"))
    assert days_used_before(rules(tmp_path, DUES, free=1), "two") == {"ada": 1}
    assert days_used_before(rules(tmp_path, {**DUES, "one": "07"}), "two") == {"ada": 1}
    assert days_used_before(rules(tmp_path, {**DUES, "one": "27"}), "three") == {}
    assert days_used_before(rules(tmp_path, {**DUES, "one": "12"}), "two") == {}
    assert days_used_before(rules(tmp_path, {"two": "13"}), "two") == {}


def test_results_are_settled_by_what_the_course_knows(tmp_path: Path) -> None:
    course = rules(tmp_path, DUES)
    two = [entry("ada", "15"), entry("cy", "13")]
    record_times(course, "two", two)
    take(course, "one", ("ada", "08"), ("cy", "07"))
    found = resettle(two, "two", course)
    assert {name: one.after.late.free for name, one in found.items() if one.after.late} == {"ada": 1}
    assert resettle([*found.values(), two[1]], "two", course) == {}


@pytest.mark.parametrize("unknown", ["one", ""])
def test_an_assignment_that_nobody_knows_of_is_told(tmp_path: Path, unknown: str) -> None:
    course = rules(tmp_path, {"one": "06", "two": "13"})
    if not unknown:
        take(course, "one", ("bo", "06"))
    late = compute_lateness("2026-11-14 20:00 Z", parse_moment("2026-11-13 23:59 Z"), RULE)
    free = replace(entry("ada", "14"), after=Afterwards(late=late))
    told = [f"free late days are given as if none were taken by {unknown}"] if unknown else []
    assert [line.partition(", due before")[0] for line in unknown_before(course, "two", [free])] == told
    assert list(unknown_before(course, "two", [entry("ada", "13")])) == []


@each_row
def test_a_damaged_file_gives_no_day_back(tmp_path: Path, content: bytes) -> None:
    course = rules(tmp_path, DUES)
    (tmp_path / LEDGER_NAME).write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read, and tells which free late days are used"):
        days_used_before(course, "two")
    with pytest.raises(UsageError, match="restore it, or remove it and run `grader course`"):
        take(course, "one", ("ada", "08"))
    assert (tmp_path / LEDGER_NAME).read_bytes() == content


def test_names_that_are_no_text_have_days_too(tmp_path: Path) -> None:
    course = rules(tmp_path, DUES)
    take(course, "one", ("a\udcff", "08"))
    assert days_used_before(course, "two") == {bank_key(Student(id="a\udcff")): 2}


def test_a_number_that_moodle_gives_anew_in_each_assignment_is_no_other_student() -> None:
    one, two = (
        Student(id=f"{word} {number}", email="Bo@x.edu")
        for word, number in (("Participant", 71), ("Teilnehmer/in", 171))
    )
    assert bank_key(one) == bank_key(two) == "bo@x.edu"
    assert bank_key(Student(id="Participant 7")) == "participant 7"
    assert bank_key(Student(id="s7", email="bo@x.edu")) == "s7"
