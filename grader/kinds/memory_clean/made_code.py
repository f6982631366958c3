"""Whether a watched program ran code that nobody has looked at for orders to valgrind.

What it may run is in its own files, which are searched before, and in files of the system. Valgrind runs code wherever
the program has it: in its heap, in memory that it maps, in a library that it writes.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from grader.core.model.execution import CodeStep, SandboxPlace
from grader.core.text import one_line
from grader.kinds.memory_clean.binaries import loaded_code

_SYSTEM = ("/usr/", "/lib/", "/lib64/")
_WORK = f"{SandboxPlace().work}/"
_TOOL = range(0x58000000, 0x5A000000)
"""where valgrind itself lies, which has some code for signals"""
_PAGE_BYTES = 4096


def describe_made_code(steps: Mapping[int, Sequence[CodeStep]], folder: Path) -> str:
    """Describe the code that a program ran and nobody has looked at; empty where there is none.

    The files of the program are in `folder`.
    """
    if not steps:
        return "valgrind gave no account of the code that is run"
    known: dict[int, range] = {}
    for of_process in steps.values():
        if why := _describe_unknown(of_process, folder, known):
            return why
    return ""


def _describe_unknown(steps: Iterable[CodeStep], folder: Path, known: dict[int, range]) -> str:
    """Describe the first code of a process that is unknown; `known` has what processes before it had loaded."""
    waiting: set[int] = set()
    """addresses in no known file: the sections for calls of other libraries, whose file becomes known a little later"""
    for step in steps:
        if step.what == "strange":
            return "it interfered with valgrind's account of the code that is run"
        if step.what == "forgotten":
            gone = [base for base, area in known.items() if step.address in area]
            for base in gone:
                del known[base]
        elif step.what == "unknown":
            if not _is_known(step.address, known):
                waiting.add(step.address)
        else:
            areas = _areas(step.name, folder)
            if areas is None:
                return f"it runs code that it has brought along or made itself ({one_line(step.name)})"
            known |= {step.address + first: range(step.address + first, step.address + end) for first, end in areas}
            waiting = {address for address in waiting if not _is_known(address, known)}
    return "it runs code that it has made itself" if waiting else ""


def _is_known(address: int, known: Mapping[int, range]) -> bool:
    return address in _TOOL or any(address in area for area in known.values())


def _areas(name: bytes, folder: Path) -> tuple[tuple[int, int], ...] | None:
    """Return where the code of a file lies, from its base on; None for a file that was not there before."""
    path = name.decode(errors="surrogateescape")
    if "/../" in path:
        return None
    if path.startswith(_SYSTEM) and not path.startswith("/usr/local/"):
        return _areas_of(Path(path))
    own = folder / path.removeprefix(_WORK)
    is_own = path.startswith(_WORK) and own.is_file() and own.resolve().is_relative_to(folder.resolve())
    return _areas_of(own) if is_own else None


@lru_cache(maxsize=256)
def _areas_of(path: Path) -> tuple[tuple[int, int], ...] | None:
    try:
        return tuple(_whole_pages(loaded_code(path.read_bytes())))
    except (OSError, struct.error):
        return None


def _whole_pages(areas: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for first, size in areas:
        yield first // _PAGE_BYTES * _PAGE_BYTES, -(-(first + size) // _PAGE_BYTES) * _PAGE_BYTES
