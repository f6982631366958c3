"""Hidden unit tests beside visible ones of the same file: what a submission can read of them, and who sees it."""

from pathlib import Path

import pytest

from grader.core.course import Course
from grader.core.judge.totals import WITHHELD
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import grade, prepare
from tests.support.courses import course, submission
from tests.support.report_samples import to_feedback

SPEC = """
spec: 1
id: echo
title: Twice
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
tests:
  - {name: shown, points: 4, unit: {pytest: tests/test_twice.py, only: [test_shown, test_calls]}}
  - {name: later, points: 1, unit: {pytest: tests/test_twice.py, only: [test_later]}, visibility: after-due}
  - {name: secret, points: 5, unit: {pytest: tests/test_twice.py, only: [test_hidden*]}, visibility: hidden}
  - {name: sums, points: 1, unit: {unittest: tests/sums.py, only: [Sums.test_shown]}}
  - {name: more sums, points: 1, unit: {unittest: tests/sums.py, only: [Sums.test_hidden]}, visibility: hidden}
  - {name: run, points: 1, args: [a], files: {shown.txt: x}, expect: {stdout: "a\\n"}}
  - {name: hidden run, points: 1, args: [b], files: {hidden.txt: hidden_word}, expect: {exit: 0}, visibility: hidden}
"""
TWICE = """
from echo import twice

HIDDEN_TABLE = {4711: 9422}

def test_shown():
    assert twice(4) == 8

def test_calls():
    test_hidden_that_is_called()

def test_later():
    assert twice("hidden_until_later") == "hidden_until_later" * 2

def test_hidden_table():
    for hidden_argument, result in HIDDEN_TABLE.items():
        assert twice(hidden_argument) == result

def test_hidden_that_is_called():
    assert twice("hidden_and_called") == "hidden_and_called" * 2
"""
SUMS = """
import unittest
from echo import twice

class Sums(unittest.TestCase):
    def test_shown(self):
        self.assertEqual(twice(2), 4)

    def test_hidden(self):
        self.assertEqual(twice("hidden_sum"), "hidden_sum" * 2)
"""
RIGHT = """
import sys
def twice(value):
    return value + value
if __name__ == "__main__":
    print(*sys.argv[1:])
"""
LEAK = """
import glob, os, sys
def texts():
    for path in [*glob.glob(".*/**", recursive=True), *glob.glob("**", recursive=True)]:
        if os.path.isfile(path) and not path.endswith("echo.py"):
            yield CODE(path + open(path, errors="replace").read())
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if "hidden_" in name.lower():
                yield f"{name} {value}"
def twice(value):
    print(*texts(), sep="\\n")
    return value * 2 if value != 4 else texts()
if __name__ == "__main__":
    print(*sys.argv[1:], *texts())
"""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Course]:
    folder = tmp_path_factory.mktemp("course")
    (folder / "tests").mkdir()
    (folder / "tests/test_twice.py").write_text(TWICE)
    (folder / "tests/sums.py").write_text(SUMS)
    path = course(folder, SPEC, RIGHT)
    return path, prepare(path)


def graded(prepared: tuple[Path, Course], folder: Path, program: str) -> Report:
    path, ready = prepared
    return grade(Job(spec=path, submission=Submission(id="a", path=submission(folder, program=program))), ready)


def test_the_honest_get_all_their_points(prepared: tuple[Path, Course], tmp_path: Path) -> None:
    report = graded(prepared, tmp_path, RIGHT)
    assert (report.score, report.max_score) == (14, 14)
    # One of the methods of that file calls a hidden one, which is in the process of each.
    silent = {case.id for test in report.tests for case in test.cases if WITHHELD in repr(case)}
    assert silent == {"shown[test_shown]", "shown[test_calls]", "later[test_later]"}


@pytest.mark.parametrize("code", ["repr", "(lambda text: text.encode().hex())"])
def test_nothing_of_hidden_tests_is_shown(code: str, prepared: tuple[Path, Course], tmp_path: Path) -> None:
    report = graded(prepared, tmp_path, LEAK.replace("CODE", code))
    tests = {test.name: test for test in report.tests}
    # What is called by a visible test has to be shipped with it.
    calls = next(case for case in tests["shown"].cases if case.id == "shown[test_calls]")
    assert (calls.verdict, calls.stdout) == ("passed", WITHHELD)
    for name in ("shown", "sums", "run"):
        for text in ("hidden_", "HIDDEN_TABLE", b"hidden_".hex()):
            assert text not in repr(tests[name])
    assert "hidden_" not in to_feedback(report).replace("test_hidden", "")


def test_what_hidden_tests_ask_of_a_build_is_not_told(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests/BankTest.java").write_text(
        """import org.junit.jupiter.api.*;
class BankTest {
    @Test void shown() { Assertions.assertEquals(1, new Bank().one()); }
    @Test void hidden() { Assertions.assertEquals(2, new Bank().hiddenName()); }
}
"""
    )
    text = """
spec: 1
id: echo
title: Bank
language: java
files: {required: [Bank.java]}
build: {run: javac Bank.java, produces: ["*.class"]}
program: java Bank
tests:
  - {name: shown, points: 1, unit: {junit: tests/BankTest.java, only: [shown]}}
  - {name: secret, points: 1, unit: {junit: tests/BankTest.java, only: [hidden]}, visibility: hidden}
"""
    path = course(folder, text)
    work = tmp_path / "ada"
    work.mkdir()
    (work / "Bank.java").write_text("class Bank { int one() { return 1; } }\n")
    report = grade(Job(spec=path, submission=Submission(id="ada", path=work)), prepare(path))
    assert [test.verdict for test in report.tests] == ["passed", "build-failed"]
    assert "hiddenName" in report.tests[1].cases[0].message
    feedback = to_feedback(report)
    assert "hiddenName" not in feedback
    assert "A hidden test cannot be compiled with what was handed in." in feedback
