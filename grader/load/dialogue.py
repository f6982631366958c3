"""`dialogue`: what is said to a program and what it must say, step by step.

A dialogue is held on a terminal unless `terminal: false` is written: without one most programs keep their prompts back.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from grader.comparators.regex import read_pattern
from grader.load.language import AWAITED, SENT, STEP
from grader.model import KEYS, Step
from grader.yaml import units
from grader.yaml.nodes import Table
from grader.yaml.value import (
    Value,
    boolean,
    each_of,
    fields,
    get,
    in_quotes,
    is_understood,
    parsed,
    suggestion,
    text,
    unwanted,
    wrong,
)

MAX_STEPS = 1000
MAX_TEXT = 8 * 2**10
"""bytes that are waited for at once: the runner looks at 16 KiB at a time"""

_ON_PIPES = ("enter", "space", "tab", "ctrl-d")
"""keys that mean something without a terminal; `ctrl-d` then closes the input"""
_WITHIN = parsed(units.parse_duration, 'a time such as "2 s" or "500 ms"', 1.0)


def read_dialogue(value: Value) -> tuple[Step, ...]:
    """Read the steps of a dialogue."""
    steps = each_of(_read_step)(value)
    if not steps:
        unwanted(value, "at least one step, such as {send: text}")
    elif len(steps) > MAX_STEPS:
        wrong(value, f"more than {MAX_STEPS} steps: make it several cases")
    return steps


def with_terminal(value: Value, joined: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the parts of a case with a terminal if it has a dialogue; note what does not go together."""
    steps: tuple[Step, ...] = joined.get("dialogue", ())
    if not steps:
        return joined
    if joined.get("stdin"):
        wrong(value, "stdin has no meaning beside a dialogue: send it line by line")
    terminal = joined.get("terminal", True)
    waits = next((place for place, step in enumerate(steps) if step.do in ("expect", "regex")), None)
    early = [step.text for step in steps[:waits] if step.do == "key" and step.text in ("ctrl-c", "ctrl-z")]
    if early:
        wrong(value, f"wait for something before {early[0]}: it is lost on a program that has not started yet")
    strange = [step.text for step in steps if step.do == "key" and step.text in KEYS.keys() - {*_ON_PIPES}]
    if strange and not terminal:
        wrong(value, f"the key {strange[0]} needs a terminal: leave out terminal: false")
    return {**joined, "terminal": terminal}


def checks_something(steps: tuple[Step, ...]) -> bool:
    """Whether anything is asked of the program, and not only told to it. No steps at all are another mistake."""
    return not steps or any(step.waits for step in steps)


def _read_step(value: Value) -> Step:
    found = fields(value, STEP)
    actions = [action for action in _ACTIONS if action in found]
    if len(actions) != 1:
        if actions or is_understood(value, found):
            wrong(value, f"wanted one of {', '.join(_ACTIONS)}, found {' and '.join(actions) or 'none of them'}")
        return Step(do="eof")
    return Step(**_ACTIONS[actions[0]](found[actions[0]]), within=get(found, "within", _WITHIN, None))


def _read_awaited(value: Value) -> dict[str, Any]:
    if not isinstance(value.node, Table):
        awaited = text(value)
        if len(awaited.encode(errors="surrogatepass")) > MAX_TEXT:
            wrong(value, f"more than {MAX_TEXT} bytes at once: wait for its end, and hold all under expect")
        elif not awaited:
            wrong(value, "an empty text is found everywhere: name what must be there")
        return {"do": "expect", "text": awaited}
    found = fields(value, AWAITED)
    if "regex" not in found:
        return {"do": "regex"}
    known = len(value.context.problems)
    pattern = read_pattern(found["regex"])
    if len(value.context.problems) == known and re.search(pattern, ""):
        wrong(found["regex"], "this matches an empty text, found everywhere: name what must be there")
    return {"do": "regex", "text": pattern}


def _read_sent(value: Value) -> dict[str, Any]:
    if not isinstance(value.node, Table):
        return {"do": "send", "text": text(value)}
    found = fields(value, SENT)
    key = get(found, "key", text, "enter")
    if len(key) != 1 and key not in KEYS:
        wrong(found["key"], f"{in_quotes(key)} is no key, and no single character{suggestion(key, KEYS)}")
    return {"do": "key", "text": key}


def _read_end(value: Value) -> dict[str, Any]:
    if not boolean(value):
        unwanted(value, "true")
    return {"do": "eof"}


_ACTIONS: Mapping[str, Callable[[Value], dict[str, Any]]] = {
    "expect": _read_awaited,
    "send": _read_sent,
    "eof": _read_end,
}
