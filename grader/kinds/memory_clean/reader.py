"""`memory-clean`: that a program must handle its memory rightly, and what the run may use that shows it."""

from collections.abc import Collection, Mapping, Sequence

from grader.core.text import joined
from grader.core.yaml.nodes import Table
from grader.core.yaml.types import read_fields
from grader.core.yaml.value import Context, Value, boolean, in_quotes, wrong
from grader.kinds.base import CaseParts
from grader.kinds.memory_clean.keys import MEMORY_RULE
from grader.kinds.memory_clean.model import MEMORY_LANGUAGES, MemoryRule

_UNWATCHED: Mapping[str, str] = {
    "functions": "calls of functions are made by a program of ours, which would be watched too",
    "interactor": "an interactor does not wait for a program that is so much slower",
}
"""what a case has -> why nothing watches its memory"""


def _why_unwatched(context: Context) -> str:
    """Return why nothing can watch the memory of the programs of an assignment; empty where something can."""
    language = context.language
    entry = context.languages.get(language, {})
    if "memory_tool" not in entry and not {language, entry.get("like")}.intersection(MEMORY_LANGUAGES):
        return (
            f"nothing watches the memory of a program in {in_quotes(language)}: take it out, or say language: "
            f"{joined(MEMORY_LANGUAGES, 'or')}"
        )
    return ""


def read_memory_rule(value: Value) -> MemoryRule | None:
    """Read `memory-clean`; None where it is false."""
    if isinstance(value.node, Table):
        rule = MemoryRule(**read_fields(value, MEMORY_RULE))
    elif boolean(value):
        rule = MemoryRule()
    else:
        return None
    if reason := _why_unwatched(value.context):
        wrong(value, reason)
        return None
    return rule


def unfit_defaults(parts: CaseParts) -> Collection[str]:
    """Return the default that does not apply to a case whose memory nothing can watch."""
    command = parts.get("command")
    return ("memory-clean",) if _unwatchable(parts) or (command and not _is_program(command)) else ()


def _unwatchable(parts: CaseParts) -> str:
    """Return the keys of a case for which its memory is not watched; empty where it has none."""
    return next((key for key in _UNWATCHED if parts.get(key)), "")


def _is_program(command: Sequence[str]) -> bool:
    """Whether a command starts a program by its path, as those are started that a build makes."""
    return "/" in command[0]


def complete(value: Value, parts: CaseParts) -> CaseParts:
    """Return the parts unchanged; report a case that asks for its memory and for something that excludes it."""
    if not parts.get("memory-clean"):
        return parts
    command = parts.get("command") or value.context.program
    if key := _unwatchable(parts):
        wrong(value, f"memory-clean has no meaning beside {key}, for {_UNWATCHED[key]}: take it out")
    elif command and not _is_program(command):
        wrong(
            value,
            f"memory-clean watches a program, and not {in_quotes(command[0])}: start it as ./NAME, or take it out",
        )
    return parts
