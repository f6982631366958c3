"""`memory-clean`: a program must handle its memory correctly; and the limits of the run that checks it."""

from grader.core.kind import CaseParts
from grader.core.text import joined
from grader.core.yaml.nodes import Table
from grader.core.yaml.types import read_as
from grader.core.yaml.value import Value, boolean, in_quotes, wrong
from grader.kinds.memory_clean.model import MEMORY_LANGUAGES, MemoryRule


def read_memory_rule(value: Value) -> MemoryRule | None:
    """Read `memory-clean`; None where it is false."""
    is_table = isinstance(value.node, Table)
    if not is_table and not boolean(value):
        return None
    keys = read_as("memory-rule")(value) if is_table else {}
    language = value.context.language
    entry = value.context.languages.get(language, {})
    if "memory_tool" not in entry and not {language, entry.get("like")}.intersection(MEMORY_LANGUAGES):
        why = f"nothing watches the memory of a program in {in_quotes(language)}"
        wrong(value, f"{why}: take it out, or say language: {joined(MEMORY_LANGUAGES, 'or')}")
        return None
    return MemoryRule(**keys)


def complete(value: Value, parts: CaseParts) -> CaseParts:
    """Return the parts unchanged; report a case that asks for its memory and for something that excludes it."""
    command = parts.get("command") or value.context.program
    if parts.get("memory-clean") and command and "/" not in command[0]:  # what a build makes is started by its path
        started = in_quotes(command[0])
        wrong(value, f"memory-clean watches a program, and not {started}: start it as ./NAME, or take it out")
    return parts
