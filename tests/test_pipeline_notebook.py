"""Notebooks from the spec to the report: a student reads the cell, whatever goes wrong there."""

from pathlib import Path

import pytest

from grader.author.public import _files_of_reference
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, Verdict
from grader.core.pipeline import Course, grade, prepare
from tests.support.notebooks import notebook

pytestmark = pytest.mark.usefixtures("shared_cache")

SPEC = """\
spec: 1
id: hw
title: Homework
language: notebook
{more}files: {{required: [hw.ipynb]}}
program: python3 hw.py
reference: reference/hw.ipynb
limits: {{time: 5 s}}
tests:
  - name: area
    points: 4
    functions:
      in: hw
      declare: def area(width, height)
      calls: [{{args: [2, 3], expect: {{returns: reference}}}}]
  - name: output
    points: 3
    stdin: "4\\n"
    expect: {{stdout: reference, files: {{same: {{out.txt: reference}}}}}}
  - name: rules
    points: 2
    source: {{forbid: [{{call: eval}}], require: [{{function: area}}]}}
  - name: unit
    points: 1
    stdin: "4\\n"
    unit: {{unittest: reference/test_hw.py}}
"""
TEST = """\
import inspect
import unittest

import hw

class TestArea(unittest.TestCase):
    def test_area(self):
        self.assertEqual(hw.area(2, 5), 10)
        self.assertIn("return", inspect.getsource(hw.area))
"""
AREA = "def area(width, height):\n    return width * height\n"
OUTPUT = "n = int(input())\nprint(2 * n)\nwith open('out.txt', 'w') as file:\n    file.write('done')\n"
REPAIR = """\
repairs:
  - name: broken-cell
    about: A cell that Python cannot read was left out.
    when: build-failed
    leave-out: broken-cells
    keeps: 50%
"""


def course(root: Path, more: str = "", spec: str = SPEC) -> Course:
    for folder in ("specs", "reference"):
        (root / folder).mkdir(exist_ok=True)
    (root / "specs/hw.yaml").write_text(spec.format(more=more))
    (root / "reference/hw.ipynb").write_bytes(notebook(AREA, OUTPUT))
    (root / "reference/test_hw.py").write_text(TEST)
    return prepare(root / "specs/hw.yaml")


def graded(root: Path, found: Course, files: dict[str, bytes]) -> Report:
    work = root / "work"
    work.mkdir()
    for name, content in files.items():
        (work / name).write_bytes(content)
    return grade(Job(spec=root / "specs/hw.yaml", submission=Submission(id="work", path=work)), found)


def cells(root: Path, *sources: str, more: str = "") -> Report:
    return graded(root, course(root, more), {"hw.ipynb": notebook(*sources)})


def messages(report: Report) -> str:
    return " ".join(case.message for test in report.tests for case in test.cases)


def scores(report: Report) -> list[float | None]:
    return [test.score for test in report.tests]


def test_a_right_notebook_has_all_points_and_magics_are_told(tmp_path: Path) -> None:
    begin = "%matplotlib inline\n!pip install x\nfrom IPython.display import display, HTML\n"
    report = cells(tmp_path, begin, "%%bash\nexit 1", AREA, f"{OUTPUT}n\n")
    assert scores(report) == [4, 3, 2, 1], messages(report)
    assert [one.message for one in report.findings] == [
        "cell 1, line 1: `%matplotlib inline` is for Jupyter alone and was taken out",
        "cell 1, line 2: `!pip install x` is a command for the machine; it was taken out and not run",
        "cell 2, line 1: `%%bash` makes the whole cell something else than Python, so the cell was left out",
    ]


def test_what_colab_alone_has_does_nothing(tmp_path: Path) -> None:
    begin = "from google.colab import drive, files\nimport google.colab.output as out\ndrive.mount('/content/drive')\n"
    report = cells(tmp_path, f"{begin}files.download('x')\nout.clear()", AREA, f"{OUTPUT}n\n")
    assert scores(report) == [4, 3, 2, 1], messages(report)


def test_another_package_of_that_name_is_missing(tmp_path: Path) -> None:
    report = cells(tmp_path, AREA, f"{OUTPUT}n\nfrom google.cloud import storage")
    assert "imports `google`" in messages(report)


def test_an_exception_is_told_by_its_cell(tmp_path: Path) -> None:
    report = cells(tmp_path, AREA, *"abcde", f"{OUTPUT}\n\nmissing(n)")
    (output,) = report.tests[1].cases
    assert "`NameError: name 'a' is not defined` in cell 2, line 1, `a`." in output.message
    errors = output.stderr or ""
    assert 'File "hw.ipynb, cell 2", line 1, in <module>\n    a\n' in errors
    assert "hw.py" not in errors


def test_a_wrong_line_in_a_function_and_a_forbidden_call_are_told_by_their_cells(tmp_path: Path) -> None:
    report = cells(tmp_path, "x = 1", "def area(width, height):\n    return eval('width') // 0", OUTPUT)
    told = messages(report)
    assert "`area` ended with `ZeroDivisionError`: `integer division or modulo by zero` in cell 2, line 2" in told
    assert "cell 2, line 2 calls `eval`" in told
    assert "hw.py" not in told


def test_a_cell_that_is_no_python_is_told_before_anything_runs(tmp_path: Path) -> None:
    report = cells(tmp_path, AREA, 'print("a"', OUTPUT, "for x in:\n  pass")
    assert report.build is not None
    assert report.build.message == (
        "cell 2, line 1: SyntaxError: '(' was never closed in `print(\"a\"`; 1 more cell cannot be read either"
    )
    assert "cell 4, line 1" in report.build.log
    assert {case.verdict for test in report.tests for case in test.cases} == {Verdict.BUILD_FAILED}


def test_such_a_cell_is_left_out_at_the_price_of_the_course(tmp_path: Path) -> None:
    report = cells(tmp_path, AREA, 'print("a"', OUTPUT, more=REPAIR)
    assert scores(report) == [2, 1.5, 1, 0.5], messages(report)


def test_a_repair_helps_no_other_trouble(tmp_path: Path) -> None:
    report = graded(tmp_path, course(tmp_path, REPAIR), {"hw.ipynb": notebook("x", language="R")})
    assert report.build is not None
    assert "its kernel is `R`" in report.build.message
    assert scores(report) == [0, 0, 0, 0]


@pytest.mark.parametrize(("more", "area"), [("", 4), ("notebook: {after-error: go-on}\n", 4)])
def test_what_stands_above_an_exception_is_there(tmp_path: Path, more: str, area: float) -> None:
    assert scores(cells(tmp_path, AREA, "1 / 0", OUTPUT, more=more))[0] == area


def test_what_stands_below_an_exception_is_there_where_the_course_says_so(tmp_path: Path) -> None:
    stopped = cells(tmp_path, "1 / 0", AREA, OUTPUT)
    assert scores(stopped)[0] == 0
    assert "ZeroDivisionError" in messages(stopped)
    (tmp_path / "more").mkdir()
    report = cells(tmp_path / "more", "1 / 0", AREA, OUTPUT, more="notebook: {after-error: go-on}\n")
    assert scores(report) == [4, 0, 2, 1], messages(report)
    (output,) = report.tests[1].cases
    assert output.verdict is Verdict.CRASHED
    assert "cell 1, line 1" in output.message
    assert output.stdout == "8\n"


@pytest.mark.parametrize(
    ("files", "told", "verdict"),
    [
        ({"hw.py": AREA.encode()}, "hw.ipynb is missing, but there is hw.py", Verdict.BUILD_FAILED),
        ({"hw.ipynb": b'{"cells": ['}, "hw.ipynb: it is damaged or cut off", Verdict.NOT_READABLE),
        ({"hw.ipynb": AREA.encode()}, "this file begins with `def area(width, height):`", Verdict.NOT_READABLE),
        ({"hw.ipynb": notebook("(" * 5000)}, "cell 1, line 1", Verdict.BUILD_FAILED),
        ({"hw.ipynb": notebook("a\0b")}, "cell 1, line 1", Verdict.BUILD_FAILED),
    ],
)
def test_what_is_no_notebook_is_told(tmp_path: Path, files: dict[str, bytes], told: str, verdict: Verdict) -> None:
    report = graded(tmp_path, course(tmp_path), files)
    assert report.build is not None
    assert told in report.build.message
    assert report.verdict in (verdict, Verdict.FAILED)


def test_a_module_beside_the_notebook_is_replaced_and_that_is_told(tmp_path: Path) -> None:
    report = graded(tmp_path, course(tmp_path), {"hw.ipynb": notebook(AREA, OUTPUT), "hw.py": b"exit()"})
    assert scores(report) == [4, 3, 2, 1]
    assert [one.message for one in report.findings] == ["hw.py was replaced by the module made of hw.ipynb"]


def test_cells_know_await_futures_and_nothing_of_what_runs_them(tmp_path: Path) -> None:
    report = cells(
        tmp_path,
        "from __future__ import annotations\nimport asyncio\nawait asyncio.sleep(0)",
        f"def f(x: Unknown) -> None: ...\n{AREA}",
        "assert [n for n in dir() if not n.startswith('__')] == ['annotations', 'area', 'asyncio', 'f']",
        OUTPUT,
    )
    assert scores(report) == [4, 3, 2, 1], messages(report)


OWN_FILE = """\
spec: 1
id: hw
title: Homework
language: notebook
files: {{required: [hw.ipynb]}}
program: python3 hw.py
tests:
  - name: read
    points: 2
    args: [given.txt]
    files: {{given.txt: "7\\n"}}
    expect: {{stdout: "7\\n"}}
  - name: rules
    points: 1
    source: {{forbid: [{{call: exec}}]}}
"""


def test_rules_never_see_what_runs_the_cells(tmp_path: Path) -> None:
    work = {
        "hw.ipynb": notebook("import os\nos.system('true')", "x = 1\nprint(open('mine.txt').read())"),
        "mine.txt": b"8",
    }
    report = graded(tmp_path, course(tmp_path, spec=OWN_FILE), work)
    (read,) = report.tests[0].cases
    assert "hw.py" not in read.message
    assert scores(report) == [0, 1], messages(report)


def test_a_notebook_that_only_defines_functions_is_told_so(tmp_path: Path) -> None:
    report = cells(tmp_path, AREA)
    (output,) = report.tests[1].cases
    assert "of `hw.ipynb`" in output.message
    assert "is in a file that only defines functions, and calls none." in output.message


def test_the_reference_notebook_is_withheld_from_students(tmp_path: Path) -> None:
    found = course(tmp_path)
    assert _files_of_reference(found.spec) == {"reference/hw.ipynb"}
