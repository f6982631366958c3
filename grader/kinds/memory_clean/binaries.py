"""Programs and libraries of a submission that valgrind cannot watch, found before anything is run."""

import struct
from os.path import relpath
from pathlib import Path

from grader.core.run.start import has_sanitizer
from grader.core.text import one_line

_ELF = b"\x7fELF"
_HEADER, _SEGMENT = struct.Struct("<32xQ14xHH6x"), struct.Struct("<II")
_INTERPRETER, _LOADED, _STACK = 3, 1, 0x6474E551
_EXECUTABLE_AND_WRITABLE = 3
_REQUESTS = (
    *map(bytes.fromhex, ("48c1c703 48c1c70d", "48c1c73d 48c1c733", "c1c703 c1c70d", "c1c71d c1c713")),
    *map(bytes.fromhex, ("8c0dcc93 8c35cc93", "8ccdcc93 8cf5cc93")),
)
"""how code begins to speak to valgrind, on x86-64, i386 and aarch64: the rotations of valgrind.h, in two halves

A file can be loaded so that two of its pages lie side by side which do not in the file: one half is in one piece then.
"""
_CHUNK_BYTES = 2**24


def find_unwatchable(program: str, folder: Path) -> str:
    """Describe why valgrind does not see all that a program does, whose files are in `folder`; empty when it does."""
    path = folder / program
    try:
        code = path.read_bytes()
        if not code.startswith(_ELF):
            return f"{one_line(program)} is not a compiled program, which valgrind needs"
        if not any(kind == _INTERPRETER for kind, _ in _segments(code)):
            return f"{one_line(program)} is statically linked, so valgrind sees no allocation: build it without -static"
        if has_sanitizer(code):
            return f"{one_line(program)} has a sanitizer, which valgrind cannot run: build it without"
        others = [file for file in sorted(folder.rglob("*")) if file.is_file() and not file.is_symlink()]
        for path in (folder / program, *others):
            if why := _why_unwatched(path):
                return f"{one_line(relpath(path, folder))} {why}"
    except OSError as error:
        return f"{one_line(relpath(path, folder))} cannot be read: {error.strerror}"
    return ""


def is_machine_code(program: str, folder: Path) -> bool:
    """Whether valgrind can run a program of the work in `folder`, however little it sees of it."""
    path = folder / program
    if "/" not in program or not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
        return False
    code = path.read_bytes()
    return code.startswith(_ELF) and not has_sanitizer(code)


def _why_unwatched(path: Path) -> str:
    """Describe why valgrind does not watch the code of a file."""
    before = b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            part = before[-32:] + chunk
            if any(request in part for request in _REQUESTS):
                return "gives valgrind instructions (valgrind.h), such as to hide a fault"
            rights = {flags & _EXECUTABLE_AND_WRITABLE for kind, flags in _segments(chunk) if kind in (_LOADED, _STACK)}
            if not before and chunk.startswith(_ELF) and _EXECUTABLE_AND_WRITABLE in rights:
                return "can write code where it runs it, which nobody can look at before: build it without"
            before = chunk
    return ""


def _segments(code: bytes) -> list[tuple[int, int]]:
    """Return kinds and flags of the segments (elf(5), 64 bits); described at its far end, it may write all its code."""
    if len(code) < _HEADER.size:
        return []
    start, size, number = _HEADER.unpack_from(code)
    if start + size * number > len(code):
        return [(_STACK, _EXECUTABLE_AND_WRITABLE)]
    places = range(start, start + size * number, size or 1)
    return [_SEGMENT.unpack_from(code, at) for at in places if at + _SEGMENT.size <= len(code)]
