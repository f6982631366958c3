"""A method that passed runs once more, alone, with one of its assertions inverted: a pass both ways is ungraded.

Only an assertion that is certainly reached is inverted, and nothing else in the text changes. A literal becomes another
that could stand there as well: a program can tell the copy from the test only by solving the task. A method without
such an assertion fails at its end; a method that sets its own share may set another one.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import accumulate, combinations
from pathlib import PurePosixPath
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from grader.core.errors import GraderError, HostError
from grader.core.kind import AskReference
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Launch
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case
from grader.core.pipeline import Inverted
from grader.core.seeded_random import SeededRandom
from grader.kinds.harness.host import with_new_secret
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java, parse_java, uses_junit_4
from grader.kinds.unit_tests.model import UnitMethod, method_of, unit_run_of
from grader.kinds.unit_tests.probe import compile_units, methods_of
from grader.kinds.unit_tests.python_text import functions_of_methods
from grader.kinds.unit_tests.shipped import shipped_unit, test_of

if TYPE_CHECKING:
    from grader.core.course import Attempt

MAX_INVERTED_TOGETHER = 8  # methods of one process that are inverted, each in a run of all
_SAME_SHARE = 1e-6
Swap = tuple[int, int, str]  # start and end in the text, in bytes, and the text that takes that place
Choose = Callable[[int], int]  # returns a number below the one that it gets
_SMALL, _NEAR, _FAR = 1000, 3, 9  # a number below the first gets a neighbour so near; of others two digits change
_NUMBER = lazy_regex(r"(-?)([0-9][0-9_]*)(?:(\.)([0-9]*))?([eE][+-]?[0-9]+)?")
_OPENED = lazy_regex(rb"\(\s*")


def invert(runs: Sequence[tuple[Case, Launch]], course: "Attempt") -> Sequence[Inverted | None]:
    """Return for each run of a method the one with an assertion inverted; None where nothing is. Raises HostError."""
    case, launch = runs[0]
    random = SeededRandom(launch.stdin.hex())  # the request has a secret that no submission knows
    turns = {at: (-1, 1)[random.below(2)] for at in range(len(runs))}
    if len(methods_of(launch)) > 1:
        chosen = random.sample([*turns], min(len(turns), MAX_INVERTED_TOGETHER))
        before = random.below(len(chosen) + 1)  # the run that counts has any place among these
        turns = {at: turn - before + (turn >= before) for turn, at in enumerate(chosen)}
    source = shipped_unit(method_of(case), test_of(case, course.spec), course.spec).source
    copies = dict[int, tuple[UnitMethod, InvertedText]]()
    for at in turns:
        unit, choose = method_of(runs[at][0]), SeededRandom(runs[at][1].stdin.hex()).below
        invert_text: Any = invert_java if unit.framework == "junit" else partial(invert_python, by_value=unit.by_value)
        if text := invert_text(source, unit.method, choose):
            copies[at] = replace(unit, source=text.source), text
    units, inverted = [unit for unit, _ in copies.values()], list[Inverted | None]([None] * len(runs))
    ready = compile_units(*units, folder=launch.folder, course=course, run=partial(course.run, "inverted tests"))
    for (at, (unit, text)), compiled in zip(copies.items(), ready, strict=True):
        case, launch = runs[at]
        if compiled.files:
            inverted[at] = Inverted(
                case=replace(case, payload=unit),
                launch=with_new_secret(replace(launch, files={**launch.files, **compiled.files}), "inverted"),
                place=f"{PurePosixPath(unit.file).name}:{text.line}",
                turn=turns[at],
                share=text.share,
                doubt=doubt,
                is_shared=unit.together,
            )
    return inverted


def doubt(inverted: Inverted, first: CaseResult, again: CaseResult, ask: AskReference) -> str:
    """Return why the pass of a method is not believed; empty when it is, or when nothing is known."""
    unit = method_of(inverted.case)
    shares = [run.share for whole in (first.whole, again.whole) if whole and (run := unit_run_of(whole)) and run.share]
    if inverted.share and len(shares) > 1 and abs(float(shares[1]) - float(inverted.share)) > _SAME_SHARE:
        return f"has another share of its points than the test sets at {inverted.place}, where it was exchanged"
    passed = _passed_in_result(unit, first)
    doubted = passed & _passed_in_result(unit, again)
    if unit.is_counted and doubted != passed:
        return ""
    if unit.by_value and not unit.is_counted and doubted:  # what the reference passes, too, proves nothing
        answer = ask()
        run = None if isinstance(answer, GraderError) else unit_run_of(answer)
        if run is None or not run.is_recorded:
            raise HostError(f"{unit.file}: the reference does not run {unit.method} with an assertion inverted")
        doubted -= frozenset() if run.failed_outside or run.loading else {*run.passed}
    why = f"passed, and passes too with the assertion at {inverted.place} inverted: the submission makes up the result "
    return f"{why}of its test, or compares as equal to everything" if doubted else ""


def _passed_in_result(unit: UnitMethod, result: CaseResult) -> frozenset[int]:
    """Return the places of the values with which a method passed; 0 for a method without values."""
    run = unit_run_of(result.whole) if result.whole else None
    if unit.by_value and run and result.verdict in (Verdict.PASSED, Verdict.PARTIAL):
        return frozenset(run.passed)
    return frozenset({0}) if result.verdict is Verdict.PASSED else frozenset()


def inherited_methods(unit: UnitMethod, methods: Sequence[str]) -> tuple[str, str] | None:
    """Return two of the methods of one process that have the same text; None where there are none."""
    if unit.framework == "junit":
        places = {method.name: method.place for method in find_java_methods(unit.source.decode()) if method.place >= 0}
    else:
        places = {name: function.lineno for name, function in functions_of_methods(unit.source).items()}
    pairs = combinations((name for name in methods if name in places), 2)
    return next((pair for pair in pairs if places[pair[0]] == places[pair[1]]), None)


class InvertedText(NamedTuple):
    """The text of a test in which an assertion of a method is inverted."""

    source: bytes
    line: int  # the line of the assertion, from 1
    share: str = ""  # the share of its points that the method sets there; empty where it sets the old one


def with_swaps(source: bytes, swaps: Sequence[Swap], share: str = "") -> InvertedText | None:
    """Return the text with these parts exchanged; None where there are none."""
    changed = source
    for start, end, text in sorted(swaps, reverse=True):
        changed = changed[:start] + text.encode() + changed[end:]
    return InvertedText(changed, source.count(b"\n", 0, min(swaps)[0]) + 1, share) if swaps else None


def other_value(written: str, value: object, known: Sequence[str], choose: Choose) -> str:
    """Return another value that could stand in the place of one as well; "" for a value of another kind."""
    if isinstance(value, bool):
        return {"True": "False", "False": "True", "true": "false", "false": "true"}[written]
    if isinstance(value, str):
        replacement = other_text(value, known, choose)
        is_plain = written[1:-1] == value and replacement.isprintable() and not {"\\", written[0]} & {*replacement}
        return written[0] + replacement + written[0] if is_plain else repr(replacement)
    return other_number(written, choose) or other_number(repr(value), choose)


def other_number(written: str, choose: Choose) -> str:
    """Return another number that could stand there as well; empty for one that is not written as a number."""
    match = _NUMBER.fullmatch(written)
    if not match:
        return ""
    sign, whole, point, part, exponent = (text or "" for text in match.groups())
    number = int(whole + part)
    # Next to a small number another is as likely as the right one; a large one has to be further off.
    unit, most = (1, _NEAR) if number < _SMALL else (10 ** (len(str(number)) - 2), _FAR)
    step = unit * (1 + choose(most))
    is_up = number - step < (1 if sign or exponent else 0) or choose(2)
    figures = f"{number + step if is_up else number - step:{'_' if '_' in whole else ''}}".zfill(len(part) + 1)
    return f"{sign}{figures[: len(figures) - len(part)]}{point}{figures[len(figures) - len(part) :]}{exponent}"


def other_text(value: str, known: Sequence[str], choose: Choose) -> str:
    """Return another text that could stand there as well: one of those `known`, or with another character."""
    # Not what is equal to one who looks at neither case nor order nor signs.
    letters, *known_letters = (sorted(filter(str.isalnum, text.casefold())) for text in (value, *known))
    others = [text for text, own in zip(known, known_letters, strict=True) if own != letters]
    if others and choose(2):
        return others[choose(len(others))]
    if not value:
        return "".join(ascii_lowercase[choose(26)] for _ in range(1 + choose(_NEAR)))
    places = [place for place, character in enumerate(value) if character.isalnum()] or [*range(len(value))]
    at = places[choose(len(places))]
    alike = next((kind for kind in (digits, ascii_uppercase) if value[at] in kind), ascii_lowercase)
    characters = [character for character in alike if character != value[at]]
    return f"{value[:at]}{characters[choose(len(characters))]}{value[at + 1 :]}"


_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ANOTHER = (  # computes another value, of the same kind if possible
    "(lambda {x}: not {x} if type({x}) is bool else {x} + {far} + abs({x}) // {far} if type({x}) in (int, float) else"
    " {x}[:{far}] + '{far}' + {x}[{far}:] if type({x}) is str else {x} + type({x})(({far},)) if type({x}) in"
    " (list, tuple) else {{**{x}, '{far}': {x}}} if type({x}) is dict else object())({value})"
)
_EQUAL = lazy_regex(r"assert(List|Tuple|Dict|Set|Sequence|MultiLine|Count)?Equal")
_RAISES = lazy_regex(r"raises|assertRaises(Regex)?")
_SWALLOWS_NOTHING = lazy_regex(r"subTest|patch|object|dict|open|redirect_std(out|err)|TemporaryDirectory")
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_ENDS = (ast.Return, ast.Yield, ast.YieldFrom)
_SHARES = 8  # a share is replaced by 1 to 7 of so many parts


def invert_python(source: bytes, method: str, choose: Choose, *, by_value: bool = False) -> InvertedText | None:
    """Return the test with an assertion of a method inverted, `by_value` one a subtest; None where none can be."""
    function = None
    with suppress(SyntaxError, ValueError):
        function = functions_of_methods(source).get(method) if source.decode() else None
    if function is None or b"\r" in source or b"\f" in source or source.startswith(b"\xef\xbb\xbf"):
        return None
    test = _PythonTest(source, choose)
    if by_value and (blocks := _subtests_in(function)):
        return with_swaps(source, test.swaps_of_values(blocks) or test.swaps_at_end(function, _ENDS))
    certain, (share, swaps) = [*test.swaps(function.body)], ("", []) if by_value else test.swaps_of_share(function)
    if swaps and not (certain and choose(2)):
        return with_swaps(source, swaps, share)
    return with_swaps(source, [certain[choose(len(certain))]] if certain else test.swaps_at_end(function, _ENDS))


def exchanges_share(source: bytes, method: str) -> bool:
    """Whether a method sets a share of its points only where another can take its place."""
    function = functions_of_methods(source).get(method)
    return function is not None and bool(_PythonTest(source, lambda _: 0).swaps_of_share(function)[1])


class _PythonTest:
    """A test in Python, and what in it can be inverted."""

    def __init__(self, source: bytes, choose: Choose) -> None:
        self.source, self.choose = source, choose
        self.starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def swap(self, node: Any, text: str) -> Swap:
        """Return what puts `text` in the place of a node."""
        start, end = self.starts[node.lineno - 1], self.starts[node.end_lineno - 1]
        return start + node.col_offset, end + node.end_col_offset, text

    def text(self, node: Any) -> str:
        """Return the text of a node."""
        return self.source[slice(*self.swap(node, "")[:2])].decode()

    def swaps_at_end(self, block: _Function | ast.With, unless: tuple[type[ast.AST], ...]) -> list[Swap]:
        """Return the swap that makes a method or subtest fail at its end; nothing where it may leave before."""
        start, end = self.swap(block.body[0], "")[0], self.swap(block.body[-1], "")[1]
        indent = self.source[start - block.body[0].col_offset : start].decode()
        swap = (end, end, f"\n{indent}assert False" if indent.isspace() else "; assert False")
        return [] if any(isinstance(node, unless) for node in ast.walk(block)) else [swap]

    def swaps_of_values(self, blocks: Sequence[ast.With]) -> list[Swap]:
        """Return the swaps that invert each subtest; nothing where one of them may leave before."""
        choices = [[*self._swaps_in(block)] or self.swaps_at_end(block, _LEAVES) for block in blocks]
        return [swaps[self.choose(len(swaps))] for swaps in choices] if all(choices) else []

    def swaps_of_share(self, function: _Function) -> tuple[str, list[Swap]]:
        """Return another share, and the swaps by which a method sets it and then fails; none if no share is known."""
        decorators: list[Any] = [call for call in function.decorator_list if _name_of(call) == "partial_credit"]
        weights = [number for call in decorators if isinstance(number := _value_of(call.args[0]), int | float)]
        nodes: list[Any] = [*ast.walk(function)] if weights else []
        uses = [node for node in nodes if getattr(node, "id", "") == "set_score"]
        calls = [node for node in nodes if getattr(node, "func", None) in uses and not node.keywords]
        given = [node.args[0] for node in calls if len(node.args) == 1]
        if len(weights) != 1 or not weights[0] > 0 or not given or len(given) < len(uses):
            return "", []
        share = (1 + self.choose(_SHARES - 1)) / _SHARES
        exchanged = [self.swap(node, repr(weights[0] * share)) for node in given]
        return str(share), exchanged + self.swaps_at_end(function, _ENDS)

    def swaps(self, body: Sequence[ast.stmt]) -> Iterator[Swap]:
        """Yield what inverts each of the assertions that are certain to be reached."""
        for statement in body:
            yield from self._swaps_in(statement)
            # The statements after it may not be reached.
            if any(isinstance(node, _LEAVES) for node in ast.walk(statement)):
                return

    def _swaps_in(self, statement: ast.stmt) -> Iterator[Swap]:
        match statement:
            case ast.Assert(ast.Compare(left, [ast.Eq()], [right])):
                yield self._invert_equality(left, right)
            case ast.Assert(test):
                yield self.swap(test, f"not ({self.text(test)})")
            case ast.Expr(ast.Call(ast.Attribute(owner, name), [_, *_] as arguments) as check):
                if _EQUAL.fullmatch(name) and arguments[1:] and ast.Starred not in map(type, arguments[:2]):
                    yield self._invert_equality(*arguments[:2])
                elif name.startswith("assert") and self.text(owner) == "self":
                    text = f"self.assertRaises(AssertionError, {self.text(check.func)}, "
                    # Parentheses around the first argument are no part of it.
                    end = next(_OPENED.finditer(self.source, self.swap(check.func, "")[1])).end()
                    yield self.swap(check, "")[0], end, text
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                calls: list[Any] = [item.context_expr for item in items]
                raising = [self.text(call.func) for call in calls if _RAISES.fullmatch(_name_of(call))]
                start = self.swap(calls[0], "")[0]
                if raising:
                    yield start, start, f"{raising[0].removesuffix('Regex')}(AssertionError), "
                elif all(_SWALLOWS_NOTHING.fullmatch(_name_of(call)) for call in calls):
                    yield from self.swaps(body)
            case ast.For(iter=values, body=body) if _is_entered(values):
                yield from self.swaps(body)

    def _invert_equality(self, left: ast.expr, right: ast.expr) -> Swap:
        """Return what exchanges the one of two values that is the expected one."""
        for side, opposite in ((right, left), (left, right)):
            if _value_of(opposite) is _UNKNOWN and (swap := self._exchange(side)):
                return swap
        # What is equal to more than one value is itself exchanged: any other value could be equal to it, too.
        names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(left)}
        side = left if names & {"approx", "ANY"} else right
        changed = _ANOTHER.format(x="xyvae"[self.choose(5)], far=2 + self.choose(8), value=self.text(side))
        return self.swap(side, changed)

    def _exchange(self, node: ast.expr) -> Swap | None:
        """Return the swap of a literal for another value; None where the node is no literal."""
        if isinstance(node, ast.Call) and _name_of(node) == "approx" and len(node.args) == 1 and not node.keywords:
            node = node.args[0]
        value, written = _value_of(node), self.text(node)
        parts = node.elts if isinstance(node, ast.List | ast.Tuple) else getattr(node, "values", ())
        if value is not _UNKNOWN and parts:
            return self._exchange(parts[self.choose(len(parts))])
        if not isinstance(value, str | int | float):
            return None
        replacement = other_value(written, value, _expected_texts(self.source), self.choose)
        # Such as `1e999` and `2e999`, which are the same.
        return self.swap(node, replacement) if replacement and ast.literal_eval(replacement) != value else None


_UNKNOWN = object()


def _value_of(node: ast.expr) -> object:
    """Return the value that is written there; `_UNKNOWN` where it is computed."""
    with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ast.literal_eval(node)
    return _UNKNOWN


def _is_entered(values: Any) -> bool:
    """Whether a loop over values is certain to be entered."""
    if _name_of(values) == "range":
        numbers: list[Any] = [_value_of(argument) for argument in values.args]
        return all(isinstance(number, int) for number in numbers) and bool(range(*numbers))
    return any(not isinstance(element, ast.Starred) for element in getattr(values, "elts", ()))


def _subtests_in(function: _Function) -> list[ast.With]:
    """Return the innermost subtests of a method: each is one of its values."""
    withs = (node for node in ast.walk(function) if isinstance(node, ast.With))
    blocks = [node for node in withs if any(_name_of(item.context_expr) == "subTest" for item in node.items)]
    return [block for block in blocks if not any(inner in blocks for inner in ast.walk(block) if inner is not block)]


def _name_of(node: ast.AST) -> str:
    """Return the name of the called function; "" for a node that is no call."""
    function = getattr(node, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))


@lru_cache(maxsize=8)
def _expected_texts(source: bytes) -> list[str]:
    """Return the texts that a file compares something with, each once."""
    nodes: Any = ast.walk(ast.parse(source))
    sides = (one.args if _EQUAL.fullmatch(_name_of(one)) else [one] * isinstance(one, ast.Compare) for one in nodes)
    parts = (getattr(part, "value", None) for side in sides for node in side for part in ast.walk(node))
    return [*dict.fromkeys(part for part in parts if isinstance(part, str))]


_ASSERTIONS_5 = lazy_regex(r"\bjupiter\s*\.\s*api\s*\.\s*Assertions\b")
_ASSERTIONS_4 = lazy_regex(r"\borg\s*\.\s*junit\s*\.\s*(?:Assert\b|\*)|\bjunit\s*\.\s*framework\b")
_EQUALITY = lazy_regex(rb"(?:(?:[\w.]*\.)?(?:Assertions|Assert|TestCase)\.)?assertEquals\s*\(")
_JAVA_LEAVES = {f"{word}_statement" for word in ("return", "throw", "break", "continue", "yield")}
_LITERAL = lazy_regex(r'"([^"\\\n]*)"|(-?(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?)([lLdDfF]?)|true|false')


def invert_java(source: bytes, method: str, choose: Choose) -> InvertedText | None:
    """Return the test with an assertion of each method of that name inverted; None where nothing in it can be."""
    text = source.decode(errors="replace")
    code = masked_java(text)
    is_jupiter = bool(_ASSERTIONS_5.search(code))  # also where JUnit 4 runs the methods: messages come last there
    if is_jupiter and _ASSERTIONS_4.search(code):
        return None
    test, swaps = _JavaTest(source, choose, is_old=uses_junit_4(text) and not is_jupiter), list[Swap]()
    for candidate in find_java_methods(text):
        if candidate.name == method and not candidate.idle and candidate.place >= 0:
            swaps += test.swaps(len(text[: candidate.start].encode()), len(text[: candidate.end].encode()))
    return with_swaps(source, swaps)


class _JavaTest:
    """A test in Java, and its swaps; a swap uses no name, since a student's class could hide that."""

    def __init__(self, source: bytes, choose: Choose, *, is_old: bool) -> None:
        self.source, self.choose, self.is_old, self.root = source, choose, is_old, parse_java(source)
        calls = filter(self.is_equality, _walk(self.root))
        self.known = [*dict.fromkeys(text for call in calls for text, *_ in _LITERAL.findall(self.text(call)) if text)]

    def text(self, node: Any) -> str:
        """Return the text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def is_equality(self, node: Any) -> bool:
        """Whether a node is a call of `assertEquals`, of one of JUnit's classes."""
        return node.type == "method_invocation" and bool(_EQUALITY.match(self.source, node.start_byte))

    def swaps(self, start: int, end: int) -> list[Swap]:
        """Return what inverts an equality of a method that is certain to be reached, or what fails behind, if any."""
        method = self.root.descendant_for_byte_range(start, end)
        body, swaps, place = method.child_by_field_name("body"), list[Swap](), 0
        if body is None or method.has_error or b"ExpectedException" in self.source:
            return []
        for node in _walk(method):
            if node.type == "element_value_pair" and self.text(node.child_by_field_name("key")) == "expected":
                annotation = self.text(node.parent.parent.child_by_field_name("name"))
                return [(node.start_byte, node.end_byte, f"expected = {annotation}.None.class")]  # as without it
        for statement in (child for child in body.named_children if "comment" not in child.type):
            if any(node.type in _JAVA_LEAVES for node in _walk(statement)):
                break
            place = statement.end_byte
            for call in statement.named_children if statement.type == "expression_statement" else ():
                swaps += self._invert(call) if self.is_equality(call) else []
        behind = [(place, place, " if (true) { throw null; }")] if place else []
        return [swaps[self.choose(len(swaps))]] if swaps else behind

    def _invert(self, call: Any) -> list[Swap]:
        """Return what exchanges a value that is written in an equality, or else compares with something else."""
        compared = [node for node in call.child_by_field_name("arguments").named_children if "comment" not in node.type]
        if len(compared) > 2 and compared[0 if self.is_old else -1].type == "string_literal":  # noqa: PLR2004
            compared.pop(0 if self.is_old else -1)  # the message
        if len(compared) != 2:  # noqa: PLR2004 - it has a tolerance, or a message that is computed
            return []
        for node in compared:
            if written := _LITERAL.fullmatch(self.text(node)):
                text, number, suffix = written.groups()
                value = True if text is number else text if number is None else 0
                replacement = other_value(number or written[0], value, self.known, self.choose) + (suffix or "")
                return [(node.start_byte, node.end_byte, replacement)]
        # An object that is equal to everything is so to this one, too.
        side = compared["literal" not in compared[0].type]
        return [(side.start_byte, side.end_byte, "new int[0]")]


def _walk(node: Any) -> Iterator[Any]:
    """Yield a node and all below it."""
    yield node
    for child in node.children:
        yield from _walk(child)
