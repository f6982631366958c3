"""The tests of PrairieLearn's Python autograder as they are, as a unit test: what cannot be read as calls of functions.

The file of the test begins with what `pl_unit_test`, `pl_helpers` and `code_feedback` offer, written anew. `self.st`
has the names of the student's file, `self.ref` those of `ans.py`, which is deleted before the student's file is loaded.
"""

import ast
import re
from collections.abc import Collection, Mapping, Sequence

from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, table
from grader.imports import text_or_word
from grader.imports.folder import Folder
from grader.imports.prairielearn_tests import PlTest

_PACKAGES = ("numpy", "pandas", "scipy", "sympy", "networkx")
_OURS = ("pl_unit_test", "pl_helpers", "code_feedback")
_FEEDBACK = {
    *("add_feedback", "set_score", "set_percent", "call_user", "finish"),
    *("check_scalar", "check_list", "check_tuple", "check_dict", "not_allowed"),
    *("check_numpy_array_features", "check_numpy_array_allclose", "check_dataframe"),
}
ANSWER, SETUP = "tests/ans.py", "tests/setup_code.py"
LEADING, TRAILING = "tests/leading_code.py", "tests/trailing_code.py"
_STAND_IN = '''\
import functools
import inspect
import json
import os
import sys
import types
import unittest

from gradescope_utils.autograder_utils.decorators import partial_credit

_HERE = os.path.dirname(os.path.abspath(__file__))


def _source(name):
    """Return a file of the course beside this one, and delete it: no student's code is to read it."""
    path = os.path.join(_HERE, name)
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        text = file.read()
    os.remove(path)
    return text


def _names(text, name, given=()):
    space = {"__name__": name, **dict(given)}
    exec(compile(text, name, "exec"), space)
    return space


_SETUP = _names(_source("setup_code.py"), "setup_code.py")
_REFERENCE = types.SimpleNamespace(**_names(_source("ans.py"), "ans.py", _SETUP))
_LEADING, _TRAILING = _source("leading_code.py"), _source("trailing_code.py")


def _code(path, text):
    """Return the program in a file; of a notebook the cells that begin with #grade."""
    if not path.endswith(".ipynb"):
        return text
    cells = [one for one in json.loads(text)["cells"] if one["cell_type"] == "code"]
    codes = ["".join(one["source"]) for one in cells]
    return "\\n".join(one for one in codes if one.strip().startswith("#grade"))


class GradingComplete(Exception):
    """Ends a test with the points that it has."""


class Feedback:
    """What a test tells, and the share of the points that it gives."""

    give = None
    texts = []

    @classmethod
    def set_score(cls, score):
        cls.give(score)

    @classmethod
    def set_percent(cls, percent):
        cls.set_score(percent / 100)

    @classmethod
    def add_feedback(cls, *texts, **words):
        cls.texts += [str(text).strip() for text in texts if str(text).strip()]

    @classmethod
    def finish(cls, text=""):
        cls.add_feedback(text)
        raise GradingComplete

    @staticmethod
    def call_user(function, *args, **words):
        try:
            return function(*args, **words)
        except Exception as error:
            raise GradingComplete from error

    @staticmethod
    def not_allowed(*_args, **_words):
        raise RuntimeError("This function may not be used.")

    @classmethod
    def check_scalar(cls, name, ref, data, accuracy_critical=False, rtol=1e-5, atol=1e-8, **words):
        is_number = isinstance(data, (int, float, complex)) or hasattr(data, "dtype")
        allowed = max(abs(ref) * (rtol or 0), atol or 0)
        return cls._said(is_number and bool(abs(ref - data) < allowed), name, data, accuracy_critical)

    @classmethod
    def check_list(cls, name, ref, data, entry_type=None, accuracy_critical=False, **words):
        right = isinstance(data, list) and len(data) == len(ref)
        right = right and (entry_type is None or all(isinstance(one, entry_type) for one in data))
        return cls._said(right, name, data, accuracy_critical)

    @classmethod
    def check_tuple(cls, name, ref, data, accuracy_critical=False, **words):
        right = isinstance(data, tuple) and len(data) == len(ref) and all(map(_same, ref, data))
        return cls._said(right, name, data, accuracy_critical)

    @classmethod
    def check_dict(cls, name, ref, data, only_keys=None, accuracy_critical=False, **words):
        keys = ref if only_keys is None else only_keys
        right = isinstance(data, dict) and (only_keys is not None or len(data) == len(ref))
        right = right and all(key in data and _same(ref[key], data[key]) for key in keys)
        return cls._said(right, name, data, accuracy_critical)

    @classmethod
    def check_numpy_array_features(cls, name, ref, data, accuracy_critical=False, report_failure=True):
        import numpy

        right = isinstance(data, numpy.ndarray) and not isinstance(data, numpy.matrix)
        right = right and data.shape == ref.shape and data.dtype.kind == ref.dtype.kind
        return cls._said(right, name, data, accuracy_critical)

    @classmethod
    def check_numpy_array_allclose(cls, name, ref, data, accuracy_critical=False, rtol=1e-5, atol=1e-8, **words):
        import numpy

        if not cls.check_numpy_array_features(name, ref, data, accuracy_critical):
            return False
        return cls._said(bool(numpy.allclose(ref, data, rtol=rtol, atol=atol)), name, data, accuracy_critical)

    @classmethod
    def check_dataframe(
        cls, name, ref, data, subset_columns=None, check_values=True, allow_order_variance=True, **words
    ):
        import pandas

        columns = list(subset_columns or ())
        right = isinstance(data, pandas.DataFrame) and len(ref) == len(data) and all(one in data for one in columns)
        if right and check_values:
            one, other = (ref[columns], data[columns]) if columns else (ref, data)
            try:
                pandas.testing.assert_frame_equal(one, other, check_like=allow_order_variance)
            except Exception:
                right = False
        return cls._said(right, name, data, False)

    @classmethod
    def _said(cls, right, name, data, is_critical):
        if not right:
            cls.add_feedback(f"{name} is not right: {repr(data)[:200]}")
            if is_critical:
                raise GradingComplete
        return right


feedback = Feedback


def _same(one, other):
    return type(one) is type(other) and one == other


def _scored(method):
    """Return a method that gives no points but those that it sets, and none where it is ended by an exception."""

    @partial_credit(1)
    @functools.wraps(method)
    def run(self, set_score=None):
        given = []

        def give(score):
            given.append(score)
            set_score(score)

        Feedback.give, Feedback.texts = give, []
        give(0)
        try:
            method(self)
        except GradingComplete as error:
            give(0)
            if error.__cause__ is not None:
                raise error.__cause__
        except AssertionError:  # it has what it set, if that is less than all
            raise
        except Exception:
            give(0)
            raise
        if given[-1] < 1 and Feedback.texts:
            self.fail("; ".join(Feedback.texts[-3:]))

    return run


def points(_points, **words):
    return lambda method: method


def name(_name):
    return lambda method: method


def not_repeated(method):
    return method


def save(*_names):
    return lambda method: method


class PLTestCase(unittest.TestCase):
    student_code_file = STUDENT

    def __init_subclass__(cls):
        for key, value in list(vars(cls).items()):
            if key.startswith("test") and inspect.isfunction(value):
                setattr(cls, key, _scored(value))

    @classmethod
    def setUpClass(cls):
        names = [STUDENT, STUDENT.replace(".ipynb", ".py")]
        places = [os.path.join(place, name) for name in names for place in ["", *sys.path]]
        path = os.path.abspath(next(filter(os.path.exists, places), STUDENT))
        with open(path) as file:
            text = f"{_LEADING}{_code(path, file.read())}{_TRAILING}"
        space = {"__name__": "user_code", **{key: _SETUP[key] for key in GIVEN if key in _SETUP}}
        exec(compile(text, path, "exec"), space)
        cls.ref, cls.st = _REFERENCE, types.SimpleNamespace(**space)
        cls.data, cls.plt = {}, None


PLTestCaseWithPlot = PLTestCase
'''


def unit_problem(test: PlTest, folder: Folder) -> str:
    """Return why a method cannot be run as it is; empty where it can."""
    used = set(re.findall(r"\b[Ff]eedback\.(\w+)", test.source)) - _FEEDBACK
    if used:
        return f"`{min(used)}` of Feedback has no counterpart"
    if re.search(r"(?<!\.)\bopen\(", test.source):
        return "it opens a file"
    if re.search(r"\bself\.(?:data|plt|iter_num)\b", test.source):
        return "it looks at drawn parameters or a plot"
    if re.search(r"\bself\.ref\b", test.source) and ANSWER not in folder.files:
        return "there is no tests/ans.py"
    return ""


def needs_more_than_calls(folder: Folder) -> bool:
    """Whether code of the course runs before or behind the student's, so that a call alone says nothing."""
    return any(name in folder.files and folder.files[name].strip() for name in (LEADING, TRAILING)) or bool(
        _names_given(folder)
    )


def question_unit_files(folder: Folder, student: str, found: str, methods: Collection[str]) -> dict[str, bytes]:
    """Return the files of the test below the course root, by which these methods of a question are run as they are."""
    files = {f"tests/{found}/{name.rpartition('/')[2]}": folder.content(name) for name in _files_beside(folder)}
    return {_place(found): _unit_file(folder, student, methods), **files}


def unit_keys(test: PlTest, folder: Folder, found: str) -> Node:
    """Return what stands under `unit` for a method that is run as it is."""
    unit: dict[str, Node] = {
        "unittest": text_or_word(_place(found)),
        "only": listing([text_or_word(f"{test.owner}.{test.name}")]),
    }
    if names := [f"tests/{found}/{name.rpartition('/')[2]}" for name in _files_beside(folder)]:
        unit["with"] = listing(map(text_or_word, names))
    return table(unit)


def packages_of(files: Mapping[str, bytes]) -> Sequence[str]:
    """Return the packages that the files of a test import, of those that the autograder has."""
    text = b"\n".join(files.values()).decode(errors="replace")
    found = re.findall(r"^(?:import|from)\s+(\w+)", text, re.MULTILINE)
    return [one for one in _PACKAGES if one in found]


def _place(found: str) -> str:
    return f"tests/{found}/test_{found.replace('-', '_')}.py"


def _unit_file(folder: Folder, student: str, methods: Collection[str]) -> bytes:
    """Return the test file of a question as a file for unittest."""
    text = folder.text("tests/test.py")
    tree = ast.parse(text)
    lines = text.splitlines()
    later: list[str] = []
    for node in tree.body:
        module = node.module if isinstance(node, ast.ImportFrom) else None
        names = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
        if module in _OURS or any(one.name in _OURS for one in names):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
            later += [f"{one.asname} = {one.name}" for one in names if one.asname and one.asname != one.name]
    for node in (one for owner in tree.body if isinstance(owner, ast.ClassDef) for one in owner.body):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and node.name not in methods:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
    given = f"GIVEN = {_names_given(folder)!r}"
    head = [f"STUDENT = {student!r}", given, _STAND_IN, *later]
    return "\n".join([*head, *lines, ""]).encode()


def _names_given(folder: Folder) -> Sequence[str]:
    """Return the names of setup_code.py that the question gives to students."""
    text = folder.text("server.py") if "server.py" in folder.files else ""
    listed = re.search(r"names_for_user\W+\[(.*?)\n?\s*\]", text, re.DOTALL)
    return re.findall(r"""["']name["']\s*:\s*["'](\w+)["']""", listed[1]) if listed else []


def _files_beside(folder: Folder) -> Sequence[str]:
    """Return the files of the question that its test reads."""
    named = [one for one in (ANSWER, SETUP, LEADING, TRAILING) if folder.files.get(one, b"").strip()]
    imported = re.findall(r"^\s*(?:import|from)\s+(\w+)", folder.text("tests/test.py"), re.MULTILINE)
    helpers = [
        f"tests/{one}.py" for one in dict.fromkeys(imported) if f"tests/{one}.py" not in (*named, "tests/test.py")
    ]
    return [*named, *(one for one in helpers if one in folder.files)]
