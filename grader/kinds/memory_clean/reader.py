"""`memory-clean`: that a program must handle its memory rightly, and what the run may use that shows it."""

from collections.abc import Mapping, Sequence
from typing import Any

from grader.core.reader.limits import read_limits
from grader.core.text import joined
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import Key, Keys, Value, boolean, fields, in_quotes, wrong
from grader.kinds.memory_clean.model import MEMORY_LANGUAGES, MemoryRule

MEMORY_CLEAN = Key(
    about="Whether a second run, under a tool that watches every access, must find nothing wrong with how the program "
    "handles memory, and nothing that it never freed.",
    kind="memory-clean",
    default=False,
    examples=(True, {"limits": {"time": "5 min"}}),
)
MEMORY_RULE: Keys = {
    "limits": Key(
        about="What that run may use; what is not named is a multiple of the case's limits.",
        kind="limits",
    )
}
_UNWATCHED: Mapping[str, str] = {
    "functions": "calls of functions are made by a program of ours, which would be watched too",
    "interactor": "an interactor does not wait for a program that is so much slower",
    "command": "this starts another command than the program",
}
"""what a case has -> why nothing watches its memory"""


def why_unwatched(language: str, own: Mapping[str, Mapping[str, Any]], program: Sequence[str]) -> str:
    """Tell why nothing can watch the memory of the programs of an assignment; empty where something can."""
    entry = own.get(language, {})
    if "memory_tool" not in entry and not {language, entry.get("like")}.intersection(MEMORY_LANGUAGES):
        return (
            f"nothing watches the memory of a program in {in_quotes(language)}: take it out, or say language: "
            f"{joined(MEMORY_LANGUAGES, 'or')}"
        )
    if program and "/" not in program[0]:
        return f"what is watched is the program itself, and not {in_quotes(program[0])}: start it as ./NAME"
    return ""


def read_memory_rule(value: Value) -> MemoryRule | None:
    """Read `memory-clean`; None where it is false."""
    if isinstance(value.node, Table):
        found = fields(value, MEMORY_RULE)
        rule = MemoryRule(limits=read_limits(found["limits"]) if "limits" in found else {})
    elif boolean(value):
        rule = MemoryRule()
    else:
        return None
    if value.context.unwatched:
        wrong(value, value.context.unwatched)
    return rule


def unwatchable(parts: Mapping[str, Any]) -> str:
    """Return what a case has of the keys beside which nothing watches its memory; empty where it has none."""
    return next((key for key in _UNWATCHED if parts.get(key)), "")


def refuse_unwatchable(value: Value, parts: Mapping[str, Any]) -> None:
    """Note it when a case asks for what cannot be beside what else it asks for."""
    if parts.get("memory_clean") and (key := unwatchable(parts)):
        wrong(value, f"memory-clean has no meaning beside {key}, for {_UNWATCHED[key]}: take it out")
