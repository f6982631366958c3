"""Dialogues in a spec: written from the steps that were read, or recorded."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from grader.core.comparators.base import text_node
from grader.core.model.spec import Case, Step
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, table
from grader.kinds.dialogue.model import dialogue_of


def write_case(case: Case) -> Mapping[str, Node]:
    """Write the key of a dialogue."""
    return {"dialogue": _dialogue_node(dialogue_of(case))}


def _dialogue_node(steps: Sequence[Step]) -> Node:
    pairs = zip(steps, (*steps[1:], None), strict=True)
    return listing(_step_node(step, after) for step, after in pairs if not step.again)


def _step_node(step: Step, after: Step | None) -> Node:
    is_rejected = after is not None and after.again
    seconds = after.within if after and is_rejected else step.within
    within = {} if seconds is None else {"within": plain(f"{Decimal(repr(seconds)):f} s")}
    values: Mapping[str, Node] = {
        "expect": text_node(step.text),
        "regex": table({"regex": text_node(step.text)}),
        "send": text_node(step.text),
        "key": table({"key": text_node(step.text)}),
        "eof": plain("true"),
    }
    key = "reject" if is_rejected else {"regex": "expect", "key": "send"}.get(step.do, step.do)
    return table({key: values[step.do], **within})
