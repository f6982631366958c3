"""Mutants of functions: they return something else, leave something else of their arguments, or raise an exception."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from grader.model import Calls, Execution, FunctionCase, Raised, Value
from grader.verify.right import Scene
from grader.verify.scope import Mutant, Scope

Change = Callable[[Value], Value]

_SAME = object()
"""what a change returns for a value of a kind that it has nothing to do with"""


def functions(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants of a test's functions."""
    for name, (about, change) in _RETURNED.items():
        yield scope.mutant(f"returned/{name}", about, _returning(scope, change))
    yield from _constants(scope)
    for name, (about, leave) in _LEFT.items():
        yield scope.mutant(f"arguments/{name}", about, _leaving(scope, leave))
    yield scope.mutant("calls/raises", "ends with an exception", _raising)
    yield scope.mutant("calls/raises-not", "ends with no exception where one is asked for", _not_raising)
    for scene in scope.scenes:
        if scene.case.functions:
            name = scene.case.id.removeprefix(scope.test.name) or "[1]"
            yield scope.mutant(f"calls/only{name}", f"wrong in {scene.case.id} alone", _only(scope, scene))


# ---------------------------------------------------------------- returned values


def _number(change: Callable[[int], int]) -> Change:
    return lambda value: change(value) if isinstance(value, int) and not isinstance(value, bool) else _SAME


def _list(change: Callable[[tuple[Value, ...]], Value]) -> Change:
    return lambda value: change(value) if isinstance(value, tuple) and value else _SAME


def _transposed(rows: tuple[Value, ...]) -> Value:
    if not all(isinstance(row, tuple) and len(row) == len(rows) for row in rows):
        return _SAME
    return tuple(zip(*rows, strict=True))


def _other(value: Value) -> Value:
    """Return another value of the same kind: of a list, the same with another first element."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}?" if value.isalpha() else value[:-1]
        case tuple() if value:
            return (_other(value[0]), *value[1:])
        case None:
            return 0
        case _:
            return _SAME


_RETURNED: Mapping[str, tuple[str, Change]] = {
    "negated": ("the opposite is returned", lambda value: not value if isinstance(value, bool) else _SAME),
    "one-more": ("a number too large by one", _number(lambda number: number + 1)),
    "one-less": ("a number too small by one", _number(lambda number: number - 1)),
    "nought": ("always 0", _number(lambda _: 0)),
    "empty": ("always an empty text", lambda value: "" if isinstance(value, str) else _SAME),
    "shorter": ("the last of a list is missing", _list(lambda items: items[:-1])),
    "backwards": ("a list backwards", _list(lambda items: items[::-1])),
    "transposed": ("columns for rows", _list(_transposed)),
    "other": ("another value of the same kind", _other),
    "none": ("nothing is returned", lambda _: None),
}


def _returning(scope: Scope, change: Change) -> Callable[[Scene], Execution | None]:
    """Return another value in every case in which somebody looks at it."""

    def apply(scene: Scene) -> Execution | None:
        if not any(other.case.functions and other.case.functions.returns for other in scope.alike(scene)):
            return None
        return _with_returned(scene, change)

    return apply


def _with_returned(scene: Scene, change: Change) -> Execution | None:
    function, calls = scene.case.functions, scene.right.calls
    if function is None or calls is None or len(calls.returned) <= len(function.before):
        return None
    main = len(function.before)
    value = change(calls.returned[main])
    if value is _SAME or value == calls.returned[main]:
        return None
    returned = (*calls.returned[:main], value, *calls.returned[main + 1 :])
    return replace(scene.right, calls=replace(calls, returned=returned))


def _constants(scope: Scope) -> Iterator[Mutant]:
    """Yield a mutant for each value that is right in some case: it returns that in all of them."""
    seen: list[Value] = []
    for scene in scope.scenes:
        function, calls = scene.case.functions, scene.right.calls
        if not (function and function.returns and calls and len(calls.returned) > len(function.before)):
            continue
        value = calls.returned[len(function.before)]
        if value not in seen:
            seen.append(value)
            yield _constant(scope, len(seen), value)


def _constant(scope: Scope, number: int, value: Value) -> Mutant:
    shown = repr(value) if isinstance(value, bool | int | float) else f"the right value of one case ({number})"
    return scope.mutant(f"returned/always-{number}", f"always {shown}", _returning(scope, lambda _: value))


# ---------------------------------------------------------------- what is left of the arguments

Leave = Callable[[Value, Value], Value]
"""What an argument was, and what it is to be after the call -> what it is instead."""


def _places(value: Value, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the way to every element that is no list."""
    if isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _places(item, (*path, index))
    else:
        yield path


def _at(value: Value, path: tuple[int, ...]) -> Value:
    for index in path:
        value = value[index] if isinstance(value, tuple) and index < len(value) else _SAME
    return value


def _put(value: Value, path: tuple[int, ...], element: Value) -> Value:
    if not path:
        return element
    items = list(value)
    items[path[0]] = _put(items[path[0]], path[1:], element)
    return tuple(items)


def _undone(which: int) -> Leave:
    """Leave one element as it was, of those that should change."""

    def leave(before: Value, after: Value) -> Value:
        changed = [path for path in _places(after) if _at(before, path) not in (_SAME, _at(after, path))]
        return _put(after, changed[which], _at(before, changed[which])) if changed else _SAME

    return leave


def _overdone(which: int) -> Leave:
    """Change one element of those that should be as they were."""

    def leave(before: Value, after: Value) -> Value:
        kept = [path for path in _places(after) if path and _at(before, path) == _at(after, path)]
        return _put(after, kept[which], _other(_at(after, kept[which]))) if kept else _SAME

    return leave


_LEFT: Mapping[str, tuple[str, Leave]] = {
    "untouched": ("an argument is left as it was", lambda before, _: before),
    "first-undone": ("the first element that should change does not", _undone(0)),
    "last-undone": ("the last element that should change does not", _undone(-1)),
    "first-overdone": ("an element that should not change does", _overdone(0)),
    "last-overdone": ("the last element that should not change does", _overdone(-1)),
    "transposed": ("columns for rows", lambda _, after: _list(_transposed)(after)),
    "backwards": ("a list backwards", lambda _, after: _list(lambda items: items[::-1])(after)),
}


def _leaving(scope: Scope, leave: Leave) -> Callable[[Scene], Execution | None]:
    def apply(scene: Scene) -> Execution | None:
        looked = {at for other in scope.alike(scene) if other.case.functions for at in other.case.functions.args}
        function, calls = scene.case.functions, scene.right.calls
        if function is None or calls is None or calls.args is None:
            return None
        return _with_args(scene.right, calls, function, leave, looked)

    return apply


def _with_args(
    right: Execution, calls: Calls, function: FunctionCase, leave: Leave, looked: set[int]
) -> Execution | None:
    after = list(calls.args or ())
    for at in looked & set(range(len(after))):
        value = leave(function.call.args[at], after[at])
        after[at] = after[at] if value is _SAME else value
    if tuple(after) == calls.args:
        return None
    return replace(right, calls=replace(calls, args=tuple(after)))


# ---------------------------------------------------------------- exceptions


def _raising(scene: Scene) -> Execution | None:
    function, calls = scene.case.functions, scene.right.calls
    if function is None or calls is None or calls.raised:
        return None
    error = Raised(type="ArithmeticError", kinds=("ArithmeticError", "Exception"), message="a mutant")
    returned = calls.returned[: len(function.before)]
    return replace(scene.right, calls=replace(calls, returned=returned, raised=error, args=None))


def _not_raising(scene: Scene) -> Execution | None:
    function, calls = scene.case.functions, scene.right.calls
    if function is None or calls is None or calls.raised is None:
        return None
    missing = len(function.calls) - len(calls.returned)
    calls = replace(calls, returned=(*calls.returned, *[None] * missing), raised=None, args=function.call.args)
    return replace(scene.right, calls=calls)


def _only(scope: Scope, at: Scene) -> Callable[[Scene], Execution | None]:
    """Be wrong in one case alone, in the first way that can be seen there."""
    ways: list[Callable[[Scene], Execution | None]] = [
        _returning(scope, _other),
        _leaving(scope, _undone(0)),
        _leaving(scope, _overdone(0)),
        lambda scene: replace(scene.right, stdout=b"") if scene.right.stdout else None,
    ]

    def apply(scene: Scene) -> Execution | None:
        if scene.given != at.given:
            return None
        return next((changed for way in ways if (changed := way(scene))), None)

    return apply
