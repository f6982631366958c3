"""A test in Python with one assertion of each of some methods turned round, so that no honest program passes them.

Only what is certain to be reached is turned: statements of the method itself, of a `with` that swallows nothing, and of
a `for` over values that are written there. The text is changed in that place alone. Where a value is written there, it
is exchanged for another of its kind, so that a copy does not show whether it is the course's own. A method without such
an assertion gets one behind its end.
"""

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from msgspec import Struct

_Function = ast.FunctionDef | ast.AsyncFunctionDef
Choose = Callable[[int], int]
"""returns a number below the one that it gets"""


class Turned(Struct, frozen=True, kw_only=True):
    """The text of a test in which an assertion of each method is turned round that has one."""

    source: bytes
    lines: Mapping[str, int]
    """method -> the line of the assertion, from 1; without the methods in which nothing can be turned"""


class _Edit(Struct, frozen=True, kw_only=True):
    """What takes the place of a part of the text."""

    line: int
    start: int
    """bytes from the beginning of the text"""
    end: int
    text: str
    uses_helper: bool = False


_HELPER = "_different_value"
_HELPER_TEXT = f"""

def {_HELPER}(value):
    kind = type(value)
    if kind is bool:
        return not value
    if kind in (int, float):
        other = value + 1 + abs(value)
        return object() if other == value else other
    if kind in (str, bytes):
        return value + ("." if kind is str else b".")
    if kind in (list, tuple):
        return value + kind((None,))
    if kind is dict:
        return {{**value, object(): None}}
    return object()
"""
_NEVER_RAISED = "BufferError"
_SWALLOWS_NOTHING = frozenset(
    {"subTest", "patch", "object", "dict", "open", "redirect_stdout", "redirect_stderr", "TemporaryDirectory"}
)
_OPPOSITES: Mapping[str, str] = {
    "assertTrue": "assertFalse",
    "assertIs": "assertIsNot",
    "assertIsNone": "assertIsNotNone",
    "assertIn": "assertNotIn",
    "assertIsInstance": "assertNotIsInstance",
    "assertRegex": "assertNotRegex",
    "assertAlmostEqual": "assertNotAlmostEqual",
}
_OPPOSITE = {**_OPPOSITES, **{second: first for first, second in _OPPOSITES.items()}}
# An order of the student's own may be partial: so the same comparison is denied, and no other one asked for.
_OPERATORS: Mapping[str, str] = {
    "assertNotEqual": "!=",
    "assertGreater": ">",
    "assertGreaterEqual": ">=",
    "assertLess": "<",
    "assertLessEqual": "<=",
}
_EQUALS = frozenset(
    f"assert{kind}Equal" for kind in ("", "List", "Tuple", "Dict", "Set", "Sequence", "MultiLine", "Count")
)
_RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_SMALL = 1000
_MAX_FOUND = 200
"""assertions of a method among which one is chosen"""


def turn_python(source: bytes, methods: Collection[str], choose: Choose, *, by_value: bool = False) -> Turned | None:
    """Return the test with one assertion of each of these methods turned round; None where nothing in them can be.

    `choose` returns a number below the one that it gets. With `by_value`, one in each subtest of a method that has any.
    """
    try:
        tree = _parse(source)
        text = source.decode()
    except (SyntaxError, ValueError):
        return None
    if _HELPER in text or "\r" in text or "\f" in text or source.startswith(b"\xef\xbb\xbf"):
        return None
    own = _Text(source)
    functions = {method: function for method in methods if (function := _find_method(tree, method))}
    # A function that several classes inherit is turned once.
    edits = {
        function: _edits_of_values(own, function, choose, by_value=by_value) or _choose_edit(own, function, choose)
        for function in dict.fromkeys(functions.values())
    }
    chosen = {method: found for method, function in functions.items() if (found := edits[function])}
    changed = _apply(source, {edit.start: edit for found in chosen.values() for edit in found}.values())
    return (
        Turned(source=changed, lines={method: found[0].line for method, found in chosen.items()}) if changed else None
    )


@lru_cache(maxsize=8)
def _parse(source: bytes) -> ast.Module:
    """Parse a test once for all its methods; nobody changes what is returned."""
    return ast.parse(source)


def _edits_of_values(text: "_Text", function: _Function, choose: Choose, *, by_value: bool) -> list[_Edit]:
    """Return an edit of each subtest of a method: each of its values is one of them."""
    found = list[_Edit]()
    for block in _subtests(function) if by_value else ():
        edits = list(islice(_within(text, block, choose), _MAX_FOUND))
        if not edits and not any(isinstance(node, _LEAVES) for node in ast.walk(block)):
            edits = [_behind(text, block)]
        found += [edits[choose(len(edits))]] if edits else []
    return found


def _subtests(function: _Function) -> Iterator[ast.With]:
    """Yield the statements of a method that run a subtest, but for those around others."""
    every = [node for node in ast.walk(function) if isinstance(node, ast.With) and _is_subtest(node)]
    for node in every:
        if not any(inner in every for inner in ast.walk(node) if inner is not node):
            yield node


def _is_subtest(node: ast.With) -> bool:
    calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
    return any(_name_of(call) == "subTest" for call in calls)


def _choose_edit(text: "_Text", function: _Function, choose: Choose) -> list[_Edit]:
    edits = list(islice(_edits(text, function.body, choose), _MAX_FOUND))
    if not edits and not any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        edits = [_behind(text, function)]
    return [edits[choose(len(edits))]] if edits else []


def _apply(source: bytes, edits: Collection[_Edit]) -> bytes:
    """Return the text with these edits; empty where there is none, or it is no Python then."""
    changed = source
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        changed = changed[: edit.start] + edit.text.encode() + changed[edit.end :]
    if any(edit.uses_helper for edit in edits):
        changed += _HELPER_TEXT.encode()
    try:
        ast.parse(changed)
    except (SyntaxError, ValueError):
        return b""
    return changed if edits else b""


class _Text:
    """The bytes of a test, and where its nodes are."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [0]
        for line in source.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def span(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.AST) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.source[start:end].decode()

    def edit(self, node: Any, text: str, *, uses_helper: bool = False) -> _Edit:
        """Return what puts `text` in the place of a node."""
        start, end = self.span(node)
        return _Edit(line=node.lineno, start=start, end=end, text=text, uses_helper=uses_helper)


def _find_method(tree: ast.Module, method: str) -> _Function | None:
    """Return the function that is run for a method; None where several could be."""
    owner, _, name = method.rpartition(".")
    if not name.startswith("test"):  # such as a doctest, which does not run the function that has it
        return None
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    bodies: list[Sequence[ast.stmt]] = [tree.body]
    if owner:
        bodies = [node.body for node in {node.name: node for node in _line_of(owner, classes)}.values()]
    found = [_last_named(name, body) for body in bodies]
    inherited = [one for one in found[1:] if one]
    if found and found[0]:
        return found[0]
    return inherited[0] if len(inherited) == 1 else None


def _last_named(name: str, body: Sequence[ast.stmt]) -> _Function | None:
    functions = (one for one in body if isinstance(one, _Function))
    return next((one for one in reversed([*functions]) if one.name == name), None)


def _line_of(name: str, classes: Mapping[str, ast.ClassDef], most: int = 20) -> Iterator[ast.ClassDef]:
    if name in classes and most:
        yield classes[name]
        for base in classes[name].bases:
            if isinstance(base, ast.Name):
                yield from _line_of(base.id, classes, most - 1)


def _edits(text: _Text, body: Sequence[ast.stmt], choose: Choose) -> Iterator[_Edit]:
    """Yield what turns each of the assertions round that are certain to be reached."""
    for statement in body:
        if isinstance(statement, ast.Assert):
            yield _turn_condition(text, statement.test, choose)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            yield from _turn_call(text, statement.value, choose)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            yield from _turn_raises(text, statement.value)
        elif isinstance(statement, ast.With | ast.AsyncWith):
            yield from _within(text, statement, choose)
        elif isinstance(statement, ast.For) and _has_values(statement.iter):
            yield from _edits(text, statement.body, choose)
        # What follows may not be reached.
        if any(isinstance(node, _LEAVES) for node in ast.walk(statement)):
            return


def _within(text: _Text, statement: ast.With | ast.AsyncWith, choose: Choose) -> Iterator[_Edit]:
    calls = [item.context_expr for item in statement.items if isinstance(item.context_expr, ast.Call)]
    raising = [call for call in calls if _name_of(call) in _RAISES]
    if len(calls) < len(statement.items) or any(_name_of(one) not in _RAISES | _SWALLOWS_NOTHING for one in calls):
        return
    if raising:
        yield from _turn_raises(text, raising[0])
    else:
        yield from _edits(text, statement.body, choose)


def _has_values(node: ast.expr) -> bool:
    """Whether a loop over it is certain to be entered."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return bool(node.elts) and not any(isinstance(one, ast.Starred) for one in node.elts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        try:
            return bool(range(*map(ast.literal_eval, node.args)))
        except (ValueError, TypeError, SyntaxError, RecursionError):
            return False
    return False


def _name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


# ---------------------------------------------------------------- one assertion


def _turn_condition(text: _Text, test: ast.expr, choose: Choose) -> _Edit:
    """Return the opposite of what an `assert` asks for."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        return _turn_equality(text, test.left, test.comparators[0], choose)
    return text.edit(test, f"not ({text.of(test)})")


def _turn_equality(text: _Text, left: ast.expr, right: ast.expr, choose: Choose) -> _Edit:
    """Return what exchanges the one of two values that is the expected one."""
    for side in (right, left):
        other = left if side is right else right
        if not _is_literal(other) and (edit := _exchange(text, side, choose)):
            return edit
    return text.edit(right, f"{_HELPER}({text.of(right)})", uses_helper=True)


def _turn_call(text: _Text, call: ast.Call, choose: Choose) -> Iterator[_Edit]:
    """Yield what turns a call of an assertion of `unittest` round."""
    name, plain = _name_of(call), [one for one in call.args if not isinstance(one, ast.Starred)]
    if name in _RAISES:
        yield from _turn_raises(text, call)
    if not isinstance(call.func, ast.Attribute) or len(plain) != len(call.args):
        return
    if name in _EQUALS and len(plain) > 1:
        yield _turn_equality(text, plain[0], plain[1], choose)
    elif name in _OPERATORS and len(plain) > 1:
        first, second = (text.of(one) for one in plain[:2])
        owner = text.of(call.func.value)
        yield text.edit(call, f"{owner}.assertFalse(({first}) {_OPERATORS[name]} ({second}))")
    elif name in _OPPOSITE and plain:
        yield text.edit(call.func, f"{text.of(call.func.value)}.{_OPPOSITE[name]}")


def _turn_raises(text: _Text, call: ast.Call) -> Iterator[_Edit]:
    """Yield what asks for an exception that nobody raises."""
    first = call.args[0] if call.args else None
    if first and _name_of(call) in _RAISES and not isinstance(first, ast.Starred) and text.of(first) != _NEVER_RAISED:
        yield text.edit(first, _NEVER_RAISED)


def _behind(text: _Text, function: _Function | ast.With) -> _Edit:
    """Return what makes a method fail at its end, or a subtest."""
    first, last = function.body[0], function.body[-1]
    start, end = text.span(first)[0], text.span(last)[1]
    indent = text.source[start - first.col_offset : start].decode()
    added = f"\n{indent}assert False" if indent.isspace() else "; assert False"
    return _Edit(line=last.end_lineno or last.lineno, start=end, end=end, text=added)


# ---------------------------------------------------------------- values


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _exchange(text: _Text, node: ast.expr, choose: Choose) -> _Edit | None:
    """Return what puts another value in the place of one that is written there; None where it is no such value."""
    if isinstance(node, ast.Call) and _name_of(node) == "approx" and len(node.args) == 1 and not node.keywords:
        return _exchange_number(text, node.args[0], is_far=True)
    if not _is_literal(node):
        return None
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else node.values if isinstance(node, ast.Dict) else []
    if parts:
        return _exchange(text, parts[choose(len(parts))], choose)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return text.edit(node, repr(not node.value))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _exchange_text(text, node, node.value)
    return _exchange_number(text, node)


def _exchange_number(text: _Text, node: ast.expr, *, is_far: bool = False) -> _Edit | None:
    """Return what puts a number far from it in its place; None where it is no number."""
    if not _is_literal(node):
        return None
    value = ast.literal_eval(node)
    if type(value) not in (int, float):
        return None
    far = value * 2 + 1 if value >= 0 else value * 2 - 1
    # Next to a small number another is as likely as the right one; a large one, or with a tolerance, has to be far off.
    other = value + 1 if type(value) is int and 0 <= value < _SMALL and not is_far else far
    return text.edit(node, repr(other)) if other - other == 0 else None


def _exchange_text(text: _Text, node: ast.Constant, value: str) -> _Edit:
    """Return what puts another text in its place, in the same quotes."""
    written = text.of(node)
    quote = written[:1]
    is_simple = quote in ("'", '"') and written == quote + value + quote and "\\" not in value
    if not is_simple or not value:
        return text.edit(node, repr(value + "e"))
    changed = value[:-1] + ("e" if value[-1] != "e" else "a")
    return text.edit(node, quote + changed + quote)
