"""What an expression in the checks of check50 is, without running any of it: texts and numbers.

Names are looked up, texts joined and formatted, and functions that only return something are followed. Whatever is
beyond that is `UnreadCheckError`, with the reason.
"""

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from operator import add, floordiv, mod, mul, sub, truediv
from typing import Any

from grader.imports.folder import Folder, safe_path

_MAX_DEPTH = 12
"""of functions that call functions"""
_MAX_TEXT = 256 * 2**10
_MAX_ITEMS = 200
_WIDE = re.compile(r"\d{4}")
"""in a format: a width that nobody means"""
_REPR = ord("r")
MODULE = "check50."
EOF = ast.Name(id="EOF")
"""stands for `check50.EOF`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFile:
    """What is in a file that the course does not have: the program writes it, or it is handed in."""

    name: str


class UnreadCheckError(Exception):
    """Why a part of the checks cannot be read without running it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckNames:
    """What the names mean at a place in the checks."""

    folder: Folder
    names: Mapping[str, Any] = field(default_factory=dict)
    imported: Mapping[str, str] = field(default_factory=dict)
    """name -> what it was imported from, dotted"""
    functions: Mapping[str, ast.FunctionDef] = field(default_factory=dict)
    depth: int = 0

    def inside(self, function: ast.FunctionDef, call: ast.Call) -> "CheckNames":
        """Return the scope in a function of the checks that is called."""
        if self.depth >= _MAX_DEPTH:
            raise UnreadCheckError(f"{function.name} calls itself")
        parameters = function.args
        if parameters.vararg or parameters.kwarg or parameters.kwonlyargs or parameters.posonlyargs:
            raise UnreadCheckError(f"the parameters of {function.name}")
        names = [parameter.arg for parameter in parameters.args]
        defaults = parameters.defaults
        given = dict(zip(names[len(names) - len(defaults) :], (value_of(one, self) for one in defaults), strict=True))
        given |= dict(zip(names, (value_of(one, self) for one in call.args), strict=False))
        given |= {word.arg: value_of(word.value, self) for word in call.keywords if word.arg}
        if set(given) != set(names) or len(call.args) > len(names):
            raise UnreadCheckError(f"the arguments of {function.name}")
        return replace(self, names={**self.names, **given}, depth=self.depth + 1)


def dotted(node: ast.expr, scope: CheckNames) -> str:
    """Return the full name of what is called, such as `check50.run`; empty when it has none."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value, scope)
        return f"{before}.{node.attr}" if before else ""
    if isinstance(node, ast.Name):  # a variable called `check` is none of check50's
        return node.id if node.id in scope.names else scope.imported.get(node.id, node.id)
    return ""


def value_of(node: ast.expr, scope: CheckNames) -> Any:
    """Return the value of an expression; UnreadCheckError for what would have to be run."""
    found = _value(node, scope)
    if isinstance(found, str) and len(found) > _MAX_TEXT:
        raise UnreadCheckError("a very long text")
    return found


def _value(node: ast.expr, scope: CheckNames) -> Any:  # noqa: C901, PLR0911 - a table of expressions
    match node:
        case ast.Constant(value=str() | int() | float() | bool() | None):
            return node.value
        case ast.Name(id=name) if name in scope.names:
            return scope.names[name]
        case ast.Attribute() if (full := dotted(node, scope)) in scope.names:
            return scope.names[full]
        case ast.Subscript(value=value, slice=place):
            return _item(value_of(value, scope), value_of(place, scope), node)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [value_of(item, scope) for item in items[: _MAX_ITEMS + 1]]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {value_of(key, scope): value_of(one, scope) for key, one in zip(keys, values, strict=True) if key}
        case ast.JoinedStr(values=parts):
            return "".join(_formatted(part, scope) for part in parts)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            number = value_of(operand, scope)
            if isinstance(number, int | float):
                return -number
        case ast.BinOp():
            return _combined(node, scope)
        case ast.Attribute() | ast.Name() if dotted(node, scope) in (f"{MODULE}EOF", "pexpect.EOF", "EOF"):
            return EOF
        case ast.Call():
            return _called(node, scope)
    raise UnreadCheckError(f"`{ast.unparse(node)[:80]}` is known only when it is run")


def _item(values: Any, place: Any, node: ast.expr) -> Any:
    try:
        if isinstance(values, list | str | dict) and isinstance(place, int | str):
            return values[place]  # type: ignore[index]
    except (IndexError, KeyError, TypeError) as error:
        raise UnreadCheckError(f"`{ast.unparse(node)[:80]}`: {error!r}") from error
    raise UnreadCheckError(f"`{ast.unparse(node)[:80]}` is known only when it is run")


def _formatted(part: ast.expr, scope: CheckNames) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    if isinstance(part, ast.FormattedValue):
        wide = ast.unparse(part.format_spec) if part.format_spec else ""
        value = value_of(part.value, scope)
        if isinstance(value, str | int | float) and not _WIDE.search(wide):
            asked = value_of(part.format_spec, scope) if part.format_spec else ""
            return format(
                value if part.conversion < 0 else repr(value) if part.conversion == _REPR else str(value), asked
            )
    raise UnreadCheckError(f"`{ast.unparse(part)[:80]}` is known only when it is run")


_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
    ast.FloorDiv: floordiv,
    ast.Mod: mod,
}


def _combined(node: ast.BinOp, scope: CheckNames) -> Any:
    left, right = value_of(node.left, scope), value_of(node.right, scope)
    if isinstance(node.op, ast.Add) and isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(node.op, ast.Mult) and isinstance(left, str) and isinstance(right, int):
        if len(left) * right <= _MAX_TEXT:
            return left * right
    elif all(type(one) in (int, float) for one in (left, right)):
        is_small = abs(left) < 2**40 and abs(right) < 2**40
        if (operation := _OPERATIONS.get(type(node.op))) and (is_small or isinstance(node.op, ast.Add | ast.Sub)):
            if right or not isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
                return operation(left, right)
        elif isinstance(node.op, ast.Pow) and is_small and right in range(9):
            return left**right
    raise UnreadCheckError(f"`{ast.unparse(node)[:80]}` is known only when it is run")


_TEXT_METHODS: Mapping[str, Callable[..., Any]] = {
    "strip": str.strip,
    "rstrip": str.rstrip,
    "lstrip": str.lstrip,
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
    "join": str.join,
    "replace": str.replace,
}


def _called(node: ast.Call, scope: CheckNames) -> Any:  # noqa: C901, PLR0911 - a table of functions
    name = dotted(node.func, scope)
    try:
        if name == "open" or (isinstance(node.func, ast.Attribute) and node.func.attr == "read"):
            return _file_text(node, scope)
        if name in scope.functions:
            return _returned(scope.functions[name], node, scope)
        args = [value_of(argument, scope) for argument in node.args]
        if name == "re.escape" and len(args) == 1:
            return re.escape(str(args[0]))
        if name == "format" and not _WIDE.search(str(args[1:])):
            return format(*args)
        if name in ("str", "int") and len(args) == 1 and isinstance(args[0], str | int | float):
            return {"str": str, "int": int}[name](args[0])
        if name == f"{MODULE}regex.decimal" and isinstance(args[0], int | float):
            return decimal(args[0])
        if name == "range" and args and all(isinstance(one, int) for one in args):
            return list(range(*args)[: _MAX_ITEMS + 1])
        if isinstance(node.func, ast.Attribute) and node.func.attr in _TEXT_METHODS and not node.keywords:
            value = value_of(node.func.value, scope)
            if isinstance(value, str) and len(value) * len("".join(map(str, args))) <= _MAX_TEXT:
                return _TEXT_METHODS[node.func.attr](value, *args)
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise UnreadCheckError(f"`{ast.unparse(node)[:80]}`: {error}") from error
    raise UnreadCheckError(f"`{ast.unparse(node)[:80]}` is known only when it is run")


def decimal(number: float) -> str:
    """Return a pattern for a number that is not a part of a longer one."""
    before = r"(?<![\d\-])" if number >= 0 else ""
    return rf"{before}{re.escape(str(number))}(?!\.?\d)"


def _file_text(node: ast.Call, scope: CheckNames) -> str | WrittenFile:
    call = node
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        opened = value_of(node.func.value, scope)
        if isinstance(opened, str | WrittenFile):
            return opened
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        call = node.func.value
    if dotted(call.func, scope) != "open" or not call.args:
        raise UnreadCheckError(f"`{ast.unparse(node)[:80]}` is known only when it is run")
    name = value_of(call.args[0], scope)
    mode = value_of(call.args[1], scope) if len(call.args) > 1 else "r"
    if not isinstance(name, str) or mode != "r":
        raise UnreadCheckError(f"`{ast.unparse(node)[:80]}` is known only when it is run")
    if name not in scope.folder.files:
        return WrittenFile(name=name)
    return scope.folder.text(safe_path(name)).replace("\r\n", "\n")


def _returned(function: ast.FunctionDef, call: ast.Call, scope: CheckNames) -> Any:
    """Return what a function of the checks returns that does nothing else; assignments before it are followed."""
    inner = scope.inside(function, call)
    names = dict(inner.names)
    for statement in function.body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                names[name] = value_of(value, replace(inner, names=names))
            case ast.Return(value=ast.expr() as value):
                return value_of(value, replace(inner, names=names))
            case _:
                break
    raise UnreadCheckError(f"the function {function.name} does more than return something")
