"""A method that passed runs once more, in a process of its own, with one of its assertions inverted.

Whether that run comes before the one that counts is drawn by chance, so neither the order nor the age of a process
tells which of the two it is. Of methods that share a process a few are inverted, each in a run of all of them that is
like the first; the run that counts has a place among these that is drawn, too. What ends an inverted run otherwise than
with a pass (an assertion, an exception, a limit, a machine without room) leaves the result as it is. What passes both
ways is ungraded, for the staff to look at.
"""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import GraderError, HostError
from grader.core.kind import AskReference, Inverted
from grader.core.model.execution import Launch
from grader.core.model.judgement import CaseResult, Verdict
from grader.core.model.spec import Case
from grader.core.run.launch import limits_of
from grader.core.seeded_random import SeededRandom
from grader.kinds.unit_tests.compiled import compile_units
from grader.kinds.unit_tests.java_text import find_java_methods
from grader.kinds.unit_tests.model import UnitMethod, unit_of, unit_run_of
from grader.kinds.unit_tests.probe import methods_of, unit_files, with_new_secret
from grader.kinds.unit_tests.shipped import shipped_unit, test_of
from grader.kinds.unit_tests.turned import Turned, lines_of_methods, turn_python
from grader.kinds.unit_tests.turned_java import turn_java

if TYPE_CHECKING:
    from grader.core.course import Course

MAX_INVERTED_TOGETHER = 8
"""methods of one process that are inverted, each in a run of all"""
_MAX_COMPILED_AT_ONCE = 16
_SAME_SHARE = 1e-6


def invert(runs: Sequence[tuple[Case, Launch]], course: "Course") -> Sequence[Inverted | None]:
    """Return for each run of a method the one with an assertion inverted; None for those that are not inverted.

    Raises HostError where the tests cannot be compiled for want of anything.
    """
    chance = SeededRandom(runs[0][1].stdin.hex())  # has a secret, which nobody knows who is tested
    units = [_shipped(case, course) for case, _ in runs]
    places, turns = [*range(len(runs))], [(-1, 1)[chance.below(2)] for _ in runs]
    if len(methods_of(runs[0][1])) > 1:
        places = chance.sample(places, min(len(places), MAX_INVERTED_TOGETHER))
        before = chance.below(len(places) + 1)
        turns = [places.index(at) - before if at in places else 0 for at in range(len(runs))]
        turns = [turn + (turn >= 0) for turn in turns]
    texts = {at: found for at in places if (found := _turn(units[at], SeededRandom(runs[at][1].stdin.hex())))}
    made = _made_ready([_with_text(units[at], found) for at, found in texts.items()], runs[0][1], course)
    inverted: list[Inverted | None] = [None] * len(runs)
    for (at, found), copy in zip(texts.items(), made, strict=True):
        if copy is None:
            continue
        case, launch = runs[at]
        inverted[at] = Inverted(
            case=replace(case, payload=_with_text(units[at], found)),
            launch=with_new_secret(replace(launch, files={**launch.files, **copy}), "inverted"),
            place=f"{PurePosixPath(found.helper or units[at].file).name}:{found.line}",
            turn=turns[at],
            share=found.share,
        )
    return inverted


def _shipped(case: Case, course: "Course") -> UnitMethod:
    unit = unit_of(case)
    if unit is None:
        raise TypeError(f"{case.id} is no method of a unit test")
    return shipped_unit(unit, test_of(case, course.spec), course.spec)


def _turn(unit: UnitMethod, chance: SeededRandom) -> Turned | None:
    if unit.framework == "junit":
        return turn_java(unit.source, unit.method, chance.below, by_value=unit.by_value)
    return turn_python(unit.source, unit.method, chance.below, by_value=unit.by_value, helpers=unit.helpers)


def _with_text(unit: UnitMethod, turned: Turned) -> UnitMethod:
    """Return a method with the text of its test, or of the helper that it is inherited from, exchanged."""
    if turned.helper:
        return replace(unit, helpers={**unit.helpers, turned.helper: turned.source})
    return replace(unit, source=turned.source)


def _made_ready(copies: Sequence[UnitMethod], launch: Launch, course: "Course") -> list[dict[str, bytes] | None]:
    """Return the files of each copy of a test as it is run; None for one that does not compile. Raises HostError."""
    folder = launch.folder
    if not copies or copies[0].framework != "junit":
        return [unit_files(one) for one in copies]
    if folder is None:
        return [None for _ in copies]
    found = list[dict[str, bytes] | None]()
    for start in range(0, len(copies), _MAX_COMPILED_AT_ONCE):
        part = copies[start : start + _MAX_COMPILED_AT_ONCE]
        limits = limits_of(course.toolchain.build_limits, {})
        limits = replace(limits, time=limits.time * len(part), cpu=limits.cpu * len(part))
        build, probe = (limits, course.toolchain.build_env), course.prepared["unit"]
        made = compile_units(*part, folder=folder, spec=course.spec, build=build, probe=probe, run=course.measure)
        if any(one.problem for one in made) and len(part) > 1:  # one that does not compile costs no other
            alone = (
                compile_units(one, folder=folder, spec=course.spec, build=build, probe=probe, run=course.measure)
                for one in part
            )
            made = [one for (one,) in alone]
        found += [None if one.problem else dict(one.files) for one in made]
    return found


# ---------------------------------------------------------------- what two results come to


def doubt(inverted: Inverted, first: CaseResult, again: CaseResult, ask: AskReference) -> str:
    """Return why the pass of a method is not believed; empty when it is, or when nothing is known."""
    unit = unit_of(inverted.case)
    if unit is None:
        return ""
    own, other = (_share_set(one) for one in (first, again))
    if inverted.share and own is not None and other is not None and abs(other - float(inverted.share)) > _SAME_SHARE:
        return f"has another share of its points than the test sets at {inverted.place}, where it was exchanged"
    passed = _passed_in_result(unit, first)
    doubted = passed & _passed_in_result(unit, again)
    if doubted and unit.is_counted:
        doubted = doubted if doubted == passed else frozenset()
    elif doubted and unit.by_value:
        doubted -= _passed_by_reference(unit, ask)
    if not doubted:
        return ""
    return (
        f"passed, and passes too with the assertion at {inverted.place} inverted: the submission makes up the result "
        "of its test, or compares as equal to everything"
    )


def _share_set(result: CaseResult) -> float | None:
    """Return the share of its points that a method set for itself; None where it set none."""
    run = unit_run_of(result.whole) if result.whole else None
    return float(run.share) if run and run.share else None


def _passed_in_result(unit: UnitMethod, result: CaseResult) -> frozenset[int]:
    """Return the values with which a method passed, by their places; the one place 0 where all is one."""
    run = unit_run_of(result.whole) if result.whole else None
    if unit.by_value and run and result.verdict in (Verdict.PASSED, Verdict.PARTIAL):
        return frozenset(run.passed)
    return frozenset({0}) if result.verdict is Verdict.PASSED else frozenset()


def _passed_by_reference(unit: UnitMethod, ask: AskReference) -> frozenset[int]:
    """Return the values with which the reference passes a test that is inverted: it says nothing of these.

    Raises GraderError where nobody knows them.
    """
    found = ask()
    if isinstance(found, GraderError):
        raise found
    run = unit_run_of(found)
    if run is None or not run.is_recorded:
        raise HostError(f"{unit.file}: the reference does not run {unit.method} with an assertion inverted")
    return frozenset() if run.failed_outside or run.loading else frozenset(run.passed)


def inherited_methods(unit: UnitMethod, methods: Sequence[str]) -> tuple[str, str] | None:
    """Return two of the methods of one process that have the same text; None where there are none."""
    if unit.framework == "junit":
        found = find_java_methods(unit.source.decode())
        places = {one.name: one.place for one in found if one.place >= 0}
    else:
        places = lines_of_methods(unit.source, methods)
    seen: dict[int, str] = {}
    for method in methods:
        if method in places and seen.setdefault(places[method], method) != method:
            return seen[places[method]], method
    return None
