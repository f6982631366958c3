"""Assignments of otter: each question with its cases and points, and what no spec can say."""

import ast
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.core.model.layout import content_of
from grader.core.model.report import Report, Verdict
from grader.core.reader.spec import load
from grader.imports import Written, otter, write_assignment
from grader.imports.otter import import_otter, read_function_test, read_ok_test, to_unittest
from tests.support.courses import grade_files
from tests.support.notebooks import FUNCTION_TEST, OK_TESTS, otter_assignment, otter_notebook
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
STATED_TEST = DATA["STATED_TEST"]
SQUARE = "def square(x):\n    return x * x"


def graded(written: Written, root: Path, name: str, x: str, square: str) -> Report:
    return grade_files(written.spec, root / name, {"hw.ipynb": otter_notebook(x, square, solved=False)})


def test_an_assignment_becomes_a_spec_and_grades_as_otter_does(tmp_path: Path) -> None:
    lay(tmp_path, otter_assignment())
    written = write_assignment(import_otter(tmp_path / "hw"), tmp_path / "course")
    spec = load(written.spec)
    assert [(test.name, float(test.points), str(test.visibility)) for test in spec.tests] == [
        ("q1", 2, "visible"),
        ("q1 hidden", 3, "hidden"),
        ("q2", 4, "visible"),
        ("q3", 1, "visible"),
        ("q3 hidden", 3, "hidden"),
    ]
    for told in ("seed of otter_config.json", "points_possible is 99", "the questions come to 13"):
        assert any(told in note for note in written.notes), written.notes
    assert "data/hw/data.csv" in written.files
    for name, (x, square, scores) in DATA["GRADED"].items():
        report = graded(written, tmp_path, name, x, square)
        assert [test.score for test in report.tests] == scores, name


def test_a_notebook_of_another_name_is_graded(tmp_path: Path) -> None:
    lay(tmp_path, otter_assignment())
    written = write_assignment(import_otter(tmp_path / "hw"), tmp_path / "course")
    notebook = otter_notebook("x = 3", SQUARE, solved=False)
    for folder, names, score in (
        ("copy", ["hw_final (1).ipynb"], 10),
        ("inside", ["work/mine.ipynb"], 10),
        ("both", ["hw.ipynb", "mine.ipynb"], 10),
        ("two", ["mine.ipynb", "other.ipynb"], 0),
    ):
        report = grade_files(written.spec, tmp_path / folder, dict.fromkeys(names, notebook))
        assert report.score == score, folder


def test_a_case_sees_what_one_before_changed_and_not_what_it_assigned(tmp_path: Path) -> None:
    codes = [">>> x.append(square(2))\n>>> x", ">>> len(x)", *[">>> y = 1"] * 7, ">>> x.append(y)", ">>> len(x)"]
    wants = ["[4]", "1", *[""] * 7, "", "2"]
    cases = [{"code": f"{code}\n{want}"} for code, want in zip(codes, wants, strict=True)]
    tests = {"q1": {"points": 11, "suites": [{"cases": cases}]}}
    right = "x, y = [], 0"
    (tmp_path / "hw.ipynb").write_bytes(otter_notebook(right, SQUARE, solved=True, tests=tests))
    written = write_assignment(import_otter(tmp_path / "hw.ipynb"), tmp_path / "course")
    assert len(load(written.spec).tests[0].cases) == 11
    for name, x, failed in (
        ("right", right, []),
        ("lost", "class Lost(list):\n    append = lambda self, one: None\nx, y = Lost(), 0", ["01", "02", "11"]),
        ("no-y", "x = []", ["10", "11"]),
    ):
        (test,) = graded(written, tmp_path, name, x, SQUARE).tests
        assert [case.id[-3:-1] for case in test.cases if case.verdict != "passed"] == failed


def test_a_failure_is_told_in_the_words_of_the_test(tmp_path: Path) -> None:
    (tmp_path / "hw.ipynb").write_bytes(otter_notebook("x = 2", SQUARE, solved=True, tests=OK_TESTS))
    written = write_assignment(import_otter(tmp_path / "hw.ipynb"), tmp_path / "course")
    report = graded(written, tmp_path, "work", "x = 2.5", SQUARE)
    (case,) = report.tests[0].cases
    said = "`value_of('isinstance(x, int)')` returned `'False'`; `'True'` is expected (`x is no number.`)"
    assert said in case.message
    assert report.tests[1].visibility == "hidden"


@each_row
def test_points_are_shared_as_otter_does(total: int | None, given: list[int | None], points: list[str]) -> None:
    cases = [{"code": ">>> 1", "points": one} for one in given]
    assert read_ok_test("q", {"points": total, "suites": [{"cases": cases}]}).worth == [Fraction(one) for one in points]


def test_an_assertion_without_words_is_told_as_it_stands() -> None:
    names: dict[str, Any] = {}
    exec(otter._HEAD.format(title="q", module="math"), names)  # noqa: S102 - the text is ours
    for source, told in (
        ("assert 1 == 2", "assert 1 == 2 does not hold"),
        ("assert 0, 'no'", "no"),
        ("raise AssertionError('\\nfar  off\\n')", "far off"),
    ):
        with pytest.raises(AssertionError) as found:
            names["effect_of"](source)
        assert str(found.value) == told


@each_row
def test_an_example_becomes_an_assertion(code: str, line: str) -> None:
    question = read_ok_test("q", {"suites": [{"cases": [{"code": code}]}]})
    content, names = to_unittest(question, list(enumerate(question.cases, 1)), "hw")
    assert line in content.decode()
    assert names == ["TestQ.test_1"]
    compile(content, "test_q.py", "exec")


@each_row
def test_what_cannot_be_carried_over_is_left_to_be_written_with_its_points(
    tmp_path: Path, tests: dict[str, Any], points: list[tuple[str, float]], reasons: list[str]
) -> None:
    (tmp_path / "hw.ipynb").write_bytes(otter_notebook("x = 2", SQUARE, solved=True, tests=tests))
    written = write_assignment(import_otter(tmp_path / "hw.ipynb"), tmp_path / "course")
    assert [(test.name, float(test.points)) for test in load(written.spec).tests] == points
    assert written.notes[-1].startswith("To be written, in data/hw/to_do.py: todo_q1_case_1")
    found = re.findall(r'"""To be written: (.*)\."""', (tmp_path / "course/data/hw/to_do.py").read_text())
    assert [reason in one for reason, one in zip(reasons, found, strict=True)] == [True] * len(reasons)


@pytest.mark.parametrize("stated", [float("nan"), float("inf"), True, -3, "7"])
def test_a_number_of_points_that_is_none_is_that_of_the_questions(tmp_path: Path, stated: object) -> None:
    tests = {"tests/q1.py": "test = {'points': 7, 'suites': [{'cases': [{'code': '>>> x\\n2'}]}]}"}
    folder = lay(tmp_path / "hw", {**tests, "otter_config.json": json.dumps({"points_possible": stated})})
    found = import_otter(folder)
    assert [found.points, found.lost] == [7, 0]


def test_a_file_of_the_course_does_not_take_the_place_of_the_notebook(tmp_path: Path) -> None:
    tests = {"q1": {"suites": [{"cases": [{"code": ">>> x\n2"}]}]}}
    folder = lay(
        tmp_path / "hw", {"hw.py": "x = 3\n", "hw.ipynb": otter_notebook("x = 2", SQUARE, solved=False, tests=tests)}
    )
    spec = write_assignment(import_otter(folder), tmp_path / "course").spec
    report = grade_files(spec, tmp_path / "ann", {"hw.ipynb": otter_notebook("x = 2", SQUARE, solved=True)})
    assert [test.verdict for test in report.tests] == [Verdict.PASSED]


def test_names_of_tests_harm_nothing(tmp_path: Path) -> None:
    hostile = {'q1"""\nimport os\n../../x': OK_TESTS["q1"]}
    (tmp_path / "hw.ipynb").write_bytes(otter_notebook("x = 2", SQUARE, solved=True, tests=hostile))
    found = import_otter(tmp_path / "hw.ipynb")
    assert all(".." not in name and "\n" not in name for name in found.files)
    for name, content in found.files.items():
        if name.endswith(".py"):
            assert b"\nimport os" not in content_of(content)


def test_what_test_case_states_is_carried_over() -> None:
    question = read_function_test("q4", STATED_TEST)
    assert [(case.points, case.is_hidden) for case in question.cases] == [
        (2, True),
        (3, True),
        (4, True),
        (None, False),
    ]
    assert question.prelude.endswith("""x == é, 'Think é.'
    assert x, 'own'
    assert x, 'Think é.'""")
    ast.parse(question.prelude)


def test_functions_keep_what_is_around_them() -> None:
    question = read_function_test("q3", FUNCTION_TEST)
    assert [(case.points, case.is_hidden) for case in question.cases] == [(1, False), (None, True)]
    assert question.worth == [1, 3]
    assert "LIMIT = 100" in question.prelude
    assert "test_case" not in question.prelude
