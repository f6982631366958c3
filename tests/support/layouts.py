"""The folders in which shown commands run, by the names that pages give them: `<!-- in: a class -->`."""

import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.support.classes import PROGRAMS
from tests.support.courses import SPEC, course
from tests.support.notebooks import otter_assignment
from tests.support.other_graders import CHECK50, CHECK50_SIMPLE, EXERCISM_PYTHON, PRAIRIELEARN, SUBMITTY
from tests.support.packages import GRADESCOPE, PAIRS, classroom_repository, io_tests, lay
from tests.support.rows import read_data

ROOT = Path(__file__).parents[2]
DATA = read_data(__file__)
_CANVAS = DATA["_CANVAS"]
_MOODLE = DATA["_MOODLE"]


def empty(_folder: Path) -> None:
    """Leave the folder empty."""


def whole_course(folder: Path) -> None:
    """Lay out what a clone has after `make demo`: the specs, their references, the samples, the environment."""
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("specs", "reference", "sample_submissions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))


def example_in_javascript(folder: Path) -> None:
    """Lay out the example with tests for Node's own test runner."""
    shutil.copytree(ROOT / "examples" / "javascript-tests", folder, dirs_exist_ok=True)


def example_of_student_tests(folder: Path) -> None:
    """Lay out the example in which students hand in tests."""
    shutil.copytree(ROOT / "examples" / "student-tests", folder, dirs_exist_ok=True)


def small_class(folder: Path) -> None:
    """Lay out a course with one spec, and a class of three: right, on the other stream, without a newline."""
    course(folder, SPEC)
    for name, program in zip(("ada", "bo", "cy"), PROGRAMS, strict=False):
        where = folder / "submissions" / name
        where.mkdir(parents=True)
        (where / "echo.py").write_text(program)
    (folder / "roster.csv").write_text("id,name\nada,Ada Abara\nbo,Bo Berg\ncy,Cy Costa\ndee,Dee Dupont\n")
    (folder / "Grades.csv").write_text(_CANVAS)
    (folder / "Grades-Echo.csv").write_text(_MOODLE)


def other_graders(folder: Path) -> None:
    """Lay out a problem package, and tests of Classroom 50."""
    lay(folder / "problems" / "pairsums", PAIRS)
    io_tests(folder / "hello")


def check50_problems(folder: Path) -> None:
    """Lay out two problems of check50, and work that counts no letters."""
    lay(folder / "problems" / "greet", CHECK50_SIMPLE)
    lay(folder / "problems" / "halve", CHECK50)
    lay(folder / "submissions" / "ada", {"greet.py": "print('Hello, ' + input())\n"})


def submitty_assignment(folder: Path) -> None:
    """Lay out an assignment of Submitty."""
    lay(folder / "frame", SUBMITTY)


def exercism_exercises(folder: Path) -> None:
    """Lay out an exercise of Exercism."""
    lay(folder / "exercises" / "practice" / "round-year", EXERCISM_PYTHON)


def prairielearn_questions(folder: Path) -> None:
    """Lay out a question of PrairieLearn, and work that rounds."""
    lay(folder / "questions" / "halves", PRAIRIELEARN)
    lay(folder / "submissions" / "bo", {"halves.py": PRAIRIELEARN["tests/ans.py"].replace(" / ", " // ")})


def github_classroom(folder: Path) -> None:
    """Lay out a repository of GitHub Classroom, and work that handed in a test of its own."""
    classroom_repository(folder / "sums")
    right = (
        "def add(a, b):\n    return a + b\n\n\nif __name__ == '__main__':\n    print(add(*map(int, input().split())))\n"
    )
    lay(folder / "submissions", {"ada/add.py": right, "bo/add.py": right.replace("+", "-"), "bo/test_add.py": ""})


def gradescope_autograder(folder: Path) -> None:
    """Lay out the folder of an autograder for Gradescope."""
    lay(folder / "calc", GRADESCOPE)


def assignment_of_otter(folder: Path) -> None:
    """Lay out what `otter assign` made."""
    lay(folder, otter_assignment())


def activities_of_vpl(folder: Path) -> None:
    """Lay out an activity of VPL."""
    lay(folder / "sums", {"vpl_evaluate.cases": "Case = two\nInput = 1 2\nOutput = 3\n", "sums.py": ""})


LAYOUTS: Mapping[str, Callable[[Path], None]] = {
    "an empty folder": empty,
    "the example in JavaScript": example_in_javascript,
    "the example of students' tests": example_of_student_tests,
    "the course of the repository": whole_course,
    "a class": small_class,
    "assignments of other graders": other_graders,
    "problems of check50": check50_problems,
    "a repository of GitHub Classroom": github_classroom,
    "an autograder for Gradescope": gradescope_autograder,
    "an assignment of otter": assignment_of_otter,
    "an assignment of Submitty": submitty_assignment,
    "activities of VPL": activities_of_vpl,
    "exercises of Exercism": exercism_exercises,
    "questions of PrairieLearn": prairielearn_questions,
}
"""a name -> what lays a folder out"""
