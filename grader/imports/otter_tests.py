"""Tests of otter -> unit tests of the notebook's module: nothing of them is run, they are read as literals and as text.

In the format of OK a case is an interactive session. Each of its examples becomes an assertion about what Python shows
for it, so that the methods need no library. In the other format a case is a function with assertions, which stays as
it is, and is called with the names of the notebook that its parameters ask for.
"""

import ast
import doctest
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.core.text import one_line

_HEAD = '''\
"""Question {title} of the notebook, imported from otter."""

import contextlib
import io
import unittest

NOTEBOOK = vars(__import__({module!r}))
NAMES = {{}}


def value_of(source):
    """Return what Python shows for an expression of the notebook."""
    return _shown(eval, source)


def effect_of(source):
    """Return what statements of the notebook print."""
    return _shown(exec, source)


def _shown(run, source):
    try:
        with contextlib.redirect_stdout(io.StringIO()) as written:
            value = run(source, NAMES)
            if value is not None:
                print(repr(value))
    except AssertionError as error:
        told = " ".join(str(error).split()) or f"{{' '.join(source.split())}} does not hold"
        raise AssertionError(told[:300]) from error
    return written.getvalue().removesuffix("\\n")


def with_names(function):
    """Call a test with what the notebook has under the names of its parameters; `env` is all of it."""
    wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
    return function(**{{name: NAMES if name == "env" else NAMES.get(name) for name in wanted}})
'''
_TEST_CASE_PARAMETERS = ("name", "points", "hidden", "success_message", "failure_message")
"""of `@test_case`, in their order"""
_SENDS_OUTPUT = re.compile(r"\bsys\.stdout\s*=(?!=)")
_CLASS = """\
class {name}(unittest.TestCase):
    def setUp(self):  # what an earlier case assigned is gone, what it changed is not
        NAMES.clear()
        NAMES.update(NOTEBOOK)
"""


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
    problem: str = ""
    """why nothing of it can be carried over; empty where it can"""

    @property
    def worth(self) -> list[Fraction]:
        """What each case is worth, as otter shares it, by the points of the question and of its cases."""
        given = [case.points for case in self.cases]
        known = sum((one for one in given if one is not None), Fraction(0))
        total = self.points
        if total is None:
            total = known if known or None not in given else Fraction(1)
        rest = max(total - known, Fraction(0)) / max(1, given.count(None))
        return [rest if one is None else one for one in given]


def points_in(value: object) -> Fraction | None:
    """Return a number of points; None for anything else."""
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
    if not all(isinstance(suite.get("cases", []), list | tuple) for suite in suites):
        raise ValueError("a suite of it has no list of cases")
    is_other = any(suite.get("type", "doctest") != "doctest" for suite in suites)
    found = [case for suite in suites for case in suite.get("cases", ()) if isinstance(case, dict)]
    if not found and not is_other:
        raise ValueError("it has no cases")
    stated = test.get("points")
    each = stated if isinstance(stated, list) and len(stated) == len(found) else [None] * len(found)
    return Question(
        name=name,
        points=points_in(stated),
        cases=[_ok_case(case, one) for case, one in zip(found, each, strict=True)],
        is_all_or_nothing=test.get("all_or_nothing") is True,
        problem="it has a suite of another type than doctest" if is_other else "",
    )


def _ok_case(case: Mapping[str, Any], points: object) -> OtterCase:
    code, about = case.get("code"), one_line(str(case.get("failure_message") or ""))
    source = textwrap.dedent(code) if isinstance(code, str) else str(code)
    body: list[str] = []
    problem = "it puts something in the place of sys.stdout" if _SENDS_OUTPUT.search(source) else ""
    problem = problem if isinstance(code, str) else "its code is no text"
    try:
        body += [_assertion(one, about) for one in doctest.DocTestParser().get_examples(source) if not problem]
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        problem = one_line(str(error))
    stated = case.get("points")
    return OtterCase(
        body=body or ["pass"],
        points=points_in(points if stated is None else stated),
        is_hidden=case.get("hidden") is True,
        problem=problem,
        source=source,
    )


def _assertion(example: doctest.Example, about: str) -> str:
    """Return the line of a method that asks the same as an example of a session; SyntaxError for what is no Python."""
    if example.options or example.exc_msg is not None:
        raise ValueError("options of doctest and exceptions that are expected cannot be carried over")
    source, want = example.source.removesuffix("\n"), example.want.removesuffix("\n").replace("<BLANKLINE>", "")
    told = f", {about!a}" if about else ""
    body = ast.parse(source).body
    shown = f"{'value' if len(body) == 1 and isinstance(body[0], ast.Expr) else 'effect'}_of({source!a})"
    if want in ("0", "1"):  # as doctest takes them
        return f"self.assertIn({shown}, ({want!a}, {str(want == '1')!a}){told})"
    return f"self.assertEqual({shown}, {want!a}{told})"


# ---------------------------------------------------------------- functions with assertions


def read_function_test(name: str, source: str) -> Question:
    """Read a test whose cases are functions with `@test_case`. Raises ValueError, in a sentence, and SyntaxError."""
    cases: dict[str, OtterCase] = {}
    given: dict[str, object] = {}
    kept: list[ast.stmt] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and (stated := _stated_by_test_case(node)) is not None:
            message = one_line(str(stated.get("failure_message") or ""))
            for one in ast.walk(node) if message else ():
                if isinstance(one, ast.Assert):
                    one.msg = one.msg or ast.Constant(message)
            node.decorator_list = []
            cases[node.name] = OtterCase(  # of two with one name the second counts, as in otter
                body=[f"with_names({node.name})"],
                points=points_in(stated.get("points")),
                is_hidden=stated.get("hidden", False) not in (False, 0),  # also where that is worked out
            )
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            given[node.targets[0].id] = _literal(node.value)
        is_otter = isinstance(node, ast.Import | ast.ImportFrom) and "otter" in ast.unparse(node)
        kept += [] if is_otter else [node]
    if not cases:
        raise ValueError("it has no functions with @test_case")
    return Question(
        name=name,
        points=points_in(given.get("points")),
        cases=list(cases.values()),
        prelude=ast.unparse(ast.Module(body=kept, type_ignores=[])),
        is_all_or_nothing=given.get("all_or_nothing") is True,
    )


def _stated_by_test_case(node: ast.FunctionDef) -> dict[str, object] | None:
    for one in node.decorator_list:
        call = one if isinstance(one, ast.Call) else ast.Call(one, [], [])
        if ast.unparse(call.func).rpartition(".")[2] == "test_case":
            placed = zip(_TEST_CASE_PARAMETERS, call.args, strict=False)
            words = ((word.arg, word.value) for word in call.keywords if word.arg)
            return {name: _literal(value) for name, value in (*placed, *words)}
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
    width = len(str(cases[-1][0]))  # so that the order of their names is theirs
    bodies = {f"test_{number:0{width}}": case.body for number, case in cases}
    methods = [
        f"    def {method}(self):\n" + "".join(f"        {line}\n" for line in body) for method, body in bodies.items()
    ]
    own = "\n".join([_CLASS.format(name=name), *methods])
    prelude = [question.prelude + "\n"] if question.prelude else []
    text = "\n\n".join([_HEAD.format(title=ascii(question.name)[1:-1], module=module), *prelude, own])
    return text.encode(), [f"{name}.{method}" for method in bodies]
