"""Free late days: a bank of each student, over all assignments of a course.

`late: {free-days: 5}` of a `grader.yaml` is one bank for all assignments that this file has due dates for. Days are
taken in the order of the due dates (then of the ids), for each day that would cost something. Which were taken is read
from the results beside: every class that is graded stores its rule, and a class whose numbers change is written anew.
Two folders with results of one assignment, such as two shards, take the days of a student once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import msgspec

from grader.classroom.lateness import LateRule, compute_lateness, parse_moment
from grader.classroom.people import fold_name
from grader.classroom.post_grading import DaysUsed, Rules, free_days_left
from grader.classroom.store import STORE_NAME, read_store
from grader.core.errors import GraderError
from grader.core.model.gradebook import Entry

BANK_FACT = "late_bank"
"""the name of the fact in the store"""


class LateBank(msgspec.Struct, frozen=True, kw_only=True):
    """A course's bank of free late days as one of its assignments was graded with it."""

    course: str
    """the `grader.yaml`"""
    spec: str
    due: str
    """in UTC as ISO 8601 has it"""
    free: int
    per_day: str
    """a fraction"""
    grace: float
    """seconds"""
    at_most: int | None
    closed_after: int | None

    @property
    def rule(self) -> LateRule:
        """The rule for late work."""
        return LateRule(
            per_day=Fraction(self.per_day),
            grace=timedelta(seconds=self.grace),
            at_most=self.at_most,
            closed_after=self.closed_after,
            free_days=self.free,
        )


def bank_of(rules: Rules, spec: str) -> LateBank | None:
    """Return the bank that the rules have; None without free days."""
    late = rules.late
    if not (rules.course_file and rules.due and late and late.free_days):
        return None
    return LateBank(
        course=str(rules.course_file.resolve()),
        spec=spec,
        due=rules.due.instant,
        free=late.free_days,
        per_day=str(late.per_day),
        grace=late.grace.total_seconds(),
        at_most=late.at_most,
        closed_after=late.closed_after,
    )


def bank_fact(bank: LateBank | None) -> dict[str, str]:
    """Return the bank as a fact about a class; empty without one, so that an older one is replaced."""
    return {BANK_FACT: msgspec.json.encode(bank).decode() if bank else ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class BankedClass:
    """Results of an assignment whose course has free late days."""

    folder: Path
    bank: LateBank
    entries: tuple[Entry, ...]


def banked_classes(parent: Path, course: str) -> list[BankedClass]:
    """Return the results below `parent` that share the bank of this `grader.yaml`, in the order of the due dates."""
    found = []
    for path in sorted(parent.glob(f"*/{STORE_NAME}")):
        try:
            with read_store(path) as store:
                written = store.about().get(BANK_FACT, "")
                bank = msgspec.json.decode(written, type=LateBank) if written else None
                if bank and bank.course == course:
                    found.append(BankedClass(folder=path.parent, bank=bank, entries=store.entries()))
        except (GraderError, msgspec.MsgspecError):
            continue  # another program's, or of another version: it has no days that could be read
    return sorted(found, key=lambda one: (one.bank.due, one.bank.spec, one.folder.name))


def days_used_before(folder: Path, bank: LateBank | None) -> DaysUsed:
    """Return the free late days taken by the assignments before this one, from the results beside `folder`."""
    if bank is None:
        return {}
    others = [one for one in banked_classes(folder.absolute().parent, bank.course) if one.bank.spec != bank.spec]
    before = [one for one in others if (one.bank.due, one.bank.spec) < (bank.due, bank.spec)]
    used: dict[str, int] = {}
    for _, group in groupby(before, key=lambda one: one.bank.spec):
        used = _with_days_of(used, [one.entries for one in group])
    return used


def _with_days_of(used: DaysUsed, classes: Sequence[Sequence[Entry]]) -> dict[str, int]:
    """Add the days that one assignment takes; a student in several results of it counts once."""
    taken: defaultdict[str, int] = defaultdict(int)
    for entry in (entry for entries in classes for entry in entries if entry.path is not None and entry.after.late):
        for student in entry.students:
            key = fold_name(student.id)
            taken[key] = max(taken[key], entry.after.late.free_days if entry.after.late else 0)
    return {key: used.get(key, 0) + taken.get(key, 0) for key in {*used, *taken}}


def resettled(classes: Sequence[BankedClass]) -> Iterator[tuple[BankedClass, Mapping[str, Entry]]]:
    """Yield the classes with entries whose free days changed, by id; `classes` are in the order of the due dates."""
    used: dict[str, int] = {}
    for _, group in groupby(classes, key=lambda one: one.bank.spec):
        now: list[Sequence[Entry]] = []
        for one in group:
            entries = [_resettle(entry, one.bank.rule, used) for entry in one.entries]
            changed = {new.id: new for old, new in zip(one.entries, entries, strict=True) if new != old}
            now.append(entries)
            if changed:
                yield one, changed
        used = _with_days_of(used, now)


def _resettle(entry: Entry, rule: LateRule, used: DaysUsed) -> Entry:
    late = entry.after.late
    if late is None or not late.submitted:
        return entry
    is_excused = any(one.excused for one in entry.after.by_hand)
    left = 0 if is_excused else free_days_left(entry, rule, used)
    again = compute_lateness(entry.submitted, parse_moment(late.due), rule, left)
    return replace(entry, after=msgspec.structs.replace(entry.after, late=again))
