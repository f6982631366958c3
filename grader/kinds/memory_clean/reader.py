"""`memory-clean`: that a program must handle its memory rightly, and what the run may use that shows it."""

from collections.abc import Collection, Mapping

from grader.core.reader.limits import read_limits
from grader.core.text import joined
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import Context, Value, boolean, fields, in_quotes, wrong
from grader.kinds.base import CaseParts
from grader.kinds.memory_clean.keys import MEMORY_RULE
from grader.kinds.memory_clean.model import MEMORY_LANGUAGES, MemoryRule

_UNWATCHED: Mapping[str, str] = {
    "functions": "calls of functions are made by a program of ours, which would be watched too",
    "interactor": "an interactor does not wait for a program that is so much slower",
    "command": "this starts another command than the program",
}
"""what a case has -> why nothing watches its memory"""


def _why_unwatched(context: Context) -> str:
    """Return why nothing can watch the memory of the programs of an assignment; empty where something can."""
    language, program = context.language, context.program
    entry = context.languages.get(language, {})
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
    if reason := _why_unwatched(value.context):
        wrong(value, reason)
    return rule


def unfit_defaults(parts: CaseParts) -> Collection[str]:
    """Return the default that does not apply to a case whose memory nothing can watch."""
    return ("memory-clean",) if _unwatchable(parts) else ()


def _unwatchable(parts: CaseParts) -> str:
    """Return the keys of a case for which its memory is not watched; empty where it has none."""
    return next((key for key in _UNWATCHED if parts.get(key)), "")


def complete(value: Value, parts: CaseParts) -> CaseParts:
    """Return the parts unchanged; report a case that asks for its memory and for something that excludes it."""
    if parts.get("memory-clean") and (key := _unwatchable(parts)):
        wrong(value, f"memory-clean has no meaning beside {key}, for {_UNWATCHED[key]}: take it out")
    return parts
