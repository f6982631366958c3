"""Probable mistakes in calls of functions, their mutants, and calls with smaller arguments.

A mutant returns something else, leaves something else of its arguments, or raises an exception.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from grader.core.errors import GraderError
from grader.core.model.execution import CaseFacts, Execution
from grader.core.model.spec import Case, Spec
from grader.core.model.values import PlainValue, Wildcard
from grader.core.text import one_line, quote
from grader.kinds.functions.call_text import display_value
from grader.kinds.functions.compare_values import MISSING, element_at, has_whatever
from grader.kinds.functions.headings import heading_text
from grader.kinds.functions.model import (
    Calls,
    ExpectedValue,
    FunctionCase,
    Outcome,
    Raised,
    calls_of,
    functions_in,
    functions_of,
)
from grader.kinds.functions.values import fits, is_plain_type
from grader.lint.subject import Flaw, Subject, lint_rule
from grader.smallest import smaller_parts
from grader.verify import expected_results
from grader.verify.expected_results import Scene
from grader.verify.mutants import Fault, Mutant, Scope
from grader.verify.source_mutants import ReferenceProgram

unfit_mutants = frozenset({"streams", "answers"})
_DECLARED = re.compile(r".*\.functions\.declare\[\d+\]")
_STRUCTURES = re.compile(r".*\.functions\.structures\[\d+\]")


def smaller(case: Case) -> Iterator[Case]:
    """Yield the case with one of the arguments smaller."""
    function = functions_in(case)
    for args in smaller_parts(function.call.args):
        yield replace(case, payload=replace(function, call=replace(function.call, args=args), generated_input=None))


# ---------------------------------------------------------------- lint


def contradictions(subject: Subject, case: Case) -> Iterator[Flaw]:
    """Find values of another type than the function has there."""
    function = functions_in(case)
    call, place = function.call.signature, subject.path(case, "expect")
    wanted = [
        (_path_of_outcome(subject, case, at, "returns"), outcome.returns, function.calls[at].signature.returns)
        for at, outcome in function.outcomes.items()
    ]
    wanted += [(f"{place}.args.{at}", value, call.parameters[at].type) for at, value in function.args.items()]
    for path, whole, kind in wanted if function.raises in ("", "reference") else ():
        for value in _whole_values(whole) if is_plain_type(kind) else ():
            # A comparator takes any value, written out; what the reference comes to is not known before it runs.
            if not (value.text or value.reference or _fits_as_compared(value.want, kind)):
                shown = one_line(display_value(value.want, is_python=False))
                yield path, f"{shown} is no {kind}, which {call.text} has there: expect a value of that type"


def _path_of_outcome(subject: Subject, case: Case, at: int, key: str) -> str:
    """Return the path of what is expected of one of the calls."""
    steps = functions_in(case).step_places
    below = f"steps[{steps.index(at)}].expect" if at in steps else "expect"
    return f"{subject.path(case, below, 'expect')}.{key}"


def _whole_values(value: ExpectedValue | None) -> tuple[ExpectedValue, ...]:
    """Return what the whole of a value may be: not what some cells of it are."""
    if value is None or value.cells:
        return ()
    return tuple(whole for one in value.either for whole in _whole_values(one)) or (value,)


def _fits_as_compared(value: PlainValue, kind: str) -> bool:
    """Whether some Java value of the type can be equal to this one; as in comparisons, 1 is 1.0 and true."""
    if isinstance(value, Wildcard):
        return True
    if isinstance(value, tuple) and kind.endswith("[]"):
        return all(_fits_as_compared(item, kind.removesuffix("[]")) for item in value)
    same = [value]
    if isinstance(value, bool | int | float) and value == value // 1:
        same += [int(value), *([bool(value)] if value in (0, 1) else [])]
    return any(fits(one, kind) for one in same)


def _called(subject: Subject) -> Iterator[tuple[Case, FunctionCase]]:
    for case in (case for _, test in subject.tests() for case in test.cases):
        if function := functions_of(case):
            yield case, function


@lint_rule(None, "ignored-expectation")
def unseen_results(subject: Subject) -> Iterator[Flaw]:
    """Find results of calls that must end with an exception, and steps after which nothing is looked at."""
    for case, function in _called(subject):
        for at, outcome in function.outcomes.items():
            has_args = at == len(function.before) and function.args
            if outcome.raises not in ("", "reference") and (outcome.returns or has_args):
                key = "returns" if outcome.returns else "args"
                path = _path_of_outcome(subject, case, at, key)
                yield path, f"a call that must end with an exception has no result: take {key} out, or raises"
        steps = function.step_places
        if steps and not (case.expect.stdout or function.outcomes[steps[-1]] != Outcome()):
            path = subject.path(case, f"steps[{len(steps) - 1}]")
            yield path, "nothing is looked at after this step: expect what comes of it, or take it out"


@lint_rule(None, "idle-key")
def idle_declarations(subject: Subject) -> Iterator[Flaw]:
    """Find functions that are declared among several and never called, and structures to which nothing points."""
    signatures = [call.signature for _, function in _called(subject) for call in function.calls]
    called = {signature.text for signature in signatures}
    used = {structure.text for signature in signatures for structure in signature.structures}
    for path, text in subject.texts.items():
        if _DECLARED.fullmatch(path) and heading_text(text) not in called:
            yield path, "no call is of this function: call it, or take it out"
        if _STRUCTURES.fullmatch(path) and heading_text(text) not in used:
            yield path, "no function that is called takes or returns a pointer to it: take it out"


@lint_rule(None, "never-passes")
def contradicting_calls(subject: Subject) -> Iterator[Flaw]:
    """Find calls that are the same as those of a case before, and must return another value."""
    before: dict[str, tuple[str, Mapping[int, PlainValue]]] = {}
    for case, function in ((case, function) for case, function in _called(subject) if not case.is_generated):
        returned = {at: one.returns for at, one in function.outcomes.items() if one.returns}
        wanted = {at: one.want for at, one in returned.items() if one.is_exact and not has_whatever(one.want)}
        name, others = before.setdefault(expected_results.given(case), (case.id, wanted))
        at = next((at for at in wanted.keys() & others.keys() if wanted[at] != others[at]), None)
        if at is not None:
            problem = f"{quote(case.id)} calls the same as {quote(name)}, and another value is right"
            path = _path_of_outcome(subject, case, at, "returns")
            yield path, f"{problem}: no program can pass both; mend one of them"


def called_functions(case: Case) -> tuple[str, ...]:
    """Return the name of the function that a case is about."""
    return (functions_in(case).call.signature.name,)


# ---------------------------------------------------------------- mutants

_SAME = object()
"""what stands for a value of a kind that a change has nothing to do with"""


def mutants(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants of a test's functions."""
    for name, (about, change) in _RETURNED.items():
        yield scope.mutant(f"returned/{name}", about, _returning(scope, partial(_whole, change)))
    yield scope.mutant("returned/other", "another value of the same kind", _returning(scope, _other))
    constants: list[PlainValue] = []
    for scene in scope.scenes:
        function, calls = functions_of(scene.case), calls_of(scene.right)
        at = len(function.before) if function and function.returns else None
        value = _SAME if calls is None or at is None else _returned_at(calls, at)
        if value is _SAME or value in constants:
            continue
        constants.append(value)
        is_short = isinstance(value, bool | int | float)
        shown = repr(value) if is_short else f"the right value of one case ({len(constants)})"
        fault = _returning(scope, partial(lambda constant, *_: constant, value))
        yield scope.mutant(f"returned/always-{len(constants)}", f"always {shown}", fault)
    for name, (about, leave) in _LEFT_OF_ARGUMENTS.items():
        yield scope.mutant(f"arguments/{name}", about, _leaving(scope, leave))
    yield scope.mutant("calls/raises", "ends with an exception", _changing(_raise_error))
    yield scope.mutant("calls/raises-not", "ends with no exception where one is asked for", _changing(_raise_nothing))
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


_Change = Callable[[Scene, FunctionCase, Calls], Calls | None]


def _changing(change: _Change) -> Fault:
    """Make a fault of a change of what the calls came to; none where they come to the same, or to nothing."""

    def fault(scene: Scene) -> Execution | None:
        function, calls = functions_of(scene.case), calls_of(scene.right)
        changed = change(scene, function, calls) if function and calls else None
        return None if changed is None or changed == calls else replace(scene.right, facts=changed)

    return fault


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


_backwards, _transposed = _of_list(lambda items: items[::-1]), _of_list(_transposed_rows)
_RETURNED: Mapping[str, tuple[str, _ValueChange]] = {
    "negated": ("the opposite is returned", lambda value: not value if isinstance(value, bool) else _SAME),
    "one-more": ("a number too large by one", _of_number(lambda number: number + 1)),
    "one-less": ("a number too small by one", _of_number(lambda number: number - 1)),
    "nought": ("always 0", _of_number(lambda _: 0)),
    "empty": ("always an empty text", lambda value: "" if isinstance(value, str) else _SAME),
    "shorter": ("the last of a list is missing", _of_list(lambda items: items[:-1])),
    "backwards": ("a list backwards", _backwards),
    "transposed": ("columns for rows", _transposed),
    "none": ("nothing is returned", lambda _: None),
}


def _returned_at(calls: Calls, at: int) -> PlainValue:
    return _SAME if len(calls.returned) <= at or at in calls.caught else calls.returned[at]


def _whole(change: _ValueChange, value: PlainValue, _: _Looks) -> PlainValue:
    return change(value)


def _other(value: PlainValue, looks: _Looks) -> PlainValue:
    """Change the first element at which somebody looks; a value that is no list is one."""
    return _with_another(value, [way for way in _ways(value) if looks(way)], 0)


def _with_another(value: PlainValue, ways: Sequence[_Way], which: int) -> PlainValue:
    usable = [way for way in ways if _another(element_at(value, way)) is not _SAME]
    return _with_element(value, usable[which], _another(element_at(value, usable[which]))) if usable else _SAME


def _returning(scope: Scope, change: Callable[[PlainValue, _Looks], PlainValue]) -> Fault:
    """Return another value in every case in which somebody looks at it."""

    def change_returned(scene: Scene, function: FunctionCase, calls: Calls) -> Calls:
        returned = list(calls.returned)
        functions = [other for one in scope.alike(scene) if (other := functions_of(one.case))]
        for at in function.outcomes:
            right = _returned_at(calls, at)
            looks = _looking([one.returns for it in functions if (one := it.outcomes.get(at)) and one.returns])
            if right is not _SAME:
                returned[at] = _shown_change(right, change(right, looks), looks)
        return replace(calls, returned=tuple(returned))

    return _changing(change_returned)


def _looking(asked: Sequence[ExpectedValue]) -> _Looks:
    return lambda way: any(one.looks_at(way) for one in asked)


def _shown_change(right: PlainValue, value: PlainValue, looks: _Looks) -> PlainValue:
    """Return the value where it differs from the right one in an element at which somebody looks, else that one."""
    ways = set[_Way]() if value is _SAME else {*_ways(right), *_ways(value)}
    is_shown = any(looks(way) and element_at(right, way) != element_at(value, way) for way in ways)
    return value if is_shown else right


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
    return (*value[: way[0]], _with_element(value[way[0]], way[1:], element), *value[way[0] + 1 :])


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
        return _with_another(after, [way for way in ways if looks(way)], which)

    return leave


_LEFT_OF_ARGUMENTS: Mapping[str, tuple[str, _Leave]] = {
    "untouched": ("an argument is left as it was", lambda before, *_: before),
    "first-undone": ("the first element that should change does not", _undo(0)),
    "last-undone": ("the last element that should change does not", _undo(-1)),
    "first-overdone": ("an element that should not change does", _overdo(0)),
    "last-overdone": ("the last element that should not change does", _overdo(-1)),
    "transposed": ("columns for rows", lambda _, after, __: _transposed(after)),
    "backwards": ("a list backwards", lambda _, after, __: _backwards(after)),
}


def _leaving(scope: Scope, leave: _Leave) -> Fault:
    """Leave something else of those arguments at which somebody looks."""

    def change_args(scene: Scene, function: FunctionCase, calls: Calls) -> Calls | None:
        alike = [one.args for other in scope.alike(scene) if (one := functions_of(other.case))]
        after = []
        for at, right in enumerate(calls.args or ()):
            looks = _looking([asked[at] for asked in alike if at in asked])
            after.append(_shown_change(right, leave(function.call.args[at], right, looks), looks))
        return replace(calls, args=tuple(after)) if after else None

    return _changing(change_args)


# ---------------------------------------------------------------- exceptions


def _raise_error(_scene: Scene, function: FunctionCase, calls: Calls) -> Calls | None:
    if calls.raised or calls.caught:
        return None
    error = Raised(type="ArithmeticError", kinds=("ArithmeticError", "Exception"), message="a mutant")
    return replace(calls, returned=calls.returned[: len(function.before)], raised=error, args=None)


def _raise_nothing(_scene: Scene, function: FunctionCase, calls: Calls) -> Calls | None:
    if not (calls.raised or calls.caught):
        return None
    missing = len(function.calls) - len(calls.returned)
    returned = (*calls.returned, *[None] * missing)
    return replace(calls, returned=returned, raised=None, caught={}, args=function.call.args)


# ---------------------------------------------------------------- the reference


def given(case: Case) -> object:
    """Return the calls, without what they have to come to."""
    function = functions_in(case)
    return function.within, function.calls


def excuse_reference(_case: Case, _spec: Spec, found: Execution | GraderError) -> str:
    """Excuse a reference that cannot be called, or has not the function."""
    if isinstance(found, GraderError):
        return str(found)
    calls = calls_of(found)
    return "the reference has no such function" if calls and calls.missing else ""


def silence(facts: CaseFacts | None) -> Calls | None:
    """Return calls that all came to nothing."""
    return replace(facts, returned=(None,) * len(facts.returned), args=None) if isinstance(facts, Calls) else None


def entry_points(case: Case, program: ReferenceProgram) -> frozenset[str]:
    """Return the functions of the reference that are called, however they are spelt: `place_queen` for `placeQueen`."""

    def plain(name: str) -> str:
        return name.replace("_", "").lower()

    function = functions_in(case)
    called = {plain(call.signature.name) for call in function.calls}
    # Methods that make, show and compare objects are called without their names.
    return frozenset(
        name for name in program.uses if plain(name) in called or (function.maker and name.startswith("__"))
    )
