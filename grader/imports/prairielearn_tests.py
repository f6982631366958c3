"""The tests of PrairieLearn's Python autograder (`tests/test.py`), read by `ast` and never run.

A method that calls one function of the student with known arguments, and compares what it returns with what the
function of the reference returns, becomes a call. Whatever else is in one is the reason why it remains to be written.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.imports.folder import Folder

_MAX_METHODS = 500
_MAX_POINTS = 10_000
_COMPARISONS = ("check_scalar", "check_list", "check_tuple", "check_dict")
Literal = str | int | float | bool | list[Any] | dict[Any, Any] | None


class UnreadTestError(Exception):
    """Why a method cannot be read without running it."""


@dataclass(frozen=True, slots=True)
class _Returned:
    """What a function of the student or of the reference returned."""

    of: str
    function: str
    args: Sequence[Any]


@dataclass(slots=True, kw_only=True)
class PlTest:
    """A method of the test."""

    name: str
    title: str
    owner: str = ""
    """its class"""
    points: float = 1
    calls: list[tuple[str, Sequence[Any], str]] = field(default_factory=list)
    """function, arguments, and which comparison"""
    weights: set[float] = field(default_factory=set)
    """what the comparisons give"""
    unread: str = ""
    source: str = ""


def read_pl_tests(folder: Folder, name: str) -> list[PlTest]:
    """Read the methods of the test cases in a file; UsageError when there are none."""
    text = folder.text(name)
    path = folder.path / name
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{path} is not Python: {one_line(str(error))}") from error
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    cases = [node for node in classes if any("TestCase" in ast.unparse(base) for base in node.bases)]
    methods = [
        (node.name, one)
        for node in cases
        for one in node.body
        if isinstance(one, ast.FunctionDef) and one.name.startswith("test")
    ]
    if not methods:
        raise UsageError(f"{path} has no class of PLTestCase with methods that begin with `test`")
    if len(methods) > _MAX_METHODS or len({method.name for _, method in methods}) < len(methods):
        raise UsageError(f"{path}: two methods have one name, or there are more than {_MAX_METHODS}")
    return [_read_method(owner, method, text) for owner, method in methods]


def _read_method(owner: str, method: ast.FunctionDef, text: str) -> PlTest:
    found = PlTest(name=method.name, title=method.name, owner=owner, source=ast.get_source_segment(text, method) or "")
    for one in method.decorator_list:
        value = one.args[0] if isinstance(one, ast.Call) and len(one.args) == 1 else None
        stated = value.value if isinstance(value, ast.Constant) else None
        name = ast.unparse(one.func).rpartition(".")[2] if isinstance(one, ast.Call) else ""
        if (
            name == "points"
            and isinstance(stated, int | float)
            and not isinstance(stated, bool)
            and 0 <= stated <= _MAX_POINTS
        ):
            found.points = stated
        elif name == "name" and isinstance(stated, str):
            found.title = one_line(stated, 100) or method.name
    try:
        names: dict[str, Any] = {}
        for statement in method.body:
            _read_statement(statement, names, found)
        if not found.calls:
            found.unread = "it compares nothing that is known here"
        elif len(found.weights) > 1:
            found.unread = "its comparisons give different points"
    except UnreadTestError as reason:
        found.unread = str(reason)
    except RecursionError:
        found.unread = "it is nested too deeply"
    return found


def _read_statement(statement: ast.stmt, names: dict[str, Any], found: PlTest) -> None:
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            names[name] = _value(value, names)
            return
        case ast.If(test=ast.Call() as call, body=body, orelse=otherwise):
            gained, lost = [_score_of(one) for one in body], [_score_of(one) for one in otherwise]
            if None not in gained + lost and max(filter(None, gained), default=0) > 0 and not any(lost):
                _read_comparison(call, names, found)
                found.weights.add(max(filter(None, gained)))
                return
        case ast.Expr() if _score_of(statement) is not None:
            return
    raise UnreadTestError(f"`{ast.unparse(statement).splitlines()[0][:80]}` is known only when it is run")


def _score_of(statement: ast.stmt) -> float | None:
    """Return the points that a statement gives; 0 for one that only tells something, None for any other."""
    match statement:
        case ast.AugAssign(op=ast.Add(), value=ast.Constant(value=int() | float() as gained)):
            return float(gained)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="set_score" | "set_percent"), args=[given])):
            if isinstance(given, ast.Name):
                return 0.0
            is_whole = isinstance(given, ast.Constant) and given.value in (0, 1)
            return float(ast.literal_eval(given)) if is_whole else None
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="add_feedback"))):
            return 0.0
    return None


def _read_comparison(call: ast.Call, names: Mapping[str, Any], found: PlTest) -> None:
    name = ast.unparse(call.func).rpartition(".")[2]
    if name not in _COMPARISONS or len(call.args) < 3:  # noqa: PLR2004 - a label, what is right, what was found
        raise UnreadTestError(f"`{name}` has no counterpart")
    right, returned = _value(call.args[1], names), _value(call.args[2], names)
    if not isinstance(returned, _Returned) or returned.of != "st":
        raise UnreadTestError("it compares what no function of the student returned")
    if not isinstance(right, _Returned) or (right.function, right.args) != (returned.function, returned.args):
        raise UnreadTestError("it does not compare with the same call of the reference")
    found.calls.append((returned.function, returned.args, name))


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.Call):
        words = ast.unparse(node.func)
        function: ast.expr = node.func
        args = node.args
        if words.endswith("Feedback.call_user") or words in ("feedback.call_user", "call_user"):
            function, args = node.args[0], node.args[1:]
        path = ast.unparse(function).split(".")
        if len(path) == 3 and path[0] == "self" and path[1] in ("st", "ref") and not node.keywords:  # noqa: PLR2004
            return _Returned(path[1], path[2], _arguments(args, names))
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise UnreadTestError(f"`{ast.unparse(node)[:80]}` is known only when it is run") from error


def _arguments(args: Sequence[ast.expr], names: Mapping[str, Any]) -> list[Any]:
    found: list[Any] = []
    for one in args:
        if isinstance(one, ast.Starred):
            several = _value(one.value, names)
            if not isinstance(several, list | tuple):
                raise UnreadTestError("its arguments")
            found += several
        else:
            found.append(_value(one, names))
    return found
