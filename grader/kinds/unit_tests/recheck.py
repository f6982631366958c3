"""A method that passed is run again with one of its assertions turned round.

What ends the second run otherwise than with a pass (an assertion, an exception, a limit, a machine without room) leaves
the first result as it is. What passes is tried once more in both ways: a program that answers at random must not be
taken for one that lies.
"""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import GradingStoppedError, HostError
from grader.core.model import Case, Launch
from grader.core.run.launch import limits_of
from grader.kinds.unit_tests.compiled import LastResults
from grader.kinds.unit_tests.model import UnitMethod, unit_of
from grader.kinds.unit_tests.probe import compile_unit, test_file_of, with_new_secret
from grader.kinds.unit_tests.shipped import shipped_unit, test_of
from grader.kinds.unit_tests.turned import turn_python
from grader.kinds.unit_tests.turned_java import turn_java

if TYPE_CHECKING:
    from grader.core.course import Course

_CONFIRMATIONS = 2


def recheck(case: Case, launch: Launch, course: "Course", passes: Callable[[Launch], bool]) -> str:
    """Return why the pass of a method is not believed; empty when it is, or when nothing is known."""
    unit = unit_of(case)
    if unit is None:
        return ""
    unit = shipped_unit(unit, test_of(case, course.spec), course.spec)
    turned = _turned_classes(unit, launch, course) if unit.framework == "junit" else _turned_text(unit, launch)
    if turned is None:
        return ""
    line, files = turned
    other = replace(launch, files={**launch.files, **files})
    if not passes(with_new_secret(other, "first")) or not _is_confirmed(launch, other, passes):
        return ""
    return (
        f"passed, and passes too with the assertion at {PurePosixPath(unit.file).name}:{line} turned round: the "
        "submission makes up the result of its test, or compares as equal to everything"
    )


_Files = tuple[int, Mapping[str, bytes]]
"""the line of an assertion, and the files in which it is turned round"""


def _turned_text(unit: UnitMethod, launch: Launch) -> _Files | None:
    turned = turn_python(unit.source, unit.method, chooser(launch.stdin))
    return (turned.line, {test_file_of(unit): turned.source}) if turned else None


_COPIES = LastResults[tuple[Mapping[str, int], Mapping[str, bytes]]]()


def _turned_classes(unit: UnitMethod, launch: Launch, course: "Course") -> _Files | None:
    """Return the classes of a test for JUnit; None where it cannot be compiled so."""
    folder = launch.folder
    if folder is None:
        return None

    def make() -> tuple[Mapping[str, int], Mapping[str, bytes]]:
        turned = turn_java(unit.source, chooser(launch.stdin))
        if turned is None:
            return {}, {}
        build = limits_of(course.toolchain.build_limits, {}), course.toolchain.build_env
        copy, probe = replace(unit, source=turned.source), course.prepared["unit"]
        made = compile_unit(copy, folder, course.spec, build, probe=probe, run=course.measure)
        return ({}, {}) if made.problem else (turned.lines, made.files)

    lines, files = _COPIES.get_or_make((str(folder), unit.file, unit.source), make)
    return (lines[unit.method], files) if unit.method in lines else None


def _is_confirmed(launch: Launch, other: Launch, passes: Callable[[Launch], bool]) -> bool:
    """Whether a method passes both ways again; so it is too where there is no time for it, which liars could use up."""
    try:
        return all(
            passes(with_new_secret(launch, f"as it is {number}")) and passes(with_new_secret(other, f"turned {number}"))
            for number in range(_CONFIRMATIONS)
        )
    except GradingStoppedError:
        raise
    except HostError:
        return True


def chooser(seed: bytes) -> Callable[[int], int]:
    """Return what chooses a number below another, as the seed has it, which nobody knows who is tested."""
    state = hashlib.sha256(b"turned " + seed).digest()

    def choose(below: int) -> int:
        nonlocal state
        state = hashlib.sha256(state).digest()
        return int.from_bytes(state, "big") % below

    return choose
