"""Whether `main` returned in the program that runs the tests, which it does not where a submission ends the run.

A library in front of the program writes that down, with a secret that it takes before the submission's code runs. It is
asked of a submission only where the reference's own run shows it. Statically linked programs and Go do not see it.
"""

import hashlib
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from grader.core.course_programs import build_program
from grader.core.errors import HostError
from grader.core.find_tool import locate_tool
from grader.core.lazy import lazy_regex
from grader.core.model import Execution, Launch, Limits
from grader.kinds.reported_tests.model import TestsEnd

if TYPE_CHECKING:
    from grader.core.course import Course

END_DESCRIPTOR = 9
_SOURCE = Path(__file__).with_name("end_of_main.c")
_LIBRARY = ".grader-main.so"
_COMPILER_LIMITS = Limits(time=60, cpu=60, memory=2**30, processes=64)
_RETURN = lazy_regex(rb"(?P<secret>[0-9a-f]{64}) (?P<status>[0-9]{1,3})\n")


def build_end_library(course: "Course") -> bytes:
    """Return the library; nothing where this machine cannot compile it."""
    compiler = next((name for name in ("gcc", "cc", "clang") if locate_tool(name)), "")
    if not compiler:
        return b""
    try:
        made = build_program(
            "what watches the end of tests",
            [(compiler, "-shared", "-fPIC", "-O1", "-o", _LIBRARY, _SOURCE.name)],
            {_SOURCE.name: _SOURCE.read_bytes()},
            produces=(_LIBRARY,),
            limits=_COMPILER_LIMITS,
            level=course.surroundings,
            cache=course.cache,
            run=course.execute,
        )
    except HostError:
        return b""
    return made[_LIBRARY]


def start_watched(words: tuple[str, ...], key: str) -> str:
    """Return the line of a shell that starts a command with the library in front of it."""
    name = _name_of("secret", key)
    preload = f'LD_PRELOAD="$PWD/{_LIBRARY}${{LD_PRELOAD:+ $LD_PRELOAD}}"'
    opened = f"exec {END_DESCRIPTOR}< {name} && rm -f {name}"
    return f"{opened} && exec env {preload} {shlex.join(words)}"


def files_of_end(library: bytes, key: str) -> dict[str, bytes]:
    """Return the files that the library needs in the working folder."""
    return {_LIBRARY: library, _name_of("secret", key): f"{_digest('end', key)} {name_of_end(key)}\n".encode()}


def name_of_end(key: str) -> str:
    """Return the file in which the library writes down what `main` returned."""
    return _name_of("end", key)


def is_name_of_end(name: str) -> bool:
    """Whether a file may be that of `name_of_end`, and is no report."""
    return _has_our_name(name, ".end")


def read_end(execution: Execution, launch: Launch) -> TestsEnd | None:
    """Return what `main` returned; None where it did not, or nothing was to be written down."""
    for name, content in launch.files.items():
        secret, _, place = (
            content.decode("ascii", "ignore").strip().partition(" ") if _has_our_name(name, ".secret") else ("", "", "")
        )
        folder = name.rpartition("/")[0]
        written = execution.files.get(f"{folder}/{place}" if folder else place, b"")
        found = _RETURN.fullmatch(written)
        if found and secret and found["secret"].decode() == secret:
            return TestsEnd(status=int(found["status"]))
    return None


def _has_our_name(name: str, suffix: str) -> bool:
    base = name.rpartition("/")[2]
    return base.startswith(".grader-") and base.endswith(suffix)


def _name_of(what: str, key: str) -> str:
    return f".grader-{_digest(what, f'name {key}')[:16]}.{what}"


def _digest(what: str, key: str) -> str:
    return hashlib.sha256(f"{what} {key}".encode()).hexdigest()
