"""Decide by hand: change `adjustments.yaml`, and write the pages of a class anew; nothing is run.

Each call locks the file and the results, reads both, checks the change, and writes. So two calls at once lose nothing.
The edits of a call are validated together and written once; comments and the layout of the file stay.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import asdict
from msgspec.structs import replace as change_struct

from grader.core.errors import GraderError, HostError, NotConfirmedError, UsageError
from grader.core.model.gradebook import Entry, Grade, Gradebook
from grader.core.model.report import ByHand, fraction
from grader.core.model.spec import Spec
from grader.core.reader.language import BY_HAND
from grader.core.reader.locate import find_spec
from grader.core.reader.spec import load
from grader.core.report.view import out_of_points
from grader.core.text import count, joined, listed, one_line, points, show, signed, tidy_lines
from grader.core.yaml.dumping import LAST, KeyPath, edited
from grader.core.yaml.nodes import in_line, plain, quoted, table
from grader.core.yaml.value import in_quotes, is_file, suggestion
from grader.decisions import late_days, post_grading
from grader.decisions.adjustments import BY_HAND_NAME, Line, RubricItem, describe_adjustment, read_adjustments
from grader.decisions.post_grading import Rules
from grader.people.people import find_grade
from grader.people.times import parse_moment
from grader.results.class_files import update_class_files
from grader.results.store import STORE_NAME, GradeStore, locked, open_results, open_store, read_store, update_files

_HEAD = "# What was decided by hand, on top of what was graded: `grader adjust` writes it, and so may you.\n"
_KEYS = (*(name for name in BY_HAND if name != "why"), "why")  # in the order in which they are written
_WITHOUT_QUOTES: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("spec", "due", "line"), str),
    **dict.fromkeys(("score", "graded"), lambda score: points(fraction(score))),
    "points": lambda change: signed(fraction(change)),
    "excused": lambda _: "true",
}


class Adjustable(Struct, frozen=True, kw_only=True):
    """Results whose grades can be changed by hand."""

    folder: Path
    spec: Spec
    spec_file: Path
    start: Path  # the working folder, at or above which the course's files lie
    is_class: bool  # whether `grader class` wrote them; else `grader run` did, and the pages change with its next run


class Adjusted(Struct, frozen=True, kw_only=True):
    """A change that was made."""

    grade: Grade | None  # with the change in it, if the results are of a class; None for a student who is not in them
    file: Path  # the `adjustments.yaml`
    line: Line  # that was added or removed
    unknown: tuple[str, ...] = ()  # a sentence for each line about somebody who is not in the class


def open_adjustable(folder: Path, spec_name: str | None = None, start: Path | None = None) -> Adjustable:
    """Find the spec of the results in a folder; raises UsageError when there are none, or they are of another spec."""
    start = start or Path.cwd()
    with open_results(folder) as opened:
        spec_id = opened.book.spec.id
    spec_file = find_spec(spec_name or spec_id, (), start)
    spec = load(spec_file)
    if spec.id != spec_id:
        raise UsageError(f"{one_line(str(folder))} has results of {spec_id}, and not of {spec.id}")
    is_class = (folder / STORE_NAME).is_file()
    return Adjustable(folder=folder, spec=spec, spec_file=spec_file, start=start, is_class=is_class)


def add_adjustment(
    target: Adjustable, name: str, by_hand: ByHand, *, due: str = "", above_maximum: bool = False
) -> Adjusted:
    """Add a line about the student of this name to `adjustments.yaml`; `graded` of `by_hand` is filled in here.

    Raises UsageError or SpecError for a change that cannot be meant, and NotConfirmedError for one that leads above
    the maximum, unless `above_maximum` allows that. Nothing is changed then.
    """
    with decisions(target) as change:
        grade = find_grade(change.book, name)
        by_hand = checked_adjustment(grade, by_hand, change.book, change.rules, above_maximum=above_maximum)
        change.add(show(grade.entry.id), by_hand, due)
    return _to_adjusted(change, change.lines[-1], grade)


def undo_adjustment(target: Adjustable, name: str = "", *, test: str = "", number: int | None = None) -> Adjusted:
    """Remove the last line about a student, about a test of the student, or the one with this number.

    Without a name it is the last line of all. Raises UsageError when there is none.
    """
    with decisions(target) as change:
        grade = find_grade(change.book, name) if name else None
        lines = [
            line
            for line in change.rules.lines
            if (grade is None or line.student == show(grade.entry.id)) and (not test or line.by_hand.test == test)
        ]
        chosen = [line for line in lines if number in {None, line.number}]
        if not chosen:
            about = f" about {one_line(grade.entry.id)}" if grade else ""
            there = "".join(f"\n  line {line.number}: {describe_adjustment(line)}" for line in lines)
            where = f" in line {number}" if number else ""
            raise UsageError(f"there is no adjustment{about}{where} to undo{f'; there are{there}' if there else ''}")
        change.remove(chosen[-1])
    return _to_adjusted(change, chosen[-1], grade)


def _to_adjusted(change: "Decisions", line: Line, grade: Grade | None) -> Adjusted:
    now = next((current for current in change.book.grades if show(current.entry.id) == line.student), grade)
    return Adjusted(grade=now, file=change.rules.file, line=line, unknown=change.unknown)


# ---------------------------------------------------------------- steps of both


class OutdatedPagesError(HostError):
    """What was decided is written, but the files of the class could not be made anew."""

    def __init__(self, why: GraderError) -> None:
        """Fail for the reason that those files had."""
        super().__init__(f"It is written in {BY_HAND_NAME}, but the files of the class could not be made anew: {why}")
        self.exit_code = why.exit_code


class Decisions:
    """A change of what is decided about a class; each edit raises UsageError for a layout that cannot be edited."""

    def __init__(self, rules: Rules, spec: Spec, book: Gradebook) -> None:
        """Begin with the file and the class as they are. The caller locked the file's folder before they were read."""
        self.rules, self.spec, self.book, self.lines = rules, spec, book, rules.lines
        self.unknown = tuple[str, ...]()
        self._content = self._before = rules.file.read_bytes() if is_file(rules.file) else _HEAD.encode()
        self._removed: list[int] = []

    def add(self, student: str, by_hand: ByHand, due: str = "") -> None:
        """Add a line; raises UsageError for an invalid `due` too."""
        try:
            due = due and parse_moment(due).written
        except ValueError as error:
            raise UsageError(f"--due: {error}") from None
        values = {"item": by_hand.item} if by_hand.item else {**asdict(by_hand), "due": due}
        self._edit(("adjustments", LAST), "write it there yourself: ", student=student, **values)

    def remove(self, line: Line) -> None:
        """Remove one of the lines that the rules have."""
        place = int(line.where.path.removeprefix("adjustments[").removesuffix("]"))
        before = sum(earlier < place for earlier in self._removed)
        self._edit(("adjustments", place - before), f"remove line {line.number} yourself")
        self._removed.append(place)

    def add_item(self, item: RubricItem) -> None:
        """Add an item to the rubric."""
        self._edit(("rubric", LAST), "write it there yourself: ", **asdict(item), item=item.id)

    def replace_item(self, old: RubricItem, new: RubricItem) -> None:
        """Change an item of the rubric, for everybody who has it."""
        self._edit(("rubric", old.place), f"change line {old.number} yourself to ", **asdict(new), item=new.id)

    def remove_item(self, item: RubricItem) -> None:
        """Remove an item of the rubric; raises UsageError while somebody has it."""
        if having := [one_line(line.student) for line in self.rules.lines if line.by_hand.item == item.id]:
            verb = "has" if len(having) == 1 else "have"
            raise UsageError(f"{count(len(having), 'student')} still {verb} it: {listed(having, most=3)}")
        self._edit(("rubric", item.place), f"remove line {item.number} yourself")

    def save(self) -> None:
        """Validate the edited file, and only then replace the old one. Raises SpecError for a mistake, or HostError."""
        if self._content != self._before:
            self.lines, _ = read_adjustments(self.rules.file, self.spec, self.rules.due, self._content)
            late_days.write_in_place(self.rules.file, self._content)

    def _edit(self, path: KeyPath, remedy: str, **values: Any) -> None:
        """Write a line or an item with these `values`, or without any remove it."""
        fields = {
            "spec": self.spec.id,
            **{key: value for key, value in values.items() if value not in (None, UNSET, "")},
        }
        form = {key: _WITHOUT_QUOTES.get(key) for key in _KEYS if key in fields}
        node = table({key: plain(to(fields[key])) if to else quoted(fields[key]) for key, to in form.items()})
        if (after := edited(self._content, path, node if values else None)) is None:
            remedy += in_line(node) if values else ""
            raise UsageError(f"{self.rules.file} is laid out so that it cannot be edited; {remedy}")
        self._content = after


@contextmanager
def decisions(target: Adjustable) -> Iterator[Decisions]:
    """Lock the file and the results; at the end of the block, write what was changed, then the files of the class.

    Raises OutdatedPagesError where it is written, and the other files could not be.
    """
    with late_days.lock_path(target.spec.root), locked(target.folder):
        with open_results(target.folder) as opened:
            change = Decisions(rules_now(target, opened.book), target.spec, opened.book)
        yield change
        change.save()
        try:
            change.book, change.unknown = refresh_class(target, change.book)
        except GraderError as error:
            raise OutdatedPagesError(error) from error


def rules_now(target: Adjustable, book: Gradebook) -> Rules:
    """Read the rules of the course as they are now; raises SpecError for mistakes in them."""
    handed_in = [grade.entry.path for grade in book.grades if grade.entry.path] if target.is_class else []
    return post_grading.find_rules(target.spec, target.spec_file, handed_in, target.start)


def refresh_class(target: Adjustable, book: Gradebook) -> tuple[Gradebook, tuple[str, ...]]:
    """Write the pages of a class anew; return its gradebook, and sentences about unknown students."""
    if not target.is_class:
        return book, ()
    rules, id_ = rules_now(target, book), target.spec.id
    with open_store(target.folder) as store:
        entries = post_grading.resolve_post_grading(store.entries(), rules, late_days.days_used_before(rules, id_))
        changed = late_days.record_times(rules, id_, entries)
        unknown = () if store.about().get("shard") else post_grading.unknown_students(entries, rules)
        facts = {"unknown": "\n".join(unknown), **late_days.bank_fact(rules)}
        book = _rewrite_class(store, target.folder, entries, facts)
    settled = settle_late_days(target.folder, rules, changed)
    return book, (*unknown, *late_days.unknown_before(rules, id_, entries), *settled)


def find_banked(folder: Path) -> tuple[Adjustable, Gradebook] | None:
    """Return a class with free late days, and its gradebook; None for one without.

    Raises UsageError or SpecError where the rules of its course cannot be read, which say how many days are free.
    """
    with open_results(folder) as opened:
        has_bank = late_days.stored_bank(opened.about) is not None
    try:
        target = open_adjustable(opened.path)
        rules = rules_now(target, opened.book)
        if has_bank and not (rules.due and rules.late):
            raise UsageError(f"no grader.yaml here says when {target.spec.id} is due")
    except GraderError as error:
        if has_bank:
            where = f"{one_line(str(opened.path))} has free late days, which only its course's grader.yaml can count"
            raise UsageError(f"{where}, so use this command in the course: {error}") from error
        return None
    return (target, opened.book) if has_bank or late_days.bank_of(rules) else None


def refresh_late_days(folder: Path) -> Iterator[str]:
    """Bring the free late days of a class up to date with its course's `grader.yaml`; yield what changed.

    Raises UsageError where that cannot be read.
    """
    if banked := find_banked(folder):
        target, book = banked
        with locked(folder):
            changed, unknown = refresh_class(target, book)
        pairs = zip(book.grades, changed.grades, strict=True)
        if number := sum(old.entry.after.late != new.entry.after.late for old, new in pairs):
            yield _describe_settled(number, folder)
        yield from unknown


# ---------------------------------------------------------------- what can be meant


def checked_adjustment(
    grade: Grade, by_hand: ByHand, book: Gradebook, rules: Rules, *, above_maximum: bool = False
) -> ByHand:
    """Return the change as it is written, with what was graded now; raises as `add_adjustment` does."""
    by_hand = change_struct(by_hand, why=tidy_lines(by_hand.why))
    _check(grade, by_hand, rules)
    if not above_maximum and (why := _leads_above(grade, book, by_hand, rules)):
        raise NotConfirmedError(why)
    return change_struct(by_hand, graded=_graded_points(grade, by_hand))


def _check(grade: Grade, by_hand: ByHand, rules: Rules) -> None:
    """Raise UsageError for a change that cannot be meant."""
    name, report = one_line(grade.entry.id), grade.report
    lines = [line for line in rules.lines if line.student == show(grade.entry.id)]
    scored = {line.by_hand.test: line for line in lines if line.by_hand.score is not UNSET}
    excused = next((line for line in lines if line.by_hand.excused), None) if by_hand.excused else None
    if line := excused or (scored.get(by_hand.test) if by_hand.score is not UNSET else None):
        command = f"grader adjust {name} --undo --line {line.number}"
        what = f"this is decided in line {line.number} already ({describe_adjustment(line)})"
        raise UsageError(f"{what}; to change that, first {command}")
    if report is None:
        if grade.entry.path is not None:
            raise UsageError(f"{name} is not graded yet; grade it first")
        if by_hand.test or (by_hand.score is UNSET and not by_hand.excused):
            remedy = "--score gives points for the whole, and --excused excuses from it"
            raise UsageError(f"{name} has no graded submission that could be changed; {remedy}")
        return
    names = [test.name for test in report.tests]
    if by_hand.test and by_hand.test not in names:
        raise UsageError(f"there is no test {in_quotes(by_hand.test)}{suggestion(by_hand.test, names)}")
    is_known = by_hand.test in scored or _graded_points(grade, by_hand) is not None
    if by_hand.points is not None and not is_known and (by_hand.test or grade.counted is None):
        what = f"`{by_hand.test}` of {name}" if by_hand.test else name
        raise UsageError(f"{what} is ungraded, so there is nothing to add points to; give its points with --score")


def _graded_points(grade: Grade, by_hand: ByHand) -> float | None:
    """Return what the test or the whole was graded, for a change of its points; None where it was not."""
    if grade.report is None or (by_hand.points is None and by_hand.score is UNSET):
        return None
    return {test.name: test.score for test in grade.report.tests}[by_hand.test] if by_hand.test else grade.report.score


def _leads_above(grade: Grade, book: Gradebook, by_hand: ByHand, rules: Rules) -> str:
    """Return a sentence when a change leads above the maximum of the test or of the whole; empty when it does not."""
    name = one_line(grade.entry.id)
    most = {test.name: test.points for test in grade.report.tests}.get(by_hand.test) if grade.report else None
    if most is not None and by_hand.score is not UNSET and by_hand.score > most:
        return f"`{by_hand.test}` of {name} would have {out_of_points(by_hand.score, most)}"
    after = post_grading.afterwards_of(show(grade.entry.id), grade.entry.submitted, rules)
    if grade.entry.after.late and grade.entry.after.due == after.due:  # with the free late days that it takes
        after = change_struct(after, late=grade.entry.after.late)
    before = post_grading.grade_with(grade, after).counted
    changed = post_grading.grade_with(grade, change_struct(after, by_hand=(*after.by_hand, by_hand))).counted
    is_above = changed is not None and changed > max(book.max_score, before or 0)
    return f"{name} would have {out_of_points(changed, book.max_score)}" if is_above else ""


# ---------------------------------------------------------------- free late days


def _rewrite_class(store: GradeStore, folder: Path, entries: tuple[Entry, ...], facts: Mapping[str, str]) -> Gradebook:
    """Store the entries of a class with their post-grading, and write its files; nothing is run."""
    store.enrol(entries, facts)
    for entry in entries:
        if entry.path is not None and store.get(entry.id) is not None:
            update_files(entry, store, folder, store.about())
    return update_class_files(store, folder).book


def settle_late_days(folder: Path, rules: Rules, changed: Collection[str] = ()) -> Iterator[str]:
    """Bring the results beside `folder` up to date that share its bank; yield a sentence for each that changed.

    `changed` are the assignments whose free days changed: those without results there are told.
    """
    present: set[str] = set()
    for path in sorted(folder.absolute().parent.glob(f"*/{STORE_NAME}")) if late_days.bank_of(rules) else ():
        try:
            with read_store(path) as store:
                about, entries = store.about(), store.entries()
            if not late_days.stored_bank(about) or (spec := about.get("spec", "")) not in rules.dues:
                continue
            present.add(spec)
            settled = late_days.resettle(entries, spec, rules)
            if settled and path.parent.resolve() != folder.resolve():
                with locked(path.parent), open_store(path.parent) as store:
                    _rewrite_class(store, path.parent, tuple(settled.get(entry.id, entry) for entry in entries), {})
                yield _describe_settled(len(settled), path.parent)
        except (GraderError, msgspec.MsgspecError) as error:
            shown = one_line(os.path.relpath(path.parent))
            yield f"free late days in {shown} may be out of date: {error}; grade that again, or use `grader course`"
    if absent := [name for name in changed if name not in present]:
        yield f"free late days changed in {joined(absent)} too: run `grader course` on its results"


def _describe_settled(number: int, folder: Path) -> str:
    where = one_line(os.path.relpath(folder))
    return f"free late days changed for {count(number, 'submission')} in {where}; its grades are up to date"
