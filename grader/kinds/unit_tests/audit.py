"""A method that passed runs once more, alone, with one of its assertions inverted: no honest program passes that.

Whether that run comes before the one that counts is drawn by chance. Of methods that share a process a few are
inverted, each in a run of all of them. What ends an inverted run otherwise than with a pass leaves the result as it is; what
passes both ways is ungraded, for the staff to look at.

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
from pathlib import PurePosixPath
from string import ascii_lowercase, ascii_uppercase, digits
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import GraderError, HostError
from grader.core.model.execution import Launch
from grader.core.model.judgement import CaseResult, Verdict
from grader.core.model.spec import Case
from grader.core.run.launch import limits_of
from grader.core.seeded_random import SeededRandom
from grader.kinds.base import AskReference, Inverted
from grader.kinds.unit_tests.compiled import compile_units
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java, parse_java, uses_junit_4
from grader.kinds.unit_tests.model import UnitMethod, unit_of, unit_run_of
from grader.kinds.unit_tests.probe import methods_of, unit_files, with_new_secret
from grader.kinds.unit_tests.python_text import lineage_of
from grader.kinds.unit_tests.shipped import shipped_unit, test_of

if TYPE_CHECKING:
    from grader.core.course import Course

Choose = Callable[[int], int]
"""returns a number below the one that it gets"""
MAX_INVERTED_TOGETHER = 8
"""methods of one process that are inverted, each in a run of all"""
_SAME_SHARE = 1e-6
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


class _Edit(NamedTuple):
    """What takes the place of a part of the text, by bytes, and what the new text needs in Java."""

    start: int
    end: int
    text: str
    imports: str = ""


# ---------------------------------------------------------------- the run, and what two results come to


def invert(runs: Sequence[tuple[Case, Launch]], course: "Course") -> Sequence[Inverted | None]:
    """Return for each run of a method the one with an assertion inverted; None for those that are not inverted.

    Raises HostError where the tests cannot be compiled for want of anything.
    """
    chance = SeededRandom(runs[0][1].stdin.hex())  # has a secret, which nobody knows who is tested
    units = [shipped_unit(_method_of(case), test_of(case, course.spec), course.spec) for case, _ in runs]
    places, turns = [*range(len(runs))], [(-1, 1)[chance.below(2)] for _ in runs]
    if len(methods_of(runs[0][1])) > 1:
        places = chance.sample(places, min(len(places), MAX_INVERTED_TOGETHER))
        before = chance.below(len(places) + 1)  # the run that counts has any place among these
        turns = [places.index(at) - before if at in places else 0 for at in range(len(runs))]
        turns = [turn + (turn >= 0) for turn in turns]
    texts = {at: found for at in places if (found := _invert_text(units[at], runs[at][1].stdin))}
    copies = {at: _with_text(units[at], found) for at, found in texts.items()}
    inverted: list[Inverted | None] = [None] * len(runs)
    for at, files in zip(copies, _files_of([*copies.values()], runs[0][1], course), strict=True):
        (case, launch), found = runs[at], texts[at]
        if files is not None:
            inverted[at] = Inverted(
                case=replace(case, payload=copies[at]),
                launch=with_new_secret(replace(launch, files={**launch.files, **files}), "inverted"),
                place=f"{PurePosixPath(found.helper or units[at].file).name}:{found.line}",
                turn=turns[at],
                share=found.share,
            )
    return inverted


def _method_of(case: Case) -> UnitMethod:
    unit = unit_of(case)
    if unit is None:
        raise TypeError(f"{case.id} is no method of a unit test")
    return unit


def _invert_text(unit: UnitMethod, seed: bytes) -> InvertedText | None:
    choose = SeededRandom(seed.hex()).below
    if unit.framework == "junit":
        return invert_java(unit.source, unit.method, choose, by_value=unit.by_value)
    return invert_python(unit.source, unit.method, choose, by_value=unit.by_value, helpers=unit.helpers)


def _with_text(unit: UnitMethod, found: InvertedText) -> UnitMethod:
    """Return a method with the text of its test, or of the helper that it is inherited from, exchanged."""
    if found.helper:
        return replace(unit, helpers={**unit.helpers, found.helper: found.source})
    return replace(unit, source=found.source)


def _files_of(copies: Sequence[UnitMethod], launch: Launch, course: "Course") -> list[Mapping[str, bytes] | None]:
    """Return the files of each copy of a test as it is run; None for one that does not compile. Raises HostError."""
    folder = launch.folder
    if not copies or copies[0].framework != "junit" or folder is None:
        return [unit_files(one) for one in copies]
    limits = limits_of(course.toolchain.build_limits, {})
    limits = replace(limits, time=limits.time * len(copies), cpu=limits.cpu * len(copies))
    how: dict[str, Any] = {"folder": folder, "spec": course.spec, "probe": course.prepared["unit"]}
    how |= {"build": (limits, course.toolchain.build_env), "run": course.measure}
    made = compile_units(*copies, **how)
    if any(one.problem for one in made) and len(copies) > 1:  # one that does not compile costs no other
        made = [compile_units(one, **how)[0] for one in copies]
    return [None if one.problem else one.files for one in made]


def doubt(inverted: Inverted, first: CaseResult, again: CaseResult, ask: AskReference) -> str:
    """Return why the pass of a method is not believed; empty when it is, or when nothing is known."""
    unit = _method_of(inverted.case)
    shares = [run.share for one in (first, again) if one.whole and (run := unit_run_of(one.whole)) and run.share]
    if inverted.share and len(shares) > 1 and abs(float(shares[1]) - float(inverted.share)) > _SAME_SHARE:
        return f"has another share of its points than the test sets at {inverted.place}, where it was exchanged"
    passed = _passed_in_result(unit, first)
    doubted = passed & _passed_in_result(unit, again)
    if doubted and unit.is_counted:
        doubted = doubted if doubted == passed else frozenset()
    elif doubted and unit.by_value:
        doubted -= _passed_by_reference(unit, ask)
    if not doubted:
        return ""
    return (
        f"passed, and passes too with the assertion at {inverted.place} inverted: the submission makes up the result "
        "of its test, or compares as equal to everything"
    )


def _passed_in_result(unit: UnitMethod, result: CaseResult) -> frozenset[int]:
    """Return the values with which a method passed, by their places; the one place 0 where all is one."""
    run = unit_run_of(result.whole) if result.whole else None
    if unit.by_value and run and result.verdict in (Verdict.PASSED, Verdict.PARTIAL):
        return frozenset(run.passed)
    return frozenset({0}) if result.verdict is Verdict.PASSED else frozenset()


def _passed_by_reference(unit: UnitMethod, ask: AskReference) -> frozenset[int]:
    """Return the values with which the reference passes an inverted test, which says nothing of these.

    Raises GraderError where nobody knows them.
    """
    found = ask()
    run = None if isinstance(found, GraderError) else unit_run_of(found)
    if run is None or not run.is_recorded:
        raise HostError(f"{unit.file}: the reference does not run {unit.method} with an assertion inverted")
    return frozenset() if run.failed_outside or run.loading else frozenset(run.passed)


def inherited_methods(unit: UnitMethod, methods: Sequence[str]) -> tuple[str, str] | None:
    """Return two of the methods of one process that have the same text; None where there are none."""
    seen: dict[int, str] = {}
    for method in methods:
        place = _place_in_java(unit.source, method) if unit.framework == "junit" else _place_in_python(unit, method)
        if place is not None and seen.setdefault(place, method) != method:
            return seen[place], method
    return None


# ---------------------------------------------------------------- other values


def _other_value(written: str, value: object, known: Sequence[str], choose: Choose) -> str:
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


class _Text:
    """The text of a test, and what is chosen in it."""

    def __init__(self, source: bytes, choose: Choose) -> None:
        self.source, self.choose = source, choose

    def span(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        return node.start_byte, node.end_byte

    def of(self, node: Any) -> str:
        """Return the text of a node."""
        return self.source[slice(*self.span(node))].decode()

    def edit(self, node: Any, text: str, imports: str = "") -> _Edit:
        """Return what puts `text` in the place of a node."""
        return _Edit(*self.span(node), text, imports)

    def choose_one(self, edits: Sequence[_Edit]) -> list[_Edit]:
        """Return one of the edits, if there are any."""
        return [edits[self.choose(len(edits))]] if edits else []

    def with_edits(self, edits: Collection[_Edit], share: str = "", place: int = 0) -> InvertedText | None:
        """Return the text with these edits, and with all that they import at a place of it; None where there is none."""
        if not edits:
            return None
        imports = " ".join(dict.fromkeys(edit.imports for edit in edits if edit.imports))
        changed, begins = self.source, min(edits).start
        for edit in sorted({*edits, _Edit(place, place, f"{' ' if place and imports else ''}{imports}")}, reverse=True):
            changed = changed[: edit.start] + edit.text.encode() + changed[edit.end :]
        return InvertedText(source=changed, line=self.source.count(b"\n", 0, begins) + 1, share=share)


# ---------------------------------------------------------------- Python

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ANOTHER = (
    "(lambda {x}: not {x} if type({x}) is bool"
    " else {x} {way} {far} {way} abs({x}) // {far} if type({x}) in (int, float)"
    " else {x}[:{far}] + {letter!r} + {x}[{far}:] if type({x}) is str"
    " else {x} + type({x})(({letter!r},)) if type({x}) in (list, tuple)"
    " else {{**{x}, {letter!r}: {x}}} if type({x}) is dict else object())({value})"
)
"""computes a value that is different, of the same kind where that is possible"""
_TWINS = (
    *(("assertTrue", "assertFalse"), ("assertIs", "assertIsNot"), ("assertIsNone", "assertIsNotNone")),
    *(("assertIn", "assertNotIn"), ("assertIsInstance", "assertNotIsInstance"), ("assertRegex", "assertNotRegex")),
    ("assertAlmostEqual", "assertNotAlmostEqual"),
)
_INVERSE = dict((*_TWINS, *((second, first) for first, second in _TWINS)))
# An order of the student's own may be partial: so the same comparison is denied, and no other one asked for.
_COMPARED = {"NotEqual": "!=", "Greater": ">", "GreaterEqual": ">=", "Less": "<", "LessEqual": "<="}
_RAISED = (
    *("ValueError", "TypeError", "KeyError", "IndexError", "ZeroDivisionError", "AttributeError", "OverflowError"),
    *("RuntimeError", "NotImplementedError", "OSError", "FileNotFoundError", "StopIteration", "NameError"),
)
"""what is asked for in the place of another exception of Python's, or else of all of them"""
_RAISED_BESIDE_ALL = ("GeneratorExit", "KeyboardInterrupt", "SystemExit")
_RAISED_BY_NOBODY = (
    *("ChildProcessError", "FloatingPointError", "TabError", "UnboundLocalError", "UnicodeTranslateError"),
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
    try:
        function, bases = _find_function(_parse(source), method)
        source.decode()
    except (SyntaxError, ValueError):
        return None
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
    function, _ = _find_function(_parse(source), method)
    return function is not None and bool(_PythonTest(source, lambda _: 0).edits_of_share(function)[1])


@lru_cache(maxsize=8)
def _parse(source: bytes) -> ast.Module:
    """Parse a test once for all its methods; nobody changes what is returned."""
    return ast.parse(source)


@lru_cache(maxsize=8)
def _line_starts(source: bytes) -> list[int]:
    return [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]


def _place_in_python(unit: UnitMethod, method: str) -> int | None:
    try:
        function, _ = _find_function(_parse(unit.source), method)
    except (SyntaxError, ValueError):
        return None
    return function and function.lineno


def _find_function(tree: ast.Module, method: str) -> tuple[_Function | None, list[str]]:
    """Return the function that is run for a method, None where several could be; and its bases in no class of the file.

    Such as a doctest does not run the function that has its name.
    """
    *owners, name = method.split(".")
    known, lineage, bodies = dict[str, ast.ClassDef](), list[ast.ClassDef](), [tree.body]
    for owner in owners:
        here = {node.name: node for node in bodies[0] if isinstance(node, ast.ClassDef)}
        known |= here
        found = lineage_of(here[owner], known) if owner in here else ()
        lineage = [*{node.name: node for node in found}.values()]
        bodies = [node.body for node in lineage] or [[]]
    named = [[one for one in body if isinstance(one, _Function) and one.name == name][-1:] for body in bodies]
    inherited = [one for some in named[1:] for one in some]
    bases = [getattr(base, "id", getattr(base, "attr", "")) for node in lineage for base in node.bases]
    elsewhere = [base for base in dict.fromkeys(bases) if base and base not in {node.name for node in lineage}]
    if not name.startswith("test"):
        return None, []
    return (named[0] or (inherited if len(inherited) == 1 else [None]))[0], elsewhere


class _PythonTest(_Text):
    """A test in Python, and what in it can be inverted."""

    def span(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        starts = _line_starts(self.source)
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    def behind(self, block: _Function | ast.With, unless: tuple[type[ast.AST], ...]) -> list[_Edit]:
        """Return what makes a method fail at its end, or a subtest; nothing where it may not come to that."""
        if any(isinstance(node, unless) for node in ast.walk(block)):
            return []
        start, end = self.span(block.body[0])[0], self.span(block.body[-1])[1]
        indent = self.source[start - block.body[0].col_offset : start].decode()
        text = f"\n{indent}assert False" if indent.isspace() else "; assert False"
        return [_Edit(end, end, text)]

    def edits_of_values(self, function: _Function) -> Iterator[_Edit]:
        """Yield an edit of each subtest of a method, but for those around others: each value is one of them."""
        withs = (node for node in ast.walk(function) if isinstance(node, ast.With))
        blocks = [node for node in withs if any(_name_of(item.context_expr) == "subTest" for item in node.items)]
        for block in blocks:
            if not any(inner in blocks for inner in ast.walk(block) if inner is not block):
                found = [*islice(self._edits_of(block), _MAX_FOUND)]
                yield from self.choose_one(found or self.behind(block, _LEAVES))

    def edits_of_share(self, function: _Function) -> tuple[str, list[_Edit]]:
        """Return a share, and what makes a method set it wherever it sets one, and fail at its end; none if unknown."""
        given = [one.args for one in function.decorator_list if _name_of(one) == "partial_credit" and one.args]
        weights = [
            one.value for (one, *_) in given if isinstance(one, ast.Constant) and type(one.value) in (int, float)
        ]
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

    def edits(self, body: Sequence[ast.stmt]) -> Iterator[_Edit]:
        """Yield what inverts each of the assertions that are certain to be reached."""
        for statement in body:
            yield from self._edits_of(statement)
            # What follows may not be reached.
            if any(isinstance(node, _LEAVES) for node in ast.walk(statement)):
                return

    def _edits_of(self, statement: ast.stmt) -> Iterator[_Edit]:
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

    def _invert_equality(self, left: ast.expr, right: ast.expr) -> _Edit:
        """Return what exchanges the one of two values that is the expected one."""
        for side, other in ((right, left), (left, right)):
            if _value_of(other) is _UNKNOWN and (edit := self._exchange(side)):
                return edit
        # What is equal to more than one value is itself exchanged: any other value could be equal to it, too.
        names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(left)}
        side = left if names & {"approx", "ANY"} else right
        x, way, letter = "xyvae"[self.choose(5)], "+-"[self.choose(2)], ascii_lowercase[self.choose(26)]
        far = 2 + self.choose(8)
        return self.edit(side, _ANOTHER.format(x=x, way=way, letter=letter, far=far, value=self.of(side)))

    def _invert_call(self, call: ast.Call) -> Iterator[_Edit]:
        """Yield what inverts an assertion of `unittest`."""
        owner, _, name = self.of(call.func).rpartition(".")
        if not owner or not call.args or any(isinstance(one, ast.Starred) for one in call.args):
            return
        if name in _INVERSE:
            yield self.edit(call.func, f"{owner}.{_INVERSE[name]}")
        elif name in _EQUALS and len(call.args) > 1:
            yield self._invert_equality(call.args[0], call.args[1])
        elif (sign := _COMPARED.get(name.removeprefix("assert"))) and len(call.args) > 1:
            first, second = map(self.of, call.args[:2])
            yield self.edit(call, f"{owner}.assertFalse(({first}) {sign} ({second}))")

    def _exchange_exception(self, call: Any) -> Iterator[_Edit]:
        """Yield what asks for another exception: neither is the one that is asked for, nor derived from it."""
        first = call.args[0] if call.args else None
        if first is None or isinstance(first, ast.Starred):
            return
        name = self.of(first)
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            every = [(one, getattr(builtins, one)) for one in (*_RAISED, *_RAISED_BESIDE_ALL)]
            others = [one for one, other in every if not issubclass(other, kind) and not issubclass(kind, other)]
            others = [one for one in others if one in _RAISED] or others
        else:
            others = [one for one in _RAISED_BY_NOBODY if one not in name]
        yield from (self.edit(first, one) for one in others[self.choose(len(others)) :][:1]) if others else ()

    def _exchange(self, node: ast.expr) -> _Edit | None:
        """Return what puts another value in the place of one that is written there; None where it is no such value."""
        if isinstance(node, ast.Call) and _name_of(node) == "approx" and len(node.args) == 1 and not node.keywords:
            node = node.args[0]
        value, written = _value_of(node), self.of(node)
        parts = node.elts if isinstance(node, ast.List | ast.Tuple) else getattr(node, "values", ())
        if value is not _UNKNOWN and parts:
            return self._exchange(parts[self.choose(len(parts))])
        if not isinstance(value, str | int | float):
            return None
        other = _other_value(written, value, _expected_texts(self.source), self.choose)
        # Such as `1e999` and `2e999`, which are the same.
        return self.edit(node, other) if other and ast.literal_eval(other) != value else None


_UNKNOWN = object()


def _value_of(node: ast.expr) -> object:
    """Return the value that is written there; `_UNKNOWN` where it is computed."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _UNKNOWN


def _has_values(node: ast.expr) -> bool:
    """Whether a loop over it is certain to be entered."""
    if _name_of(node) == "range":
        values = [_value_of(one) for one in getattr(node, "args", ())]
        return all(isinstance(one, int) for one in values) and bool(range(*values))
    is_sequence = isinstance(node, ast.List | ast.Tuple | ast.Set)
    return is_sequence and bool(node.elts) and not any(isinstance(one, ast.Starred) for one in node.elts)


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


# ---------------------------------------------------------------- Java

_ASSERTIONS, _ASSERTIONS_4 = "org.junit.jupiter.api.Assertions", "org.junit.Assert"
_PAIRS = [("assert" + one, "assertNot" + one) for one in ("Equals", "Null", "Same")] + [("assertTrue", "assertFalse")]
_OPPOSITES = dict([*_PAIRS, *((second, first) for first, second in _PAIRS)])
_THROWN_BY_NOBODY = (
    *("java.lang.EnumConstantNotPresentException", "java.lang.annotation.AnnotationTypeMismatchException"),
    *("java.lang.IllegalCallerException", "java.lang.annotation.IncompleteAnnotationException"),
    *("java.lang.LayerInstantiationException", "java.lang.reflect.MalformedParametersException"),
)
"""what no class is derived from, and no program throws"""
_JUPITER = re.compile(rb"\bjupiter\s*\.\s*api\s*\.\s*Assertions\b")
_OLD = re.compile(rb"\borg\s*\.\s*junit\s*\.\s*(?:Assert\b|\*)|\bjunit\s*\.\s*framework\b")
_JAVA_LEAVES = {f"{word}_statement" for word in ("return", "throw", "break", "continue", "yield")}
_NO_END = {f"{word}_statement" for word in ("return", "throw", "while", "for", "enhanced_for", "do", "yield")}
_JAVA_NUMBER = re.compile(r"(-?(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?)([lLdDfF]?)")
_JAVA_TEXT = re.compile(r'"([^"\\\n]*)"')


def invert_java(
    source: bytes,
    method: str,
    choose: Choose,
    *,
    by_value: bool = False,
) -> InvertedText | None:
    """Return the test with one assertion of a method inverted; None where nothing in it can be.

    Of several methods that share a name one is inverted; with `by_value` all, whose values are told apart.
    """
    try:
        text = source.decode()
    except ValueError:
        return None
    code = masked_java(text)
    is_jupiter = bool(_JUPITER.search(code.encode()))  # also where JUnit 4 runs the methods: messages come last there
    if is_jupiter and _OLD.search(code.encode()):
        return None
    test = _JavaTest(source, choose, is_old=uses_junit_4(code) and not is_jupiter)
    methods = [one for one in find_java_methods(text) if one.name == method and not one.idle and one.place >= 0]
    found = [[*test.edits(len(text[: one.start].encode()), len(text[: one.end].encode()))] for one in methods]
    chosen = [edit for edits in found for edit in test.choose_one(edits)]
    package = re.search(r"(?m)^\s*package\s+[\w.]+\s*;", code)
    place = len(text[: package.end()].encode()) if package else 0
    return test.with_edits(chosen if by_value else test.choose_one(chosen), place=place)


def _place_in_java(source: bytes, method: str) -> int | None:
    return next(
        (one.place for one in find_java_methods(source.decode()) if one.name == method and one.place >= 0), None
    )


class _JavaTest(_Text):
    """A test in Java, and what in it can be inverted."""

    def __init__(self, source: bytes, choose: Choose, *, is_old: bool) -> None:
        super().__init__(source, choose)
        self.is_old, self.root = is_old, parse_java(source)
        calls = [one for one in _walk(self.root) if self.name_of(one).startswith("assert")]
        self.known = [*dict.fromkeys(one for call in calls for one in _JAVA_TEXT.findall(self.of(call)))]

    def name_of(self, node: Any) -> str:
        """Return the name of the method that is called; "" for what is no call."""
        return self.of(node.child_by_field_name("name")) if node and node.type == "method_invocation" else ""

    def calls(self, name: str) -> str:
        """Return what imports an assertion of JUnit's."""
        return f"import static {_ASSERTIONS_4 if self.is_old else _ASSERTIONS}.{name};"

    def edits(self, start: int, end: int) -> Iterator[_Edit]:
        """Yield what inverts each assertion of a method that is certain to be reached, or what fails at its end."""
        node = self.root.descendant_for_byte_range(start, end)
        body, found = node.child_by_field_name("body"), list[_Edit]()
        for one in _walk(node):
            if one.type == "element_value_pair" and self.of(one).startswith("expected"):
                yield self._exchange_class(one.child_by_field_name("value"))
                return
        if body is None or node.has_error or b"ExpectedException" in self.source:  # a rule may end it with a pass
            return
        for statement in body.named_children:
            if statement.type == "expression_statement":
                found += self._invert(statement.named_children[0])
            if any(one.type in _JAVA_LEAVES for one in _walk(statement)):
                break
        yield from found
        if not found and not any(one.type in _NO_END for one in _walk(body)):
            yield _Edit(body.end_byte - 1, body.end_byte - 1, " fail(); ", self.calls("fail"))

    def _invert(self, call: Any) -> Iterator[_Edit]:
        """Yield what inverts an assertion, where that is known."""
        name, owner = self.name_of(call), call.child_by_field_name("object")
        if not name or (owner and self.of(owner).split(".")[-1] not in ("Assertions", "Assert", "TestCase")):
            return
        arguments = [one for one in call.child_by_field_name("arguments").named_children if "comment" not in one.type]
        if name == "assertThrows":
            yield from [self._exchange_class(one) for one in arguments if one.type == "class_literal"][:1]
        edit = self._invert_equality(self._compared(arguments)) if name == "assertEquals" else None
        if edit:
            yield edit
        elif name in _OPPOSITES:
            opposite = _Edit(call.start_byte, call.child_by_field_name("name").end_byte, _OPPOSITES[name])
            yield opposite._replace(imports=self.calls(_OPPOSITES[name]))

    def _exchange_class(self, node: Any) -> _Edit:
        """Return what puts an exception that nobody throws in the place of another."""
        short = self.of(node).removesuffix("class").rstrip(". ").rpartition(".")[2]
        others = [one for one in _THROWN_BY_NOBODY if one.rpartition(".")[2] != short]
        other = others[self.choose(len(others))]
        return self.edit(node, f"{other.rpartition('.')[2]}.class", f"import {other};")

    def _compared(self, arguments: list[Any]) -> list[Any]:
        """Return which arguments are compared; none where there is a tolerance, or the types would decide.

        The message is the first of the arguments in JUnit 4, and else the last.
        """
        if self.is_old and len(arguments) > 2:  # noqa: PLR2004
            has_message = len(arguments) == 3 and arguments[0].type == "string_literal"  # noqa: PLR2004
            return arguments[1:] if has_message else []
        return arguments if len(arguments) == 2 or arguments[2].type == "string_literal" else []  # noqa: PLR2004

    def _invert_equality(self, compared: list[Any]) -> _Edit | None:
        """Return what exchanges a value that is written there, or else compares with something else."""
        for node in compared[:2]:
            written = self.of(node)
            text, number = _JAVA_TEXT.fullmatch(written), _JAVA_NUMBER.fullmatch(written)
            if text or number or written in ("true", "false"):
                plain, suffix = number.groups() if number else (written, "")
                value = text[1] if text else 0 if number else written == "true"
                return self.edit(node, _other_value(plain, value, self.known, self.choose) + suffix)
        # An object that is equal to everything is so to this one, too.
        return self.edit(compared[1], "new Object()", "import java.lang.Object;") if compared else None


def _walk(node: Any) -> Iterator[Any]:
    """Yield a node and all below it."""
    yield node
    for one in node.children:
        yield from _walk(one)
