"""`adjustments.yaml` at a course's root: what was decided by hand, on top of what was graded.

`grader adjust` and `grader review` write it (`write_adjustments.py`), and so may people. A line adds points (`points`),
gives points in place of graded ones (`score`), excuses a student, puts off a due date, or comments. Each has its
reason, which the student reads. These adjustments change points. Those of a spec (`adjustments:`) change the work
before it is built.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.core.errors import SpecError, UsageError
from grader.core.model.report import ByHand, fraction
from grader.core.model.spec import Spec
from grader.core.reader.files import read_top
from grader.core.reader.language import BY_HAND, BY_HAND_FILE
from grader.core.reader.paths import read_bytes
from grader.core.text import count_points, one_line, sentence, show, signed, tidy_lines
from grader.core.yaml.value import (
    Value,
    boolean,
    fields,
    get,
    in_quotes,
    is_understood,
    items,
    key_path,
    parse_count,
    parse_points,
    parsed,
    suggestion,
    text,
    unwanted,
    wrong,
)
from grader.decisions.rubric import POINTS_CHANGE, RubricItem, check_test, rubric_in, two_places
from grader.people.times import Moment, read_moment

BY_HAND_NAME = "adjustments.yaml"
_EFFECTS = ("points", "score", "excused", "due")
"""the keys of which a line has one at most; a line without any is a comment on the whole or on a test"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of `adjustments.yaml`."""

    student: str
    """an id, as reports show it"""
    by_hand: ByHand
    due: Moment | None
    where: Value
    keys: Mapping[str, Value]
    """positions of its keys, for error messages"""

    @property
    def number(self) -> int:
        """The number of its first line in the file."""
        return self.where.node.line


def describe_adjustment(line: Line) -> str:
    """Describe a line for the staff, as in `bo, words: +2 points. The handout left the stream open.`."""
    one = line.by_hand
    effect = ""
    if one.points is not None:
        effect = f"{signed(fraction(one.points))} point{'s' * (abs(one.points) != 1)}. "
    elif one.score is not msgspec.UNSET:
        effect = f"{count_points(fraction(one.score))} in all. "
    elif one.excused:
        effect = "excused. "
    elif line.due:
        effect = f"due at {line.due.written}. "
    about = f", {one_line(one.test)}" if one.test else ""
    return f"{one_line(line.student)}{about}: {effect}{sentence(one.why)}"


def _whole_score(written: str) -> float | None:
    number = parse_points(written)
    return None if number is None or number * 100 % 1 else float(number)


_SCORE_WANTED = "a number of points, 0 or more, with two decimals at most"
_SCORE = parsed(_whole_score, _SCORE_WANTED, 0.0)
_GRADED = parsed(
    lambda written: float(number) if (number := parse_points(written)) is not None else None, "a number of points", 0.0
)
_LINE = parsed(lambda written: parse_count(written) or None, "the number of a line, from 1", 1)


def read_change(written: str) -> float:
    """Parse a number of points that is added or deducted, `+2`; raises UsageError for anything else."""
    if (change := two_places(written)) is None:
        raise UsageError(
            f"points are a number other than 0 with two decimals at most, +2 or -0.5, and not {in_quotes(written)}"
        )
    return change


def read_score(written: str) -> float:
    """Parse the points of a test or of the whole, `4.5`; raises UsageError for anything else."""
    if (score := _whole_score(written)) is None:
        raise UsageError(f"a score is {_SCORE_WANTED}, and not {in_quotes(written)}")
    return score


def has_content(written: bytes) -> bool:
    """Whether there is more than comments: of an `adjustments.yaml` whose lines were all removed, those stay."""
    return any(line.strip() and not line.lstrip().startswith(b"#") for line in written.splitlines())


def read_lines(path: Path, spec: Spec) -> tuple[Line, ...]:
    """Read the lines about a spec, in the order of the file; raises SpecError with the mistakes of all lines."""
    if not has_content(read_bytes(path)):
        return ()
    top = read_top(path)
    found = fields(top, BY_HAND_FILE)
    rubric = rubric_in(found, spec)
    lines = [_read_line(item, rubric, spec) for item in (items(found["adjustments"]) if "adjustments" in found else ())]
    about: list[Line] = []
    for name, line in lines:
        if name != spec.id:
            continue
        if "test" in line.keys:
            check_test(line.keys, line.by_hand.test, spec)
        for other in about:
            _check_beside(line, other)
        about.append(line)
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return tuple(about)


def _check_beside(line: Line, other: Line) -> None:
    """Record a mistake in a line that says again, or otherwise, what an earlier line says."""
    is_same_item = line.by_hand.item and (other.student, other.by_hand.item) == (line.student, line.by_hand.item)
    if is_same_item or _line_content(other) == _line_content(line):
        wrong(line.where, f"this is in line {other.number} already: keep one, or tell another reason")
        return
    for key, what in (("due", "due date"), ("score", "score"), ("excused", "line that excuses")):
        is_same = other.by_hand.test == line.by_hand.test and other.student == line.student
        if is_same and key in line.keys and key in other.keys:
            wrong(line.keys[key], f"there is another {what} for {in_quotes(line.student)} in line {other.number}")


def read_rubric(path: Path, spec: Spec) -> tuple[RubricItem, ...]:
    """Read the rubric of a spec, in the order of the file; its mistakes are reported by `read_lines`."""
    if not has_content(read_bytes(path)):
        return ()
    return tuple(rubric_in(fields(read_top(path), BY_HAND_FILE), spec).values())


def _read_line(item: Value, rubric: Mapping[str, RubricItem], spec: Spec) -> tuple[str, Line]:
    found = fields(item, BY_HAND)
    if "item" in found:
        return _read_use(item, found, rubric, spec)
    if "why" not in found and is_understood(item, found):
        wrong(msgspec.structs.replace(item, path=key_path(item.path, "why")), 'this key is missing, or "item"')
    why = tidy_lines(get(found, "why", text, ""))
    if "why" in found and not why:
        unwanted(found["why"], "a reason, which the student reads")
    by_hand = ByHand(
        why=show(why),
        test=show(get(found, "test", text, "")),
        points=get(found, "points", POINTS_CHANGE, None),
        graded=get(found, "graded", _GRADED, None),
        score=_SCORE(found["score"]) if "score" in found else msgspec.UNSET,
        excused=get(found, "excused", boolean, default=False) or msgspec.UNSET,
        file=show(get(found, "file", text, "")) or msgspec.UNSET,
        line=_LINE(found["line"]) if "line" in found else msgspec.UNSET,
        code=show(get(found, "code", text, "")) or msgspec.UNSET,
    )
    _check_keys(found, by_hand)
    due = get(found, "due", read_moment, None)
    line = Line(student=show(get(found, "student", text, "")), by_hand=by_hand, due=due, where=item, keys=found)
    return get(found, "spec", text, ""), line


def _read_use(
    value: Value, found: Mapping[str, Value], rubric: Mapping[str, RubricItem], spec: Spec
) -> tuple[str, Line]:
    """Read a line that gives a rubric item."""
    name, student = show(text(found["item"])), show(get(found, "student", text, ""))
    for key in sorted(found.keys() - {"spec", "student", "item"}):
        wrong(found[key], "the rubric item says this, for everybody who has it: change it there")
    about = get(found, "spec", text, "")
    item = rubric.get(name, RubricItem(id=name, why=""))
    if about == spec.id and name not in rubric:
        wrong(found["item"], f"there is no {in_quotes(name)} in the rubric of {spec.id}{suggestion(name, rubric)}")
    by_hand = ByHand(why=item.why, test=item.test, points=item.points, item=name)
    return about, Line(student=student, by_hand=by_hand, due=None, where=value, keys=found)


def _check_keys(found: Mapping[str, Value], by_hand: ByHand) -> None:
    """Record a mistake for keys of a line that mean nothing together."""
    if "graded" in found and not found.keys() & {"points", "score"}:
        wrong(found["graded"], 'this is what points are added to: it means nothing without "points" or "score"')
    if "due" in found:
        for key in ("test", "points", "score"):
            if key in found:
                wrong(found[key], "a due date is of the whole, and changes no points: write two lines")
        return
    first, *others = [key for key in _EFFECTS if key in found] or [""]
    if others:
        wrong(found[others[0]], f'a line has one effect, and this one has "{first}": write two lines')
    if "excused" in found and "test" in found:
        wrong(found["test"], "a student is excused from the whole")
    if "excused" in found and not by_hand.excused:
        wrong(found["excused"], "this excuses nobody: remove it, or write true")
    if "line" in found and "file" not in found:
        wrong(found["line"], 'a line of which file? Add "file"')
    if "code" in found and "line" not in found:
        wrong(found["code"], 'the text of which line? Add "line"')


def _line_content(line: Line) -> tuple[object, ...]:
    decided = msgspec.structs.replace(line.by_hand, graded=None)
    return line.student, decided, line.due and line.due.time
