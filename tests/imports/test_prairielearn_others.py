"""Questions of PrairieLearn for its autograders of C and Java; all of them are made up here."""

import json
from pathlib import Path

import pytest

from grader.check.runner import examine
from grader.core.errors import UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.prairielearn import import_prairielearn
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

pytestmark = pytest.mark.usefixtures("shared_cache")


def question(language: str, student: str, files: dict[str, str]) -> dict[str, str]:
    options = {"image": f"prairielearn/grader-{language}:latest"}
    info = {"title": "Cubes", "gradingMethod": "External", "externalGradingOptions": options}
    html = f'<pl-file-editor file-name="{student}" source-file-name="start/{student}"></pl-file-editor>'
    return {"info.json": json.dumps(info), "question.html": html, **files}


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_prairielearn(lay(folder / "cubes", files)), folder / "course")


def score(written: Written, folder: Path, files: dict[str, str]) -> dict[str, float | None]:
    report = grade(Job(spec=written.spec, submission=Submission(id=folder.name, path=lay(folder, files))))
    return {test.name: None if test.score is None else float(test.score) for test in report.tests}


DATA = read_data(__file__)
MAIN = DATA["MAIN"]
TEST = DATA["TEST"]
C_FILES = {"tests/test.py": TEST, "tests/main.c": MAIN, "tests/cube.h": "int cube(int);\n"}


@pytest.mark.slow
def test_a_question_in_c_is_compiled_and_run(tmp_path: Path) -> None:
    written = imported(tmp_path, question("c", "cube.c", C_FILES))
    spec = load(written.spec)
    assert (spec.language, spec.files.required_names) == ("c", ("cube.c",))
    assert [remark.message for remark in examine(written.spec, None).remarks if remark.level == "error"] == []
    names = ["Compilation", "Test 2", "Test 3", "both", "any"]
    for name, program, expected in (
        ("right", "int cube(int n) { return n * n * n; }\n", [2, 1, 1, 4, 3]),
        ("own", "int cube(int n) { return n * n * n; }\nint main(void) { return 0; }\n", [2, 1, 1, 4, 3]),
        ("square", "int cube(int n) { return n * n; }\n", [2, 1, 0, 0, 0]),
        ("loud", '#include <stdio.h>\nint cube(int n) { puts("error"); return n * n * n; }\n', [2, 1, 1, 4, 0]),
        ("broken", "int cube(int n) {\n", [0] * 5),
    ):
        assert score(written, tmp_path / name, {"cube.c": program}) == dict(zip(names, expected, strict=True)), name


CPP_TEST = DATA["CPP_TEST"]


def test_what_is_known_only_when_it_is_run_remains_to_be_written(tmp_path: Path) -> None:
    written = imported(tmp_path, question("c", "greet.cpp", {"tests/test.py": CPP_TEST}))
    assert "todo_Test_4, todo_Test_5, todo_Test_6, todo_Test_7, todo_Test_8" in written.notes[-1]
    program = '#include <iostream>\nint main(int, char **v) { std::cout << "hello, " << v[1] << "!"; return 0; }\n'
    found = score(written, tmp_path / "ada", {"greet.cpp": program})
    assert list(found.values()) == [1, 1, 0, *[None] * 5]
    assert load(written.spec).max_score == 14


@each_row
def test_a_test_in_c_that_does_more_is_refused_with_words(tmp_path: Path, body: str, message: str) -> None:
    test = f"class T(CGrader):\n    def tests(self):\n        {body}\n"
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, question("c", "a.c", {"tests/test.py": test}))


def test_points_without_end_leave_a_check_to_be_written(tmp_path: Path) -> None:
    run = "self.test_compile_file('a.c', 'a')\n        self.test_run('./a', exp_output='x', max_points=1e999)"
    test = f"class T(CGrader):\n    def tests(self):\n        {run}\n"
    written = imported(tmp_path, question("c", "a.c", {"tests/test.py": test}))
    assert "todo_Test_2" in written.notes[-1]


JUNIT = DATA["JUNIT"]
JAVA_FILES = {
    "tests/junit/CubeTest.java": JUNIT,
    "tests/junit/Helper.java": "class Helper { static final int LARGE = 1000000; }\n",
    "start/Cube.java": "class Cube { static int of(int n) { return 0; } }\n",
}
CUBE = "class Cube { static int of(int n) { return n * n * n; } }\n"


@pytest.mark.slow
@pytest.mark.parametrize(("more", "squared"), [({}, 0), ({"solution/Cube.java": CUBE}, 4)], ids=["alone", "solved"])
def test_a_question_in_java_runs_its_tests_for_junit(tmp_path: Path, more: dict[str, str], squared: float) -> None:
    written = imported(tmp_path, question("java", "Cube.java", JAVA_FILES | more))
    assert [(test.name, float(test.points)) for test in load(written.spec).tests] == [("CubeTest", 13)]
    assert [remark.message for remark in examine(written.spec, None).remarks if remark.level == "error"] == []
    assert score(written, tmp_path / "right", {"Cube.java": CUBE}) == {"CubeTest": 13}
    assert score(written, tmp_path / "wrong", {"Cube.java": CUBE.replace("n * n * n", "n * n")}) == {
        "CubeTest": 4 + squared
    }


@each_row
def test_what_is_no_such_question_is_refused_with_words(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, files)
