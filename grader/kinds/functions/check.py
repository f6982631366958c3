"""Probable mistakes in calls of functions, their mutants, and calls with smaller arguments."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import GraderError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Spec
from grader.core.model.values import PlainValue, Wildcard
from grader.core.text import one_line
from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.functions.compare_values import MISSING, element_at, has_whatever, with_cell
from grader.kinds.functions.headings import heading_text
from grader.kinds.functions.model import (
    ExpectedOutcome,
    ExpectedValue,
    FunctionCase,
    Raised,
    calls_of,
    display_value,
    functions_in,
    functions_of,
)
from grader.kinds.functions.values import fits, is_plain_type

if TYPE_CHECKING:
    from grader.check.expected_results import Scene
    from grader.check.mutants import Fault, Mutant, Scope
    from grader.check.source_mutants import ReferenceProgram
    from grader.check.subject import Subject

_HEADINGS = re.compile(r".*\.functions\.(declare|structures)\[\d+\]")


@lint_rule("never-passes")
def _mistyped_values(subject: "Subject") -> Iterator[Flaw]:
    """Find values of another type than the function has there."""
    for case, function in _called(subject):
        main, calls = function.call.signature, enumerate(function.calls)
        wanted = [("returns", at, call.expect.returns, call.signature.returns) for at, call in calls]
        wanted += [
            (f"args.{at}", function.main, value, main.parameters[at].type) for at, value in function.args.items()
        ]
        for key, place, whole, kind in wanted if function.call.expect.raises in ("", "reference") else ():
            for value in (whole.either or (whole,)) if whole and is_plain_type(kind) else ():
                # A comparator takes any value, written out; what the reference comes to is not known before it runs.
                if not (value.cells or value.text or value.reference or _fits_as_compared(value.want, kind)):
                    shown = one_line(display_value(value.want, is_python=False))
                    path = _path_of_outcome(subject, case, place, key)
                    yield flaw(path, "mistyped", value=shown, type=kind, heading=main.text)


def _path_of_outcome(subject: "Subject", case: Case, at: int, key: str) -> str:
    """Return the path of what is expected of one of the calls."""
    function = functions_in(case)
    below = f"steps[{at - function.main + function.steps - 1}].expect" if function.steps else "expect"
    return f"{subject.path(case, below, 'expect')}.{key}"


def _fits_as_compared(value: PlainValue, kind: str) -> bool:
    """Whether some Java value of the type can equal this one; as in comparisons, 1 equals 1.0 and true."""
    if isinstance(value, tuple) and kind.endswith("[]"):
        return all(_fits_as_compared(item, kind.removesuffix("[]")) for item in value)
    is_whole = isinstance(value, bool | int | float) and value == value // 1
    same = (value, *((int(value),) if is_whole else ()), *((bool(value),) if is_whole and value in (0, 1) else ()))
    return isinstance(value, Wildcard) or any(fits(variant, kind) for variant in same)


def _called(subject: "Subject") -> Iterator[tuple[Case, FunctionCase]]:
    for case in (case for _, test in subject.tests() for case in test.cases):
        if function := functions_of(case):
            yield case, function


@lint_rule("ignored-expectation")
def _unseen_results(subject: "Subject") -> Iterator[Flaw]:
    """Find results of calls that must end with an exception, and last steps whose result is not compared."""
    for case, function in _called(subject):
        for at, outcome in enumerate(call.expect for call in function.calls):
            key = "returns" if outcome.returns else "args" if at == function.main and function.args else ""
            if key and outcome.raises not in ("", "reference"):
                yield flaw(_path_of_outcome(subject, case, at, key), "no-result", key=key)
        if function.steps and not (case.expect.stdout or function.call.expect != ExpectedOutcome()):
            yield flaw(subject.path(case, f"steps[{function.steps - 1}]"), "last-step")


@lint_rule("idle-key")
def _idle_declarations(subject: "Subject") -> Iterator[Flaw]:
    """Find functions that are declared among several and never called, and structures to which nothing points."""
    signatures = [call.signature for _, function in _called(subject) for call in function.calls]
    used = {text for heading in signatures for text in (heading.text, *(own.text for own in heading.structures))}
    for path, text in subject.texts.items():
        if (match := _HEADINGS.fullmatch(path)) and heading_text(text) not in used:
            yield flaw(path, match[1])


@lint_rule("never-passes")
def _contradicting_calls(subject: "Subject") -> Iterator[Flaw]:
    """Find calls that are the same as those of an earlier case, but must return another value."""
    before: dict[str, tuple[str, Mapping[int, PlainValue]]] = {}
    for case, function in ((case, function) for case, function in _called(subject) if not case.is_generated):
        returned = {at: call.expect.returns for at, call in enumerate(function.calls) if call.expect.returns}
        exact = {at: value.want for at, value in returned.items() if value == ExpectedValue(want=value.want)}
        wanted = {at: value for at, value in exact.items() if not has_whatever(value)}
        name, earlier = before.setdefault(subject.given(case), (case.id, wanted))
        at = next((at for at in wanted.keys() & earlier.keys() if wanted[at] != earlier[at]), None)
        if at is not None:
            path = _path_of_outcome(subject, case, at, "returns")
            yield flaw(path, "contradicting-calls", case=case.id, rival=name)


_Way = tuple[int, ...]  # the places in lists within lists that lead to an element
_Looks = Callable[[_Way], bool]  # whether the element there is compared; False where a spec leaves it open
# An argument before the call, and the right value after it (or the right returned value) -> a wrong value, if any.
_Change = Callable[[PlainValue, PlainValue, _Looks], PlainValue]


def mutants(scope: "Scope") -> "Iterator[Mutant]":
    """Yield the mutants of a test's functions."""
    faults = {name: _wrong_value(scope, change, is_arg=name.startswith("a")) for name, (_, change) in _CHANGES.items()}
    for name, (about, _) in _CHANGES.items():
        yield scope.mutant(name, about, faults[name])
    known = [(functions_of(scene.case), calls_of(scene.right)) for scene in scope.scenes]
    asked = [(function.main, calls) for function, calls in known if function and calls and function.call.expect.returns]
    returned = (calls.returned[at : at + 1] for at, calls in asked if at not in calls.ends)
    constants = dict.fromkeys(value for values in returned for value in values)
    for number, value in enumerate(constants, start=1):
        shown = repr(value) if isinstance(value, bool | int | float) else f"the right value of one case ({number})"
        fault = _wrong_value(scope, lambda *_, value=value: value)
        yield scope.mutant(f"returned/always-{number}", f"always {shown}", fault)
    yield scope.mutant("calls/raises", "ends with an exception", partial(_end_otherwise, raises=True))
    about = "ends with none where one is asked for"
    yield scope.mutant("calls/raises-not", about, partial(_end_otherwise, raises=False))
    # The first element is often ignored, as in boards that are counted from 1.
    names = ("returned/other", "arguments/first-undone", "arguments/last-overdone")
    ways: list[Fault] = [
        *map(faults.__getitem__, names),
        lambda scene: replace(scene.right, stdout=b"") if scene.right.stdout else None,
    ]
    for scene in scope.scenes:
        if functions_of(scene.case):
            yield scope.mutant_in(scene, "calls", lambda scene: next(filter(None, (way(scene) for way in ways)), None))


def _wrong_value(scope: "Scope", change: _Change, *, is_arg: bool = False) -> "Fault":
    """Make a fault: other returned values, or other values in arguments, in every case that compares them."""

    def wrong(before: PlainValue, right: PlainValue, asked: Sequence[ExpectedValue]) -> PlainValue:
        """Return a wrong value, or the right one if no expectation covers the difference."""

        def looks(way: _Way) -> bool:
            return any(expected.looks_at(way) for expected in asked)

        value = change(before, right, looks)
        ways = {*_ways(right), *_ways(value)}
        is_shown = any(looks(way) and element_at(right, way) != element_at(value, way) for way in ways)
        return value if is_shown else right

    def fault(scene: "Scene") -> Execution | None:
        function, calls = functions_of(scene.case), calls_of(scene.right)
        if function is None or calls is None:
            return None
        alike = [*filter(None, (functions_of(similar.case) for similar in scope.by_input[scene.given]))]
        field, rights = ("args", calls.args or ()) if is_arg else ("returned", calls.returned)
        values = list(rights)
        for at, (before, right) in enumerate(zip(function.call.args if is_arg else rights, rights, strict=False)):
            asked = [function.args.get(at) if is_arg else function.calls[at].expect.returns for function in alike]
            if is_arg or at not in calls.caught:
                values[at] = wrong(before, right, list(filter(None, asked)))
        return None if tuple(values) == rights else replace(scene.right, facts=replace(calls, **{field: tuple(values)}))

    return fault


def _end_otherwise(scene: "Scene", *, raises: bool) -> Execution | None:
    """End with an exception, or with none where one is asked for."""
    function, calls = functions_of(scene.case), calls_of(scene.right)
    if function is None or calls is None or bool(calls.ends) is raises:
        return None
    error = Raised(type="ArithmeticError", kinds=("ArithmeticError", "Exception"), message="a mutant")
    changed = replace(calls, returned=calls.returned[: function.main], raised=error, args=None)
    if not raises:
        returned = (*calls.returned, *[None] * (len(function.calls) - len(calls.returned)))
        changed = replace(calls, returned=returned, raised=None, caught={}, args=function.call.args)
    return replace(scene.right, facts=changed)


def _change_of(kind: type, change: Callable[..., PlainValue]) -> _Change:
    """Make a change of the values of a kind; an empty list has nothing to change."""
    return lambda _, value, __: change(value) if type(value) is kind and value != () else value


def _transposed(rows: tuple[PlainValue, ...]) -> PlainValue:
    is_square = all(isinstance(row, tuple) and len(row) == len(rows) for row in rows)
    return tuple(zip(*rows, strict=True)) if is_square else rows


def _another_value(value: PlainValue) -> PlainValue:
    """Return another value of the same kind, where it has one."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}?" if value.isalpha() else value[:-1]
    return 0 if value is None else value


def _ways(value: PlainValue, way: _Way = ()) -> Iterator[_Way]:
    """Yield the way to every element that is no list, or is an empty one."""
    if isinstance(value, tuple) and value:
        for index, item in enumerate(value):
            yield from _ways(item, (*way, index))
    else:
        yield way


def _change_element(which: int, *, is_undone: bool | None = None) -> _Change:
    """Change one of the compared elements, or keep one as it was before, or change one that should stay."""

    def change(before: PlainValue, value: PlainValue, looks: _Looks) -> PlainValue:
        usable: list[tuple[_Way, PlainValue]] = []
        for way in filter(looks, _ways(value)):
            element, was = element_at(value, way), element_at(before, way)
            wrong = was if is_undone else _another_value(element)
            is_of_these = is_undone is None or (was != element if is_undone else was == element and way)
            if is_of_these and wrong not in (MISSING, element):
                usable.append((way, wrong))
        return with_cell(value, *usable[which]) if usable else value

    return change


_BACKWARDS = "a list backwards", _change_of(tuple, lambda items: items[::-1])
_COLUMNS = "columns for rows", _change_of(tuple, _transposed)
_CHANGES: Mapping[str, tuple[str, _Change]] = {
    "returned/negated": ("the opposite is returned", _change_of(bool, lambda value: not value)),
    "returned/one-more": ("a number too large by one", _change_of(int, lambda number: number + 1)),
    "returned/one-less": ("a number too small by one", _change_of(int, lambda number: number - 1)),
    "returned/nought": ("always 0", _change_of(int, lambda _: 0)),
    "returned/empty": ("always an empty text", _change_of(str, lambda _: "")),
    "returned/shorter": ("the last of a list is missing", _change_of(tuple, lambda items: items[:-1])),
    "returned/backwards": _BACKWARDS,
    "returned/transposed": _COLUMNS,
    "returned/none": ("nothing is returned", lambda *_: None),
    "returned/other": ("another value of the same kind", _change_element(0)),
    "arguments/untouched": ("an argument is left as it was", lambda before, *_: before),
    "arguments/first-undone": ("the first element that should change does not", _change_element(0, is_undone=True)),
    "arguments/last-undone": ("the last element that should change does not", _change_element(-1, is_undone=True)),
    "arguments/first-overdone": ("an element that should not change does", _change_element(0, is_undone=False)),
    "arguments/last-overdone": ("the last element that should not change does", _change_element(-1, is_undone=False)),
    "arguments/transposed": _COLUMNS,
    "arguments/backwards": _BACKWARDS,
}


def excuse_reference(_case: Case, _spec: Spec, execution: Execution | GraderError) -> str:
    """Return why a reference cannot be called, or lacks the function; "" if neither holds."""
    if isinstance(execution, GraderError):
        return str(execution)
    calls = calls_of(execution)
    return "the reference has no such function" if calls and calls.missing else ""


def entry_points(case: Case, program: "ReferenceProgram") -> frozenset[str]:
    """Return the functions of the reference that are called, however they are spelt: `place_queen` for `placeQueen`."""
    function = functions_in(case)
    called = {call.signature.name.replace("_", "").lower() for call in function.calls}
    named = {name for name in program.uses if name.replace("_", "").lower() in called}
    # Methods that make, show and compare objects are called without their names.
    return frozenset(named | {name for name in program.uses if function.maker and name.startswith("__")})
