"""Writing `adjustments.yaml`: one line more, or one less; comments and layout of the others stay.

Every change is made to a copy, which is read and checked before it replaces the file. Callers hold `lock_file` from
reading the rules to the end of their change, so that two changes at once lose nothing.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec

from grader.core.errors import HostError, SpecError, UsageError
from grader.core.model.report import ByHand, fraction
from grader.core.model.spec import Spec
from grader.core.reader.editing import LAST, edited
from grader.core.reader.paths import is_file
from grader.core.text import count, listed, one_line, points, signed
from grader.core.yaml.nodes import Node, Scalar
from grader.core.yaml.writing import in_line, plain, quoted, table
from grader.decisions.adjustments import BY_HAND_NAME, Line, read_lines
from grader.decisions.post_grading import Rules, check_dates
from grader.decisions.rubric import RubricItem
from grader.people.times import parse_moment

HEAD = "# What was decided by hand, on top of what was graded: `grader adjust` writes it, and so may you.\n"


@contextmanager
def lock_file(file: Path) -> Iterator[None]:
    """Wait for the lock on a file, and hold it in the block; the kernel releases it even if we are killed."""
    try:
        folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise HostError(f"{file.parent}: {error.strerror}") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


Edit = Callable[[bytes], bytes]
"""Returns the edited file; raises UsageError for a layout that cannot be edited"""


def edit_adjustments(rules: Rules, spec: Spec, *edits: Edit) -> tuple[Line, ...]:
    """Make all edits of the `adjustments.yaml` of the rules, or none: they are validated together and written once.

    Comments and layout of the rest stay. Returns the lines as they are then. Raises UsageError for a layout that cannot
    be edited, and SpecError for a mistake, such as a line that is there already.
    """
    content = rules.file.read_bytes() if is_file(rules.file) else HEAD.encode()
    for edit in edits:
        content = edit(content)
    return replace_adjustments(rules, content, spec)


def adds_line(rules: Rules, spec: Spec, student: str, by_hand: ByHand, due: str = "") -> Edit:
    """Return what adds a line; raises UsageError for an invalid `due`."""
    item = table(_cells_of(spec, student, by_hand, due))

    def edit(content: bytes) -> bytes:
        if (after := edited(content, ("adjustments", LAST), item)) is None:
            what = f"write it there yourself: {in_line(item)}"
            raise UsageError(f"{rules.file} is laid out so that nothing can be added to it; {what}")
        return after

    return edit


def removes_line(rules: Rules, line: Line) -> Edit:
    """Return what removes a line of the file as it is, or with more lines added behind it."""
    place = int(line.where.path.removeprefix("adjustments[").removesuffix("]"))

    def edit(content: bytes) -> bytes:
        if (after := edited(content, ("adjustments", place), None)) is None:
            problem = "is laid out so that nothing can be removed from it"
            raise UsageError(f"{rules.file} {problem}; remove line {line.number}")
        return after

    return edit


def add_line(rules: Rules, spec: Spec, student: str, by_hand: ByHand, due: str = "") -> int:
    """Write one more line, and return its number; raises as `edit_adjustments` does."""
    return edit_adjustments(rules, spec, adds_line(rules, spec, student, by_hand, due))[-1].number


def remove_line(rules: Rules, spec: Spec, line: Line) -> None:
    """Remove a line; raises as `edit_adjustments` does."""
    edit_adjustments(rules, spec, removes_line(rules, line))


def _cells_of(spec: Spec, student: str, by_hand: ByHand, due: str) -> dict[str, Scalar]:
    cells = {"spec": plain(spec.id), "student": quoted(student)}
    if by_hand.item:
        return {**cells, "item": quoted(by_hand.item)}
    cells |= {"test": quoted(by_hand.test)} if by_hand.test else {}
    cells |= {"points": plain(signed(fraction(by_hand.points)))} if by_hand.points is not None else {}
    cells |= {} if by_hand.score is msgspec.UNSET else {"score": plain(points(fraction(by_hand.score)))}
    cells |= {"graded": plain(points(fraction(by_hand.graded)))} if by_hand.graded is not None else {}
    cells |= {"excused": plain("true")} if by_hand.excused else {}
    cells |= {"due": plain(_checked_time(due))} if due else {}
    cells |= {"file": quoted(by_hand.file)} if by_hand.file else {}
    cells |= {"line": plain(str(by_hand.line))} if by_hand.line else {}
    cells |= {"code": quoted(by_hand.code)} if by_hand.code else {}
    return {**cells, "why": quoted(by_hand.why)}


def _checked_time(written: str) -> str:
    try:
        return parse_moment(written).written
    except ValueError as error:
        raise UsageError(f"--due: {error}") from None


def replace_adjustments(rules: Rules, content: bytes, spec: Spec) -> tuple[Line, ...]:
    """Write a temporary file, validate it, and only then replace the original; return its lines."""
    file = rules.file
    temporary = file.with_name(f".{BY_HAND_NAME}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        mode = file.stat().st_mode & 0o777 if is_file(file) else 0o644
        with os.fdopen(os.open(temporary, flags, mode), "wb") as new:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        lines = read_lines(temporary, spec)
        check_dates(replace(rules, lines=lines))
        temporary.replace(file)
    except SpecError as error:
        raise SpecError(tuple(one._replace(file=str(file)) for one in error.problems)) from None
    except OSError as error:
        advice = "look at the disk and at who may write there"
        raise HostError(f"{file} cannot be written: {error.strerror}; {advice}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return lines


_KEY = "rubric"
_MAX_NAMED = 3


def adds_item(rules: Rules, spec: Spec, item: RubricItem) -> Edit:
    """Return what adds an item."""
    node = _node(item, spec)
    return lambda content: _edited(rules, edited(content, (_KEY, LAST), node), f"add {in_line(node)}")


def add_item(rules: Rules, spec: Spec, item: RubricItem) -> None:
    """Add an item; raises as `edit_adjustments` does."""
    edit_adjustments(rules, spec, adds_item(rules, spec, item))


def replace_item(rules: Rules, spec: Spec, old: RubricItem, new: RubricItem) -> None:
    """Write an item anew, for everybody who has it; raises as `edit_adjustments` does."""
    node = _node(new, spec)

    def edit(content: bytes) -> bytes:
        after = edited(content, (_KEY, old.place), node)
        return _edited(rules, after, f"change line {old.number} to {in_line(node)}")

    edit_adjustments(rules, spec, edit)


def remove_item(rules: Rules, spec: Spec, item: RubricItem) -> None:
    """Remove an item; raises UsageError while somebody has it, and as `edit_adjustments` does."""
    having = [line.student for line in rules.lines if line.by_hand.item == item.id]
    if having:
        names = listed([one_line(name) for name in having], most=_MAX_NAMED)
        raise UsageError(f"{count(len(having), 'student')} still {'has' if len(having) == 1 else 'have'} it: {names}")
    what = f"remove line {item.number}"
    edit_adjustments(rules, spec, lambda content: _edited(rules, edited(content, (_KEY, item.place), None), what))


def _edited(rules: Rules, after: bytes | None, what: str) -> bytes:
    if after is None:
        raise UsageError(f"{rules.file} is laid out so that it cannot be edited; {what} yourself")
    return after


def _node(item: RubricItem, spec: Spec) -> Node:
    cells = {"spec": plain(spec.id), "item": quoted(item.id)}
    cells |= {"test": quoted(item.test)} if item.test else {}
    cells |= {"points": plain(signed(fraction(item.points)))} if item.points is not None else {}
    return table({**cells, "why": quoted(item.why)})
