"""Probable mistakes in calls of functions, their mutants, and calls with smaller arguments.

A mutant returns something else, leaves something else of its arguments, or raises an exception.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from grader.core.errors import GraderError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Spec
from grader.core.model.values import PlainValue, Wildcard
from grader.core.text import one_line, quote
from grader.kinds.functions.call_text import display_value
from grader.kinds.functions.compare_values import MISSING, element_at, has_whatever
from grader.kinds.functions.headings import heading_text
from grader.kinds.functions.model import (
    Calls,
    ExpectedOutcome,
    ExpectedValue,
    FunctionCase,
    Raised,
    calls_of,
    functions_in,
    functions_of,
)
from grader.kinds.functions.values import fits, is_plain_type
from grader.lint.subject import Flaw, Subject, lint_rule
from grader.verify import expected_results
from grader.verify.expected_results import Scene
from grader.verify.mutants import Fault, Mutant, Scope
from grader.verify.source_mutants import ReferenceProgram

_HEADINGS = re.compile(r".*\.functions\.(declare|structures)\[\d+\]")


# ---------------------------------------------------------------- lint


def _mistyped_values(subject: Subject, case: Case, function: FunctionCase) -> Iterator[Flaw]:
    """Find values of another type than the function has there."""
    call = function.call.signature
    wanted = [("returns", at, one.expect.returns, one.signature.returns) for at, one in enumerate(function.calls)]
    left = function.args.items()
    wanted += [(f"args.{at}", function.main, value, call.parameters[at].type) for at, value in left]
    for key, place, whole, kind in wanted if function.call.expect.raises in ("", "reference") else ():
        for value in (whole.either or (whole,)) if whole and is_plain_type(kind) else ():
            # A comparator takes any value, written out; what the reference comes to is not known before it runs.
            if not (value.cells or value.text or value.reference or _fits_as_compared(value.want, kind)):
                shown = one_line(display_value(value.want, is_python=False))
                problem = f"{shown} is no {kind}, which {call.text} has there: expect a value of that type"
                yield _path_of_outcome(subject, case, place, key), problem


def _path_of_outcome(subject: Subject, case: Case, at: int, key: str) -> str:
    """Return the path of what is expected of one of the calls."""
    function = functions_in(case)
    below = f"steps[{at - function.main + function.steps - 1}].expect" if function.steps else "expect"
    return f"{subject.path(case, below, 'expect')}.{key}"


def _fits_as_compared(value: PlainValue, kind: str) -> bool:
    """Whether some Java value of the type can be equal to this one; as in comparisons, 1 is 1.0 and true."""
    if isinstance(value, tuple) and kind.endswith("[]"):
        return all(_fits_as_compared(item, kind.removesuffix("[]")) for item in value)
    is_whole = isinstance(value, bool | int | float) and value == value // 1
    same = (value, *((int(value),) if is_whole else ()), *((bool(value),) if is_whole and value in (0, 1) else ()))
    return isinstance(value, Wildcard) or any(fits(one, kind) for one in same)


def _called(subject: Subject) -> Iterator[tuple[Case, FunctionCase]]:
    for case in (case for _, test in subject.tests() for case in test.cases):
        if function := functions_of(case):
            yield case, function


@lint_rule(None, "ignored-expectation")
def unseen_results(subject: Subject) -> Iterator[Flaw]:
    """Find results of calls that must end with an exception, and steps after which nothing is looked at."""
    for case, function in _called(subject):
        for at, outcome in enumerate(call.expect for call in function.calls):
            key = "returns" if outcome.returns else "args" if at == function.main and function.args else ""
            if key and outcome.raises not in ("", "reference"):
                path = _path_of_outcome(subject, case, at, key)
                yield path, f"a call that must end with an exception has no result: take {key} out, or raises"
        if function.steps and not (case.expect.stdout or function.call.expect != ExpectedOutcome()):
            path = subject.path(case, f"steps[{function.steps - 1}]")
            yield path, "nothing is looked at after this step: expect what comes of it, or take it out"


@lint_rule(None, "idle-key")
def idle_declarations(subject: Subject) -> Iterator[Flaw]:
    """Find functions that are declared among several and never called, and structures to which nothing points."""
    signatures = [call.signature for _, function in _called(subject) for call in function.calls]
    used = {one.text for one in signatures} | {own.text for one in signatures for own in one.structures}
    problems = {
        "declare": "no call is of this function: call it, or take it out",
        "structures": "no function that is called takes or returns a pointer to it: take it out",
    }
    for path, text in subject.texts.items():
        if (found := _HEADINGS.fullmatch(path)) and heading_text(text) not in used:
            yield path, problems[found[1]]


@lint_rule(None, "never-passes")
def contradicting_calls(subject: Subject) -> Iterator[Flaw]:
    """Find values of another type, and calls that are those of a case before, and must return another value."""
    for case, function in _called(subject):
        yield from _mistyped_values(subject, case, function)
    before: dict[str, tuple[str, Mapping[int, PlainValue]]] = {}
    for case, function in ((case, function) for case, function in _called(subject) if not case.is_generated):
        returned = {at: one.expect.returns for at, one in enumerate(function.calls) if one.expect.returns}
        exact = {at: one.want for at, one in returned.items() if one == ExpectedValue(want=one.want)}
        wanted = {at: value for at, value in exact.items() if not has_whatever(value)}
        name, others = before.setdefault(expected_results.given(case), (case.id, wanted))
        at = next((at for at in wanted.keys() & others.keys() if wanted[at] != others[at]), None)
        if at is not None:
            problem = f"{quote(case.id)} calls the same as {quote(name)}, and another value is right"
            path = _path_of_outcome(subject, case, at, "returns")
            yield path, f"{problem}: no program can pass both; mend one of them"


# ---------------------------------------------------------------- mutants

_SAME = object()
"""what stands for a value of a kind that a change has nothing to do with"""
_Way = tuple[int, ...]
"""the places in lists within lists that lead to an element"""
_Looks = Callable[[_Way], bool]
"""whether the element at the end of a way is compared; False where a spec leaves it open"""
_Change = Callable[[PlainValue, PlainValue, _Looks], PlainValue]
"""an argument before the call, and the right value after it, or the right value returned -> a wrong one"""
_ENDINGS = (("raises", "ends with an exception", True), ("raises-not", "ends with none where one is asked for", False))


def mutants(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants of a test's functions."""
    for name, (about, change) in _RETURNED.items():
        yield scope.mutant(f"returned/{name}", about, _wrong_value(scope, change))
    constants: list[PlainValue] = []
    for scene in scope.scenes:
        function, calls = functions_of(scene.case), calls_of(scene.right)
        at = function.main if function and function.call.expect.returns else -1
        if calls is None or at in (-1, *calls.ends) or at >= len(calls.returned) or calls.returned[at] in constants:
            continue
        constants.append(value := calls.returned[at])
        is_short = isinstance(value, bool | int | float)
        shown = repr(value) if is_short else f"the right value of one case ({len(constants)})"
        fault = _wrong_value(scope, partial(lambda constant, *_: constant, value))
        yield scope.mutant(f"returned/always-{len(constants)}", f"always {shown}", fault)
    for name, (about, change) in _LEFT_OF_ARGUMENTS.items():
        yield scope.mutant(f"arguments/{name}", about, _wrong_value(scope, change, in_args=True))
    for name, about, raises in _ENDINGS:
        yield scope.mutant(f"calls/{name}", about, partial(_end_otherwise, raises=raises))
    ways: list[Fault] = [
        _wrong_value(scope, _other),
        _wrong_value(scope, _undo(0), in_args=True),
        # the first element is often ignored, as in boards that are counted from 1
        _wrong_value(scope, _overdo(-1), in_args=True),
        lambda scene: replace(scene.right, stdout=b"") if scene.right.stdout else None,
    ]
    for scene in scope.scenes:
        if functions_of(scene.case):
            yield scope.mutant_in(scene, "calls", lambda scene: next(filter(None, (way(scene) for way in ways)), None))


def _with(scene: Scene, changed: Calls | None) -> Execution | None:
    """Return a wrong execution; None where the calls come to the same."""
    return None if changed is None or changed == scene.right.facts else replace(scene.right, facts=changed)


def _wrong_value(scope: Scope, change: _Change, *, in_args: bool = False) -> Fault:
    """Return other values, or leave other values in arguments, in every case in which somebody looks at them."""

    def wrong(before: PlainValue, right: PlainValue, asked: Iterable[ExpectedValue | None]) -> PlainValue:
        """Return a wrong value; the right one where nobody looks at the difference."""
        known = [one for one in asked if one]

        def looks(way: _Way) -> bool:
            return any(one.looks_at(way) for one in known)

        value = change(before, right, looks)
        ways = set[_Way]() if value is _SAME else {*_ways(right), *_ways(value)}
        is_shown = any(looks(way) and element_at(right, way) != element_at(value, way) for way in ways)
        return value if is_shown else right

    def fault(scene: Scene) -> Execution | None:
        function, calls = functions_of(scene.case), calls_of(scene.right)
        alike = [one for other in scope.alike(scene) if (one := functions_of(other.case))]
        if function is None or calls is None:
            return None
        if in_args:
            pairs = enumerate(zip(function.call.args, calls.args or (), strict=False))
            args = [wrong(before, right, (one.args.get(at) for one in alike)) for at, (before, right) in pairs]
            return _with(scene, replace(calls, args=tuple(args)) if args else None)
        returned = [
            right if at in calls.caught else wrong(None, right, (one.calls[at].expect.returns for one in alike))
            for at, right in enumerate(calls.returned)
        ]
        return _with(scene, replace(calls, returned=tuple(returned)))

    return fault


def _end_otherwise(scene: Scene, *, raises: bool) -> Execution | None:
    """End with an exception, or with none where one is asked for."""
    function, calls = functions_of(scene.case), calls_of(scene.right)
    if function is None or calls is None or bool(calls.ends) is raises:
        return None
    if raises:
        error = Raised(type="ArithmeticError", kinds=("ArithmeticError", "Exception"), message="a mutant")
        return _with(scene, replace(calls, returned=calls.returned[: function.main], raised=error, args=None))
    returned = (*calls.returned, *[None] * (len(function.calls) - len(calls.returned)))
    return _with(scene, replace(calls, returned=returned, raised=None, caught={}, args=function.call.args))


# ---------------------------------------------------------------- wrong values


def _of(kind: type, change: Callable[..., PlainValue]) -> _Change:
    """Make a change of the values of a kind; an empty list has nothing to change."""

    def changed(_: PlainValue, value: PlainValue, __: _Looks) -> PlainValue:
        is_kind = type(value) is kind and value != ()
        return change(value) if is_kind else _SAME

    return changed


def _transposed(rows: tuple[PlainValue, ...]) -> PlainValue:
    is_square = all(isinstance(row, tuple) and len(row) == len(rows) for row in rows)
    return tuple(zip(*rows, strict=True)) if is_square else _SAME


def _another(value: PlainValue) -> PlainValue:
    """Return another value of the same kind; a list of them is no value that has one."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}?" if value.isalpha() else value[:-1]
    return 0 if value is None else _SAME


def _ways(value: PlainValue, way: _Way = ()) -> Iterator[_Way]:
    """Yield the way to every element that is no list, or an empty one."""
    if isinstance(value, tuple) and value:
        for index, item in enumerate(value):
            yield from _ways(item, (*way, index))
    else:
        yield way


def _with_element(value: PlainValue, way: _Way, element: PlainValue) -> PlainValue:
    if not way:
        return element
    return (*value[: way[0]], _with_element(value[way[0]], way[1:], element), *value[way[0] + 1 :])


def _with_another(value: PlainValue, ways: Sequence[_Way], which: int) -> PlainValue:
    usable = [way for way in ways if _another(element_at(value, way)) is not _SAME]
    return _with_element(value, usable[which], _another(element_at(value, usable[which]))) if usable else _SAME


def _other(_: PlainValue, value: PlainValue, looks: _Looks) -> PlainValue:
    """Change the first element at which somebody looks; a value that is no list is one."""
    return _with_another(value, list(filter(looks, _ways(value))), 0)


def _undo(which: int) -> _Change:
    """Leave one element as it was, of those that should change."""

    def leave(before: PlainValue, after: PlainValue, looks: _Looks) -> PlainValue:
        ways = [way for way in _ways(after) if element_at(before, way) not in (MISSING, element_at(after, way))]
        changed = list(filter(looks, ways))
        return _with_element(after, changed[which], element_at(before, changed[which])) if changed else _SAME

    return leave


def _overdo(which: int) -> _Change:
    """Change one element of those that should be as they were."""

    def leave(before: PlainValue, after: PlainValue, looks: _Looks) -> PlainValue:
        ways = [way for way in _ways(after) if way and element_at(before, way) == element_at(after, way)]
        return _with_another(after, list(filter(looks, ways)), which)

    return leave


_BACKWARDS = "a list backwards", _of(tuple, lambda items: items[::-1])
_COLUMNS = "columns for rows", _of(tuple, _transposed)
_RETURNED: Mapping[str, tuple[str, _Change]] = {
    "negated": ("the opposite is returned", _of(bool, lambda value: not value)),
    "one-more": ("a number too large by one", _of(int, lambda number: number + 1)),
    "one-less": ("a number too small by one", _of(int, lambda number: number - 1)),
    "nought": ("always 0", _of(int, lambda _: 0)),
    "empty": ("always an empty text", _of(str, lambda _: "")),
    "shorter": ("the last of a list is missing", _of(tuple, lambda items: items[:-1])),
    "backwards": _BACKWARDS,
    "transposed": _COLUMNS,
    "none": ("nothing is returned", lambda *_: None),
    "other": ("another value of the same kind", _other),
}
_LEFT_OF_ARGUMENTS: Mapping[str, tuple[str, _Change]] = {
    "untouched": ("an argument is left as it was", lambda before, *_: before),
    "first-undone": ("the first element that should change does not", _undo(0)),
    "last-undone": ("the last element that should change does not", _undo(-1)),
    "first-overdone": ("an element that should not change does", _overdo(0)),
    "last-overdone": ("the last element that should not change does", _overdo(-1)),
    "transposed": _COLUMNS,
    "backwards": _BACKWARDS,
}

# ---------------------------------------------------------------- the reference


def excuse_reference(_case: Case, _spec: Spec, found: Execution | GraderError) -> str:
    """Excuse a reference that cannot be called, or has not the function."""
    if isinstance(found, GraderError):
        return str(found)
    calls = calls_of(found)
    return "the reference has no such function" if calls and calls.missing else ""


def entry_points(case: Case, program: ReferenceProgram) -> frozenset[str]:
    """Return the functions of the reference that are called, however they are spelt: `place_queen` for `placeQueen`."""
    function = functions_in(case)
    called = {call.signature.name.replace("_", "").lower() for call in function.calls}
    named = {name for name in program.uses if name.replace("_", "").lower() in called}
    # Methods that make, show and compare objects are called without their names.
    return frozenset(named | {name for name in program.uses if function.maker and name.startswith("__")})
