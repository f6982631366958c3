"""A method that passed runs once more, alone, with one of its assertions inverted: a pass both ways is ungraded."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.core.errors import GraderError, HostError
from grader.core.kind import AskReference
from grader.core.model.execution import Launch
from grader.core.model.judgement import CaseResult, Verdict
from grader.core.model.spec import Case
from grader.core.pipeline import Inverted
from grader.core.seeded_random import SeededRandom
from grader.kinds.harness.host import with_new_secret
from grader.kinds.unit_tests.inverted import InvertedText, invert_java, invert_python
from grader.kinds.unit_tests.java_text import find_java_methods
from grader.kinds.unit_tests.model import UnitMethod, method_of, unit_run_of
from grader.kinds.unit_tests.probe import compile_units, methods_of
from grader.kinds.unit_tests.python_text import functions_of_methods
from grader.kinds.unit_tests.shipped import shipped_unit, test_of

if TYPE_CHECKING:
    from grader.core.course import Attempt

MAX_INVERTED_TOGETHER = 8  # methods of one process that are inverted, each in a run of all
_SAME_SHARE = 1e-6


def invert(runs: Sequence[tuple[Case, Launch]], course: "Attempt") -> Sequence[Inverted | None]:
    """Return for each run of a method the one with an assertion inverted; None where nothing is. Raises HostError."""
    chance = SeededRandom(runs[0][1].stdin.hex())  # has a secret, which nobody knows who is tested
    units = [shipped_unit(method_of(case), test_of(case, course.spec), course.spec) for case, _ in runs]
    turns = {at: (-1, 1)[chance.below(2)] for at in range(len(runs))}
    if len(methods_of(runs[0][1])) > 1:
        chosen = chance.sample([*turns], min(len(turns), MAX_INVERTED_TOGETHER))
        before = chance.below(len(chosen) + 1)  # the run that counts has any place among these
        turns = {at: turn - before + (turn >= before) for turn, at in enumerate(chosen)}
    texts = dict[int, InvertedText]()
    for at in turns:
        unit, choose = units[at], SeededRandom(runs[at][1].stdin.hex()).below
        how: Any = invert_java if unit.framework == "junit" else partial(invert_python, by_value=unit.by_value)
        if found := how(unit.source, unit.method, choose):
            texts[at] = found
    copies = {at: replace(units[at], source=found.source) for at, found in texts.items()}
    inverted, folder = list[Inverted | None]([None] * len(runs)), runs[0][1].folder
    made = compile_units(
        *copies.values(), folder=folder, course=course, run=lambda one: course.run("inverted tests", one)
    )
    for at, compiled in zip(copies, made, strict=True):
        (case, launch), found = runs[at], texts[at]
        if files := compiled.files:
            inverted[at] = Inverted(
                case=replace(case, payload=copies[at]),
                launch=with_new_secret(replace(launch, files={**launch.files, **files}), "inverted"),
                place=f"{PurePosixPath(units[at].file).name}:{found.line}",
                turn=turns[at],
                share=found.share,
                doubt=doubt,
                is_shared=units[at].together,
            )
    return inverted


def doubt(inverted: Inverted, first: CaseResult, again: CaseResult, ask: AskReference) -> str:
    """Return why the pass of a method is not believed; empty when it is, or when nothing is known."""
    unit = method_of(inverted.case)
    shares = [run.share for one in (first, again) if one.whole and (run := unit_run_of(one.whole)) and run.share]
    if inverted.share and len(shares) > 1 and abs(float(shares[1]) - float(inverted.share)) > _SAME_SHARE:
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


def _passed_in_result(unit: UnitMethod, result: CaseResult) -> frozenset[int]:
    """Return the values with which a method passed, by their places; the one place 0 where all is one."""
    run = unit_run_of(result.whole) if result.whole else None
    if unit.by_value and run and result.verdict in (Verdict.PASSED, Verdict.PARTIAL):
        return frozenset(run.passed)
    return frozenset({0}) if result.verdict is Verdict.PASSED else frozenset()


def _passed_by_reference(unit: UnitMethod, ask: AskReference) -> frozenset[int]:
    """Return the values with which the reference passes an inverted test, which says nothing of these. GraderError."""
    found = ask()
    run = None if isinstance(found, GraderError) else unit_run_of(found)
    if run is None or not run.is_recorded:
        raise HostError(f"{unit.file}: the reference does not run {unit.method} with an assertion inverted")
    return frozenset() if run.failed_outside or run.loading else frozenset(run.passed)


def inherited_methods(unit: UnitMethod, methods: Sequence[str]) -> tuple[str, str] | None:
    """Return two of the methods of one process that have the same text; None where there are none."""
    if unit.framework == "junit":
        places = {one.name: one.place for one in find_java_methods(unit.source.decode()) if one.place >= 0}
    else:
        places = {name: function.lineno for name, function in functions_of_methods(unit.source).items()}
    pairs = combinations((one for one in methods if one in places), 2)
    return next((pair for pair in pairs if places[pair[0]] == places[pair[1]]), None)
