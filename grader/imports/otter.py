"""An assignment of otter -> a spec for notebooks: what `otter assign` made, or an autograder of `otter generate`.

Each question becomes a test with a method for each case, and a second, hidden test where some of its cases are hidden.
"""

import ast
import doctest
import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from grader.core.errors import UsageError
from grader.core.notebook import NotebookError, module_name, read_cells
from grader.core.text import count, joined, one_line
from grader.imports import Imported, check_name, identifier
from grader.imports.draft import CourseFile, Data, Draft, DraftSample, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import read_tree
from grader.imports.python_values import known_value, parse_python, points_in, required_packages
from grader.imports.writer import to_imported

_MACHINERY = re.compile(
    r"(?:setup\.sh|run_autograder|run_otter\.py|requirements\.[rtx]+|environment\.yml|otter_config\.json"
    r"|.*\.(?:zip|pdf|otter|md|log|ipynb)|(?:tests/|\.).*)"
)
_STAND_IN = '''\
"""Stands in for the package of otter in notebooks that are graded: whatever is asked of it does nothing."""


class Notebook:
    """The object that notebooks call `grader`."""

    def __init__(self, *args, **options):
        pass

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **options: None
'''
_Files = Mapping[str, bytes]
# keys of the configuration that have no meaning here
_IGNORED = ("seed", "score_threshold", "plugins", "pdf", "submission_subdirectory", "filtering", "seed_variable")


# ---------------------------------------------------------------- the tests of a question
# In the format of OK a case is an interactive session: each of its examples becomes an assertion about what Python
# shows for it, so that methods need no library. In the other format a case is a function with assertions, which stays
# as it is, and is called with the names of the notebook that its parameters ask for.

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
_Found = TypeVar("_Found", dict[Any, Any], list[Any])
# of `@test_case`, in their order
_TEST_CASE_PARAMETERS = ("name", "points", "hidden", "success_message", "failure_message")
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

    body: Sequence[str] = ()  # the lines of its method
    points: Fraction | None = None  # as they are stated
    is_hidden: bool = False
    problem: str = ""  # why it, or all of its question, cannot be carried over
    source: str = ""  # what it was then


_Numbered = list[tuple[int, OtterCase, Fraction]]  # cases by their numbers, with their points


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its cases."""

    name: str
    cases: Sequence[OtterCase]
    points: Fraction | None = None
    prelude: str = ""  # what stands above its class
    is_all_or_nothing: bool = False

    @property
    def worth(self) -> list[Fraction]:
        """What each case is worth, as otter shares it, by the points of the question and of its cases."""
        given = [case.points for case in self.cases]
        known = sum((points for points in given if points is not None), Fraction(0))
        total = self.points
        if total is None:
            total = known if known or None not in given else Fraction(1)
        rest = max(total - known, Fraction(0)) / max(1, given.count(None))
        return [rest if points is None else points for points in given]


def read_question(name: str, source: Any) -> Question:
    """Read a test in either format. Raises ValueError, in a sentence, and SyntaxError."""
    if isinstance(source, dict):
        return read_ok_test(name, source)
    if not isinstance(source, str):
        raise ValueError("it is neither a mapping nor a text")  # noqa: TRY004 - told as a mistake of the file
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "test":
            test = ast.literal_eval(node.value)
            return read_ok_test(name, test if isinstance(test, dict) else {})
    return read_function_test(name, source)


# ---------------------------------------------------------------- the format of OK


def read_ok_test(name: str, test: Mapping[str, Any]) -> Question:
    """Read a test in the format of OK. Raises ValueError, with a sentence, when it is invalid."""
    suites = test.get("suites")
    if not isinstance(suites, list) or not all(isinstance(suite, dict) for suite in suites):
        raise ValueError("it has no list of suites")
    if not all(isinstance(suite.get("cases", []), list | tuple) for suite in suites):
        raise ValueError("a suite of it has no list of cases")
    is_other = any(suite.get("type", "doctest") != "doctest" for suite in suites)
    stated_cases = [case for suite in suites for case in suite.get("cases", ()) if isinstance(case, dict)]
    if not stated_cases and not is_other:
        raise ValueError("it has no cases")
    stated = test.get("points")
    amounts = stated if isinstance(stated, list) and len(stated) == len(stated_cases) else [None] * len(stated_cases)
    problem = "it has a suite of another type than doctest" if is_other else ""
    cases = [_ok_case(case, own, problem) for case, own in zip(stated_cases, amounts, strict=True)]
    is_whole = test.get("all_or_nothing") is True
    cases = cases or [OtterCase(problem=problem)]
    return Question(name=name, points=points_in(stated), cases=cases, is_all_or_nothing=is_whole)


def _ok_case(case: Mapping[str, Any], points: object, problem: str) -> OtterCase:
    code, about = case.get("code"), one_line(str(case.get("failure_message") or ""))
    source = textwrap.dedent(code) if isinstance(code, str) else ""
    body: list[str] = []
    if not isinstance(code, str):
        problem = "its code is no text"
    elif _SENDS_OUTPUT.search(source):
        problem = "it puts something in the place of sys.stdout"
    try:
        examples = doctest.DocTestParser().get_examples("" if problem else source)
        body += [_assertion(example, about) for example in examples] or ["pass"] * (not problem)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        problem = one_line(str(error))
    stated = case.get("points")
    return OtterCase(
        body=body,
        points=points_in(points if stated is None else stated),
        is_hidden=case.get("hidden") is True,
        problem=problem,
        source=source,
    )


def _assertion(example: doctest.Example, about: str) -> str:
    """Return the assertion for an example of a session; SyntaxError when it is not Python."""
    if example.options or example.exc_msg is not None:
        raise ValueError("options of doctest and exceptions that are expected cannot be carried over")
    source, want = example.source.removesuffix("\n"), example.want.removesuffix("\n").replace("<BLANKLINE>", "")
    message, body = f", {about!a}" if about else "", ast.parse(source).body
    shown = f"{'value' if len(body) == 1 and isinstance(body[0], ast.Expr) else 'effect'}_of({source!a})"
    if want in ("0", "1"):  # as doctest takes them
        return f"self.assertIn({shown}, ({want!a}, {str(want == '1')!a}){message})"
    return f"self.assertEqual({shown}, {want!a}{message})"


# ---------------------------------------------------------------- functions with assertions


def read_function_test(name: str, source: str) -> Question:
    """Read a test whose cases are functions with `@test_case`. Raises ValueError, in a sentence, and SyntaxError."""
    cases: dict[str, OtterCase] = {}
    given: dict[str, object] = {}
    kept: list[ast.stmt] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and (stated := _stated_by_test_case(node)) is not None:
            message = one_line(str(stated.get("failure_message") or ""))
            for inner in ast.walk(node) if message else ():
                if isinstance(inner, ast.Assert):
                    inner.msg = inner.msg or ast.Constant(message)
            node.decorator_list = []
            cases[node.name] = OtterCase(  # of two with one name the second counts, as in otter
                body=[f"with_names({node.name})"],
                points=points_in(stated.get("points")),
                is_hidden=stated.get("hidden", False) not in (False, 0),  # also where that is worked out
            )
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            given[node.targets[0].id] = known_value(node.value, {})
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
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
        if ast.unparse(call.func).rpartition(".")[2] == "test_case":
            placed = zip(_TEST_CASE_PARAMETERS, call.args, strict=False)
            words = ((word.arg, word.value) for word in call.keywords if word.arg)
            return {name: known_value(value, {}) for name, value in (*placed, *words)}
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


# ---------------------------------------------------------------- the assignment


def import_otter(path: Path, name: str | None = None) -> Imported:
    """Convert an assignment: its notebook, its folder, or the zip of an autograder; UsageError for anything else."""
    files = _read_files(path)
    books = [name for name in files if name.endswith(".ipynb") and "/" not in name]
    if len(books) > 1:
        raise UsageError(f"{path} has several notebooks, {joined(books)}: name the one with the tests")
    spec_id = identifier(name, PurePosixPath(books[0]).stem if books else path.resolve().stem)
    notebook = books[0] if books else f"{spec_id}.ipynb"
    check_name(notebook)
    try:
        cells = [cell.source for cell in read_cells(files[notebook])] if books else []
    except NotebookError as error:
        raise UsageError(f"{path}: {notebook}: {error}") from error
    questions = list(_questions(files, _object(files.get(notebook))))
    if not any(case.body or case.source for question in questions for case in question.cases):
        raise UsageError(
            f"{path} has no tests of otter in Python, in tests/*.py or in its notebook; of one with # BEGIN QUESTION, "
            "`otter assign` makes an assignment with tests: import its folder autograder"
        )
    modules = {PurePosixPath(name).stem: data for name, data in files.items() if name.endswith(".py")}
    own = {*modules, "otter", "IPython", PurePosixPath(notebook).stem}
    return to_imported(_draft(spec_id, notebook, files, questions, required_packages([*modules.values(), *cells], own)))


def _draft(spec_id: str, notebook: str, files: _Files, questions: Sequence[Question], packages: Sequence[str]) -> Draft:
    book, config = _object(files.get(notebook)), _object(files.get("otter_config.json"))
    tests = [test for question in questions for test in _tests(question, notebook)]
    most = sum((Fraction(test.points or 0) for test in tests), Fraction(0))
    stated = points_in(config.get("points_possible"))
    points = most if stated is None else stated
    is_solved = any("otter_assign_solution_cell" in _inside(cell, list, "metadata", "tags") for cell in _cells(book))
    written = sum("BEGIN QUESTION" in _source(cell) for cell in _cells(book) if cell.get("cell_type") == "markdown")
    details = {
        "no-notebook": "" if notebook in files else notebook,
        "packages": f"`grader packages {spec_id}` on each machine that grades: {', '.join(packages)}" * bool(packages),
        "written": count(written, "question") if written else "",  # whose cells are still to be made of the text
        "success": any(b"success_message" in data for data in files.values()),
        "no-solution": not is_solved,
    }
    losses = [Loss(rule="config", detail=key) for key in _IGNORED if config.get(key) not in (None, False, {}, [])]
    detail = f"{float(points):g} there; the questions come to {float(most):g}"
    losses += [Loss(rule="points", detail=detail, points=points - most)] if points != most else []
    reference, keys = f"reference/{spec_id}/{notebook}", _keys(notebook, packages, files)
    sample = DraftSample(files={notebook: files.get(notebook, b"")}, score=most, about="the course's solutions")
    return Draft(
        id=spec_id,
        format="otter",
        origin="an assignment of otter",
        language="notebook",
        required=[notebook],
        program=["python3", module_name(notebook)],
        keys={**keys, "reference": reference if is_solved else None},
        tests=tests,
        points=points,
        losses=[*losses_where(details), *losses],
        files={reference: _solved(book)} if is_solved else {},
        samples={"solutions": sample} if is_solved else {},
    )


def _keys(notebook: str, packages: Sequence[str], files: _Files) -> dict[str, Data]:
    renamed = {"name": "other-name", "about": f"The notebook was taken for {notebook}", "when": {"missing": [notebook]}}
    about = "A cell that Python cannot read was left out"
    broken = {"name": "broken-cell", "about": about, "when": "build-failed", "leave-out": "broken-cells"}
    # What notebooks read and import is there for every case.
    given = {name.removeprefix("files/"): data for name, data in files.items() if not _MACHINERY.fullmatch(name)}
    given["otter.py"] = _STAND_IN.encode()
    given.pop(module_name(notebook), None)  # which is made of the notebook that is handed in
    return {
        "notebook": {"after-error": "go-on"},
        "requires": packages or None,
        "files": {"optional": ["*.ipynb"]},
        "repairs": [{**renamed, "rename": {"*.ipynb": notebook}}, broken],
        "defaults": {"files": {name: CourseFile(name=name, content=data) for name, data in given.items()}},
    }


# ---------------------------------------------------------------- reading


def _read_files(path: Path) -> _Files:
    """Return the files of the assignment, below the folder that has its tests."""
    if not path.exists():
        raise UsageError(f"{path}: No such file; name a notebook, the folder that otter assign made, or an autograder")
    if path.suffix == ".ipynb" and path.is_file():
        return {path.name: path.read_bytes()}
    files = read_tree(path)
    for start in ("autograder/", "dist/autograder/"):
        if any(name.startswith(start) for name in files):
            return {name.removeprefix(start): files[name] for name in files if name.startswith(start)}
    return files


def _object(data: bytes | None) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        return _inside(json.loads(data or b"{}"), dict)
    return {}


def _inside(value: Any, kind: type[_Found], *keys: str) -> _Found:
    """Return what is under the keys in an object of JSON; an empty one where it is of another kind."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, kind) else kind()


def _cells(book: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in _inside(book, list, "cells") if isinstance(cell, dict)]


def _source(cell: Mapping[str, Any]) -> str:
    source = cell.get("source")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _questions(files: _Files, book: Mapping[str, Any]) -> Iterator[Question]:
    """Yield the questions of the files in `tests`, else of those in the notebook."""
    sources: dict[str, Any] = {
        PurePosixPath(name).stem: data.decode("utf-8", "replace")
        for name, data in files.items()
        if re.fullmatch(r"tests/[^/]*\.py", name) and not name.endswith("__init__.py")
    }
    sources = sources or _inside(book, dict, "metadata", "otter", "tests")
    # Letters and numbers of a name by turns, so that q10 comes behind q2.
    for name in sorted(sources, key=lambda name: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)]):
        try:
            yield read_question(name, sources[name])
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            yield Question(name=name, cases=[OtterCase(problem=str(error))])


# ---------------------------------------------------------------- the draft


def _tests(question: Question, notebook: str) -> Iterator[DraftTest]:
    """Yield the tests of a question: for its visible cases, for hidden ones, and for what remains to be written."""
    name = question.name
    is_whole = question.is_all_or_nothing and any(case.is_hidden for case in question.cases)
    groups: dict[bool, _Numbered] = {False: [], True: []}
    for number, (case, points) in enumerate(zip(question.cases, question.worth, strict=True), 1):
        hidden = is_whole or case.is_hidden  # a hidden case decides on the points of all
        if case.problem:
            title = f"{name} case {number}" if question.cases[1:] else name
            open_check = OpenCheck(name=title, reason=case.problem, source=case.source)
            yield DraftTest(name=title, points=points, hidden=hidden, cases=open_check)
        else:
            groups[hidden].append((number, case, points))
    for hidden, group in groups.items():
        if group:
            suffix = " hidden" if hidden and groups[False] else ""
            yield _unit_test(question, f"{name}{suffix}", group, notebook, hidden=hidden)


def _unit_test(question: Question, name: str, group: _Numbered, notebook: str, *, hidden: bool) -> DraftTest:
    cases, worth = [(number, case) for number, case, _ in group], [points for _, _, points in group]
    content, methods = to_unittest(question, cases, PurePosixPath(notebook).stem)
    scale = lcm(*(share.denominator for share in worth))  # weights are whole numbers
    weights = {method: int(share * scale) for method, share in zip(methods, worth, strict=True)}
    unit: dict[str, Data] = {
        "unittest": CourseFile(name=f"test_{re.sub(r'[^A-Za-z0-9_]', '_', name)}.py", content=content, folder="tests"),
        "weights": weights if len(set(worth)) > 1 else None,
        "together": True if len(group) > 1 else None,  # otter runs all cases with the objects of one notebook
    }
    keys = {"all_or_nothing": True if question.is_all_or_nothing else None, "unit": unit}
    return DraftTest(name=name, points=sum(worth, Fraction(0)), hidden=hidden, keys=keys)


def _solved(book: dict[str, Any]) -> bytes:
    """Return the notebook with solutions, in which cells that only ask otter for something are left out."""
    for cell in _cells(book):
        source = _source(cell)
        texts = [ast.get_source_segment(source, node) or "" for node in parse_python(source).body]
        own = [re.match(r"import otter|from otter|grader = otter\.|grader\.\w+\(", text) for text in texts]
        if cell.get("cell_type") == "code" and own and all(own):
            cell["metadata"] = {
                **_inside(cell, dict, "metadata"),
                "tags": [*_inside(cell, list, "metadata", "tags"), "otter_ignore"],
            }
    return json.dumps(book, indent=1).encode()
