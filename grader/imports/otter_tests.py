"""Tests of otter -> unit tests of the notebook's module: nothing of them is run, they are read as literals and as text.

In the format of OK a case is an interactive session. Each of its examples becomes an assertion about what Python shows
for it, so that the methods need no library. In the other format a case is a function with assertions, which stays as
it is, and is called with the names of the notebook that its parameters ask for.
"""

import ast
import doctest
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from grader.core.text import one_line
from grader.imports.draft import Loss

_HEAD = '''\
"""Question {title} of the notebook, imported from otter."""

import io
import sys
import traceback
import unittest

NOTEBOOK = vars(__import__({module!r}))
NAMES, STREAMS = {{}}, dict.fromkeys(("read", "now"), io.StringIO())


def use_names():
    """Take the names of the notebook for a case: what an earlier one assigned is gone, what it changed is not."""
    NAMES.clear()
    NAMES.update(NOTEBOOK)
    STREAMS["read"] = STREAMS["now"] = io.StringIO()


def value_of(source):
    """Return what Python shows for an expression of the notebook."""
    return _shown(eval, source)


def effect_of(source):
    """Return what statements of the notebook print."""
    return _shown(exec, source)


def _shown(run, source):
    """Return what is written; an example may have it written elsewhere, until another of its case takes that back."""
    read, shown = STREAMS["read"], sys.stdout
    read.seek(0)
    read.truncate()
    sys.stdout = STREAMS["now"]
    try:
        value = run(source, NAMES)
        if value is not None:
            print(repr(value))
        return read.getvalue().removesuffix("\\n")
    except AssertionError as error:
        told = " ".join(str(error).split()) or f"{{' '.join(source.split())}} does not hold"
        raise AssertionError(told[:300]) from error
    finally:
        STREAMS["now"], sys.stdout = sys.stdout, shown


def error_of(source):
    """Return the exception with which statements of the notebook end."""
    try:
        _shown(exec, source)
    except Exception as error:
        own = error.__cause__ if isinstance(error, AssertionError) else error  # without our words
        return traceback.format_exception_only(own)[-1].removesuffix("\\n")
    return ""


def with_names(function):
    """Call a test with what the notebook has under the names of its parameters; `env` is all of it."""
    wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
    return function(**{{name: NAMES if name == "env" else NAMES.get(name) for name in wanted}})
'''
_KNOWN_OPTIONS = (doctest.ELLIPSIS, doctest.NORMALIZE_WHITESPACE, doctest.SKIP)
_TEST_CASE_PARAMETERS = ("name", "points", "hidden", "success_message", "failure_message")
"""of `@test_case`, in their order"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtterCase:
    """A case of a question."""

    body: Sequence[str]
    """the lines of its method"""
    points: Fraction | None = None
    """as they are stated"""
    is_hidden: bool = False
    problem: str = ""
    """why it cannot be carried over; then `source` is what it was"""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its cases."""

    name: str
    cases: Sequence[OtterCase]
    points: Fraction | None = None
    prelude: str = ""
    """what stands above its class"""
    is_all_or_nothing: bool = False
    losses: Sequence[Loss] = field(default=())

    @property
    def is_hidden(self) -> bool:
        """Whether all of it is hidden, since a hidden case decides on the points of all."""
        return self.is_all_or_nothing and any(case.is_hidden for case in self.cases)

    @property
    def worth(self) -> list[Fraction]:
        """What each case is worth."""
        return resolve_points(self.points, [case.points for case in self.cases])


def resolve_points(total: Fraction | None, given: Sequence[Fraction | None]) -> list[Fraction]:
    """Return the points of each case as otter does, by those of the question and of the cases that state any."""
    known = sum((one for one in given if one is not None), Fraction(0))
    unknown = sum(one is None for one in given)
    if total is None:
        total = known if known or not unknown else Fraction(1)
    rest = max(total - known, Fraction(0)) / unknown if unknown else Fraction(0)
    return [rest if one is None else one for one in given]


def whole_weights(points: Sequence[Fraction]) -> list[int]:
    """Return whole numbers in the same proportion; 1 each where nothing is worth anything."""
    common = lcm(*(one.denominator for one in points))
    return [int(one * common) for one in points] if any(points) else [1] * len(points)


def _points_in(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:  # noqa: PLR2004
        return None
    return Fraction(str(value))


def read_question(name: str, source: Any) -> Question:
    """Read a test in either format. Raises ValueError, in a sentence, and SyntaxError."""
    if isinstance(source, dict):
        return read_ok_test(name, source)
    if not isinstance(source, str):
        raise ValueError("it is neither a mapping nor a text")  # noqa: TRY004 - told as a mistake of the file
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "test":
            found = ast.literal_eval(node.value)
            return read_ok_test(name, found if isinstance(found, dict) else {})
    return read_function_test(name, source)


# ---------------------------------------------------------------- the format of OK


def read_ok_test(name: str, test: Mapping[str, Any]) -> Question:
    """Read a test in the format of OK. Raises ValueError, in a sentence, for what is none."""
    suites = test.get("suites")
    if not isinstance(suites, list) or not all(isinstance(suite, dict) for suite in suites):
        raise ValueError("it has no list of suites")
    found: list[Mapping[str, Any]] = []
    others = [str(suite["type"]) for suite in suites if suite.get("type", "doctest") != "doctest"]
    for suite in suites:
        cases = suite.get("cases", ()) if suite.get("type", "doctest") == "doctest" else ()
        found += [case for case in cases if isinstance(case, dict)]
    if not found:
        raise ValueError("it has no cases")
    listed = test.get("points")
    each = listed if isinstance(listed, list) and len(listed) == len(found) else [None] * len(found)
    return Question(
        name=name,
        points=_points_in(listed),
        cases=[_ok_case(case, one) for case, one in zip(found, each, strict=True)],
        is_all_or_nothing=test.get("all_or_nothing") is True,
        losses=[Loss(rule="suite", where=name, detail=other) for other in others],
    )


def _ok_case(case: Mapping[str, Any], points: object) -> OtterCase:
    code, about = case.get("code"), one_line(str(case.get("failure_message") or ""))
    source = textwrap.dedent(code) if isinstance(code, str) else str(code)
    body: list[str] = []
    problem = "" if isinstance(code, str) else "its code is no text"
    try:
        for example in doctest.DocTestParser().get_examples(source) if not problem else ():
            body += _assertion(example, about)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        problem = one_line(str(error))
    stated = case.get("points")
    return OtterCase(
        body=body or ["pass"],
        points=_points_in(points if stated is None else stated),
        is_hidden=case.get("hidden") is True,
        problem=problem,
        source=source,
    )


def _assertion(example: doctest.Example, about: str) -> Iterator[str]:
    """Yield the lines of a method that ask the same as an example of a session; SyntaxError for what is no Python."""
    if unknown := [option for option in example.options if option not in _KNOWN_OPTIONS]:
        raise ValueError(f"the option {unknown[0]} of doctest cannot be carried over")
    if example.options.get(doctest.SKIP):
        return
    source, want = example.source.removesuffix("\n"), example.want.removesuffix("\n").replace("<BLANKLINE>", "")
    told = f", {about!a}" if about else ""
    if example.exc_msg is not None:
        yield f"self.assertEqual(error_of({source!a}), {example.exc_msg.removesuffix(chr(10))!a}{told})"
        return
    body = ast.parse(source).body
    shown = f"{'value' if len(body) == 1 and isinstance(body[0], ast.Expr) else 'effect'}_of({source!a})"
    if example.options.get(doctest.NORMALIZE_WHITESPACE):
        shown, want = f'" ".join({shown}.split())', " ".join(want.split())
    if example.options.get(doctest.ELLIPSIS) and "..." in want:
        pattern = r"(?s)\A" + ".*".join(re.escape(part) for part in want.split("...")) + r"\Z"
        yield f"self.assertRegex({shown}, {pattern!a}{told})"
    elif want in ("0", "1"):  # as doctest takes them
        yield f"self.assertIn({shown}, ({want!a}, {str(want == '1')!a}){told})"
    else:
        yield f"self.assertEqual({shown}, {want!a}{told})"


# ---------------------------------------------------------------- functions with assertions


def read_function_test(name: str, source: str) -> Question:
    """Read a test whose cases are functions with `@test_case`. Raises ValueError, in a sentence, and SyntaxError."""
    tree = ast.parse(source)
    cases: dict[str, OtterCase] = {}
    given: dict[str, object] = {}
    kept: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (said := _said_by_test_case(node)) is not None:
            message = one_line(str(said.get("failure_message") or ""))
            for one in ast.walk(node) if message else ():
                if isinstance(one, ast.Assert):
                    one.msg = one.msg or ast.Constant(message)
            node.decorator_list = []
            cases[node.name] = OtterCase(  # of two with one name the second counts, as in otter
                body=[f"with_names({node.name})"],
                points=_points_in(said.get("points")),
                is_hidden=said.get("hidden", False) not in (False, 0),  # also where that is worked out
            )
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            given[node.targets[0].id] = _literal(node.value)
        is_otter = isinstance(node, ast.Import | ast.ImportFrom) and "otter" in ast.unparse(node)
        kept += [] if is_otter else [node]
    if not cases:
        raise ValueError("it has no functions with @test_case")
    return Question(
        name=name,
        points=_points_in(given.get("points")),
        cases=list(cases.values()),
        prelude=ast.unparse(ast.Module(body=kept, type_ignores=[])),
        is_all_or_nothing=given.get("all_or_nothing") is True,
    )


def _said_by_test_case(node: ast.FunctionDef) -> dict[str, object] | None:
    for one in node.decorator_list:
        call = one.func if isinstance(one, ast.Call) else one
        if ast.unparse(call).rpartition(".")[2] == "test_case":
            words, values = (one.keywords, one.args) if isinstance(one, ast.Call) else ([], [])
            placed = {name: _literal(value) for name, value in zip(_TEST_CASE_PARAMETERS, values, strict=False)}
            return placed | {word.arg: _literal(word.value) for word in words if word.arg}
    return None


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


# ---------------------------------------------------------------- written as a unit test


def to_unittest(question: Question, cases: Sequence[tuple[int, OtterCase]], module: str) -> tuple[bytes, list[str]]:
    """Write a file for unittest with these cases, which have their numbers, and return it with its methods' names."""
    name = f"Test{re.sub(r'[^A-Za-z0-9]', '', question.name.title()) or 'Question'}"
    parts = [_HEAD.format(title=ascii(question.name)[1:-1], module=module)]
    if question.prelude:
        parts.append(question.prelude + "\n")
    width = len(str(cases[-1][0])) if cases else 1  # so that the order of their names is theirs
    own = [(f"test_{number:0{width}}", case.body) for number, case in cases]
    methods = [f"    def {method}(self):\n" + "".join(f"        {line}\n" for line in body) for method, body in own]
    set_up = "    def setUp(self):\n        use_names()\n"
    parts.append(f"class {name}(unittest.TestCase):\n" + "\n".join([set_up, *methods]))
    return "\n\n".join(parts).encode(), [f"{name}.{method}" for method, _ in own]
