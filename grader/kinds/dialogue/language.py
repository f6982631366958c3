"""`dialogue`: the input of a program and its expected answers, step by step; on a terminal, so prompts are shown."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from grader.core.kind import CaseParts
from grader.core.model.spec import KEYS, Case, Step
from grader.core.reader.language import TYPES
from grader.core.yaml.nodes import Node, listing
from grader.core.yaml.types import node_of, read_given
from grader.core.yaml.value import Value, fields, in_quotes, items, suggestion, text, unwanted, wrong
from grader.kinds.dialogue.run import Dialogue, dialogue_of

MAX_STEPS = 1000
MAX_TEXT = 8 * 2**10
"""bytes that are waited for at once: the runner looks at 16 KiB at a time"""
_ON_PIPES = ("enter", "space", "tab", "ctrl-d")
"""keys that mean something without a terminal; `ctrl-d` then closes the input"""


def read_dialogue(value: Value) -> tuple[Step, ...]:
    """Read the steps of a dialogue."""
    steps: list[Step] = []
    for item in items(value):
        steps += _read_step(item, steps)
    if not steps:
        unwanted(value, "at least one step, such as {send: text}")
    elif len(steps) > MAX_STEPS:
        wrong(value, f"more than {MAX_STEPS} steps: make it several cases")
    return tuple(steps)


def complete(value: Value, parts: CaseParts) -> CaseParts:
    """Return the parts of a case with its dialogue, terminal and one screen; report keys that do not fit together."""
    steps: tuple[Step, ...] = parts.get("dialogue", ())
    if not steps:
        return parts
    terminal = parts.get("terminal", True)
    first = [*takewhile(lambda step: step.do not in ("expect", "regex"), steps)]
    if early := [step.text for step in first if step.do == "key" and step.text in ("ctrl-c", "ctrl-z")]:
        wrong(value, f"wait for something before {early[0]}: it is lost on a program that has not started yet")
    strange = [step.text for step in steps if step.do == "key" and step.text in KEYS.keys() - {*_ON_PIPES}]
    if strange and (not terminal or parts.get("both")):
        wrong(value, f"the key {strange[0]} needs a terminal whenever it is run: say run: terminal")
    return {**parts, "terminal": terminal, "dialogue": Dialogue(steps=steps), "expect": _on_one_screen(parts["expect"])}


def _on_one_screen(expect: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the parts of an expectation: in a dialogue both streams are one screen, unless one of them is named."""
    streams = {key: part for key, part in expect.items() if key != "screen"}
    if (screen := expect.get("screen")) or not (streams.get("stdout") or streams.get("stderr")):
        return {**streams, "stdout": screen, "stderr": None, "screen": True}
    return streams


def _read_step(value: Value, before: Sequence[Step]) -> Sequence[Step]:
    keys = fields(value, "step")
    if not (action := keys.chosen):
        return [Step(do="eof")]
    read = read_given(keys)
    within = read.get("within")
    if action == "eof":
        return [Step(do="eof", within=within)]
    if action != "reject":
        return [replace(read[action], within=within)]
    if not (asked := next((step for step in reversed(before) if step.do in ("expect", "regex")), None)):
        wrong(keys["reject"], "nothing is asked before, that could be asked again: say what, in an expect")
        return [Step(do="eof")]
    return [Step(do="send", text=read["reject"]), replace(asked, within=within or asked.within, again=True)]


def read_awaited(value: Value) -> Step:
    """Read an awaited text."""
    awaited = text(value)
    if len(awaited.encode(errors="surrogatepass")) > MAX_TEXT:
        wrong(value, f"more than {MAX_TEXT} bytes at once: wait for its end, and hold all under expect")
    elif not awaited:
        wrong(value, "an empty text is found everywhere: name what must be there")
    return Step(do="expect", text=awaited)


def read_pressed_key(value: Value) -> str:
    """Read the name of a key, or a single character."""
    if len(key := text(value)) != 1 and key not in KEYS:
        wrong(value, f"{in_quotes(key)} is no key, and no single character{suggestion(key, KEYS)}")
    return key


def write(cases: Sequence[Case]) -> Mapping[str, Node]:
    """Write the key of a dialogue."""
    steps = dialogue_of(cases[0])
    pairs = zip(steps, (*steps[1:], None), strict=True)
    return {"dialogue": listing(_step_node(step, after) for step, after in pairs if not step.again)}


def _step_node(step: Step, after: Step | None) -> Node:
    if after is not None and after.again:
        return TYPES["step"].write({"reject": node_of(step.text), "within": after.within})
    action = {"regex": "expect", "key": "send"}.get(step.do, step.do)
    return TYPES["step"].write({action: True if action == "eof" else step, "within": step.within})
