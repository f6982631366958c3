"""What an expression in the tests of a course comes to, without running any of it: constants, texts and numbers.

Names are looked up, texts joined and formatted, numbers added. Whatever is beyond that is `UnreadError`.
"""

import ast
import operator
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial, reduce
from pathlib import Path
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import one_line

_MAX_NODES, _MAX_TEXT, _MAX_NUMBER, _MAX_ITEMS, _MAX_POWER = 60_000, 256 * 2**10, 2**40, 500, 8
_MAX_POINTS = 10**6
_Names = Mapping[str, Any]  # what is known -> what it comes to
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
    """Return the tree of a program; UsageError when it is invalid, or too long."""
    try:
        tree = ast.parse(text)
        size = sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{path} is not Python: {one_line(str(error))}") from error
    if size > _MAX_NODES:
        raise UsageError(f"{path} is too long to be read: {size} nodes, at most {_MAX_NODES}")
    return tree


def as_text(value: Any) -> str:
    """Return a text or number as text; UnreadError for a list, which a few lines can make endless by its names."""
    if not isinstance(value, str | int | float):
        raise UnreadError("it is neither a text nor a number")
    return str(value)


def points_in(value: object) -> Fraction | None:
    """Return a number of points; None for anything else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MAX_POINTS
    return Fraction(str(value)) if is_number else None


def source_of(node: ast.AST) -> str:
    """Return the beginning of a piece of source, for a message."""
    try:
        return f"`{one_line(ast.unparse(node), 80)}`"
    except RecursionError:
        return "what is nested too deeply"


def value_of(node: ast.expr, names: _Names) -> Any:
    """Return the value of an expression in which `names` are known; UnreadError for what would have to be run."""
    try:
        return _value(node, names)
    except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError) as error:
        raise UnreadError(f"{source_of(node)} is known only when it is run") from error


def known_value(node: ast.expr | None, names: _Names) -> Any:
    """Return the value of an expression; None where that is not known without running it."""
    with suppress(UnreadError):
        return value_of(node, names) if node else None
    return None


def _value(node: ast.AST | None, names: _Names) -> Any:  # noqa: C901, PLR0911 - a table of expressions
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return names[name]
        case ast.Subscript(value=values, slice=place):
            return _value(values, names)[_value(place, names)]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_value(key, names): _value(value, names) for key, value in zip(keys, values, strict=True)}
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, names) for item in items]
        case ast.JoinedStr(values=parts):
            return reduce(partial(_combined, ast.Add), (as_text(_value(part, names)) for part in parts), "")
        case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
            return _value(inner, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(type(op), _value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return as_text(_value(inner, names))
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]):
            return list(range(*(_value(arg, names) for arg in args))[: _MAX_ITEMS + 1])
    raise ValueError(node)


def _combined(op: type[ast.operator], left: Any, right: Any) -> Any:
    """Combine two texts or two numbers; ValueError where that could be large."""
    if isinstance(left, str) and op in (ast.Add, ast.Mult):
        is_small = (len(left) + len(right) if op is ast.Add else len(left) * abs(right)) <= _MAX_TEXT
    else:
        is_small = max(abs(left), abs(right)) <= _MAX_NUMBER and (op is not ast.Pow or abs(right) <= _MAX_POWER)
    if not is_small:
        raise ValueError(op)
    return _OPERATIONS[op](left, right)


def constants_of(body: Iterable[ast.stmt], names: _Names) -> dict[str, Any]:
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


def args_of(call: ast.Call, order: Sequence[str], names: _Names, ignored: Iterable[str] = ()) -> dict[str, Any]:
    """Return the arguments of a call by their names, without those of `ignored`; UnreadError for one not known."""
    given = [*zip(order, call.args, strict=False), *((keyword.arg or "**", keyword.value) for keyword in call.keywords)]
    if len(call.args) > len(order) or any(isinstance(arg, ast.Starred) for arg in call.args) or "**" in dict(given):
        raise UnreadError("its arguments are known only when it is run")
    return {name: value_of(value, names) for name, value in given if name not in ignored}


# ---------------------------------------------------------------- modules that a program imports

_PACKAGES = {  # modules whose package has another name
    "sklearn": "scikit-learn",
    "PIL": "pillow",
    "cv2": "opencv-python",
    "bs4": "beautifulsoup4",
    "yaml": "PyYAML",
}


def parse_python(source: str | bytes) -> ast.Module:
    """Return the tree of a program; an empty one where it cannot be read."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def imported_names(source: str | bytes) -> Iterator[str]:
    """Yield the modules that a program imports by absolute names, and of `from a import b` also `a.b`."""
    for node in ast.walk(parse_python(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


def required_packages(sources: Iterable[str | bytes], own: Collection[str]) -> list[str]:
    """Return the packages to install for programs, of which `own` are the course's and the students' modules."""
    tops = {name.partition(".")[0] for source in sources for name in imported_names(source)}
    return sorted(_PACKAGES.get(name, name) for name in tops - {*own} - sys.stdlib_module_names)
