"""What of a submission valgrind cannot watch, found in its files before anything is run.

Whatever the program may load is looked at: libraries, further programs, archives of objects, and data that may be code.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

from grader.core.run.sanitizers import has_sanitizer
from grader.core.text import one_line

_ELF = b"\x7fELF"
_HEADER = struct.Struct("<32xQ14xHH6x")
_SEGMENT = struct.Struct("<II8xQ16xQ")
_INTERPRETER, _LOADED, _STACK = 3, 1, 0x6474E551
_EXECUTABLE, _WRITABLE = 1, 2
_REQUESTS = (
    *map(bytes.fromhex, ("48c1c703 48c1c70d", "48c1c73d 48c1c733", "c1c703 c1c70d", "c1c71d c1c713")),
    *(
        b"".join(word.to_bytes(4, "little") for word in half)
        for half in ((0x93CC0D8C, 0x93CC358C), (0x93CCCD8C, 0x93CCF58C))
    ),
)
"""how code begins to speak to valgrind, on x86-64, i386 and aarch64: the rotations of valgrind.h, in two halves

A file can be loaded so that two of its pages lie side by side which do not in the file: one half is in one piece then.
"""
_CHUNK_BYTES = 2**24


def find_unwatchable(program: str, folder: Path) -> str:
    """Describe why valgrind does not see all that a program does, whose files are in `folder`; empty when it does."""
    try:
        code = (folder / program).read_bytes()
    except OSError as error:
        return f"{one_line(program)} cannot be read: {error.strerror}"
    if not code.startswith(_ELF):
        return f"{one_line(program)} is not a compiled program, which valgrind needs"
    if not any(kind == _INTERPRETER for kind, *_ in _segments(code)):
        return f"{one_line(program)} is statically linked, so valgrind sees no allocation: build it without -static"
    if has_sanitizer(code):
        return f"{one_line(program)} has a sanitizer, which valgrind cannot run: build it without"
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    for path in (folder / program, *paths):
        try:
            why = _why_unwatched(path)
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
        if why:
            name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name
            return f"{one_line(name)} {why}"
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
            if not before and chunk.startswith(_ELF) and _makes_code(chunk):
                return "can write code where it runs it, which nobody can look at before: build it without"
            before = chunk
    return ""


def _makes_code(code: bytes) -> bool:
    """Whether a program or library asks for memory that it may both write and execute, such as its stack.

    One whose segments are described at its far end counts as such.
    """
    both = _EXECUTABLE | _WRITABLE
    if len(code) >= _HEADER.size:
        start, size, number = _HEADER.unpack_from(code)
        if start + size * number > len(code):
            return True
    return any(kind in (_LOADED, _STACK) and flags & both == both for kind, flags, _, _ in _segments(code))


def _segments(code: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Iterate over the kinds, flags, addresses and sizes of the segments of a program of 64 bits (elf(5))."""
    if len(code) < _HEADER.size:
        return
    start, size, number = _HEADER.unpack_from(code)
    for at in range(start, start + size * number, size or 1):
        if at + _SEGMENT.size <= len(code):
            kind, flags, address, room = _SEGMENT.unpack_from(code, at)
            yield kind, flags, address, room
