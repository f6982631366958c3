"""What the forms of `grader review` change: `adjustments.yaml`, by the functions and the locks of `grader adjust`.

A form repeats what its page showed of the student (`seen`) or of the rubric item (`item_seen`). If somebody else has
changed that since, nothing is written, and the page is shown with what is there now and with what was typed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import msgspec

from grader.core.errors import UsageError
from grader.core.model.gradebook import Grade
from grader.core.model.report import ByHand
from grader.core.text import one_line, show, tidy_lines
from grader.decisions.adjustments import Line, RubricItem, free_id, read_change
from grader.results.adjusting import Adjustable, Decisions, checked_adjustment, decisions
from grader.review.reviewed import grade_key, revision_of, revision_of_line
from grader.review.sources import SubmissionSource

MAX_REASON = 4_000
"""characters of a reason"""


class ConflictError(UsageError):
    """Somebody else changed the same in the meantime."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A form that was sent, with the locked state that it changes."""

    change: Decisions
    grade: Grade
    form: Mapping[str, str]
    source: SubmissionSource

    @property
    def student(self) -> str:
        """The student as the file names them."""
        return show(self.grade.entry.id)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines about the student, as they are now."""
        return tuple(line for line in self.change.rules.lines if line.student == self.student)

    def item(self) -> RubricItem:
        """Return the rubric item that the form names; raises ConflictError when there is none any more."""
        found = next((one for one in self.change.rules.rubric if one.id == self.form.get("item")), None)
        if found is None:
            raise ConflictError("Somebody else deleted this rubric item.")
        return found


def make_change(target: Adjustable, grade: Grade, form: Mapping[str, str], source: SubmissionSource) -> str:
    """Make the change of a form, and write the files of the class; return where the page goes on, as `#by-hand`.

    Raises UsageError or SpecError for a change that cannot be meant, ConflictError (one of the former) when somebody
    else changed the same, and HostError when it cannot be written. Nothing is changed then.
    Raises OutdatedPagesError where it is written, and other files could not be.
    """
    action = _ACTIONS.get(form.get("action", ""))
    if action is None:
        raise UsageError("There is no such form.")
    with decisions(target) as change:
        now = next((one for one in change.book.grades if grade_key(one) == grade_key(grade)), None)
        if now is None:
            raise ConflictError(f"{one_line(grade.entry.id)} is not in this class any more.")
        step = _Step(change=change, grade=now, form=form, source=source)
        if form.get("seen") != revision_of(step.lines):
            name = one_line(grade.entry.id)
            raise ConflictError(
                f"Somebody else changed what is decided about {name} since you opened this page. "
                "It is shown now, and what you typed is still in the form: look, and save again."
            )
        return action(step)


# ---------------------------------------------------------------- about one student


def _add(step: _Step) -> str:
    """Add points or a comment; with `instead`, in place of another line."""
    old = _line_named(step, step.form["instead"]) if step.form.get("instead") else None
    by_hand = ByHand(why=_reason(step.form), test=step.form.get("test", ""), points=_points(step.form))
    if old is None:
        _write(step, by_hand)
    elif (by_hand.why, by_hand.test, by_hand.points) != (old.by_hand.why, old.by_hand.test, old.by_hand.points):
        _write(step, by_hand, instead=old)
    return "#by-hand"


def _comment(step: _Step) -> str:
    """Comment on a line of the source, with points or without."""
    number, _, line = step.form.get("at", "").partition("-")
    file = step.source.files[int(number)].name if _is_number(number) and int(number) < len(step.source.files) else ""
    code = step.source.line(file, int(line)) if _is_number(line) else None
    if code is None or not step.source.is_as_graded:
        raise ConflictError(
            "The submission has changed since it was graded: grade it again, then comment on its lines."
        )
    _write(
        step,
        ByHand(
            why=_reason(step.form),
            points=_points(step.form),
            file=file,
            line=int(line),
            code=code.strip() or msgspec.UNSET,
        ),
    )
    return f"#L{step.form['at']}"


def _drop(step: _Step) -> str:
    line = _line_named(step, step.form.get("line", ""))
    step.change.remove(line)
    return "#by-hand" if not line.by_hand.file else "#source"


def _line_named(step: _Step, revision: str) -> Line:
    found = next((line for line in step.lines if revision_of_line(line) == revision), None)
    if found is None:
        raise ConflictError("Somebody else removed or changed this in the meantime.")
    return found


def _write(step: _Step, by_hand: ByHand, *, instead: Line | None = None) -> None:
    """Add a line, in place of another line if that is said."""
    change, is_confirmed = step.change, step.form.get("above") == "yes"
    others = replace(change.rules, lines=tuple(line for line in change.rules.lines if line is not instead))
    checked = checked_adjustment(step.grade, by_hand, change.book, others, above_maximum=is_confirmed)
    change.add(step.student, checked)
    if instead:
        change.remove(instead)


# ---------------------------------------------------------------- the rubric


def _give(step: _Step) -> str:
    item = step.item()
    _write(step, ByHand(why=item.why, test=item.test, points=item.points, item=item.id))
    return "#rubric"


def _take(step: _Step) -> str:
    item = step.item()
    line = next((one for one in step.lines if one.by_hand.item == item.id), None)
    if line is None:
        raise ConflictError("Somebody else took this rubric item back.")
    step.change.remove(line)
    return "#rubric"


def _new_item(step: _Step) -> str:
    """Make an item, and give it to the student."""
    why = _reason(step.form)
    item = RubricItem(
        id=free_id(why, step.change.rules.rubric), why=why, points=_points(step.form), test=step.form.get("test", "")
    )
    use = ByHand(why=item.why, test=item.test, points=item.points, item=item.id)
    step.change.add_item(item)
    _write(step, use)
    return "#rubric"


def _change_item(step: _Step) -> str:
    old = _item_as_seen(step)
    new = msgspec.structs.replace(old, why=_reason(step.form), points=_points(step.form))
    if new != old:
        step.change.replace_item(old, new)
    return "#rubric"


def _drop_item(step: _Step) -> str:
    step.change.remove_item(_item_as_seen(step))
    return "#rubric"


def _item_as_seen(step: _Step) -> RubricItem:
    item = step.item()
    if item.revision != step.form.get("item_seen"):
        raise ConflictError("Somebody else changed this rubric item since you opened this page; it is shown now.")
    return item


# ---------------------------------------------------------------- what was typed


def _reason(form: Mapping[str, str]) -> str:
    why = tidy_lines(form.get("why", ""))
    if not why:
        raise UsageError("The reason is empty: give it, since the student reads it.")
    if len(why) > MAX_REASON:
        raise UsageError(f"The reason has {len(why):,} characters, and {MAX_REASON:,} is the most.")
    return why


def _points(form: Mapping[str, str]) -> float | None:
    written = form.get("points", "").strip().replace(",", ".").replace("\N{MINUS SIGN}", "-")
    return read_change(written) if written else None


def _is_number(written: str) -> bool:
    return written.isascii() and written.isdigit() and len(written) < 10  # noqa: PLR2004 - digits of a line's number


_ACTIONS: Mapping[str, Callable[[_Step], str]] = {
    "add": _add,
    "comment": _comment,
    "remove": _drop,
    "give": _give,
    "take": _take,
    "new-item": _new_item,
    "change-item": _change_item,
    "drop-item": _drop_item,
}
"""`action` of a form -> what it does; each returns where the page goes on"""
