"""What an expression in the tests of a course comes to, without running any of it: constants, texts and numbers.

Names are looked up, texts joined and formatted, numbers added. Whatever is beyond that is `UnreadError`.
"""

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import one_line

_MAX_NODES = 60_000
_MAX_TEXT = 256 * 2**10
_MAX_NUMBER = 2**40
_MAX_ITEMS = 500
_MAX_POWER = 8
_WIDE = re.compile(r"\d{4}")
"""in a format: a width that nobody means"""
_CONVERSIONS: Mapping[int, Callable[[Any], Any]] = {-1: lambda value: value, ord("r"): repr, ord("s"): str}
_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


class UnreadError(Exception):
    """Why something cannot be read without running it."""


def parse_checked(text: str, path: Path) -> ast.Module:
    """Return the tree of a program; UsageError when it is none, or too long."""
    try:
        tree = ast.parse(text)
        size = sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{path} is not Python: {one_line(str(error))}") from error
    if size > _MAX_NODES:
        raise UsageError(f"{path} is too long to be read: {size} nodes, at most {_MAX_NODES}")
    return tree


def as_text(value: Any) -> str:
    """Return a text or number as text; UnreadError for a list: by its names a few lines make one without end."""
    if not isinstance(value, str | int | float):
        raise UnreadError("it is neither a text nor a number")
    return str(value)


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {"str": as_text, "int": int, "len": len, "range": range}


def source_of(node: ast.AST) -> str:
    """Return the beginning of a piece of source, for a message."""
    try:
        return f"`{one_line(ast.unparse(node), 80)}`"
    except RecursionError:
        return "what is nested too deeply"


def value_of(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """Return the value of an expression in which `names` are known; UnreadError for what would have to be run."""
    try:
        found = _value(node, names)
    except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError) as error:
        raise UnreadError(f"{source_of(node)} is known only when it is run") from error
    if isinstance(found, str) and len(found) > _MAX_TEXT:
        raise UnreadError("a very long text")
    return found


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:  # noqa: C901, PLR0911 - a table of expressions
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return names[name]
        case ast.Subscript(value=values, slice=place):
            return _value(values, names)[_value(place, names)]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, names) for item in items]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_value(key, names): _value(one, names) for key, one in zip(keys, values, strict=True) if key}
        case ast.JoinedStr(values=parts):
            return _joined("", [as_text(_value(part, names)) for part in parts])
        case ast.FormattedValue(value=inner, conversion=conversion, format_spec=spec):
            wide = _value(spec, names) if spec else ""
            value = _value(inner, names)
            if isinstance(value, str | int | float) and not _WIDE.search(wide):
                return format(_CONVERSIONS[conversion](value), wide)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(_value(left, names), type(op), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            found = _FUNCTIONS[name](*(_value(one, names) for one in args))
            return list(found[: _MAX_ITEMS + 1]) if isinstance(found, range) else found
        case ast.Call(func=ast.Attribute(value=between, attr="join"), args=[items]):
            return _joined(as_text(_value(between, names)), _value(items, names))
    raise ValueError(node)


def _joined(between: str, parts: Sequence[str]) -> str:
    if sum(map(len, parts)) + len(between) * len(parts) > _MAX_TEXT:
        raise ValueError("a very long text")
    return between.join(parts)


def _combined(left: Any, op: type[ast.operator], right: Any) -> Any:
    """Combine two values; ValueError where that could be large."""
    numbers = [abs(one) for one in (left, right) if isinstance(one, int | float)]
    sizes = [len(one) for one in (left, right) if not isinstance(one, int | float)]
    is_long = sum(sizes) * (max(numbers, default=1) if op is ast.Mult else 1) > _MAX_TEXT
    is_large = max(numbers, default=0) > _MAX_NUMBER or (op is ast.Pow and abs(right) > _MAX_POWER)
    if is_long or is_large or (op is ast.Mod and sizes):
        raise ValueError(op)
    return _OPERATIONS[op](left, right)


def constants_of(body: Iterable[ast.stmt], names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names that are known behind assignments; one to which something unknown is assigned is unknown."""
    known = dict(names)
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            try:
                known[name] = value_of(node.value, known)
            except UnreadError:
                known.pop(name, None)
    return known


def args_of(
    call: ast.Call, order: Sequence[str], names: Mapping[str, Any], ignored: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the arguments of a call by their names, without those of `ignored`; UnreadError for one not known."""
    given = [*zip(order, call.args, strict=False), *((one.arg or "**", one.value) for one in call.keywords)]
    if len(call.args) > len(order) or any(isinstance(one, ast.Starred) for one in call.args) or "**" in dict(given):
        raise UnreadError("its arguments are known only when it is run")
    return {name: value_of(value, names) for name, value in given if name not in ignored}
