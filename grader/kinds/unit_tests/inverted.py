"""The text of a test with one assertion of a method inverted, so that no honest program passes it; in Python here.

Only what is certain to be reached is inverted, and the text is changed in that place alone. A value that is written
there is exchanged for another that could stand there as well: so a copy cannot be told from the test without solving
the task. A method without such an assertion gets one behind its end; one that sets its own share may get another share.
"""

import ast
import builtins
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from string import ascii_lowercase, ascii_uppercase, digits
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grader.kinds.unit_tests.python_text import lineage_of

Choose = Callable[[int], int]
"""returns a number below the one that it gets"""
_SMALL, _NEAR = 1000, 3
"""a whole number below the first is exchanged for one that is so near, up or down; in others a digit is"""
_MAX_FOUND = 200
"""assertions of a method among which one is chosen"""


class InvertedText(Struct, frozen=True, kw_only=True):
    """The text of a test, or of a helper that it inherits from, in which an assertion of a method is inverted."""

    source: bytes
    line: int
    """the line of the assertion, from 1"""
    share: str = ""
    """the share of its points that the method sets there; empty where that is as it was"""
    helper: str = ""
    """the helper whose text it is; empty for the test itself"""


class Swap(NamedTuple):
    """What takes the place of a part of the text, by bytes, and what the new text needs in Java."""

    start: int
    end: int
    text: str
    imports: str = ""


# ---------------------------------------------------------------- other values


def other_value(written: str, value: object, known: Sequence[str], choose: Choose) -> str:
    """Return another value that could stand in the place of one as well; "" for a value of another kind."""
    if isinstance(value, bool):
        return {"True": "False", "False": "True", "true": "false"}.get(written, "true")
    if isinstance(value, str):
        other = other_text(value, known, choose)
        is_plain = written[1:-1] == value and other.isprintable() and not {"\\", written[0]} & {*other}
        return written[0] + other + written[0] if is_plain else repr(other)
    return other_number(written, choose) or other_number(repr(value), choose)


def other_number(written: str, choose: Choose) -> str:
    """Return another number that could stand there as well; empty where it is written in no such way."""
    if not re.fullmatch(r"-?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?", written):
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
    others = [one for one in digits[at == first :] if one != mantissa[places[at]]]
    return f"{sign}{plain[: places[at]]}{others[choose(len(others))]}{plain[places[at] + 1 :]}"


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


class TestText:
    """The text of a test, and what is chosen in it."""

    def __init__(self, source: bytes, choose: Choose) -> None:
        """Begin with a text, and with what chooses."""
        self.source, self.choose = source, choose

    def span(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        return node.start_byte, node.end_byte

    def of(self, node: Any) -> str:
        """Return the text of a node."""
        return self.source[slice(*self.span(node))].decode()

    def edit(self, node: Any, text: str, imports: str = "") -> Swap:
        """Return what puts `text` in the place of a node."""
        return Swap(*self.span(node), text, imports)

    def choose_one(self, edits: Sequence[Swap]) -> list[Swap]:
        """Return one of the edits, if there are any."""
        return [edits[self.choose(len(edits))]] if edits else []

    def with_edits(self, edits: Collection[Swap], share: str = "", place: int = 0) -> InvertedText | None:
        """Return the text with these edits, and at a place of it with what they import; None where there is none."""
        if not edits:
            return None
        imports = " ".join(dict.fromkeys(edit.imports for edit in edits if edit.imports))
        changed, begins = self.source, min(edits).start
        for edit in sorted({*edits, Swap(place, place, f"{' ' if place and imports else ''}{imports}")}, reverse=True):
            changed = changed[: edit.start] + edit.text.encode() + changed[edit.end :]
        return InvertedText(source=changed, line=self.source.count(b"\n", 0, begins) + 1, share=share)


# ---------------------------------------------------------------- Python

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ANOTHER = (
    "(lambda {x}: not {x} if type({x}) is bool else {x} + {far} + abs({x}) // {far} if type({x}) in (int, float) else"
    " {x}[:{far}] + '{far}' + {x}[{far}:] if type({x}) is str else {x} + type({x})(({far},)) if type({x}) in"
    " (list, tuple) else {{**{x}, '{far}': {x}}} if type({x}) is dict else object())({value})"
)
"""computes a value that is different, of the same kind where that is possible"""
_TWINS = [(f"assert{one}", f"assertNot{one}") for one in ("In", "IsInstance", "Regex", "AlmostEqual")]
_TWINS += [("assertTrue", "assertFalse"), ("assertIs", "assertIsNot"), ("assertIsNone", "assertIsNotNone")]
_INVERSE = dict([*_TWINS, *((second, first) for first, second in _TWINS)])
_RAISED = (
    *("ValueError", "TypeError", "KeyError", "IndexError", "ZeroDivisionError", "AttributeError", "OverflowError"),
    *("RuntimeError", "NotImplementedError", "OSError", "FileNotFoundError", "StopIteration", "NameError"),
    *("GeneratorExit", "KeyboardInterrupt", "SystemExit"),
)
"""what is asked for in the place of another exception of Python's; the last are no `Exception`"""
_RAISED_BY_NOBODY = (
    "ChildProcessError",
    "FloatingPointError",
    "TabError",
    "UnboundLocalError",
    "UnicodeTranslateError",
)
"""what classes of the course's or the student's own are not derived from"""
_EQUALS = frozenset(
    f"assert{kind}Equal" for kind in ("", "List", "Tuple", "Dict", "Set", "Sequence", "MultiLine", "Count")
)
_RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_SWALLOWS_NOTHING = frozenset(
    {"subTest", "patch", "object", "dict", "open", "redirect_stdout", "redirect_stderr", "TemporaryDirectory"}
)
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_ENDS = (ast.Return, ast.Yield, ast.YieldFrom)
_SHARES = 8
"""of which one to all but one are given in the place of a share"""


def invert_python(
    source: bytes,
    method: str,
    choose: Choose,
    *,
    by_value: bool = False,
    helpers: Mapping[str, bytes] = MappingProxyType({}),
) -> InvertedText | None:
    """Return the test with one assertion of a method inverted; None where nothing in it can be.

    With `by_value`, one in each subtest of a method that has any. What the test inherits from one of the `helpers` is
    inverted there.
    """
    function, bases = find_function(source, method)
    if function is None:
        inherited = [
            replace(found, helper=name)
            for name, content in helpers.items()
            for base in bases
            if name.endswith(".py")
            if (found := invert_python(content, f"{base}.{method.rpartition('.')[2]}", choose, by_value=by_value))
        ]
        return inherited[0] if len(inherited) == 1 else None
    if b"\r" in source or b"\f" in source or source.startswith(b"\xef\xbb\xbf"):
        return None
    test = _PythonTest(source, choose)
    share, edits = ("", []) if by_value else test.edits_of_share(function)
    certain = [*islice(test.edits(function.body), _MAX_FOUND)]
    if not edits or (certain and choose(2)):
        share, edits = "", [*test.edits_of_values(function)] if by_value else []
        edits = edits or test.choose_one(certain or test.behind(function, _ENDS))
    return test.with_edits(edits, share)


def exchanges_share(source: bytes, method: str) -> bool:
    """Whether a method sets a share of its points only where another can take its place."""
    function, _ = find_function(source, method)
    return function is not None and bool(_PythonTest(source, lambda _: 0).edits_of_share(function)[1])


@lru_cache(maxsize=8)
def _parse(source: bytes) -> ast.Module:
    """Parse a test once for all its methods; nobody changes what is returned."""
    return ast.parse(source)


@lru_cache(maxsize=8)
def _line_starts(source: bytes) -> list[int]:
    return [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]


def find_function(source: bytes, method: str) -> tuple[_Function | None, list[str]]:
    """Return the function that is run for a method, None where several could be; and its bases in no class of the file.

    A doctest does not run the function that has its name.
    """
    *owners, name = method.split(".")
    try:
        source.decode()
        bodies = [_parse(source).body]
    except (SyntaxError, ValueError):
        return None, []
    known, lineage = dict[str, ast.ClassDef](), list[ast.ClassDef]()
    for owner in owners:
        here = {node.name: node for node in bodies[0] if isinstance(node, ast.ClassDef)}
        known |= here
        lineage = [*{node.name: node for node in (lineage_of(here[owner], known) if owner in here else ())}.values()]
        bodies = [node.body for node in lineage] or [[]]
    named = [[one for one in body if isinstance(one, _Function) and one.name == name][-1:] for body in bodies]
    found = named[0] or [one for some in named[1:] for one in some]
    bases = [getattr(base, "id", getattr(base, "attr", "")) for node in lineage for base in node.bases]
    elsewhere = [base for base in dict.fromkeys(bases) if base and base not in {node.name for node in lineage}]
    is_test = name.startswith("test")
    return (found[0] if len(found) == 1 and is_test else None), elsewhere if is_test else []


class _PythonTest(TestText):
    """A test in Python, and what in it can be inverted."""

    def span(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        starts = _line_starts(self.source)
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    def behind(self, block: _Function | ast.With, unless: tuple[type[ast.AST], ...]) -> list[Swap]:
        """Return what makes a method fail at its end, or a subtest; nothing where it may not come to that."""
        if any(isinstance(node, unless) for node in ast.walk(block)):
            return []
        start, end = self.span(block.body[0])[0], self.span(block.body[-1])[1]
        indent = self.source[start - block.body[0].col_offset : start].decode()
        text = f"\n{indent}assert False" if indent.isspace() else "; assert False"
        return [Swap(end, end, text)]

    def edits_of_values(self, function: _Function) -> Iterator[Swap]:
        """Yield an edit of each subtest of a method, but for those around others: each value is one of them."""
        withs = (node for node in ast.walk(function) if isinstance(node, ast.With))
        blocks = [node for node in withs if any(_name_of(item.context_expr) == "subTest" for item in node.items)]
        for block in blocks:
            if not any(inner in blocks for inner in ast.walk(block) if inner is not block):
                found = [*islice(self._edits_of(block), _MAX_FOUND)]
                yield from self.choose_one(found or self.behind(block, _LEAVES))

    def edits_of_share(self, function: _Function) -> tuple[str, list[Swap]]:
        """Return a share, and what makes a method set it wherever it sets one, and fail at its end; none if unknown."""
        decorators: list[Any] = [one for one in function.decorator_list if _name_of(one) == "partial_credit"]
        weights = [number for one in decorators if isinstance(number := _value_of(one.args[0]), int | float)]
        uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "set_score"]
        calls = [
            node.args[0]
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and node.func in uses and len(node.args) == 1 and not node.keywords
        ]
        if len(weights) != 1 or not weights[0] > 0 or not calls or len(calls) < len(uses):
            return "", []
        share = (1 + self.choose(_SHARES - 1)) / _SHARES
        return str(share), [*(self.edit(one, repr(weights[0] * share)) for one in calls), *self.behind(function, _ENDS)]

    def edits(self, body: Sequence[ast.stmt]) -> Iterator[Swap]:
        """Yield what inverts each of the assertions that are certain to be reached."""
        for statement in body:
            yield from self._edits_of(statement)
            # What follows may not be reached.
            if any(isinstance(node, _LEAVES) for node in ast.walk(statement)):
                return

    def _edits_of(self, statement: ast.stmt) -> Iterator[Swap]:
        match statement:
            case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
                yield self._invert_equality(left, right)
            case ast.Assert(test=test):
                yield self.edit(test, f"not ({self.of(test)})")
            case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                if _name_of(call) in _RAISES:
                    yield from self._exchange_exception(call)
                elif isinstance(statement, ast.Expr):
                    yield from self._invert_call(call)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                names = [_name_of(item.context_expr) for item in items]
                raising = [item.context_expr for item in items if _name_of(item.context_expr) in _RAISES]
                if _RAISES.union(_SWALLOWS_NOTHING).issuperset(names):
                    yield from self._exchange_exception(raising[0]) if raising else self.edits(body)
            case ast.For(iter=values, body=body) if _has_values(values):
                yield from self.edits(body)

    def _invert_equality(self, left: ast.expr, right: ast.expr) -> Swap:
        """Return what exchanges the one of two values that is the expected one."""
        for side, other in ((right, left), (left, right)):
            if _value_of(other) is _UNKNOWN and (edit := self._exchange(side)):
                return edit
        # What is equal to more than one value is itself exchanged: any other value could be equal to it, too.
        names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(left)}
        side = left if names & {"approx", "ANY"} else right
        return self.edit(side, _ANOTHER.format(x="xyvae"[self.choose(5)], far=2 + self.choose(8), value=self.of(side)))

    def _invert_call(self, call: ast.Call) -> Iterator[Swap]:
        """Yield what inverts an assertion of `unittest`."""
        owner, _, name = self.of(call.func).rpartition(".")
        if not owner or not call.args or any(isinstance(one, ast.Starred) for one in call.args):
            return
        if name in _INVERSE:
            yield self.edit(call.func, f"{owner}.{_INVERSE[name]}")
        elif name in _EQUALS and len(call.args) > 1:
            yield self._invert_equality(call.args[0], call.args[1])

    def _exchange_exception(self, call: Any) -> Iterator[Swap]:
        """Yield what asks for another exception: neither is the one that is asked for, nor derived from it."""
        first = call.args[0] if call.args else None
        if first is None or isinstance(first, ast.Starred):
            return
        name = self.of(first)
        kind = getattr(builtins, name, None)
        others = [one for one in _RAISED_BY_NOBODY if one not in name]
        if isinstance(kind, type) and issubclass(kind, BaseException):
            pairs = ((one, getattr(builtins, one)) for one in _RAISED)
            others = [one for one, other in pairs if not issubclass(other, kind) and not issubclass(kind, other)]
            others = others[:-3] or others
        if others:
            yield self.edit(first, others[self.choose(len(others))])

    def _exchange(self, node: ast.expr) -> Swap | None:
        """Return what puts another value in the place of one that is written there; None where it is no such value."""
        if isinstance(node, ast.Call) and _name_of(node) == "approx" and len(node.args) == 1 and not node.keywords:
            node = node.args[0]
        value, written = _value_of(node), self.of(node)
        parts = node.elts if isinstance(node, ast.List | ast.Tuple) else getattr(node, "values", ())
        if value is not _UNKNOWN and parts:
            return self._exchange(parts[self.choose(len(parts))])
        if not isinstance(value, str | int | float):
            return None
        other = other_value(written, value, _expected_texts(self.source), self.choose)
        # Such as `1e999` and `2e999`, which are the same.
        return self.edit(node, other) if other and ast.literal_eval(other) != value else None


_UNKNOWN = object()


def _value_of(node: ast.expr) -> object:
    """Return the value that is written there; `_UNKNOWN` where it is computed."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _UNKNOWN


def _has_values(node: Any) -> bool:
    """Whether a loop over it is certain to be entered."""
    if _name_of(node) == "range":
        values: list[Any] = [_value_of(one) for one in node.args]
        return all(isinstance(one, int) for one in values) and bool(range(*values))
    parts = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    return bool(parts) and not any(isinstance(one, ast.Starred) for one in parts)


def _name_of(node: ast.expr) -> str:
    """Return the name of the function that is called; "" for what is no call."""
    function = getattr(node, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))


@lru_cache(maxsize=8)
def _expected_texts(source: bytes) -> list[str]:
    """Return the texts that a file compares something with, each once."""
    compared = list[ast.AST]()
    for node in ast.walk(_parse(source)):
        if isinstance(node, ast.Compare):
            compared += [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and _name_of(node) in _EQUALS:
            compared += node.args
    parts = (getattr(part, "value", None) for one in compared for part in ast.walk(one))
    return [*dict.fromkeys(part for part in parts if isinstance(part, str))]
