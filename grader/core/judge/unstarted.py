"""A program of which nothing ran, or no more than its first lines: what kind of cause that is, and the sentence for it.

It is not in its language, or was saved in another encoding; there is nothing to start in it; or a module is not there.
"""

import re

from grader.core.diagnosis import ReadLine, describe_encoding
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Message
from grader.core.model.toolchain import Toolchain
from grader.core.notebook.linear import describe_place
from grader.core.text import one_line, quote

_MAX_FLAW_LENGTH, MAX_FILE_NAME_LENGTH, MAX_SOURCE_LENGTH = 66, 24, 40
"""characters of what is wrong with a program, of its file's name and of its line"""
_FILE = lazy_regex(r"[\w$][\w$. -]{0,99}(?:, cell \d{1,9})?", re.ASCII)
_LINE = lazy_regex(r"[0-9]{1,7}")
_HEAD = lazy_regex(r"package\s+[\w.]+\s*;|(?:(?:public|final|abstract)\s+)*class\s+(?P<name>\w+)", re.ASCII)
_HEAD_LINES = 60
"""lines of a source among which a package line or a class is looked for: there may be a licence above it"""


def is_unstarted(toolchain: Toolchain, errors: bytes) -> bool:
    """Whether nothing of the program ran: it is not in its language, or there is nothing to start."""
    patterns = (*toolchain.unreadable, *toolchain.cannot_start, *toolchain.no_main, *toolchain.no_class)
    return search_any((*patterns, *toolchain.no_module), errors) is not None


def search_any(patterns: tuple[str, ...], errors: bytes) -> re.Match[bytes] | None:
    """Return what the first of the patterns that matches finds."""
    return next((found for one in patterns if (found := re.search(one.encode(), errors))), None)


def describe_unreadable(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> Message | None:
    """Say where a program is not in its language at all; None when it is not known to be so."""
    found = search_any(toolchain.unreadable, errors)
    if found is None:
        return None
    parts = _parts_of(found)
    name, line = parts.get("file", "").rpartition("/")[2], parts.get("line", "")
    saved = describe_encoding(name, int(line or 1), parts["error"], read_line) if name else ""
    sentence = f"{toolchain.title} cannot read your program: {saved or describe_flaw(found)}."
    return Message(sentence, ("unreadable", name, line))


def describe_flaw(found: re.Match[bytes]) -> str:
    """Describe an error by the groups of a pattern, with its place; "" when the pattern names none."""
    parts = _parts_of(found)
    if not parts.get("error"):
        return ""
    file, source = parts.get("file", "").rpartition("/")[2], parts.get("source", "").strip()
    place = describe_place(file, parts["line"], MAX_FILE_NAME_LENGTH) if file else f"line {parts['line']}"
    shown = f", {quote(source, most=MAX_SOURCE_LENGTH)}" if source else ""
    return f"{quote(parts['error'], most=_MAX_FLAW_LENGTH)} in {place}{shown}"


def _parts_of(found: re.Match[bytes]) -> dict[str, str]:
    return {name: (part or b"").decode(errors="backslashreplace") for name, part in found.groupdict().items()}


def describe_unstarted(
    toolchain: Toolchain, errors: bytes, own: tuple[str, str], read_line: ReadLine
) -> Message | None:
    """Say why nothing of a program ran, or no more than to its `own` line, a place and its words; None when it did."""
    if unreadable := describe_unreadable(toolchain, errors, read_line):
        return unreadable
    if found := search_any(toolchain.no_main, errors):
        advice = "; write `public static void main(String[] args)`" if toolchain.name == "java" else ""
        shown = quote(found["name"], most=MAX_FILE_NAME_LENGTH)
        return Message(f"{shown} has no `main` that can be started{advice}.", ("no-main", one_line(found["name"])))
    if found := search_any(toolchain.no_class, errors):
        name = one_line(found["name"])
        places = (f"{name.rpartition('.')[2]}.java:{line}" for line in range(1, _HEAD_LINES + 1))
        head = next(((place, row) for place in places if (row := _HEAD.match(source_at(place, read_line)))), None)
        why = ""
        if head:
            other, where = head[1]["name"], describe_line(head[0], read_line)
            packed = f": it is in a package{where}, so take that line out"
            why = f": the class is called {quote(other)}{where}" if other else packed
        return Message(f"There is no class {quote(name, most=MAX_FILE_NAME_LENGTH)} to start{why}.", ("no-class", name))
    if found := search_any(toolchain.no_module, errors):
        name = quote(found["name"], most=MAX_SOURCE_LENGTH)
        return Message(f"Your program imports {name}{own[1]}; it is not installed here.", ("no-module", own[0]))
    return None


def describe_line(place: str, read_line: ReadLine) -> str:
    """Say which line of the student's that is, `A.java:7`, with its text; empty when there is none."""
    file, _, line = place.rpartition(":")
    source = source_at(place, read_line)
    shown = describe_place(file, line, MAX_FILE_NAME_LENGTH)
    return f" in {shown}, {quote(source, most=MAX_SOURCE_LENGTH)}" if source else ""


def source_at(place: str, read_line: ReadLine) -> str:
    """Return the text of that line; empty when the source has no such line."""
    file, _, line = place.rpartition(":")
    return read_line(file, int(line)).strip() if _FILE.fullmatch(file) and _LINE.fullmatch(line) else ""
