import io
import zipfile
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model import Job, Submission, Verdict
from grader.core.pipeline import grade
from grader.core.reader import load
from grader.imports import write_assignment
from grader.imports.gradescope import import_gradescope
from grader.kinds.unit_tests.model import unit_of
from grader.lint.runner import asking, examine
from tests.support.packages import GRADESCOPE, GRADESCOPE_JAVA, lay

pytestmark = pytest.mark.usefixtures("shared_cache")


def zipped(path: Path, files: dict[str, str]) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    path.write_bytes(packed.getvalue())
    return path


def test_an_autograder_becomes_a_spec_and_grades(tmp_path: Path) -> None:
    written = write_assignment(import_gradescope(zipped(tmp_path / "calc.zip", dict(GRADESCOPE))), tmp_path / "course")
    spec = load(written.spec)
    assert [(test.name, float(test.points), str(test.visibility)) for test in spec.tests] == [
        ("1) Adds two numbers", 2, "visible"),
        ("2) Adds as many as it can", 4, "after-due"),
        ("3) Needs the table", 1, "hidden"),
    ]
    for told in (
        "leaderboard fastest",
        "after_published is hidden",
        "apt-get install",
    ):
        assert any(told in note for note in written.notes)
    work = lay(tmp_path / "ann", {"calc.py": "def add(*values): return sum(values[:2])\n"})
    report = grade(Job(spec=written.spec, submission=Submission(id="ann", path=work)))
    assert [test.verdict for test in report.tests] == [Verdict.PASSED, Verdict.PARTIAL, Verdict.PASSED]
    assert (tmp_path / "course/sample_submissions/calc/expected.yaml").is_file()


def test_a_class_that_is_named_as_its_file_keeps_its_tests_and_lint_is_quiet_on_what_was_carried(
    tmp_path: Path,
) -> None:
    files = {
        "run_autograder": "cp /autograder/submission/twice.py /autograder/source/\n",
        "tests/test_twice.py": """\
import unittest
from gradescope_utils.autograder_utils.decorators import number, visibility, weight
from twice import twice


class test_twice(unittest.TestCase):
    @weight(2)
    @number("1.1")
    @visibility("hidden")
    def test_two(self):
        self.assertEqual(twice(2), 4)

    @number("1.2")
    def test_none(self):
        self.assertEqual(twice(0), 0)
""",
    }
    written = write_assignment(import_gradescope(lay(tmp_path / "twice", files)), tmp_path / "course")
    assert [(test.name, float(test.points)) for test in load(written.spec).tests] == [
        ("1.1) test_twice.test_two", 2),
        ("1.2) test_twice.test_none", 0),
    ]
    rules = [one.rule for one in examine(written.spec, asking("none", 1)).remarks]
    assert "decorator-without-effect" not in rules


def test_a_solution_that_tests_import_as_a_package_is_handed_in_as_one(tmp_path: Path) -> None:
    files = {
        "run_autograder": "cp -r /autograder/submission/* ./solution\n",
        "test_twice.py": "import unittest\nfrom solution.twice import twice\nclass TestTwice(unittest.TestCase):\n"
        "    def test_two(self):\n        self.assertEqual(twice(2), 4)\n",
        "solution/twice.py": "def twice(n):\n    return 2 * n\n",
    }
    written = write_assignment(import_gradescope(lay(tmp_path / "twice", files)), tmp_path / "course")
    assert load(written.spec).files.required_names == ("solution/twice.py",)
    sample = Submission(id="solution", path=tmp_path / "course/sample_submissions/twice/solution")
    report = grade(Job(spec=written.spec, submission=sample))
    assert [test.verdict for test in report.tests] == [Verdict.PASSED]


def test_an_autograder_in_java_becomes_a_spec(tmp_path: Path) -> None:
    imported = import_gradescope(zipped(tmp_path / "shelf.zip", dict(GRADESCOPE_JAVA)))
    spec = load(write_assignment(imported, tmp_path / "course").spec)
    assert [(test.name, float(test.points), str(test.visibility), test.cases[0].id) for test in spec.tests] == [
        ('1) Refuses "less"', 4, "after-due", '1) Refuses "less"[refuses]'),
        ("2) Adds (two) prices", 2.5, "visible", "2) Adds (two) prices[adds]"),
        ("3) prices", 1, "visible", "3) prices[prices]"),
    ]
    assert spec.files.required_names == ("Shelf.java",)
    unit = unit_of(spec.tests[0].cases[0])
    assert unit
    assert unit.helpers.keys() == {"Prices.java", "GradedTest.java"}
    assert spec.tests[0].cases[0].files.keys() == {"prices.txt"}
    for told in ("OldTest.java is left out", "counts of", "apt-get install", "solution/Shelf.java"):
        assert any(told in note for note in imported.notes), told


@pytest.mark.slow
def test_an_autograder_in_java_grades(tmp_path: Path) -> None:
    written = write_assignment(import_gradescope(lay(tmp_path / "shelf", GRADESCOPE_JAVA)), tmp_path / "course")
    program = GRADESCOPE_JAVA["solution/Shelf.java"].replace("price < 0", "price > 99")
    work = lay(tmp_path / "ann", {"Shelf.java": program})
    report = grade(Job(spec=written.spec, submission=Submission(id="ann", path=work)))
    assert [test.verdict for test in report.tests] == [Verdict.FAILED, Verdict.PASSED, Verdict.PASSED]
    assert report.score == 3.5


def test_what_students_hand_in_is_guessed_by_what_tests_use(tmp_path: Path) -> None:
    test = """
    import static org.junit.Assert.*; import org.junit.Test; import java.util.*;
    public class BoxTest {
        private final List<String> all = new ArrayList<>();
        @Test public void one() { IntList box = new IntList(); assertEquals(1, Sums.of(box)); }
    }
    """
    imported = import_gradescope(
        lay(tmp_path / "box", {"run_autograder": "cp -r submission src", "src/BoxTest.java": test})
    )
    spec = load(write_assignment(imported, tmp_path / "course").spec)
    assert (spec.files.required_names, [float(one.points) for one in spec.tests]) == (
        ("IntList.java", "Sums.java"),
        [1],
    )
    assert any("is a guess by what the tests use" in note for note in imported.notes)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.txt": "x"}, "is no autograder"),
        ({"run_autograder": "python3 run_otter.py", "otter_config.json": "{}"}, "was made by otter"),
        ({"run_autograder": "./run.sh", "src/ATest.java": "class ATest {}"}, "has no tests for JUnit"),
        ({"run_autograder": "", "src/ATest.java": "class ATest { @Test void a() { } }"}, "tests use no class"),
        ({"run_autograder": "", "tests/test_a.py": "def f(:"}, "has no tests for unittest"),
        ({"run_autograder": "", "../tests/test_a.py": ""}, "refused|outside|leads|\\.\\."),
    ],
)
def test_what_is_no_such_autograder_is_refused(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        import_gradescope(zipped(tmp_path / "a.zip", files))
    with pytest.raises(UsageError, match="No such file"):
        import_gradescope(tmp_path / "nowhere")


@pytest.mark.parametrize(("weight", "is_refused"), [("0", False), ("-2", True)])
def test_odd_weights_and_numbers(tmp_path: Path, weight: str, is_refused: bool) -> None:  # noqa: FBT001 - of a table
    tests = (
        "import unittest\nfrom gradescope_utils.autograder_utils.decorators import *\nclass TestA(unittest.TestCase):\n"
    )
    for place, decorators in enumerate((f'@weight({weight})\n    @number("²")', "@number(1)", "@weight(2)")):
        tests += f"    {decorators}\n    def test_{place}(self):\n        'Same title'\n"
    autograder = lay(tmp_path / "odd", {"run_autograder": "cp submission/a.py .", "tests/test_a.py": tests})
    if is_refused:
        with pytest.raises(UsageError, match=r"the weight of TestA\.test_0"):
            write_assignment(import_gradescope(autograder), tmp_path / "course")
        return
    written = write_assignment(import_gradescope(autograder), tmp_path / "course")
    assert [float(test.points) for test in load(written.spec).tests] == [0, 0, 2]
