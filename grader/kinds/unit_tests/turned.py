"""A test in Python with one assertion of a method inverted, so that no honest program passes it.

Only what is certain to be reached is inverted: statements of the method itself, of a `with` that swallows nothing, and
of a `for` over values that are written there. The text is changed in that place alone. Where a value is written there,
it is exchanged for another that could stand there as well, so that a copy does not show whether it is the course's own.
A method without such an assertion gets one behind its end; one that sets its own share may get another share.
"""

import ast
import builtins
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.kinds.unit_tests.python_text import lineage_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
Choose = Callable[[int], int]
"""returns a number below the one that it gets"""


class Turned(Struct, frozen=True, kw_only=True):
    """The text of a test, or of a helper that it inherits from, in which an assertion of a method is inverted."""

    source: bytes
    line: int
    """the line of the assertion, from 1"""
    share: str = ""
    """the share of its points that the method sets there; empty where that is as it was"""
    helper: str = ""
    """the helper whose text it is; empty for the test itself"""


class _Edit(Struct, frozen=True, kw_only=True):
    """What takes the place of a part of the text."""

    line: int
    start: int
    """bytes from the beginning of the text"""
    end: int
    text: str


_ANOTHER = (
    "(lambda {x}: not {x} if type({x}) is bool"
    " else {x} {way} {far} {way} abs({x}) // {far} if type({x}) in (int, float)"
    " else {x}[:{far}] + {letter!r} + {x}[{far}:] if type({x}) is str"
    " else {x} + type({x})(({letter!r},)) if type({x}) in (list, tuple)"
    " else {{**{x}, {letter!r}: {x}}} if type({x}) is dict else object())({value})"
)
"""computes a value that is different, of the same kind where that is possible"""
_RAISED = (
    *("ValueError", "TypeError", "KeyError", "IndexError", "ZeroDivisionError", "AttributeError", "OverflowError"),
    *("RuntimeError", "NotImplementedError", "OSError", "FileNotFoundError", "StopIteration", "NameError"),
)
"""what is asked for in the place of another exception of Python's"""
_RAISED_BY_NOBODY = (
    "ChildProcessError",
    "FloatingPointError",
    "TabError",
    "UnboundLocalError",
    "UnicodeTranslateError",
)
"""what classes of the course's or the student's own are not derived from"""
_RAISED_BESIDE_ALL = ("GeneratorExit", "KeyboardInterrupt", "SystemExit")
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
_LENIENT = frozenset({"approx", "ANY"})
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_NUMBER = re.compile(r"-?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_SMALL, _NEAR = 1000, 3
"""a whole number below the first is exchanged for one that is so near, up or down; in others a digit is"""
_MAX_FOUND = 200
"""assertions of a method among which one is chosen"""
_SHARES = 8
"""of which one to all but one are given in the place of a share"""


def turn_python(
    source: bytes,
    method: str,
    choose: Choose,
    *,
    by_value: bool = False,
    helpers: Mapping[str, bytes] | None = None,
) -> Turned | None:
    """Return the test with one assertion of a method inverted; None where nothing in it can be.

    `choose` returns a number below the one that it gets. With `by_value`, one in each subtest of a method that has any.
    What the test inherits from one of the `helpers` is inverted there.
    """
    try:
        tree = _parse(source)
        source.decode()
    except (SyntaxError, ValueError):
        return None
    function = _find_method(tree, method)
    if function is None:
        bases = _bases_elsewhere(tree, method.rpartition(".")[0])
        inherited = [
            replace(found, helper=name)
            for name, content in (helpers or {}).items()
            for base in bases
            if name.endswith(".py")
            if (found := turn_python(content, f"{base}.{method.rpartition('.')[2]}", choose, by_value=by_value))
        ]
        return inherited[0] if len(inherited) == 1 else None
    if b"\r" in source or b"\f" in source or source.startswith(b"\xef\xbb\xbf"):
        return None
    own = _Text(source)
    share, edits = ("", []) if by_value else _edits_of_share(own, function, choose)
    certain = [*islice(_edits(own, function.body, choose), _MAX_FOUND)]
    if not edits or (certain and choose(2)):
        values = _edits_of_values(own, function, choose, by_value=by_value)
        share, edits = "", values or _choose_edit(own, function, certain, choose)
    changed = _apply(source, edits)
    return Turned(source=changed, line=edits[0].line, share=share) if changed else None


def lines_of_methods(source: bytes, methods: Collection[str]) -> dict[str, int]:
    """Return the line of the function that is run for each method, where the text shows it."""
    try:
        tree = _parse(source)
    except (SyntaxError, ValueError):
        return {}
    return {one: function.lineno for one in methods if (function := _find_method(tree, one))}


def exchanges_share(source: bytes, method: str) -> bool:
    """Whether a method sets a share of its points only where another can take its place."""
    function = _find_method(_parse(source), method)
    return function is not None and bool(_edits_of_share(_Text(source), function, lambda _: 0)[1])


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


def _choose_edit(text: "_Text", function: _Function, edits: list[_Edit], choose: Choose) -> list[_Edit]:
    if not edits and not any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        edits = [_behind(text, function)]
    return [edits[choose(len(edits))]] if edits else []


def _edits_of_share(text: "_Text", function: _Function, choose: Choose) -> tuple[str, list[_Edit]]:
    """Return a share, and what makes a method set it wherever it sets one, and fail at its end; none where unknown."""
    decorators = (one for one in function.decorator_list if isinstance(one, ast.Call))
    given = [one.args[0] for one in decorators if _name_of(one) == "partial_credit" and len(one.args) == 1]
    weights = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, int | float)]
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "set_score"]
    calls = [
        node.args[0]
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and node.func in uses and len(node.args) == 1 and not node.keywords
    ]
    if len(weights) != 1 or not weights[0] > 0 or not calls or len(calls) < len(uses):
        return "", []
    number = 1 + choose(_SHARES - 1)
    edits = [text.edit(one, repr(weights[0] * number / _SHARES)) for one in calls]
    if not any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        edits.append(_behind(text, function))
    return str(number / _SHARES), edits


def _apply(source: bytes, edits: Collection[_Edit]) -> bytes:
    """Return the text with these edits; empty where there is none, or it is no Python then."""
    changed = source
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        changed = changed[: edit.start] + edit.text.encode() + changed[edit.end :]
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

    def edit(self, node: Any, text: str) -> _Edit:
        """Return what puts `text` in the place of a node."""
        start, end = self.span(node)
        return _Edit(line=node.lineno, start=start, end=end, text=text)

    def expected_texts(self) -> list[str]:
        """Return the texts that the file compares something with, each once."""
        return _expected_texts(self.source)


@lru_cache(maxsize=8)
def _expected_texts(source: bytes) -> list[str]:
    compared = list[ast.AST]()
    for node in ast.walk(_parse(source)):
        if isinstance(node, ast.Compare):
            compared += [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and _name_of(node) in _EQUALS:
            compared += node.args
    parts = (part for one in compared for part in ast.walk(one) if isinstance(part, ast.Constant))
    return [*dict.fromkeys(part.value for part in parts if isinstance(part.value, str))]


def _find_method(tree: ast.Module, method: str) -> _Function | None:
    """Return the function that is run for a method; None where several could be."""
    owner, _, name = method.rpartition(".")
    if not name.startswith("test"):  # such as a doctest, which does not run the function that has it
        return None
    bodies: list[Sequence[ast.stmt]] = [tree.body]
    if owner:
        bodies = [node.body for node in {node.name: node for node in _lineage(tree, owner)}.values()]
    found = [_last_named(name, body) for body in bodies]
    inherited = [one for one in found[1:] if one]
    if found and found[0]:
        return found[0]
    return inherited[0] if len(inherited) == 1 else None


def _last_named(name: str, body: Sequence[ast.stmt]) -> _Function | None:
    functions = (one for one in body if isinstance(one, _Function))
    return next((one for one in reversed([*functions]) if one.name == name), None)


def _lineage(tree: ast.Module, owner: str) -> list[ast.ClassDef]:
    """Return a class, which may be within others, and those of the file that it derives from."""
    known, body = dict[str, ast.ClassDef](), tree.body
    found: ast.ClassDef | None = None
    for name in owner.split("."):
        known |= {node.name: node for node in body if isinstance(node, ast.ClassDef)}
        found = next((node for node in reversed(body) if isinstance(node, ast.ClassDef) and node.name == name), None)
        body = found.body if found else []
    return [*lineage_of(found, known)] if found else []


def _bases_elsewhere(tree: ast.Module, owner: str) -> list[str]:
    """Return the names of the classes that a class derives from, and that are in no class of the file."""
    lineage = _lineage(tree, owner)
    bases = [base for node in lineage for base in node.bases if isinstance(base, ast.Name | ast.Attribute)]
    names = [base.id if isinstance(base, ast.Name) else base.attr for base in bases]
    return [name for name in dict.fromkeys(names) if name not in {node.name for node in lineage}]


def _edits(text: _Text, body: Sequence[ast.stmt], choose: Choose) -> Iterator[_Edit]:
    """Yield what turns each of the assertions round that are certain to be reached."""
    for statement in body:
        if isinstance(statement, ast.Assert):
            yield _turn_condition(text, statement.test, choose)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            yield from _turn_call(text, statement.value, choose)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            yield from _turn_raises(text, statement.value, choose)
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
        yield from _turn_raises(text, raising[0], choose)
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
    # What is equal to more than one value is itself exchanged: any other value could be equal to it, too.
    names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(left)}
    side = left if names & _LENIENT else right
    x, way, letter = "xyvae"[choose(5)], "+-"[choose(2)], ascii_lowercase[choose(26)]
    another = _ANOTHER.format(x=x, way=way, letter=letter, far=2 + choose(8), value=text.of(side))
    return text.edit(side, another)


def _turn_call(text: _Text, call: ast.Call, choose: Choose) -> Iterator[_Edit]:
    """Yield what turns a call of an assertion of `unittest` round."""
    name, plain = _name_of(call), [one for one in call.args if not isinstance(one, ast.Starred)]
    if name in _RAISES:
        yield from _turn_raises(text, call, choose)
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


def _turn_raises(text: _Text, call: ast.Call, choose: Choose) -> Iterator[_Edit]:
    """Yield what asks for another exception, which no program raises that raises the right one."""
    first = call.args[0] if call.args else None
    if first and _name_of(call) in _RAISES and not isinstance(first, ast.Starred):
        others = _other_exceptions(text.of(first))
        if others:
            yield text.edit(first, others[choose(len(others))])


def _other_exceptions(name: str) -> Sequence[str]:
    """Return the exceptions of which none is also the one that is asked for, nor the other way round."""
    kind = getattr(builtins, name, None)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        return [one for one in _RAISED_BY_NOBODY if one not in name]
    every = [*_RAISED, *(_RAISED_BESIDE_ALL if issubclass(Exception, kind) else ())]
    pairs = ((one, getattr(builtins, one)) for one in every)
    return [one for one, other in pairs if not issubclass(other, kind) and not issubclass(kind, other)]


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
        return _exchange_number(text, node.args[0], choose)
    if not _is_literal(node):
        return None
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else node.values if isinstance(node, ast.Dict) else []
    if parts:
        return _exchange(text, parts[choose(len(parts))], choose)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return text.edit(node, repr(not node.value))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _exchange_text(text, node, node.value, choose)
    return _exchange_number(text, node, choose)


def _exchange_number(text: _Text, node: ast.expr, choose: Choose) -> _Edit | None:
    """Return what puts another number in the place of one; None where it is no number."""
    if not _is_literal(node):
        return None
    value = ast.literal_eval(node)
    if type(value) not in (int, float):
        return None
    written = text.of(node)
    other = other_number(written if _NUMBER.fullmatch(written) else repr(value), choose)
    # Such as `1e999` and `2e999`, which are the same.
    return text.edit(node, other) if other and ast.literal_eval(other) != value else None


def other_number(written: str, choose: Choose) -> str:
    """Return another number that could stand there as well; empty where it is written in no such way."""
    if not _NUMBER.fullmatch(written):
        return ""
    sign, plain = ("-", written[1:]) if written.startswith("-") else ("", written)
    if plain.isdigit() and int(plain) < _SMALL:
        # Next to a small number another is as likely as the right one.
        value, step = int(plain), 1 + choose(_NEAR)
        is_up = value - step < (1 if sign else 0) or choose(2)
        return f"{sign}{value + step if is_up else value - step}"
    if plain.isdigit() and plain.startswith("10") and choose(2):
        return f"{sign}{digits[5 + choose(5)]}{plain[2:]}"
    # A large one, or a part, has to be further off: the first digit that is not 0 is exchanged, or the next.
    mantissa = re.split("[eE]", plain)[0]
    places = [place for place, one in enumerate(mantissa) if one.isdigit()]
    first = next((at for at, place in enumerate(places) if mantissa[place] != "0"), 0)
    at = first + choose(min(2, len(places) - first))
    least = 1 if at == first else 0
    others = [one for one in digits[least:] if one != mantissa[places[at]]]
    return f"{sign}{plain[: places[at]]}{others[choose(len(others))]}{plain[places[at] + 1 :]}"


def _exchange_text(text: _Text, node: ast.Constant, value: str, choose: Choose) -> _Edit:
    """Return what puts another text in its place, in the same quotes where that is possible."""
    written = text.of(node)
    quote = written[:1]
    other = other_text(value, text.expected_texts(), choose)
    is_simple = quote in ("'", '"') and written == quote + value + quote
    is_plain = is_simple and not {"\\", "\n", quote} & {*value, *other} and other.isprintable()
    return text.edit(node, quote + other + quote if is_plain else repr(other))


def other_text(value: str, known: Sequence[str], choose: Choose) -> str:
    """Return another text that could stand there as well: one of those `known`, or with another character."""
    others = [one for one in known if _letters(one) != _letters(value)]
    if others and choose(2):
        return others[choose(len(others))]
    if not value:
        return "".join(ascii_lowercase[choose(26)] for _ in range(1 + choose(_NEAR)))
    places = [place for place, one in enumerate(value) if one.isalnum()] or [*range(len(value))]
    at = places[choose(len(places))]
    alike = next((kind for kind in (digits, ascii_uppercase) if value[at] in kind), ascii_lowercase)
    characters = [one for one in alike if one != value[at]]
    return f"{value[:at]}{characters[choose(len(characters))]}{value[at + 1 :]}"


def _letters(value: str) -> list[str]:
    """Return what two texts share that are equal to one who looks at neither case nor order nor signs."""
    return sorted(filter(str.isalnum, value.casefold()))
