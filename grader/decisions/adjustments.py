"""`adjustments.yaml` at a course's root: what was decided by hand, on top of what was graded.

`grader adjust` and `grader review` write it (`results/adjusting.py`), and so may people. A line adds points (`points`),
gives points in place of graded ones (`score`), excuses a student, puts off a due date, or comments. The student reads
its reason. A line with `item` has the points, the test and the reason of that item of `rubric`, whatever they are now.
These adjustments change points. Those of a spec (`adjustments:`) change the work before it is built.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from grader.core.errors import UsageError
from grader.core.model.report import ByHand, fraction
from grader.core.model.spec import Spec
from grader.core.reader.files import unless_wrong
from grader.core.reader.language import BY_HAND, BY_HAND_FILE, RUBRIC_ITEM
from grader.core.text import count_points, one_line, sentence, show, signed, tidy_lines
from grader.core.yaml import value as yaml
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import refuse
from grader.core.yaml.value import Value, fields, get, in_quotes, items, parsed, suggestion, text, unwanted, wrong
from grader.people.times import Moment, read_moment

BY_HAND_NAME = "adjustments.yaml"
COURSE_FILE = "grader.yaml"  # has the due dates
_EFFECTS = ("points", "score", "excused", "due")  # a line has one at most; without any it is a comment


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `adjustments.yaml`."""

    student: str  # an id, as reports show it
    by_hand: ByHand
    due: Moment | None
    where: Value
    keys: Mapping[str, Value]

    @property
    def number(self) -> int:
        """The number of its first line in the file."""
        return self.where.node.line


class RubricItem(msgspec.Struct, frozen=True, kw_only=True):
    """A reason that is given to many students and changed in one place, with points or without."""

    id: str
    why: str
    points: float | None = None  # what is added to the score; None for a comment
    test: str = ""
    place: int = 0  # in the list of the file, from 0
    number: int = 0  # of its first line in the file

    @property
    def revision(self) -> str:
        """A digest of what it says."""
        return hashlib.sha256(msgspec.json.encode([self.id, self.why, self.points, self.test])).hexdigest()[:10]


def describe_adjustment(line: Line) -> str:
    """Describe a line for the staff, as in `bo, words: +2 points. The handout left the stream open.`."""
    by_hand = line.by_hand
    effect = ""
    if by_hand.points is not None:
        effect = f"{signed(fraction(by_hand.points))} point{'s' * (abs(by_hand.points) != 1)}. "
    elif by_hand.score is not msgspec.UNSET:
        effect = f"{count_points(fraction(by_hand.score))} in all. "
    elif by_hand.excused:
        effect = "excused. "
    elif line.due:
        effect = f"due at {line.due.written}. "
    about = f", {one_line(by_hand.test)}" if by_hand.test else ""
    return f"{one_line(line.student)}{about}: {effect}{sentence(by_hand.why)}"


# ---------------------------------------------------------------- what a line or an item says


def _two_decimals(number: Fraction | None) -> float | None:
    return None if number is None or number * 100 % 1 else float(number)


def _parse_change(written: str) -> float | None:
    return _two_decimals(yaml.parse_change(written)) or None


def _parse_score(written: str) -> float | None:
    return _two_decimals(yaml.parse_points(written))


def _read_why(value: Value) -> str:
    if not (why := tidy_lines(text(value))):
        readers = "students read" if value.path.startswith("rubric") else "student reads"
        unwanted(value, f"a reason, which the {readers}")
    return show(why)


_CHANGE_WANTED = "a number of points with two decimals at most"
_SCORE_WANTED = "a number of points, 0 or more, with two decimals at most"
_READERS: Mapping[str, Callable[[Value], Any]] = {
    **dict.fromkeys(("student", "item", "test", "file", "code"), lambda value: show(text(value))),
    "points": parsed(_parse_change, f"{_CHANGE_WANTED}, such as +2 or -0.5; without any it is a comment", 0.0),
    "score": parsed(_parse_score, _SCORE_WANTED, 0.0),
    "graded": parsed(lambda it: None if (n := yaml.parse_points(it)) is None else float(n), "a number of points", 0.0),
    "line": parsed(yaml.parse_count, "the number of a line, from 1", 1),
    "excused": parsed({"true": True}.get, "true, or no such key: false excuses nobody", stand_in=True),
    "due": read_moment,
    "why": _read_why,
}


def _read_keys(keys: Mapping[str, Value]) -> dict[str, Any]:
    """Read the keys of a line or an item; what says nothing is missing."""
    read = {name: _READERS[name](value) for name, value in keys.items() if name in _READERS}
    return {"why": "", **{key: value for key, value in read.items() if value is not False and value not in {"", None}}}


def read_change(written: str) -> float:
    """Parse a number of points that is added or deducted, `+2`; raises UsageError for anything else."""
    if (change := _parse_change(written)) is None:
        wanted = "a number other than 0 with two decimals at most, +2 or -0.5"
        raise UsageError(f"points are {wanted}, and not {in_quotes(written)}")
    return change


def read_score(written: str) -> float:
    """Parse the points of a test or of the whole, `4.5`; raises UsageError for anything else."""
    if (score := _parse_score(written)) is None:
        raise UsageError(f"a score is {_SCORE_WANTED}, and not {in_quotes(written)}")
    return score


# ---------------------------------------------------------------- the file


def read_adjustments(
    file: Path, spec: Spec, due: Moment | None, content: bytes | None = None
) -> tuple[tuple[Line, ...], tuple[RubricItem, ...]]:
    """Read the lines and the rubric about a spec, `due` then, from a file, or from the `content` that it is to have.

    Both are in the order of the file. Raises SpecError with all mistakes.
    """
    content = yaml.read_bytes(file) if content is None else content
    if all(not line.strip() or line.lstrip().startswith(b"#") for line in content.splitlines()):
        return (), ()
    context = yaml.Context(file=str(file), root=file.parent)
    top = Value(node=parse(content, str(file)), path="", context=context)
    keys = fields(top, BY_HAND_FILE)
    rubric = _read_rubric(items(keys["rubric"]) if "rubric" in keys else (), spec)
    about: list[Line] = []
    for item in items(keys["adjustments"]) if "adjustments" in keys else ():
        name, line = _read_line(item, rubric, spec)
        if name == spec.id:
            if "test" in line.keys:
                _check_test(line.keys, line.by_hand.test, spec)
            if line.due and due is None:
                none = f"there is no due date of this assignment in a {COURSE_FILE} that could be put off"
                wrong(line.keys["due"], none)
            elif line.due and due and line.due.time <= due.time:
                wrong(line.keys["due"], f"this is no later than the due date of all, {due.written}")
            about.append(line)
    _check_repeated(about)
    return unless_wrong(top, (tuple(about), tuple(rubric.values())))


def _read_rubric(values: Sequence[Value], spec: Spec) -> dict[str, RubricItem]:
    rubric: dict[str, RubricItem] = {}
    for place, value in enumerate(values):
        keys = fields(value, RUBRIC_ITEM)
        read = _read_keys(keys)
        item = RubricItem(id=read.pop("item", ""), place=place, number=value.node.line, **read)
        if get(keys, "spec", text, "") == spec.id:
            _check_test(keys, item.test, spec)
            if item.id in rubric and "item" in keys:
                wrong(keys["item"], f"there is another {in_quotes(item.id)} in line {rubric[item.id].number}")
            rubric.setdefault(item.id, item)
    return rubric


def _check_test(keys: Mapping[str, Value], test: str, spec: Spec) -> None:
    if test and test not in (names := [show(spec_test.name) for spec_test in spec.tests]):
        wrong(keys["test"], f"there is no test {in_quotes(test)} in {spec.id}{suggestion(test, names)}")


def _check_repeated(lines: Sequence[Line]) -> None:
    """Note a mistake in each line that says again, or otherwise, what an earlier line says."""
    said = dict[object, Line]()
    for line in lines:
        by_hand = msgspec.structs.replace(line.by_hand, graded=None)
        content = line.student, by_hand.item or by_hand, line.due and line.due.time
        if (earlier := said.setdefault(content, line)) is not line:
            wrong(line.where, f"this is in line {earlier.number} already: keep one, or tell another reason")
            continue
        for key in ("due", "score", "excused"):
            if key in line.keys and (earlier := said.setdefault((line.student, by_hand.test, key), line)) is not line:
                whose = f"{in_quotes(line.student)} in line {earlier.number}"
                wrong(line.keys[key], f'there is another "{key}" for {whose}')


def _read_line(value: Value, rubric: Mapping[str, RubricItem], spec: Spec) -> tuple[str, Line]:
    """Return the assignment of a line, and the line."""
    keys = fields(value, BY_HAND)
    about, read = get(keys, "spec", text, ""), _read_keys(keys)
    student, due = read.pop("student", ""), read.pop("due", None)
    if "item" in keys:
        others = keys.keys() - {"spec", "student", "item"}
        refuse(keys, others, "the rubric item says this, for everybody who has it: change it there")
        name = read.get("item", "")
        if about == spec.id and name not in rubric:
            wrong(keys["item"], f"there is no {in_quotes(name)} in the rubric of {spec.id}{suggestion(name, rubric)}")
        item, due = rubric.get(name, RubricItem(id=name, why="")), None
        by_hand = ByHand(why=item.why, test=item.test, points=item.points, item=name)
    else:
        if "why" not in keys and keys.are_known:
            where = msgspec.structs.replace(value, path=yaml.key_path(value.path, "why"))
            wrong(where, 'this key is missing, or "item"')
        by_hand = ByHand(**read)
        _check_keys(keys)
    return about, Line(student=student, by_hand=by_hand, due=due, where=value, keys=keys)


def _check_keys(keys: yaml.Fields) -> None:
    """Note a mistake for keys of a line that mean nothing together."""
    first, *further = [key for key in _EFFECTS if key in keys] or [""]
    refuse(keys, further, f'a line has one effect, and this one has "{first}": write two lines')
    if first in {"excused", "due"}:
        refuse(keys, ["test"], f'"{first}" is about the whole: remove the test')
    if first not in {"points", "score"}:
        refuse(keys, ["graded"], 'this is what points are added to: it means nothing without "points" or "score"')


def free_id(why: str, rubric: Sequence[RubricItem]) -> str:
    """Make an id that no item has, of the first words of a reason: `there-are-no-comments`."""
    name, taken = "-".join(re.findall(r"[a-z0-9]+", why.lower())[:4]) or "item", {item.id for item in rubric}
    free = (candidate for number in range(2, len(taken) + 2) if (candidate := f"{name}-{number}") not in taken)
    return next(free) if name in taken else name
