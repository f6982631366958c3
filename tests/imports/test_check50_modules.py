"""Checks that take those of other problems, compile by a command, and read files in the end."""

from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.check50 import import_check50
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

pytestmark = pytest.mark.usefixtures("shared_cache")
DATA = read_data(__file__)
LESS = DATA["LESS"]
MORE = DATA["MORE"]
HI = DATA["HI"]


def imported(folder: Path, files: dict[str, str], problem: str = "more") -> Written:
    return write_assignment(import_check50(lay(folder / "problems", files) / problem), folder / "course")


CHANGED: tuple[tuple[str, str, set[str]], ...] = (
    ("\n", "\n", set()),
    ('"hi", name', '"hi", name[:3]', set()),
    ('"hi", name', '"hi", sys.argv[1]', {"lists"}),
    ("2  3 ", "2  3  4", {"counts"}),
    ("' '.join", "'-'.join", set()),
    ("}\\n", "}", {"writes"}),
    ('"hi", name', '"hi", "ada"', {"greets_another", "lists"}),
)
"""what of the program is changed to what, and which checks then fail"""


@pytest.mark.slow
def test_checks_of_another_problem_are_taken(tmp_path: Path) -> None:
    files = {"less/.cs50.yml": "check50: true\n", "less/__init__.py": LESS}
    files |= {"more/.cs50.yml": "check50: true\n", "more/__init__.py": MORE}
    written = imported(tmp_path, files)
    assert not any("To be written" in note for note in written.notes)
    names = ["exists", "greets", "greets_another", "counts", "lists", "writes"]
    assert [test.name for test in load(written.spec).tests] == names
    course = prepare(written.spec)
    for number, (old, new, failed) in enumerate(CHANGED):
        work = lay(tmp_path / f"ann-{number}", {"hi.py": HI.replace(old, new, 1)})
        report = grade(Job(spec=written.spec, submission=Submission(id="ann", path=work)), course)
        assert {test.name for test in report.tests if test.verdict != Verdict.PASSED} == failed, new


def test_a_problem_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="put that folder there"):
        imported(tmp_path, {"more/.cs50.yml": "check50: true\n", "more/__init__.py": MORE})
    again = {"more/.cs50.yml": "check50: true\n", "more/__init__.py": MORE.replace("../less", "../more")}
    with pytest.raises(UsageError, match="cannot be followed"):
        imported(tmp_path / "again", again)


MAKE = DATA["MAKE"]
FILES = {
    "sums/.cs50.yml": "check50: true\n",
    "sums/__init__.py": MAKE,
    "sums/Makefile": "main: main.c add.c\n\tcc -o main main.c add.c\n",
    "sums/main.c": "#include <stdio.h>\n#include <stdlib.h>\nint add(int, int);\n"
    'int main(int n, char **a) { printf("%d\\n", add(atoi(a[1]), atoi(a[2]))); return 0; }\n',
}


@each_row
def test_a_command_that_compiles_is_run_as_it_is_with_all_that_needs_it(
    tmp_path: Path, program: str, expected: list[Verdict]
) -> None:
    written = imported(tmp_path, FILES, "sums")
    spec = load(written.spec)
    assert (spec.language, [case.kind for test in spec.tests for case in test.cases]) == ("c", ["unit"] * 4)
    work = lay(tmp_path / "ann", {"add.c": program, "Makefile": "main:\n\ttrue\n"})
    report = grade(Job(spec=written.spec, submission=Submission(id="ann", path=work)))
    assert [test.verdict for test in report.tests] == expected
