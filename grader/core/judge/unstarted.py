"""A program of which nothing ran, or no more than its first lines: what kind of cause that is, and the sentence for it.

It is not in its language, or was saved in another encoding; there is nothing to start in it; or a module is not there.
"""

import re
from collections.abc import Callable

from grader.core.diagnosis import ReadLine
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import CauseKind, Message
from grader.core.model.toolchain import Toolchain
from grader.core.notebook.linear import describe_place
from grader.core.source_encoding import describe_encoding
from grader.core.text import one_line, quote

_MAX_FLAW_LENGTH, MAX_FILE_NAME_LENGTH, MAX_SOURCE_LENGTH = 66, 24, 40
"""characters of what is wrong with a program, of its file's name and of its line"""
_FILE = lazy_regex(r"[\w$][\w$. -]{0,99}(?:, cell \d{1,9})?", re.ASCII)
_LINE = lazy_regex(r"[0-9]{1,7}")
_PACKAGE_LINE = lazy_regex(r"package\s+[\w.]+\s*;", re.ASCII)
_CLASS_LINE = lazy_regex(r"(?:(?:public|final|abstract)\s+)*class\s+(?P<name>\w+)", re.ASCII)
_HEAD_LINES = 60
"""lines of a source among which a package line or a class is looked for: there may be a licence above it"""
_SIGNATURE = "`public static void main(String[] args)`"
_MAIN_FLAWS = {"is not static": "is not `static`", "must return": "does not return `void`"}
"""how Java begins to say what is wrong with a `main` -> what it is"""


def kind_of_crash(toolchain: Toolchain, errors: bytes, message: Message) -> CauseKind:
    """Return what kind of cause a crash is, by what the program complained of and what is said of that."""
    if "unreadable" in message.key[:1] or search_any(toolchain.unreadable, errors):
        return "unreadable"
    return "cannot-start" if is_unstarted(toolchain, errors) else "crashed"


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
    parts = found.groupdict()
    file, line, error = (
        (parts.get(name) or b"").decode(errors="backslashreplace") for name in ("file", "line", "error")
    )
    name = file.rpartition("/")[2]
    saved = describe_encoding(name, int(line or 1), error, read_line) if file else ""
    sentence = f"{toolchain.title} cannot read your program: {saved or describe_flaw(found)}."
    return Message(sentence, ("unreadable", name, line))


def describe_flaw(found: re.Match[bytes]) -> str:
    """Describe an error by the groups of a pattern, with its place; "" when the pattern names none."""
    parts = {name: part or b"" for name, part in found.groupdict().items()}
    if not parts.get("error"):
        return ""
    place = f"line {parts['line'].decode()}"
    if file := parts.get("file", b"").rpartition(b"/")[2].decode(errors="backslashreplace"):
        place = describe_place(file, parts["line"].decode(), MAX_FILE_NAME_LENGTH)
    if source := parts.get("source", b"").strip():
        place += f", {quote(source, most=MAX_SOURCE_LENGTH)}"
    return f"{quote(parts['error'], most=_MAX_FLAW_LENGTH)} in {place}"


def describe_no_start(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> Message | None:
    """Say what is missing to start a program: its `main`, or its class; None when neither is."""
    rows: tuple[tuple[str, tuple[str, ...], Callable[[re.Match[bytes], ReadLine], str]], ...] = (
        ("no-main", toolchain.no_main, _describe_no_main),
        ("no-class", toolchain.no_class, _describe_no_class),
    )
    for name, patterns, describe in rows:
        if found := search_any(patterns, errors):
            return Message(describe(found, read_line), (name, one_line(found["name"])))
    return None


def describe_no_module(toolchain: Toolchain, errors: bytes, place: str, where: str) -> Message | None:
    """Say which module is not there that the line at `place` asks for, in words `where`; None when none is missing."""
    found = search_any(toolchain.no_module, errors)
    if found is None:
        return None
    name = quote(found["name"], most=MAX_SOURCE_LENGTH)
    return Message(f"Your program imports {name}{where}; it is not installed here.", ("no-module", place))


def _describe_no_main(found: re.Match[bytes], read_line: ReadLine) -> str:
    """Say that a class has no `main` to start, or what about the one that it has is not as it must be."""
    name, flaw = quote(found["name"], most=MAX_FILE_NAME_LENGTH), found.groupdict().get("flaw") or b""
    file = f"{found['name'].decode().rpartition('.')[2]}.java"
    must = next((must for begins, must in _MAIN_FLAWS.items() if flaw.startswith(begins.encode())), "")
    if not must:
        is_java = any(source_at(f"{file}:{line}", read_line) for line in range(1, _HEAD_LINES))
        return f"There is no `main` to start in {name}{f'; write {_SIGNATURE}' if is_java else ''}."
    return f"`main` of {name} {must}; write {_SIGNATURE}."


def _describe_no_class(found: re.Match[bytes], read_line: ReadLine) -> str:
    """Say that there is no class of this name to start, and the line of its source that gives it another."""
    name = found["name"].decode()
    sentence = f"There is no class {quote(name, most=MAX_FILE_NAME_LENGTH)} to start"
    places = [f"{name.rpartition('.')[2]}.java:{line}" for line in range(1, _HEAD_LINES + 1)]
    for place in places:
        if _PACKAGE_LINE.match(source_at(place, read_line)):
            return f"{sentence}: it is in a package{describe_line(place, read_line)}, so take that line out."
    for place in places:
        if other := _CLASS_LINE.match(source_at(place, read_line)):
            return f"{sentence}: the class is called {quote(other['name'])}{describe_line(place, read_line)}."
    return f"{sentence}."


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
