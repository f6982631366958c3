from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model.report import Verdict
from grader.core.reader.spec import load
from grader.imports import write_assignment
from grader.imports.gradescope import import_gradescope
from tests.support.courses import grade_files
from tests.support.packages import lay, zipped
from tests.support.rows import each_row


@each_row
def test_what_is_no_such_autograder_is_refused(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        import_gradescope(lay(tmp_path, {"a.zip": zipped(files)}) / "a.zip")


@pytest.mark.parametrize(("weight", "is_refused"), [("0", False), ("-2", True)])
def test_odd_weights_and_numbers(tmp_path: Path, weight: str, is_refused: bool) -> None:  # noqa: FBT001 - of a table
    tests = (
        "import unittest\nfrom gradescope_utils.autograder_utils.decorators import *\nclass TestA(unittest.TestCase):\n"
    )
    for place, decorators in enumerate(
        (f'@weight({weight})\n    @number("²")', "@number(0)", "@weight(2)\n    @number()")
    ):
        tests += f"    {decorators}\n    def test_{place}(self):\n        'Same title'\n"
    autograder = lay(tmp_path / "odd", {"run_autograder": "cp submission/a.py .", "tests/test_a.py": tests})
    if is_refused:
        with pytest.raises(UsageError, match=r"the weight of TestA\.test_0"):
            write_assignment(import_gradescope(autograder), tmp_path / "course")
        return
    written = write_assignment(import_gradescope(autograder), tmp_path / "course")
    found = [(test.name, float(test.points or 0)) for test in load(written.spec).tests]
    assert found == [("²) Same title", 0), ("0) Same title", 0), ("Same title", 2)]


def test_files_of_any_name_are_carried_over_but_those_of_git(tmp_path: Path) -> None:
    odd = dict.fromkeys(("data/x y.txt", "{a}: #b", "*.txt", "ü\n.txt"), "1\n")
    test = (
        "import unittest\nfrom one import one\nclass TestOne(unittest.TestCase):\n    def test_one(self):\n"
        f"        for name in {[*odd]!r}:\n            self.assertEqual(one(open(name).read()), 1)\n"
    )
    files = {"run_autograder": "cp /autograder/submission/one.py /autograder/source/\n", "tests/test_one.py": test}
    imported = import_gradescope(lay(tmp_path / "one", {**files, **odd, ".gitignore": "x", ".github/a.yml": "x"}))
    spec = write_assignment(imported, tmp_path / "course").spec
    assert load(spec).tests[0].cases[0].files.keys() == odd.keys()
    for name, verdict in (("int", Verdict.PASSED), ("len", Verdict.FAILED)):
        report = grade_files(spec, tmp_path / name, {"one.py": f"one = {name}\n"})
        assert [one.verdict for one in report.tests] == [verdict]
