"""What can be called as the heading says counts, wherever a class has it from."""

from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare

SPEC = """\
spec: 1
id: shapes
title: Shapes
language: {language}
files: {{required: ["*.{ending}"]}}
{build}program: {program}
tests:
  - name: methods
    functions:
      in: Square
      new: {new}
      declare: {declare}
      calls: {calls}
"""
PYTHON = """\
import functools

class Shape:
    def area(self):
        return 4

    def __repr__(self):
        return "a shape"

    def __eq__(self, other):
        return True

    def __lt__(self, other):
        return False

class Square(Shape):
    @property
    def side(self):
        return 2

    @functools.cached_property
    def corners(self):
        return 4

    def __len__(self):
        return 0

    def __iter__(self):
        return iter([1, 2])

class Odd:
    def __getattr__(self, name):
        raise KeyError(name)

odd = Odd()
"""
JAVA = """\
interface Shape { default int area() { return 4; } static int none() { return 0; } }
interface Named extends Shape { default String name() { return "square"; } }
abstract class Base implements Named { public String toString() { return "a shape"; } }
class Square extends Base { }
"""
JAVASCRIPT = """\
class Shape { area() { return 4; } toString() { return "a shape"; } }
class Square extends Shape { get side() { return 2; } }
"""
LANGUAGES = {
    "python": ("py", "python3 Square.py", "Square()"),
    "java": ("java", "java Square", "Square()"),
    "javascript": ("js", "node Square.js", "Square()"),
}
CASES = [
    ("python", PYTHON, "def area(self)", "area: []", "4", ""),
    ("python", PYTHON, "def side(self)", "side: []", "2", ""),
    ("python", PYTHON, "def corners(self)", "corners: []", "4", ""),
    ("python", PYTHON, "def __str__(self)", "__str__: []", "a shape", ""),
    ("python", PYTHON, "def str(self)", "str: []", "a shape", ""),
    ("python", PYTHON, "def len(self)", "len: []", "0", ""),
    ("python", PYTHON, "def __bool__(self)", "__bool__: []", "false", ""),
    ("python", PYTHON, "def __contains__(self, item)", "__contains__: [2]", "true", ""),
    ("python", PYTHON, "def __ne__(self, other)", "__ne__: [{new: []}]", "false", ""),
    ("python", PYTHON, "def __gt__(self, other)", "__gt__: [{new: []}]", "false", ""),
    ("python", PYTHON, "def side(self)", "side: []", "3", "returned 2"),
    (
        "python",
        "class Square:\n    def area(self):\n        return 4\n",
        "def __str__(self)",
        "__str__: []",
        "a",
        "__str__",
    ),
    (
        "python",
        "class Square:\n    def __init__(self):\n        self.side = 2\n",
        "def side(self)",
        "side: []",
        "2",
        "side",
    ),
    ("java", JAVA, "int area()", "area: []", "4", ""),
    ("java", JAVA, "String name()", "name: []", "square", ""),
    ("java", JAVA, "String toString()", "toString: []", "a shape", ""),
    ("java", JAVA, "int none()", "none: []", "0", "none"),
    ("java", "record Square(int side) { Square() { this(2); } }", "int side()", "side: []", "2", ""),
    ("javascript", JAVASCRIPT, "function area()", "area: []", "4", ""),
    ("javascript", JAVASCRIPT, "function side()", "side: []", "2", ""),
    ("javascript", JAVASCRIPT, "function toString()", "toString: []", "a shape", ""),
    ("javascript", JAVASCRIPT, "function side()", "side: []", "3", "returned 2"),
]


@pytest.mark.slow
@pytest.mark.usefixtures("shared_cache")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[2]} {case[4]}")
def test_what_can_be_called_counts(case: tuple[str, ...], tmp_path: Path) -> None:
    language, source, declare, step, returns, message = case
    ending, program, new = LANGUAGES[language]
    build = 'build: {run: javac Square.java, produces: ["*.class"]}\n' if language == "java" else ""
    calls = f"[{{new: [], steps: [{{{step}, expect: {{returns: {returns}}}}}]}}]"
    (tmp_path / "specs").mkdir()
    spec = tmp_path / "specs/shapes.yaml"
    told = {"language": language, "ending": ending, "program": program, "new": new, "build": build}
    spec.write_text(SPEC.format(**told, declare=declare, calls=calls))
    (tmp_path / "work").mkdir()
    (tmp_path / f"work/Square.{ending}").write_text(source)
    job = Job(spec=spec, submission=Submission(id="work", path=tmp_path / "work"))
    result = grade(job, prepare(spec)).tests[0].cases[0]
    assert (result.verdict == "passed", message in result.message) == (not message, True), result.message
