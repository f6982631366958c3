"""A method that passed is run again with one of its assertions turned round.

Several methods are run again in one process, three times, and chance decides in which of these runs each is turned
round: in one or two of them. Each is drawn by itself, so what a program sees of the other methods tells it nothing of
one: it has to guess one of six ways. A method is believed that fails where it is turned and passes elsewhere. Of any
other, as of one that builds on a method that was turned, nothing is known yet: it is turned alone, in a run that is
like the first one up to there. A method that has a process of its own gets two of these: a program that answers by
chance, and otherwise in the mixed runs, keeps a method with 0.573 at best, and with 0.582 where one run alone is all
(`tests/kinds/unit_tests/test_turns.py` reckons both). Methods that take long are not mixed: each would run thrice.

What ends the second run otherwise than with a pass (an assertion, an exception, a limit, a machine without room) leaves
the first result as it is. What passes is tried once more in both ways: a program that answers at random must not be
taken for one that lies.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grader.core.diagnosis import no_lines
from grader.core.errors import GraderError, HostError
from grader.core.model import Case, CaseResult, Execution, Launch, Verdict
from grader.core.run.launch import limits_of
from grader.kinds.base import PassedRun, Rechecking
from grader.kinds.unit_tests.compiled import LastResults, compile_units
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.judge import judge_unit
from grader.kinds.unit_tests.model import UnitMethod, unit_of, unit_run_of
from grader.kinds.unit_tests.probe import (
    methods_of,
    test_file_of,
    with_methods,
    with_new_secret,
    with_unit,
    without_request,
)
from grader.kinds.unit_tests.shipped import shipped_unit, test_of
from grader.kinds.unit_tests.turned import turn_python
from grader.kinds.unit_tests.turned_java import turn_java

if TYPE_CHECKING:
    from grader.core.course import Course

_CONFIRMATIONS = 2
_MIXED_RUNS = 3
_MAX_TURNED_ALONE = 3
"""methods of which each is turned round alone: mixed runs would be no fewer"""
_MAX_MIXED_MILLISECONDS = 50
"""that a method takes which has a process of its own, and is turned round together with others"""


def recheck(case: Case, launch: Launch, result: CaseResult, course: "Course", further: Rechecking) -> str:
    """Return why the pass of a method is not believed; empty when it is, or when nothing is known."""
    unit = unit_of(case)
    passed = _passed_in_result(unit, result)
    if unit is None or not passed:
        return ""
    unit = shipped_unit(unit, test_of(case, course.spec), course.spec)
    is_alone = methods_of(launch) == [unit.method]
    mixed = _launch_of_several(case, launch, further.passed) if is_alone else launch
    several = methods_of(mixed)
    is_mixed = len(several) > _MAX_TURNED_ALONE
    if is_mixed and passed <= _believed(unit, several, mixed, course).get(unit.method, set()):
        return ""
    # A copy of a test for JUnit serves all methods that are run alone.
    of_method = is_alone and unit.framework == "junit"
    (copy,) = _turn(unit, [None if of_method else (unit.method,)], launch, course)
    if unit.method not in copy.lines:
        return ""
    other = replace(launch, files={**launch.files, **copy.files})
    doubted = frozenset[int]()
    for purpose in ("first", "second") if is_alone and is_mixed else ("first",):
        doubted |= passed & _passed_in_result(unit, further.run_again(with_new_secret(other, purpose)))
        if doubted:
            break
    if doubted and unit.is_counted:
        doubted = doubted if doubted == passed else frozenset()
    elif doubted and unit.by_value:
        doubted -= _passed_by_reference(case, replace(unit, source=copy.source), further)
    if not doubted or not _is_confirmed(unit, doubted, launch, other, further):
        return ""
    place = f"{PurePosixPath(unit.file).name}:{copy.lines[unit.method]}"
    return (
        f"passed, and passes too with the assertion at {place} turned round: the "
        "submission makes up the result of its test, or compares as equal to everything"
    )


def _launch_of_several(case: Case, launch: Launch, passed: Sequence[PassedRun]) -> Launch:
    """Return what runs the methods in one process that passed in runs that differ in nothing else; or else `launch`."""
    # The result has what its key is the identity of, so that this is nothing else's.
    found = _SEVERAL.get_or_make(id(passed), lambda: (passed, _join_launches(passed)))
    return found[1].get((unit.method if (unit := unit_of(case)) else "", launch.stdin), launch)


def _join_launches(passed: Sequence[PassedRun]) -> Mapping[tuple[str, bytes], Launch]:
    """Return method and input of each short run -> what runs all methods with which it has the rest in common."""
    groups: list[tuple[Launch, UnitMethod, dict[str, list[Launch]]]] = []
    for one in passed:
        # Values are announced only by a method that is alone in its process.
        if (unit := unit_of(one.case)) and not unit.by_value and _is_short(one):
            alike = without_request(one.launch)
            members = next((members for other, _, members in groups if other == alike), None)
            if members is None:
                groups.append((alike, unit, members := {}))
            members.setdefault(unit.method, []).append(one.launch)
    found: dict[tuple[str, bytes], Launch] = {}
    for _, unit, members in groups:
        places = _places_of(unit, [*members])
        often = Counter(places.values())
        # One that several classes inherit is turned in all of them at once: an honest one would show it.
        methods = [one for one in members if often[places.get(one)] <= 1]
        several = with_methods(members[methods[0]][0], methods) if methods else None
        found |= {(one, own.stdin): several for one in methods for own in members[one] if several}
    return found


def _is_short(passed: PassedRun) -> bool:
    """Whether a method took less than what a process of its own costs."""
    run = unit_run_of(passed.execution)
    return run is not None and max(run.time - run.waited, run.cpu) <= _MAX_MIXED_MILLISECONDS


def _passed_in_result(unit: UnitMethod | None, result: CaseResult) -> frozenset[int]:
    """Return the values with which a method passed, by their places; the one place 0 where all is one."""
    run = unit_run_of(result.execution) if isinstance(result.execution, Execution) else None
    if unit and unit.by_value and run and result.verdict in (Verdict.PASSED, Verdict.PARTIAL):
        return frozenset(run.passed)
    return frozenset({0}) if result.verdict is Verdict.PASSED else frozenset()


def _passed_by_reference(case: Case, turned: UnitMethod, further: Rechecking) -> frozenset[int]:
    """Return the values with which the reference passes a test that is turned round: it says nothing of these.

    Raises GraderError where nobody knows them.
    """
    found = further.ask(replace(case, payload=turned))
    if isinstance(found, GraderError):
        raise found
    run = unit_run_of(found)
    if run is None or not run.is_recorded:
        raise HostError(f"{turned.file}: the reference does not run {turned.method} with an assertion turned round")
    return frozenset() if run.failed_outside or run.loading else frozenset(run.passed)


class _Copy(Struct, frozen=True, kw_only=True):
    """A copy of a test in which assertions are turned round."""

    lines: Mapping[str, int] = {}
    """method -> the line of the assertion"""
    files: Mapping[str, bytes] = {}
    source: bytes = b""


_COPIES = LastResults[Sequence[_Copy]]()
_SEVERAL = LastResults[tuple[Sequence[PassedRun], Mapping[tuple[str, bytes], Launch]]]()
_BELIEVED = LastResults[Mapping[str, frozenset[int]]]()


def _turn(
    unit: UnitMethod, choices: Sequence[Sequence[str] | None], launch: Launch, course: "Course"
) -> Sequence[_Copy]:
    """Return a copy of a test for each choice of methods to be turned round (None: all); empty where there is none."""
    if unit.framework != "junit":
        return [_turn_python(unit, methods or (unit.method,), launch) for methods in choices]
    if (folder := launch.folder) is None:
        return [_Copy() for _ in choices]

    def make() -> Sequence[_Copy]:
        found = [turn_java(unit.source, chooser(launch.stdin), methods, by_value=unit.by_value) for methods in choices]
        turned = [one for one in found if one]
        if len(turned) < len(found):
            return [_Copy() for _ in choices]
        build = limits_of(course.toolchain.build_limits, {}), course.toolchain.build_env
        copies, probe = [replace(unit, source=one.source) for one in turned], course.prepared["unit"]
        made = compile_units(*copies, folder=folder, spec=course.spec, build=build, probe=probe, run=course.measure)
        return [
            _Copy() if test.problem else _Copy(lines=one.lines, files=test.files, source=one.source)
            for one, test in zip(turned, made, strict=True)
        ]

    chosen = tuple(methods and tuple(methods) for methods in choices)
    key = (str(folder), unit.file, unit.source, unit.by_value, chosen)
    return _COPIES.get_or_make(key, make)


def _turn_python(unit: UnitMethod, methods: Sequence[str], launch: Launch) -> _Copy:
    turned = turn_python(unit.source, methods, chooser(launch.stdin), by_value=unit.by_value)
    if turned is None:
        return _Copy()
    return _Copy(lines=turned.lines, files={test_file_of(unit): turned.source}, source=turned.source)


def _believed(
    unit: UnitMethod, methods: Sequence[str], launch: Launch, course: "Course"
) -> Mapping[str, frozenset[int]]:
    """Return the methods that pass as they are and fail turned round, in each of several runs with others by chance.

    With each method, the values with which it does.
    """

    def make() -> Mapping[str, frozenset[int]]:
        places = {method: place for method, place in _places_of(unit, methods).items() if place is not None}
        drawn = draw_turns([*dict.fromkeys(places.values())], chooser(b"mixed" + launch.stdin))
        choices = [[method for method, place in places.items() if place in turns] for turns in drawn]
        made = _turn(unit, [chosen for chosen in choices if chosen], launch, course)
        if not made or not all(copy.lines for copy in made):
            return {}
        left = iter(made)
        copies = [next(left) if chosen else _Copy() for chosen in choices]
        passed: dict[str, list[frozenset[int] | None]] = {one: [] for one in places}
        turned: dict[str, list[frozenset[int] | None]] = {one: [] for one in places}
        for number, (chosen, copy) in enumerate(zip(choices, copies, strict=True)):
            other = with_new_secret(replace(launch, files={**launch.files, **copy.files}), f"mixed {number}")
            found = course.execute(other)
            for one in places:
                values = _passed_values(unit, one, found, other)
                (turned if one in chosen else passed)[one].append(
                    values if one in copy.lines or one not in chosen else None
                )
        return {one: values for one in places if (values := _shown_by(passed[one], turned[one]))}

    return _BELIEVED.get_or_make((launch.stdin, str(launch.folder), unit.source, unit.by_value), make)


def draw_turns(methods: Sequence[object], choose: Callable[[int], int]) -> list[frozenset[object]]:
    """Return for each of the mixed runs which methods are turned round in it: each in one or two of them.

    Every method has six ways alike, whatever the others have. So it may be that a run turns none of few methods (with
    four, in one of six draws): that run is of the test as it is, and tells of each method that it passes there. A draw
    without such runs would tell whoever knows the others' ways more of the last one's: one of five with four methods.
    """
    ways = [(one, 1 + choose(2**_MIXED_RUNS - 2)) for one in methods]  # as bits: never all, nor none
    return [frozenset(one for one, way in ways if way >> number & 1) for number in range(_MIXED_RUNS)]


def _shown_by(
    passed: Sequence[frozenset[int] | None], turned: Sequence[frozenset[int] | None]
) -> frozenset[int] | None:
    """Return the values with which a method passed each time as it is, and never turned round; None where unknown."""
    values = passed[0]
    if values is None or any(one != values for one in passed):
        return None
    return None if any(one is None or one & values for one in turned) else values


def _places_of(unit: UnitMethod, methods: Sequence[str]) -> dict[str, object]:
    """Return method -> what distinguishes its text: one that several classes inherit is the same for all."""
    if unit.framework == "junit":
        found = find_java_methods(masked_java(unit.source.decode()))
        places = {one.name: one.place for one in found if one.place >= 0}
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


def _passed_values(unit: UnitMethod, method: str, execution: Execution, launch: Launch) -> frozenset[int] | None:
    """Return the values with which one of several methods passed; None where it has no result."""
    own = replace(unit, method=method, skips=())
    found = with_unit(execution, own, launch)
    run = unit_run_of(found)
    if run is None or not run.is_recorded:
        return None
    if judge_unit(own, found, no_lines, run if own.by_value else None) is not None:
        return frozenset()
    return frozenset(run.passed) if own.by_value else frozenset({0})


def _is_confirmed(
    unit: UnitMethod, doubted: frozenset[int], launch: Launch, other: Launch, further: Rechecking
) -> bool:
    """Whether a method passes both ways again; so it is too where there is no time for it, which liars could use up."""
    try:
        for number in range(_CONFIRMATIONS):
            for turn, one in (("as it is", launch), ("turned", other)):
                again = further.run_again(with_new_secret(one, f"{turn} {number}"))
                doubted &= _passed_in_result(unit, again)
                if not doubted:
                    return False
    except HostError:
        return True
    return True


def chooser(seed: bytes) -> Callable[[int], int]:
    """Return what chooses a number below another, as the seed has it, which nobody knows who is tested."""
    state = hashlib.sha256(b"turned " + seed).digest()

    def choose(below: int) -> int:
        nonlocal state
        state = hashlib.sha256(state).digest()
        return int.from_bytes(state, "big") % below

    return choose
