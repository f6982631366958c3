import json
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.prairielearn import import_prairielearn
from grader.kinds.unit_tests.model import unit_of
from tests.support.other_graders import PRAIRIELEARN
from tests.support.packages import lay
from tests.support.rows import each_row, from_data, read_data

pytestmark = pytest.mark.usefixtures("shared_cache")
INFO = PRAIRIELEARN["info.json"]


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_prairielearn(lay(folder / "halves", files)), folder / "course")


def test_a_question_becomes_a_spec_that_grades(tmp_path: Path) -> None:
    written = imported(tmp_path, dict(PRAIRIELEARN))
    spec = load(written.spec)
    assert spec.files.required_names == ("halves.py",)
    assert [(test.name, float(test.points)) for test in spec.tests] == [
        ("half of a number", 2),
        ("half of each", 3),
        ("no loop", 1),
    ]
    assert "todo_test_2" in written.notes[-1]
    for name, program, verdicts in (
        ("ada", PRAIRIELEARN["tests/ans.py"].replace("number / 2", "number * 0.5"), [Verdict.PASSED] * 2),
        (
            "bo",
            PRAIRIELEARN["tests/ans.py"].replace("number / 2", "number // 2"),
            [Verdict.FAILED, Verdict.PASSED],
        ),  # check_list looks at the length
    ):
        work = lay(tmp_path / name, {"halves.py": program})
        report = grade(Job(spec=written.spec, submission=Submission(id=name, path=work)))
        assert [test.verdict for test in report.tests[:2]] == verdicts


@each_row
def test_what_needs_more_than_the_test_remains_to_be_written(tmp_path: Path, body: str, reason: str) -> None:
    test = f"class T(PLTestCase):\n    def test_0(self):\n        {body}\n"
    imported(tmp_path, {**PRAIRIELEARN, "tests/test.py": test})
    told = (tmp_path / "course/data/halves/to_do.py").read_text()
    assert reason in " ".join(told.split())


@each_row
def test_a_helper_that_needs_what_is_not_there_leaves_the_methods_open(
    tmp_path: Path, files: dict[str, str], reason: str
) -> None:
    spec = load(imported(tmp_path, {**PRAIRIELEARN, **files}).spec)
    assert [case.kind for test in spec.tests for case in test.cases] == ["program"]
    told = (tmp_path / "course/data/halves/to_do.py").read_text()
    assert reason in " ".join(told.split())


DATA = read_data(__file__)
HEAD = DATA["HEAD"]


SHARES = from_data(DATA["SHARES"], list[tuple[str, float] | tuple[str, int]])


@pytest.mark.slow
def test_a_method_that_is_no_call_is_run_as_it_is(tmp_path: Path) -> None:
    methods = (
        f"    @points(4)\n    def test_{number:02}(self):\n        {body}\n" for number, (body, _) in enumerate(SHARES)
    )
    files = {
        **PRAIRIELEARN,
        "tests/test.py": f"{HEAD}class T(PLTestCase):\n{''.join(methods)}",
        "tests/setup_code.py": "x = 5\ny = 6\n",
        "server.py": 'def generate(data):\n    data["params"]["names_for_user"] = [{"name": "x"}]\n',
    }
    written = imported(tmp_path, files)
    unit = unit_of(load(written.spec).tests[0].cases[0])
    assert unit
    assert unit.helpers.keys() == {"ans.py", "setup_code.py"}
    peeps = "five = x\nseen = ''\ntry:\n    open('.grader-unit/ans.py')\nexcept OSError as error:\n"
    program = f"{peeps}    seen = type(error).__name__\ndef half(number):\n    return number / 2\n"
    work = lay(tmp_path / "ann", {"halves.py": program})
    report = grade(Job(spec=written.spec, submission=Submission(id="ann", path=work)))
    for (body, share), test in zip(SHARES, report.tests, strict=True):
        # What the reference does not pass either is nobody's fault.
        assert test.score == 4 * share or (share == 0 and test.verdict == Verdict.UNGRADED), body


def test_a_helper_beside_the_test_and_a_notebook_are_taken(tmp_path: Path) -> None:
    files = {
        **PRAIRIELEARN,
        "question.html": '<pl-file-upload file-names="Work.ipynb"></pl-file-upload>',
        "tests/ans.py": "x = 3\n",
        "tests/wanted.py": "def is_right(one, other):\n    return one == other\n",
        "tests/test.py": f"import wanted\n{HEAD}class T(PLTestCase):\n    def test_0(self):\n"
        "        feedback.check_scalar('x', self.ref.x, self.st.x)\n"
        "        feedback.set_score(wanted.is_right(self.st.x, self.ref.x))\n",
    }
    written = imported(tmp_path, files)
    for name, cells, score in (("right", ["#grade\nx = 3", "x = 1 / 0"], 1), ("wrong", ["x = 3", "#grade\nx = 4"], 0)):
        book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [code_cell(one) for one in cells]}
        work = lay(tmp_path / name, {"Work.ipynb": json.dumps(book)})
        report = grade(Job(spec=written.spec, submission=Submission(id=name, path=work)))
        assert report.score == score
    assert "`x is not right: 4`" in str(report.tests[0].cases[0].message)


def code_cell(source: str) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}


def test_code_around_the_students_is_run_with_it(tmp_path: Path) -> None:
    files = {
        **PRAIRIELEARN,
        "tests/leading_code.py": "start = 3\n",
        "tests/trailing_code.py": "\nend = half(start)\n",
        "tests/ans.py": f"{PRAIRIELEARN['tests/ans.py']}\nend = 1.5\n",
        "tests/test.py": f"{HEAD}class T(PLTestCase):\n    def test_0(self):\n"
        "        feedback.set_score(0.5 if self.st.end != self.ref.end else 1)\n",
    }
    written = imported(tmp_path, files)
    for name, program, score in (("right", "number / 2", 1), ("wrong", "number // 2", 0.5)):
        work = lay(tmp_path / name, {"halves.py": f"def half(number):\n    return {program}\n"})
        report = grade(Job(spec=written.spec, submission=Submission(id=name, path=work)))
        assert report.score == score


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"info.json": "{"}, "is not JSON"),
        ({"info.json": "[" * 100_000}, "nested too deeply"),
        ({"info.json": '{"title": 1, "title": 2}'}, "twice"),
        ({"info.json": '{"gradingMethod": "Internal"}'}, "only questions with the gradingMethod External"),
        ({"info.json": INFO.replace("grader-python", "grader-c")}, "is not that of the Python autograder"),
        ({"info.json": INFO}, "no file tests/test.py"),
        ({"info.json": INFO, "tests/test.py": "("}, "is not Python"),
        ({"info.json": INFO, "tests/test.py": "x = 1"}, "no class of PLTestCase"),
        ({**PRAIRIELEARN, "question.html": '<pl-file-editor file-name="../x.py">'}, "outside"),
        ({**PRAIRIELEARN, "question.html": '<pl-file-upload file-names="a.txt">'}, "ends with .py or .ipynb"),
    ],
)
def test_what_is_no_question_is_refused_with_words(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, files)
