"""Writing the rubric of `adjustments.yaml`; callers hold `lock_file`, as for its lines."""

from grader.classroom.post_grading import Rules
from grader.classroom.rubric import RubricItem
from grader.classroom.write_adjustments import Edit, edit_adjustments
from grader.core.errors import UsageError
from grader.core.model.report import fraction
from grader.core.model.spec import Spec
from grader.core.reader.editing import LAST, edited
from grader.core.text import count, listed, one_line, signed
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import in_line, plain, quoted, table

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
