"""Writing the rubric of `adjustments.yaml`; callers hold `lock_file`, as for its lines."""

from grader.classroom.post_grading import Rules
from grader.classroom.rubric import RubricItem
from grader.classroom.write_adjustments import HEAD, replace_adjustments
from grader.core.errors import UsageError
from grader.core.model import Spec
from grader.core.model.report import fraction
from grader.core.reader import is_file
from grader.core.text import count, listed, one_line, signed
from grader.core.yaml.editing import with_listed, with_other_item, without_item
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import in_line, plain, quoted, table

_KEY = "rubric"
_MAX_NAMED = 3


def add_item(rules: Rules, spec: Spec, item: RubricItem) -> None:
    """Add an item; raises UsageError for a layout of the file that cannot be edited, SpecError for a mistake."""
    before = rules.file.read_bytes() if is_file(rules.file) else HEAD.encode()
    _replace(rules, spec, with_listed(before, _KEY, _node(item, spec)), f"add {in_line(_node(item, spec))}")


def replace_item(rules: Rules, spec: Spec, old: RubricItem, new: RubricItem) -> None:
    """Write an item anew, for everybody who has it; raises as `add_item` does."""
    after = with_other_item(rules.file.read_bytes(), (_KEY,), old.place, _node(new, spec))
    _replace(rules, spec, after, f"change line {old.number} to {in_line(_node(new, spec))}")


def remove_item(rules: Rules, spec: Spec, item: RubricItem) -> None:
    """Remove an item; raises UsageError while somebody has it, and as `add_item` does."""
    having = [line.student for line in rules.lines if line.by_hand.item == item.id]
    if having:
        names = listed([one_line(name) for name in having], most=_MAX_NAMED)
        raise UsageError(f"{count(len(having), 'student')} still {'has' if len(having) == 1 else 'have'} it: {names}")
    after = without_item(rules.file.read_bytes(), (_KEY,), item.place)
    _replace(rules, spec, after, f"remove line {item.number}")


def _replace(rules: Rules, spec: Spec, after: bytes | None, what: str) -> None:
    if after is None:
        raise UsageError(f"{rules.file} is laid out so that it cannot be edited; {what} yourself")
    replace_adjustments(rules, after, spec)


def _node(item: RubricItem, spec: Spec) -> Node:
    cells = {"spec": plain(spec.id), "item": quoted(item.id)}
    cells |= {"test": quoted(item.test)} if item.test else {}
    cells |= {"points": plain(signed(fraction(item.points)))} if item.points is not None else {}
    return table({**cells, "why": quoted(item.why)})
