"""A method that passed is run again with one of its assertions turned round.

Methods that share a process are run again three times, and chance decides in which of these runs each is turned round:
in one or two of them. So what a program sees of one method tells it little of another: it would have to guess one of
six ways. A method is believed that fails where it is turned and passes elsewhere. Of any other, as of one that builds
on a method that was turned, nothing is known yet: it is turned alone, in a run that is like the first one up to there.

What ends the second run otherwise than with a pass (an assertion, an exception, a limit, a machine without room) leaves
the first result as it is. What passes is tried once more in both ways: a program that answers at random must not be
taken for one that lies.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.diagnosis import no_lines
from grader.core.errors import GradingStoppedError, HostError
from grader.core.model import Case, Execution, Launch
from grader.core.run.launch import limits_of
from grader.kinds.unit_tests.compiled import LastResults
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.judge import judge_unit
from grader.kinds.unit_tests.model import UnitMethod, unit_of, unit_run_of
from grader.kinds.unit_tests.probe import compile_unit, methods_of, test_file_of, with_new_secret, with_unit
from grader.kinds.unit_tests.shipped import shipped_unit, test_of
from grader.kinds.unit_tests.turned import turn_python
from grader.kinds.unit_tests.turned_java import turn_java

if TYPE_CHECKING:
    from grader.core.course import Course

_CONFIRMATIONS = 2
_MIXED_RUNS = 3
_MAX_TURNED_ALONE = 3
"""methods that share a process of which each is turned round alone: mixed runs would be no fewer"""


def recheck(case: Case, launch: Launch, course: "Course", passes: Callable[[Launch], bool]) -> str:
    """Return why the pass of a method is not believed; empty when it is, or when nothing is known."""
    unit = unit_of(case)
    if unit is None:
        return ""
    unit = shipped_unit(unit, test_of(case, course.spec), course.spec)
    shared = methods_of(launch)
    if len(shared) > _MAX_TURNED_ALONE and unit.method in _believed(unit, shared, launch, course):
        return ""
    # A copy of a test for JUnit serves all methods that are run alone.
    of_method = shared == [unit.method] and unit.framework == "junit"
    lines, files = _turn(unit, None if of_method else (unit.method,), launch, course)
    if unit.method not in lines:
        return ""
    line, other = lines[unit.method], replace(launch, files={**launch.files, **files})
    if not passes(with_new_secret(other, "first")) or not _is_confirmed(launch, other, passes):
        return ""
    return (
        f"passed, and passes too with the assertion at {PurePosixPath(unit.file).name}:{line} turned round: the "
        "submission makes up the result of its test, or compares as equal to everything"
    )


_Copy = tuple[Mapping[str, int], Mapping[str, bytes]]
"""method -> the line of the assertion that is turned round, and the files in which it is"""
_COPIES = LastResults[_Copy]()
_BELIEVED = LastResults[frozenset[str]]()


def _turn(unit: UnitMethod, methods: Sequence[str] | None, launch: Launch, course: "Course") -> _Copy:
    """Return a copy of a test in which these methods are turned round, or all; none where it cannot be made."""
    if unit.framework != "junit":
        turned = turn_python(unit.source, methods or (unit.method,), chooser(launch.stdin))
        return (turned.lines, {test_file_of(unit): turned.source}) if turned else ({}, {})
    if (folder := launch.folder) is None:
        return {}, {}

    def make() -> _Copy:
        turned = turn_java(unit.source, chooser(launch.stdin), methods)
        if turned is None:
            return {}, {}
        build = limits_of(course.toolchain.build_limits, {}), course.toolchain.build_env
        copy, probe = replace(unit, source=turned.source), course.prepared["unit"]
        made = compile_unit(copy, folder, course.spec, build, probe=probe, run=course.measure)
        return ({}, {}) if made.problem else (turned.lines, made.files)

    return _COPIES.get_or_make((str(folder), unit.file, unit.source, methods and tuple(methods)), make)


def _believed(unit: UnitMethod, methods: Sequence[str], launch: Launch, course: "Course") -> frozenset[str]:
    """Return the methods that pass as they are and fail turned round, in each of several runs with others by chance."""

    def make() -> frozenset[str]:
        choose = chooser(b"mixed" + launch.stdin)
        places = _places_of(unit, methods)
        # In which of the runs each is turned, as bits: never in all, nor in none.
        ways = {one: 1 + choose(2**_MIXED_RUNS - 2) for one in dict.fromkeys(places.values())}
        believed = set(places)
        for number in range(_MIXED_RUNS):
            chosen = [method for method, place in places.items() if ways[place] >> number & 1]
            lines, files = _turn(unit, chosen, launch, course) if chosen else ({}, {})
            if not lines:
                return frozenset()
            other = with_new_secret(replace(launch, files={**launch.files, **files}), f"mixed {number}")
            found = course.execute(other)
            believed &= {one for one in places if _passes(unit, one, found, other) is (one not in chosen)}
            believed -= set(chosen) - lines.keys()
        return frozenset(believed)

    return _BELIEVED.get_or_make((launch.stdin, str(launch.folder), unit.source), make)


def _places_of(unit: UnitMethod, methods: Sequence[str]) -> dict[str, object]:
    """Return method -> what distinguishes its text: one that several classes inherit is the same for all."""
    if unit.framework == "junit":
        places = {one.name: one.place for one in find_java_methods(masked_java(unit.source.decode()))}
        return {method: places.get(method) for method in methods}
    turned = turn_python(unit.source, methods, chooser(b""))
    return {method: turned.lines.get(method) for method in methods} if turned else {}


def inherited_methods(unit: UnitMethod, methods: Sequence[str]) -> tuple[str, str] | None:
    """Return two of the methods of one process that have the same text; None where there are none."""
    seen: dict[object, str] = {}
    for method, place in _places_of(unit, methods).items():
        if place is not None and seen.setdefault(place, method) != method:
            return seen[place], method
    return None


def _passes(unit: UnitMethod, method: str, execution: Execution, launch: Launch) -> bool | None:
    """Whether one of several methods passed; None where it has no result."""
    own = replace(unit, method=method, skips=())
    found = with_unit(execution, own, launch)
    run = unit_run_of(found)
    if run is None or not run.is_recorded:
        return None
    return judge_unit(own, found, no_lines) is None


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
