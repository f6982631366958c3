"""What the forms of `grader review` change: `adjustments.yaml`, by the functions and the locks of `grader adjust`.

A form repeats what its page showed of the student (`seen`) or of the rubric item (`item_seen`). If somebody else has
changed that since, nothing is written, and the page is shown with what is there now and with what was typed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

import msgspec

from grader.core.errors import UsageError
from grader.core.model.gradebook import Grade
from grader.core.model.report import ByHand
from grader.core.text import one_line, show, tidy_lines
from grader.decisions.adjustments import Line, RubricItem, free_id, read_change
from grader.results.adjusting import Adjustable, Decisions, checked_adjustment, decisions
from grader.review.reviewed import grade_key, revision_of, revision_of_line
from grader.review.sources import SubmissionSource

MAX_REASON = 4_000  # characters of a reason
_Found = TypeVar("_Found")


class ConflictError(UsageError):
    """Somebody else changed the same in the meantime."""


def _first_or_conflict(candidates: Iterable[_Found], gone: str) -> _Found:
    """Return the first; raises ConflictError with a sentence where somebody else removed it."""
    for candidate in candidates:
        return candidate
    raise ConflictError(gone)


class _Step(NamedTuple):
    """A form that was sent, with the locked state that it changes."""

    change: Decisions
    grade: Grade
    form: Mapping[str, str]
    source: SubmissionSource

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines about the student, as they are now."""
        return tuple(line for line in self.change.rules.lines if line.student == show(self.grade.entry.id))

    @property
    def item(self) -> RubricItem:
        """The rubric item that the form names; raises ConflictError when there is none any more."""
        return _first_or_conflict(
            (item for item in self.change.rules.rubric if item.id == self.form.get("item")),
            "Somebody else deleted this rubric item.",
        )

    @property
    def item_as_seen(self) -> RubricItem:
        """The same; raises ConflictError when it is another one than the page showed."""
        item = self.item
        if item.revision != self.form.get("item_seen"):
            raise ConflictError("Somebody else changed this rubric item since you opened this page; it is shown now.")
        return item

    def line(self, revision: str) -> Line:
        """Return the line that the form means; raises ConflictError when there is none any more."""
        gone = "Somebody else removed or changed this in the meantime."
        return _first_or_conflict((line for line in self.lines if revision_of_line(line) == revision), gone)

    @property
    def typed(self) -> ByHand:
        """What was typed; raises UsageError for a reason or points that cannot be meant."""
        why, points = tidy_lines(self.form.get("why", "")), self.form.get("points", "").strip()
        if not why:
            raise UsageError("The reason is empty: give it, since the student reads it.")
        if len(why) > MAX_REASON:
            raise UsageError(f"The reason has {len(why):,} characters, and {MAX_REASON:,} is the most.")
        change = read_change(points.replace(",", ".").replace("\N{MINUS SIGN}", "-")) if points else None
        return ByHand(why=why, points=change, test=self.form.get("test", ""))

    def write(self, by_hand: ByHand, *, instead: Line | None = None) -> None:
        """Add a line, in place of another line if that is said."""
        rules, is_confirmed = self.change.rules, self.form.get("above") == "yes"
        others = replace(rules, lines=tuple(line for line in rules.lines if line is not instead))
        checked = checked_adjustment(self.grade, by_hand, self.change.book, others, above_maximum=is_confirmed)
        self.change.add(show(self.grade.entry.id), checked)
        if instead:
            self.change.remove(instead)

    def add(self) -> str:
        """Add points or a comment; with `instead`, in place of another line."""
        old = self.line(self.form["instead"]) if self.form.get("instead") else None
        new = self.typed
        if old is None or (new.why, new.test, new.points) != (old.by_hand.why, old.by_hand.test, old.by_hand.points):
            self.write(new, instead=old)
        return "#by-hand"

    def comment(self) -> str:
        """Comment on a line of the source, with points or without."""
        number, _, line = self.form.get("at", "").partition("-")
        files = self.source.files
        file = files[int(number)].name if _is_number(number) and int(number) < len(files) else ""
        code = self.source.line(file, int(line)) if _is_number(line) else None
        if code is None or not self.source.is_as_graded:
            raise ConflictError(
                "The submission has changed since it was graded: grade it again, then comment on its lines."
            )
        place = {"file": file, "line": int(line), "code": code.strip() or msgspec.UNSET}
        self.write(msgspec.structs.replace(self.typed, test="", **place))
        return f"#L{self.form['at']}"

    def remove(self) -> str:
        """Remove a line."""
        line = self.line(self.form.get("line", ""))
        self.change.remove(line)
        return "#by-hand" if not line.by_hand.file else "#source"

    def give(self, new: RubricItem | None = None) -> str:
        """Give a rubric item to the student."""
        item = new or self.item
        self.write(ByHand(why=item.why, test=item.test, points=item.points, item=item.id))
        return "#rubric"

    def take(self) -> str:
        """Take a rubric item back."""
        item = self.item
        own = (line for line in self.lines if line.by_hand.item == item.id)
        self.change.remove(_first_or_conflict(own, "Somebody else took this rubric item back."))
        return "#rubric"

    def new_item(self) -> str:
        """Make an item, and give it to the student."""
        typed, rubric = self.typed, self.change.rules.rubric
        item = RubricItem(id=free_id(typed.why, rubric), why=typed.why, points=typed.points, test=typed.test)
        self.change.add_item(item)
        return self.give(item)

    def change_item(self) -> str:
        """Change the reason and the points of an item, for all who have it."""
        old, typed = self.item_as_seen, self.typed
        new = msgspec.structs.replace(old, why=typed.why, points=typed.points)
        if new != old:
            self.change.replace_item(old, new)
        return "#rubric"

    def drop_item(self) -> str:
        """Delete an item."""
        self.change.remove_item(self.item_as_seen)
        return "#rubric"


def _is_number(written: str) -> bool:
    return written.isascii() and written.isdigit() and len(written) < 10  # noqa: PLR2004 - digits of a line's number


_ACTIONS: Mapping[str, Callable[[_Step], str]] = {
    "add": _Step.add,
    "comment": _Step.comment,
    "remove": _Step.remove,
    "give": _Step.give,
    "take": _Step.take,
    "new-item": _Step.new_item,
    "change-item": _Step.change_item,
    "drop-item": _Step.drop_item,
}  # `action` of a form -> what it does; each returns where the page goes on


def make_change(target: Adjustable, grade: Grade, form: Mapping[str, str], source: SubmissionSource) -> str:
    """Make the change of a form, and write the files of the class; return where the page goes on, as `#by-hand`.

    Raises UsageError or SpecError for a change that cannot be meant, ConflictError (one of the former) when somebody
    else changed the same, and HostError when it cannot be written. Nothing is changed then.
    Raises OutdatedPagesError where it is written, and other files could not be.
    """
    action = _ACTIONS.get(form.get("action", ""))
    if action is None:
        raise UsageError("There is no such form.")
    name = one_line(grade.entry.id)
    with decisions(target) as change:
        same = (listed for listed in change.book.grades if grade_key(listed) == grade_key(grade))
        step = _Step(change, _first_or_conflict(same, f"{name} is not in this class any more."), form, source)
        if form.get("seen") != revision_of(step.lines):
            raise ConflictError(
                f"Somebody else changed what is decided about {name} since you opened this page. "
                "It is shown now, and what you typed is still in the form: look, and save again."
            )
        return action(step)
