"""A program of which nothing ran, or no more than its first lines: what kind of cause that is, and the sentence for it.

It is not in its language, or was saved in another encoding; there is nothing to start in it; or a module is not there.
"""

import re

from grader.core.diagnosis import ReadLine
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import CauseKind
from grader.core.model.toolchain import Toolchain
from grader.core.notebook.linear import describe_place
from grader.core.source_encoding import describe_encoding
from grader.core.text import quote

_MAX_FLAW_LENGTH, MAX_FILE_NAME_LENGTH, MAX_SOURCE_LENGTH = 66, 24, 40
"""characters of what is wrong with a program, of its file's name and of its line"""
_FILE = lazy_regex(r"[\w$][\w$. -]{0,99}(?:, cell \d{1,9})?", re.ASCII)
_LINE = lazy_regex(r"[0-9]{1,7}")
_PACKAGE_LINE = lazy_regex(r"package\s+[\w.]+\s*;", re.ASCII)
_CLASS_LINE = lazy_regex(r"(?:(?:public|final|abstract)\s+)*class\s+(?P<name>\w+)", re.ASCII)
_MAIN_LINE = lazy_regex(r"[\w\s\[\]<>]*\bmain\s*\([^)]*\)[^;]*", re.ASCII)
_HEAD_LINES = 60
"""lines of a source among which a package line or a class is looked for: there may be a licence above it"""
_MAIN_LINES = 400
_SIGNATURE = "`public static void main(String[] args)`"


def kind_of_crash(toolchain: Toolchain, errors: bytes, message: str) -> CauseKind:
    """Return what kind of cause a crash is, by what the program complained of and the sentence about that."""
    if message.startswith(_unreadable_by(toolchain)) or _matches(toolchain.unreadable, errors):
        return "unreadable"
    return "cannot-start" if is_unstarted(toolchain, errors) else "crashed"


def is_unstarted(toolchain: Toolchain, errors: bytes) -> bool:
    """Whether nothing of the program ran: it is not in its language, or there is nothing to start."""
    patterns = (*toolchain.unreadable, *toolchain.cannot_start, *toolchain.no_main, *toolchain.no_class)
    return _matches((*patterns, *toolchain.no_module), errors)


def _matches(patterns: tuple[str, ...], errors: bytes) -> bool:
    return any(re.search(pattern.encode(), errors) for pattern in patterns)


def _unreadable_by(toolchain: Toolchain) -> str:
    return f"{toolchain.called} cannot read your program: "


def describe_unreadable(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> str:
    """Say where a program is not in its language at all, "" when it is not known to be so."""
    for pattern in toolchain.unreadable:
        if found := re.search(pattern.encode(), errors):
            file, line, error = (_group(found, name) for name in ("file", "line", "error"))
            saved = describe_encoding(file.rpartition("/")[2], int(line or 1), error, read_line) if file else ""
            return f"{_unreadable_by(toolchain)}{saved or describe_flaw(found)}."
    return ""


def _group(found: re.Match[bytes], name: str) -> str:
    return (found.groupdict().get(name) or b"").decode(errors="backslashreplace")


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


def describe_no_start(toolchain: Toolchain, errors: bytes, read_line: ReadLine) -> str:
    """Say what is missing to start a program: its `main`, its class, or a module; "" when none of these is."""
    for pattern in toolchain.no_main:
        if found := re.search(pattern.encode(), errors):
            return _describe_no_main(found, read_line)
    for pattern in toolchain.no_class:
        if found := re.search(pattern.encode(), errors):
            return _describe_no_class(found["name"].decode(), read_line)
    return ""


def describe_no_module(toolchain: Toolchain, errors: bytes, place: str) -> str:
    """Say which module is not there that the line at `place` asks for; "" when none is missing."""
    for pattern in toolchain.no_module:
        if found := re.search(pattern.encode(), errors):
            name = quote(found["name"], most=MAX_SOURCE_LENGTH)
            return f"There is no module {name} where your program runs; it is asked for{place or ' by your program'}."
    return ""


def _describe_no_main(found: re.Match[bytes], read_line: ReadLine) -> str:
    """Say that a class has no `main` to start, or what about the one that it has is not as it must be."""
    name, flaw = quote(found["name"], most=MAX_FILE_NAME_LENGTH), _group(found, "flaw")
    file = f"{found['name'].decode().rpartition('.')[2]}.java"
    if not flaw.startswith(("is not static", "must return")):
        is_java = any(source_at(f"{file}:{line}", read_line) for line in range(1, _HEAD_LINES))
        return f"There is no `main` to start in {name}{f'; write {_SIGNATURE}' if is_java else ''}."
    lines = (
        describe_line(f"{file}:{line}", read_line) for line in range(1, _MAIN_LINES) if _is_main(file, line, read_line)
    )
    must = "is not `static`" if flaw.startswith("is not static") else "does not return `void`"
    return f"`main` of {name} {must}{next(lines, '')}; write {_SIGNATURE}."


def _is_main(file: str, line: int, read_line: ReadLine) -> bool:
    return _MAIN_LINE.fullmatch(source_at(f"{file}:{line}", read_line)) is not None


def _describe_no_class(name: str, read_line: ReadLine) -> str:
    """Say that there is no class of this name to start, and the line of its source that gives it another."""
    sentence = f"There is no class {quote(name, most=MAX_FILE_NAME_LENGTH)} to start"
    file = f"{name.rpartition('.')[2]}.java"
    lines = [(line, source_at(f"{file}:{line}", read_line)) for line in range(1, _HEAD_LINES + 1)]
    for line, source in lines:
        if _PACKAGE_LINE.match(source):
            return f"{sentence}: it is in a package{describe_line(f'{file}:{line}', read_line)}, so take that line out."
    for line, source in lines:
        if other := _CLASS_LINE.match(source):
            return (
                f"{sentence}: the class is called {quote(other['name'])}{describe_line(f'{file}:{line}', read_line)}."
            )
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
