"""A change of `adjustments.yaml`: its edits are validated together and written once; comments and layout stay."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict

from grader.core.cache import replace_files
from grader.core.errors import HostError, UsageError
from grader.core.model.report import ByHand, fraction
from grader.core.model.spec import Spec
from grader.core.reader.language import BY_HAND
from grader.core.reader.paths import is_file
from grader.core.text import count, listed, one_line, points, signed
from grader.core.yaml.dumping import LAST, KeyPath, edited
from grader.core.yaml.nodes import Node, in_line, plain, quoted, table
from grader.decisions.adjustments import Line, RubricItem, read_adjustments
from grader.decisions.post_grading import Rules, check_dates
from grader.people.times import parse_moment

HEAD = "# What was decided by hand, on top of what was graded: `grader adjust` writes it, and so may you.\n"
_KEYS = (*(name for name in BY_HAND if name != "why"), "why")  # in the order in which they are written
_WITHOUT_QUOTES: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("spec", "due", "line"), str),
    **dict.fromkeys(("score", "graded"), lambda score: points(fraction(score))),
    "points": lambda change: signed(fraction(change)),
    "excused": lambda _: "true",
}


def write_in_place(file: Path, content: bytes, effect: str = "") -> None:
    """Write a file of the course whole or not at all, with the mode that it has; HostError says the effect, too."""
    try:
        mode = file.stat().st_mode & 0o777 if is_file(file) else 0o644
        replace_files(file.parent, {file.name: [content]}, mode)
    except OSError as error:
        advice = f"{effect}look at the disk and at who may write there"
        raise HostError(f"{one_line(str(file))} cannot be written: {error.strerror}; {advice}") from error


class Transaction:
    """Edits of the `adjustments.yaml` of the rules; each raises UsageError for a layout that cannot be edited."""

    def __init__(self, rules: Rules, spec: Spec) -> None:
        """Begin with the file as it is. The caller locked its folder before the rules were read."""
        self.rules, self.spec, self.lines = rules, spec, rules.lines
        self._content = self._before = rules.file.read_bytes() if is_file(rules.file) else HEAD.encode()
        self._removed: list[int] = []

    def add(self, student: str, by_hand: ByHand, due: str = "") -> None:
        """Add a line; raises UsageError for an invalid `due` too."""
        try:
            due = due and parse_moment(due).written
        except ValueError as error:
            raise UsageError(f"--due: {error}") from None
        said = {"item": by_hand.item} if by_hand.item else {**asdict(by_hand), "due": due}
        node = self._node({"student": student, **said})
        self._edit(("adjustments", LAST), node, f"write it there yourself: {in_line(node)}")

    def remove(self, line: Line) -> None:
        """Remove one of the lines that the rules have."""
        place = int(line.where.path.removeprefix("adjustments[").removesuffix("]"))
        before = sum(other < place for other in self._removed)
        self._edit(("adjustments", place - before), None, f"remove line {line.number} yourself")
        self._removed.append(place)

    def add_item(self, item: RubricItem) -> None:
        """Add an item to the rubric."""
        node = self._node({**asdict(item), "item": item.id})
        self._edit(("rubric", LAST), node, f"write it there yourself: {in_line(node)}")

    def replace_item(self, old: RubricItem, new: RubricItem) -> None:
        """Change an item of the rubric, for everybody who has it."""
        node = self._node({**asdict(new), "item": new.id})
        self._edit(("rubric", old.place), node, f"change line {old.number} yourself to {in_line(node)}")

    def remove_item(self, item: RubricItem) -> None:
        """Remove an item of the rubric; raises UsageError while somebody has it."""
        if having := [one_line(line.student) for line in self.rules.lines if line.by_hand.item == item.id]:
            verb = "has" if len(having) == 1 else "have"
            raise UsageError(f"{count(len(having), 'student')} still {verb} it: {listed(having, most=3)}")
        self._edit(("rubric", item.place), None, f"remove line {item.number} yourself")

    def save(self) -> None:
        """Validate the edited file, and only then replace the old one. Raises SpecError for a mistake, or HostError."""
        file = self.rules.file
        if self._content == self._before:
            return
        self.lines, _ = read_adjustments(file, self.spec, self._content)
        check_dates(replace(self.rules, lines=self.lines))
        write_in_place(file, self._content)

    def _node(self, values: Mapping[str, Any]) -> Node:
        said = {name: value for name, value in values.items() if value not in (None, UNSET, "")} | {
            "spec": self.spec.id
        }
        form = {name: _WITHOUT_QUOTES.get(name) for name in _KEYS if name in said}
        return table({name: plain(to(said[name])) if to else quoted(said[name]) for name, to in form.items()})

    def _edit(self, path: KeyPath, node: Node | None, remedy: str) -> None:
        if (after := edited(self._content, path, node)) is None:
            raise UsageError(f"{self.rules.file} is laid out so that it cannot be edited; {remedy}")
        self._content = after
