"""Mutants of functions: they return something else, leave something else of their arguments, or raise an exception."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from grader.core.errors import GraderError
from grader.core.model.execution import CaseFacts, Execution
from grader.core.model.spec import Case, Spec
from grader.core.model.values import PlainValue
from grader.kinds.functions.compare_values import MISSING, element_at
from grader.kinds.functions.model import Calls, ExpectedValue, Raised, calls_of, functions_of
from grader.verify.expected_results import Scene
from grader.verify.mutants import Fault, Mutant, Scope
from grader.verify.source_mutants import ReferenceProgram

_SAME = object()
"""what stands for a value of a kind that a change has nothing to do with"""


def mutate_calls(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants of a test's functions."""
    for name, (about, change) in _RETURNED.items():
        yield scope.mutant(f"returned/{name}", about, _returning(scope, partial(_whole, change)))
    yield scope.mutant("returned/other", "another value of the same kind", _returning(scope, _other))
    constants: list[PlainValue] = []
    for scene in scope.scenes:
        value = _right_value(scene)
        if value is _SAME or value in constants or not ((function := functions_of(scene.case)) and function.returns):
            continue
        constants.append(value)
        is_short = isinstance(value, bool | int | float)
        shown = repr(value) if is_short else f"the right value of one case ({len(constants)})"
        fault = _returning(scope, partial(_whole, partial(lambda constant, _: constant, value)))
        yield scope.mutant(f"returned/always-{len(constants)}", f"always {shown}", fault)
    for name, (about, leave) in _LEFT_OF_ARGUMENTS.items():
        yield scope.mutant(f"arguments/{name}", about, _leaving(scope, leave))
    yield scope.mutant("calls/raises", "ends with an exception", _raise_error)
    yield scope.mutant("calls/raises-not", "ends with no exception where one is asked for", _raise_nothing)
    ways: list[Fault] = [
        _returning(scope, _other),
        _leaving(scope, _undo(0)),
        _leaving(scope, _overdo(-1)),  # the first element is often ignored, as in boards that are counted from 1
        lambda scene: replace(scene.right, stdout=b"") if scene.right.stdout else None,
    ]

    def first_that_shows(scene: Scene) -> Execution | None:
        return next((changed for way in ways if (changed := way(scene))), None)

    for scene in scope.scenes:
        if functions_of(scene.case):
            yield scope.mutant_in(scene, "calls", first_that_shows)


# ---------------------------------------------------------------- returned values

_ValueChange = Callable[[PlainValue], PlainValue]
_Way = tuple[int, ...]
"""the places in lists within lists that lead to an element"""
_Looks = Callable[[_Way], bool]
"""whether the element at the end of a way is compared; False where a spec leaves it open"""


def _of_number(change: Callable[[int], int]) -> _ValueChange:
    return lambda value: change(value) if isinstance(value, int) and not isinstance(value, bool) else _SAME


def _of_list(change: Callable[[tuple[PlainValue, ...]], PlainValue]) -> _ValueChange:
    return lambda value: change(value) if isinstance(value, tuple) and value else _SAME


def _transposed_rows(rows: tuple[PlainValue, ...]) -> PlainValue:
    if not all(isinstance(row, tuple) and len(row) == len(rows) for row in rows):
        return _SAME
    return tuple(zip(*rows, strict=True))


def _another(value: PlainValue) -> PlainValue:
    """Return another value of the same kind; a list of them is no value that has one."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}?" if value.isalpha() else value[:-1]
        case None:
            return 0
        case _:
            return _SAME


_RETURNED: Mapping[str, tuple[str, _ValueChange]] = {
    "negated": ("the opposite is returned", lambda value: not value if isinstance(value, bool) else _SAME),
    "one-more": ("a number too large by one", _of_number(lambda number: number + 1)),
    "one-less": ("a number too small by one", _of_number(lambda number: number - 1)),
    "nought": ("always 0", _of_number(lambda _: 0)),
    "empty": ("always an empty text", lambda value: "" if isinstance(value, str) else _SAME),
    "shorter": ("the last of a list is missing", _of_list(lambda items: items[:-1])),
    "backwards": ("a list backwards", _of_list(lambda items: items[::-1])),
    "transposed": ("columns for rows", _of_list(_transposed_rows)),
    "none": ("nothing is returned", lambda _: None),
}


def _right_value(scene: Scene, at: int | None = None) -> PlainValue:
    """Return what a call returns; without its place, that which a case is about: the last, behind what prepares it."""
    function, calls = functions_of(scene.case), calls_of(scene.right)
    at = len(function.before) if function and at is None else at
    if function is None or calls is None or at is None or len(calls.returned) <= at or at in calls.caught:
        return _SAME
    return calls.returned[at]


def _whole(change: _ValueChange, value: PlainValue, _: _Looks) -> PlainValue:
    return change(value)


def _other(value: PlainValue, looks: _Looks) -> PlainValue:
    """Change the first element at which somebody looks; a value that is no list is one."""
    ways = (way for way in _ways(value) if looks(way) and _another(element_at(value, way)) is not _SAME)
    way = next(ways, None)
    return _SAME if way is None else _with_element(value, way, _another(element_at(value, way)))


def _returning(scope: Scope, change: Callable[[PlainValue, _Looks], PlainValue]) -> Fault:
    """Return another value in every case in which somebody looks at it."""

    def fault(scene: Scene) -> Execution | None:
        function, calls = functions_of(scene.case), calls_of(scene.right)
        functions = [it for other in scope.alike(scene) if (it := functions_of(other.case))]
        if function is None or calls is None:
            return None
        returned = list(calls.returned)
        for at in function.outcomes:
            right = _right_value(scene, at)
            looks = _looking([one.returns for it in functions if (one := it.outcomes.get(at)) and one.returns])
            value = _SAME if right is _SAME else change(right, looks)
            if value is not _SAME and _shows(right, value, looks):
                returned[at] = value
        if tuple(returned) == calls.returned:
            return None
        return replace(scene.right, facts=replace(calls, returned=tuple(returned)))

    return fault


def _looking(asked: Sequence[ExpectedValue]) -> _Looks:
    return lambda way: any(one.looks_at(way) for one in asked)


def _shows(right: PlainValue, value: PlainValue, looks: _Looks) -> bool:
    """Whether two values differ in an element at which somebody looks."""
    ways = {*_ways(right), *_ways(value)}
    return any(looks(way) and element_at(right, way) != element_at(value, way) for way in ways)


# ---------------------------------------------------------------- the arguments after the call

_Leave = Callable[[PlainValue, PlainValue, _Looks], PlainValue]
"""An argument before the call, and its right value after it -> its wrong value after it."""


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
    items = list(value)
    items[way[0]] = _with_element(items[way[0]], way[1:], element)
    return tuple(items)


def _undo(which: int) -> _Leave:
    """Leave one element as it was, of those that should change."""

    def leave(before: PlainValue, after: PlainValue, looks: _Looks) -> PlainValue:
        ways = [way for way in _ways(after) if element_at(before, way) not in (MISSING, element_at(after, way))]
        changed = [way for way in ways if looks(way)]
        return _with_element(after, changed[which], element_at(before, changed[which])) if changed else _SAME

    return leave


def _overdo(which: int) -> _Leave:
    """Change one element of those that should be as they were."""

    def leave(before: PlainValue, after: PlainValue, looks: _Looks) -> PlainValue:
        ways = [way for way in _ways(after) if way and element_at(before, way) == element_at(after, way)]
        usable = [way for way in ways if looks(way) and _another(element_at(after, way)) is not _SAME]
        return _with_element(after, usable[which], _another(element_at(after, usable[which]))) if usable else _SAME

    return leave


_LEFT_OF_ARGUMENTS: Mapping[str, tuple[str, _Leave]] = {
    "untouched": ("an argument is left as it was", lambda before, *_: before),
    "first-undone": ("the first element that should change does not", _undo(0)),
    "last-undone": ("the last element that should change does not", _undo(-1)),
    "first-overdone": ("an element that should not change does", _overdo(0)),
    "last-overdone": ("the last element that should not change does", _overdo(-1)),
    "transposed": ("columns for rows", lambda _, after, __: _of_list(_transposed_rows)(after)),
    "backwards": ("a list backwards", lambda _, after, __: _of_list(lambda items: items[::-1])(after)),
}


def _leaving(scope: Scope, leave: _Leave) -> Fault:
    """Leave something else of those arguments at which somebody looks."""

    def fault(scene: Scene) -> Execution | None:
        function, calls = functions_of(scene.case), calls_of(scene.right)
        if function is None or calls is None or calls.args is None:
            return None
        after = list(calls.args)
        alike = [one.args for other in scope.alike(scene) if (one := functions_of(other.case))]
        for at, right in enumerate(calls.args):
            looks = _looking([asked[at] for asked in alike if at in asked])
            value = leave(function.call.args[at], right, looks)
            after[at] = value if value is not _SAME and _shows(right, value, looks) else right
        if tuple(after) == calls.args:
            return None
        return replace(scene.right, facts=replace(calls, args=tuple(after)))

    return fault


# ---------------------------------------------------------------- exceptions


def _raise_error(scene: Scene) -> Execution | None:
    function, calls = functions_of(scene.case), calls_of(scene.right)
    if function is None or calls is None or calls.raised or calls.caught:
        return None
    error = Raised(type="ArithmeticError", kinds=("ArithmeticError", "Exception"), message="a mutant")
    returned = calls.returned[: len(function.before)]
    return replace(scene.right, facts=replace(calls, returned=returned, raised=error, args=None))


def _raise_nothing(scene: Scene) -> Execution | None:
    function, calls = functions_of(scene.case), calls_of(scene.right)
    if function is None or calls is None or not (calls.raised or calls.caught):
        return None
    missing = len(function.calls) - len(calls.returned)
    returned = (*calls.returned, *[None] * missing)
    calls = replace(calls, returned=returned, raised=None, caught={}, args=function.call.args)
    return replace(scene.right, facts=calls)


# ---------------------------------------------------------------- the reference


def given_to_functions(case: Case) -> object:
    """Return the calls, without what they have to come to."""
    function = functions_of(case)
    return (function.within, function.calls) if function else None


def excuse_without_function(_case: Case, _spec: Spec, found: Execution | GraderError) -> str:
    """Excuse a reference that cannot be called, or has not the function."""
    if isinstance(found, GraderError):
        return str(found)
    calls = calls_of(found)
    return "the reference has no such function" if calls and calls.missing else ""


def silence_calls(facts: CaseFacts | None) -> Calls | None:
    """Return calls that all came to nothing."""
    if not isinstance(facts, Calls):
        return None
    return replace(facts, returned=tuple(None for _ in facts.returned), args=None)


def called_names(case: Case, program: ReferenceProgram) -> frozenset[str]:
    """Return the functions of the reference that are called, however they are spelt."""
    function = functions_of(case)
    if function is None:
        return frozenset()
    called = {_spelt_plainly(call.signature.name) for call in function.calls}
    # Methods that make, show and compare objects are called without their names.
    is_of_objects = any(call.makes for call in function.calls)
    return frozenset(
        name for name in program.uses if _spelt_plainly(name) in called or (is_of_objects and name.startswith("__"))
    )


def _spelt_plainly(name: str) -> str:
    """Return a name however it may be spelt: `place_queen` stands for `placeQueen`."""
    return name.replace("_", "").lower()
