"""Mutants of functions: they return something else, leave something else of their arguments, or raise an exception."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from grader.model import Execution, PlainValue, Raised
from grader.verify.mutants import Fault, Mutant, Scope
from grader.verify.right import Scene

_SAME = object()
"""what stands for a value of a kind that a change has nothing to do with"""


def mutate_calls(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants of a test's functions."""
    for name, (about, change) in _RETURNED.items():
        yield scope.mutant(f"returned/{name}", about, _returning(scope, change))
    constants: list[PlainValue] = []
    for scene in scope.scenes:
        value = _right_value(scene)
        if value is _SAME or value in constants or not (scene.case.functions and scene.case.functions.returns):
            continue
        constants.append(value)
        is_short = isinstance(value, bool | int | float)
        shown = repr(value) if is_short else f"the right value of one case ({len(constants)})"
        fault = _returning(scope, partial(lambda constant, _: constant, value))
        yield scope.mutant(f"returned/always-{len(constants)}", f"always {shown}", fault)
    for name, (about, leave) in _LEFT_OF_ARGUMENTS.items():
        yield scope.mutant(f"arguments/{name}", about, _leaving(scope, leave))
    yield scope.mutant("calls/raises", "ends with an exception", _raise_error)
    yield scope.mutant("calls/raises-not", "ends with no exception where one is asked for", _raise_nothing)
    ways: list[Fault] = [
        _returning(scope, _another),
        _leaving(scope, _undo(0)),
        _leaving(scope, _overdo(-1)),  # the first is often one that nobody looks at: boards that are counted from 1
        lambda scene: replace(scene.right, stdout=b"") if scene.right.stdout else None,
    ]

    def first_that_shows(scene: Scene) -> Execution | None:
        return next((changed for way in ways if (changed := way(scene))), None)

    for scene in scope.scenes:
        if scene.case.functions:
            yield scope.mutant_in(scene, "calls", first_that_shows)


# ---------------------------------------------------------------- returned values

_ValueChange = Callable[[PlainValue], PlainValue]


def _of_number(change: Callable[[int], int]) -> _ValueChange:
    return lambda value: change(value) if isinstance(value, int) and not isinstance(value, bool) else _SAME


def _of_list(change: Callable[[tuple[PlainValue, ...]], PlainValue]) -> _ValueChange:
    return lambda value: change(value) if isinstance(value, tuple) and value else _SAME


def _transposed_rows(rows: tuple[PlainValue, ...]) -> PlainValue:
    if not all(isinstance(row, tuple) and len(row) == len(rows) for row in rows):
        return _SAME
    return tuple(zip(*rows, strict=True))


def _another(value: PlainValue) -> PlainValue:
    """Return another value of the same kind: of a list, the same with another first element."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}?" if value.isalpha() else value[:-1]
        case tuple() if value:
            return (_another(value[0]), *value[1:])
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
    "other": ("another value of the same kind", _another),
    "none": ("nothing is returned", lambda _: None),
}


def _right_value(scene: Scene) -> PlainValue:
    """Return what the call that a case is about returns: the last one, behind those that prepare it."""
    function, calls = scene.case.functions, scene.right.calls
    if function is None or calls is None or len(calls.returned) <= len(function.before):
        return _SAME
    return calls.returned[len(function.before)]


def _returning(scope: Scope, change: _ValueChange) -> Fault:
    """Return another value in every case in which somebody looks at it."""

    def fault(scene: Scene) -> Execution | None:
        function, calls, right = scene.case.functions, scene.right.calls, _right_value(scene)
        is_looked_at = any(other.case.functions and other.case.functions.returns for other in scope.alike(scene))
        if function is None or calls is None or right is _SAME or not is_looked_at:
            return None
        value = change(right)
        if value is _SAME or value == right:
            return None
        main = len(function.before)
        returned = (*calls.returned[:main], value, *calls.returned[main + 1 :])
        return replace(scene.right, calls=replace(calls, returned=returned))

    return fault


# ---------------------------------------------------------------- what is left of the arguments

_Leave = Callable[[PlainValue, PlainValue], PlainValue]
"""What an argument was, and what it is to be after the call -> what it is instead."""


def _paths(value: PlainValue, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the way to every element that is no list."""
    if isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _paths(item, (*path, index))
    else:
        yield path


def _element(value: PlainValue, path: tuple[int, ...]) -> PlainValue:
    for index in path:
        value = value[index] if isinstance(value, tuple) and index < len(value) else _SAME
    return value


def _with_element(value: PlainValue, path: tuple[int, ...], element: PlainValue) -> PlainValue:
    if not path:
        return element
    items = list(value)
    items[path[0]] = _with_element(items[path[0]], path[1:], element)
    return tuple(items)


def _undo(which: int) -> _Leave:
    """Leave one element as it was, of those that should change."""

    def leave(before: PlainValue, after: PlainValue) -> PlainValue:
        changed = [path for path in _paths(after) if _element(before, path) not in (_SAME, _element(after, path))]
        return _with_element(after, changed[which], _element(before, changed[which])) if changed else _SAME

    return leave


def _overdo(which: int) -> _Leave:
    """Change one element of those that should be as they were."""

    def leave(before: PlainValue, after: PlainValue) -> PlainValue:
        kept = [path for path in _paths(after) if path and _element(before, path) == _element(after, path)]
        return _with_element(after, kept[which], _another(_element(after, kept[which]))) if kept else _SAME

    return leave


_LEFT_OF_ARGUMENTS: Mapping[str, tuple[str, _Leave]] = {
    "untouched": ("an argument is left as it was", lambda before, _: before),
    "first-undone": ("the first element that should change does not", _undo(0)),
    "last-undone": ("the last element that should change does not", _undo(-1)),
    "first-overdone": ("an element that should not change does", _overdo(0)),
    "last-overdone": ("the last element that should not change does", _overdo(-1)),
    "transposed": ("columns for rows", lambda _, after: _of_list(_transposed_rows)(after)),
    "backwards": ("a list backwards", lambda _, after: _of_list(lambda items: items[::-1])(after)),
}


def _leaving(scope: Scope, leave: _Leave) -> Fault:
    """Leave something else of those arguments at which somebody looks."""

    def fault(scene: Scene) -> Execution | None:
        function, calls = scene.case.functions, scene.right.calls
        if function is None or calls is None or calls.args is None:
            return None
        after = list(calls.args)
        looked_at = {at for other in scope.alike(scene) if other.case.functions for at in other.case.functions.args}
        for at in looked_at & set(range(len(after))):
            value = leave(function.call.args[at], after[at])
            after[at] = after[at] if value is _SAME else value
        if tuple(after) == calls.args:
            return None
        return replace(scene.right, calls=replace(calls, args=tuple(after)))

    return fault


# ---------------------------------------------------------------- exceptions


def _raise_error(scene: Scene) -> Execution | None:
    function, calls = scene.case.functions, scene.right.calls
    if function is None or calls is None or calls.raised:
        return None
    error = Raised(type="ArithmeticError", kinds=("ArithmeticError", "Exception"), message="a mutant")
    returned = calls.returned[: len(function.before)]
    return replace(scene.right, calls=replace(calls, returned=returned, raised=error, args=None))


def _raise_nothing(scene: Scene) -> Execution | None:
    function, calls = scene.case.functions, scene.right.calls
    if function is None or calls is None or calls.raised is None:
        return None
    missing = len(function.calls) - len(calls.returned)
    calls = replace(calls, returned=(*calls.returned, *[None] * missing), raised=None, args=function.call.args)
    return replace(scene.right, calls=calls)
