import json
from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import write_assignment
from grader.imports.github_classroom import import_github_classroom
from grader.imports.projects import find_project
from grader.imports.shell_lines import with_python3_in_file
from tests.support.packages import lay
from tests.support.rows import each_row

pytestmark = pytest.mark.usefixtures("shared_cache")


@each_row
def test_python_becomes_python3_in_the_files_of_the_course(name: str, text: str, expected: str) -> None:
    assert with_python3_in_file(name, text.encode()).decode() == expected


TESTS = [
    {"name": "makes", "run": "make test", "points": 1},
    {"name": "writes", "run": "python words.py < data/in.txt > got.txt", "points": 1},
    {"name": "reads", "run": "python words.py < data/in.txt > got.txt; diff got.txt tests/out.txt", "points": 3},
]
FILES = {
    ".github/classroom/autograding.json": json.dumps({"tests": TESTS}),
    "Makefile": "PYTHON = python\ntest:\n\t$(PYTHON) words.py < data/in.txt | sh tests/check.sh\n",
    "tests/check.sh": "python -c 'assert int(input()) == 3'\n",
    "tests/out.txt": "3\n",
    "data/in.txt": "a b c\n",
    "words.py": "",
}


@each_row
def test_files_of_the_course_are_beside_each_line(tmp_path: Path, program: str, expected: list[Verdict]) -> None:
    written = write_assignment(import_github_classroom(lay(tmp_path / "words", FILES)), tmp_path / "course")
    assert any("python3 is written for python" in note and "Makefile" in note for note in written.notes)
    assert load(written.spec).program == ("sh", "-c", "python3 words.py < data/in.txt > got.txt")
    work = lay(tmp_path / "ann", {"words.py": program, "Makefile": "test:\n\ttrue\n"})
    report = grade(Job(spec=written.spec, submission=Submission(id="ann", path=work)))
    assert [test.verdict for test in report.tests] == expected


def test_what_lies_beside_tests_of_java_is_in_the_order_of_the_repository() -> None:
    names = [f"src/test/java/shop/Helper{letter}.java" for letter in "QWERTZUIOP"]
    sources = dict.fromkeys(["src/test/java/shop/ShopTest.java", *names], b"package shop;\nclass A {}\n")
    assert [*find_project(["src/test/java/shop/ShopTest.java"], sources).beside.values()] == names
