"""The folders in which shown commands run, by the names that pages give them: `<!-- in: a class -->`."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from shutil import copytree, ignore_patterns

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


def _below(place: str, files: Mapping[str, str]) -> dict[str, str]:
    return {f"{place}/{name}": text for name, text in files.items()}


_HELLO = {"submissions/ada/greet.py": "print('Hello, ' + input())\n"}
_ROUNDED = {"submissions/bo/halves.py": PRAIRIELEARN["tests/ans.py"].replace(" / ", " // ")}
FILES: Mapping[str, Mapping[str, str]] = {
    "problems of check50": _below("problems/greet", CHECK50_SIMPLE) | _below("problems/halve", CHECK50) | _HELLO,
    "an autograder for Gradescope": _below("calc", GRADESCOPE),
    "an assignment of otter": otter_assignment(),
    "an assignment of Submitty": _below("frame", SUBMITTY),
    "activities of VPL": {"sums/vpl_evaluate.cases": "Case = two\nInput = 1 2\nOutput = 3\n", "sums/sums.py": ""},
    "exercises of Exercism": _below("exercises/practice/round-year", EXERCISM_PYTHON),
    "questions of PrairieLearn": _below("questions/halves", PRAIRIELEARN) | _ROUNDED,
}
"""a name -> all that lies in the folder"""


def whole_course(folder: Path) -> None:
    """Lay out what a clone has after `make demo`: the specs, their references, the samples, the environment."""
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("specs", "reference", "sample_submissions"):
        copytree(ROOT / name, folder / name, ignore=ignore_patterns("__pycache__"))


def small_class(folder: Path) -> None:
    """Lay out a course with one spec, and a class of three: right, on the other stream, without a newline."""
    course(folder, SPEC)
    programs = zip(("ada", "bo", "cy"), PROGRAMS, strict=False)
    lay(folder / "submissions", {f"{name}/echo.py": program for name, program in programs})
    roster = "id,name\nada,Ada Abara\nbo,Bo Berg\ncy,Cy Costa\ndee,Dee Dupont\n"
    lay(folder, {"roster.csv": roster, "Grades.csv": _CANVAS, "Grades-Echo.csv": _MOODLE})


def other_graders(folder: Path) -> None:
    """Lay out a problem package, and tests of Classroom 50."""
    lay(folder / "problems" / "pairsums", PAIRS)
    io_tests(folder / "hello")


def github_classroom(folder: Path) -> None:
    """Lay out a repository of GitHub Classroom, and work that handed in a test of its own."""
    classroom_repository(folder / "sums")
    right = (
        "def add(a, b):\n    return a + b\n\n\nif __name__ == '__main__':\n    print(add(*map(int, input().split())))\n"
    )
    lay(folder / "submissions", {"ada/add.py": right, "bo/add.py": right.replace("+", "-"), "bo/test_add.py": ""})


LAYOUTS: Mapping[str, Callable[[Path], object]] = {
    "an empty folder": Path,
    "the example in JavaScript": partial(copytree, ROOT / "examples" / "javascript-tests", dirs_exist_ok=True),
    "the example of students' tests": partial(copytree, ROOT / "examples" / "student-tests", dirs_exist_ok=True),
    "the course of the repository": whole_course,
    "a class": small_class,
    "assignments of other graders": other_graders,
    "a repository of GitHub Classroom": github_classroom,
    **{name: partial(lay, files=files) for name, files in FILES.items()},
}
"""a name -> what lays a folder out"""
