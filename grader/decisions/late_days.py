"""Free late days: a bank of each student, over all assignments of a course.

`late: {free-days: 5}` of a `grader.yaml` is one bank for all assignments that this file has due dates for. Days are
taken in the order of the due dates (then of the ids), for each day that would cost something.

`late-days.json` beside that file has when everybody handed in what, from every class that is graded, whole or in parts,
wherever its results lie. What each student used is computed from it and from the file as it is now.
"""

import fcntl
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import msgspec

from grader.core.cache import replace_files
from grader.core.errors import HostError, UsageError
from grader.core.model.gradebook import Entry
from grader.core.model.report import Lateness
from grader.core.model.values import decode_json
from grader.core.text import joined, one_line, show
from grader.core.yaml.value import is_file
from grader.decisions.lateness import compute_lateness
from grader.decisions.post_grading import DaysUsed, Rules, bank_key, free_days_left, own_due
from grader.people.times import parse_moment

LEDGER_NAME = "late-days.json"
_BANK_FACT = "late_bank"  # the name of the fact in the store


class LateBank(msgspec.Struct, frozen=True, kw_only=True):
    """A course's bank of free late days as one of its assignments was graded with it."""

    course: str  # the `grader.yaml`
    free: int


class HandedIn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When one submission was handed in."""

    students: tuple[str, ...]  # their `bank_key`
    submitted: str  # with a zone
    due: str = ""  # when it was due, if that was put off for them alone


Ledger = Mapping[str, Sequence[HandedIn]]  # the id of a spec -> its submissions; without what was never graded


def bank_of(rules: Rules) -> LateBank | None:
    """Return the bank that the rules have; None without free days."""
    if not (rules.course_file and rules.due and rules.late and rules.late.free_days):
        return None
    return LateBank(course=str(rules.course_file.resolve()), free=rules.late.free_days)


def bank_fact(rules: Rules) -> dict[str, str]:
    """Return the bank as a fact about a class; empty without one, so that an older one is replaced."""
    return {_BANK_FACT: msgspec.json.encode(bank).decode() if (bank := bank_of(rules)) else ""}


def stored_bank(about: Mapping[str, str]) -> LateBank | None:
    """Return the bank that a class was graded with, from the facts about it; None without one."""
    return decode_json(written, LateBank) if (written := about.get(_BANK_FACT, "")) else None


# ---------------------------------------------------------------- when everybody handed in


@contextmanager
def lock_path(path: Path) -> Iterator[None]:
    """Wait for the lock on a file or folder, and hold it in the block; the kernel releases it even if we are killed."""
    with ExitStack() as stack:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError as error:
            raise HostError(f"{one_line(str(path))} cannot be locked: {error.strerror}") from error
        yield


def write_in_place(file: Path, content: bytes, effect: str = "") -> None:
    """Write a file of the course whole or not at all, with the mode that it has; HostError says the effect, too."""
    try:
        mode = file.stat().st_mode & 0o777 if is_file(file) else 0o644
        replace_files(file.parent, {file.name: [content]}, mode)
    except OSError as error:
        advice = f"{effect}look at the disk and at who may write there"
        raise HostError(f"{one_line(str(file))} cannot be written: {error.strerror}; {advice}") from error


def _ledger_path(rules: Rules) -> Path:
    return (rules.course_file or Path()).parent / LEDGER_NAME


def _read_ledger(rules: Rules) -> Ledger:
    """Read when everybody handed in; nothing without a bank. Raises UsageError for a damaged file."""
    path = _ledger_path(rules)
    if bank_of(rules) is None or not path.exists():
        return {}
    try:
        ledger = decode_json(path.read_bytes(), dict[str, list[HandedIn]])
        for time in (time for rows in ledger.values() for row in rows for time in (row.submitted, row.due)):
            parse_moment(time or "2026-01-01 00:00 Z")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(
            f"{one_line(str(path))} cannot be read, and tells which free late days are used: {why}; restore it, or "
            "remove it and run `grader course` on the results of all assignments"
        ) from error
    return ledger


def record_times(rules: Rules, spec: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Write when these handed in into the course's file; return the assignments whose free days change by it.

    Raises UsageError or HostError where that fails: another class would give the same days again.
    """
    if bank_of(rules) is None or rules.course_file is None:
        return ()
    with lock_path(rules.course_file):
        before = _read_ledger(rules)
        students = {student for entry in entries for student in _keys_of(entry)}
        rows = [row for row in before.get(spec, ()) if students.isdisjoint(row.students)]
        for entry in entries:
            if entry.path is not None and entry.submitted and not any(line.excused for line in entry.after.by_hand):
                due = own_due(show(entry.id), rules)
                own = HandedIn(students=_keys_of(entry), submitted=entry.submitted, due=due.written if due else "")
                rows.append(own)
        rows.sort(key=lambda row: row.students)
        if rows == list(before.get(spec, ())):
            return ()
        after = {**before, spec: rows}
        content = msgspec.json.format(msgspec.json.encode(dict(sorted(after.items()))), indent=1) + b"\n"
        write_in_place(_ledger_path(rules), content, "free late days are counted there, so nothing is graded; ")
    old, new = _days_taken(rules, before), _days_taken(rules, after)
    return tuple(name for name, (_, taken) in new.items() if old[name][1] != taken)


def _keys_of(entry: Entry) -> tuple[str, ...]:
    return tuple(sorted(map(bank_key, entry.students)))


# ---------------------------------------------------------------- what is used


def _lateness(row: HandedIn, spec: str, rules: Rules, used: DaysUsed) -> Lateness | None:
    due = parse_moment(row.due) if row.due else rules.dues[spec]
    free = free_days_left(row.students, rules.late, used)
    return compute_lateness(row.submitted, due, rules.late, free) if rules.late else None


def _days_taken(rules: Rules, ledger: Ledger) -> Mapping[str, tuple[DaysUsed, DaysUsed]]:
    """Return the free days taken before each assignment, and those that it takes, in the order of the due dates."""
    used, taken = Counter[str](), dict[str, tuple[DaysUsed, DaysUsed]]()
    for spec in sorted(rules.dues, key=lambda spec: (rules.dues[spec].instant, spec)):
        days = Counter[str]()
        for row in ledger.get(spec, ()):
            late = _lateness(row, spec, rules, used)
            days |= Counter(dict.fromkeys(row.students, (late and late.free) or 0))  # of two, the most
        taken[spec] = used, days
        used = used + days
    return taken


def days_used_before(rules: Rules, spec: str) -> DaysUsed:
    """Return the free late days taken by the assignments before this one; nothing without a bank."""
    return _days_taken(rules, _read_ledger(rules))[spec][0] if bank_of(rules) else {}


def unknown_before(rules: Rules, spec: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Say which assignments before this one nobody knows of, where somebody takes a free day all the same."""
    if bank_of(rules) and any(entry.after.late and entry.after.late.free for entry in entries):
        ledger, where = _read_ledger(rules), one_line(str(_ledger_path(rules)))
        before = takewhile(lambda name: name != spec, _days_taken(rules, ledger))
        if unknown := [name for name in before if name not in ledger]:
            taken = f"free late days are given as if none were taken by {joined(unknown)}, due before and not yet in"
            yield f"{taken} {where}: grade that, or run `grader course` on its results"


def resettle(entries: Sequence[Entry], spec: str, rules: Rules) -> Mapping[str, Entry]:
    """Return the entries of an assignment of the course whose free days are others than before, by id."""
    ledger = _read_ledger(rules)
    rows = {row.students: row for row in ledger.get(spec, ())}
    used, _ = _days_taken(rules, ledger)[spec]
    known = ((entry, rows[_keys_of(entry)]) for entry in entries if _keys_of(entry) in rows and rules.late)
    lates = ((entry, _lateness(row, spec, rules, used)) for entry, row in known)
    return {
        entry.id: replace(entry, after=msgspec.structs.replace(entry.after, late=late))
        for entry, late in lates
        if late != entry.after.late
    }
