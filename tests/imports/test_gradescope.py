import io
import zipfile
from pathlib import Path

import pytest

from grader.check.runner import asking, examine
from grader.core.errors import UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import write_assignment
from grader.imports.gradescope import import_gradescope
from grader.kinds.unit_tests.model import unit_of
from tests.support.packages import GRADESCOPE, GRADESCOPE_JAVA, lay
from tests.support.rows import each_row, read_data

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
    for told in ("leaderboard fastest", "after_published is hidden", "apt-get install"):
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
    assert spec.build
    assert spec.build.files.keys() == {"Rack.java"}  # the course's base class of what is handed in
    for told in ("OldTest.java: left out", "counts of", "apt-get install", "solution/Shelf.java"):
        assert any(told in note for note in imported.notes), told


def test_without_a_solution_the_sources_of_its_package_are_compiled_with_it(tmp_path: Path) -> None:
    files = {name: text for name, text in GRADESCOPE_JAVA.items() if name != "solution/Shelf.java"}
    more = {
        "src/shop/RefShelf.java": "package shop;\npublic class RefShelf { }\n",
        "src/odd/Lamp.java": "package odd;\n",
    }
    imported = import_gradescope(lay(tmp_path / "shelf", files | more))
    build = load(write_assignment(imported, tmp_path / "course").spec).build
    assert build
    assert build.files.keys() == {"Rack.java"}


@pytest.mark.slow
def test_an_autograder_in_java_grades(tmp_path: Path) -> None:
    written = write_assignment(import_gradescope(lay(tmp_path / "shelf", GRADESCOPE_JAVA)), tmp_path / "course")
    program = GRADESCOPE_JAVA["solution/Shelf.java"].replace("price < 0", "price > 99")
    work = lay(tmp_path / "ann", {"Shelf.java": program})
    report = grade(Job(spec=written.spec, submission=Submission(id="ann", path=work)))
    assert [test.verdict for test in report.tests] == [Verdict.FAILED, Verdict.PASSED, Verdict.PASSED]
    assert report.score == 3.5


def test_what_students_hand_in_is_guessed_by_the_names_of_tests(tmp_path: Path) -> None:
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
    assert (spec.files.required_names, [float(one.points) for one in spec.tests]) == (("Box.java",), [1])
    assert any("is a guess by the solution or the names" in note for note in imported.notes)


@each_row
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


DATA = read_data(__file__)
COMPILES = DATA["COMPILES"]


def test_methods_that_need_what_another_compiles_are_to_be_written(tmp_path: Path) -> None:
    files = {"run_autograder": "cp submission/prog.c .\npython3 run_tests.py\n", "tests/test_prog.py": COMPILES}
    written = write_assignment(import_gradescope(lay(tmp_path / "prog", files)), tmp_path / "course")
    tests = {test.name: (float(test.points), test.cases[0].kind) for test in load(written.spec).tests}
    assert tests == {
        "TestProg.test_compiles": (1, "unit"),
        "TestProg.test_runs": (4, "program"),
        "TestProg.test_style": (0, "program"),
        "TestOther.test_other": (2, "unit"),
    }
    assert "todo_TestProg_test_runs" in written.notes[-1]
    assert "a method of its class compiles" in (tmp_path / "course/data/prog/to_do.py").read_text()


BRACES = DATA["BRACES"]
BRACES_TESTS = DATA["BRACES_TESTS"]


def test_an_autograder_that_compiles_becomes_a_spec_with_a_build(tmp_path: Path) -> None:
    program = '#include <stdio.h>\nint main(void) { char c = getchar(); printf("%c\\n", c); return 0; }\n'
    files = {
        "run_autograder": BRACES,
        "starter/Makefile": "braces: braces.c\n\tcc -o braces braces.c\n",
        "tests/pytests/test_braces.py": BRACES_TESTS,
        "tests/trials.py": "import subprocess\n\n\ndef same(case, name, program):\n    with open(name) as typed:\n"
        "        found = subprocess.run([program], stdin=typed, capture_output=True, text=True, check=False)\n"
        "    case.assertEqual(found.stdout.strip(), open('expected.txt').read().strip())\n",
        "tests/data/a.txt": "x\n",
        "tests/expected.txt": "x\n",
        "solutions/braces.c": program,
        "solutions/Makefile": "braces: braces.c\n\tcc -o braces braces.c\n",
    }
    imported = import_gradescope(lay(tmp_path / "braces", files))
    assert any("test_points_off: set_score counts nothing in grader" in note for note in imported.notes)
    written = write_assignment(imported, tmp_path / "course")
    spec = load(written.spec)
    assert spec.files.required_names == ("braces.c",)
    assert [float(test.points or 0) for test in spec.tests] == [3, 0]
    assert spec.build
    assert spec.build.files.keys() == {"Makefile"}
    rules = {one.rule for one in examine(written.spec, asking("none", 1)).remarks}
    assert not rules & {"other-language", "weights-without-effect"}
    for name, content, verdicts in (
        ("right", program, [Verdict.PASSED, Verdict.PASSED]),
        ("wrong", program.replace("char c = getchar()", "char c = 'y'"), [Verdict.FAILED, Verdict.PASSED]),
        ("no-c", "int main(", [Verdict.BUILD_FAILED, Verdict.BUILD_FAILED]),
    ):
        work = Submission(id=name, path=lay(tmp_path / name, {"braces.c": content}))
        assert [test.verdict for test in grade(Job(spec=written.spec, submission=work)).tests] == verdicts


def test_a_file_that_only_some_tests_need_is_missed_by_these_alone_flat_or_in_its_folder(tmp_path: Path) -> None:
    test = (
        "import unittest\nfrom solution.{0} import {0}\nclass Test{0}(unittest.TestCase):\n"
        "    def test_two(self):\n        self.assertEqual({0}(2), 4)\n"
    )
    script = "cd /autograder/course\nrm -rf solution/*\ncp -r /autograder/submission/* ./\npython3 run_tests.py\n"
    files = {
        "run_autograder": script,
        "test_twice.py": test.format("twice"),
        "test_square.py": test.format("square"),
        "solution/twice.py": "def twice(n):\n    return 2 * n\n",
        "solution/square.py": "def square(n):\n    return n * n\n",
    }
    imported = import_gradescope(lay(tmp_path / "two", files))
    written = write_assignment(imported, tmp_path / "course")
    assert load(written.spec).files.optional == ("solution/square.py", "solution/twice.py")
    for name, handed_in in (("flat", "twice.py"), ("folder", "solution/twice.py"), ("around", "hw/solution/Twice.py")):
        work = Submission(id=name, path=lay(tmp_path / name, {handed_in: files["solution/twice.py"]}))
        report = grade(Job(spec=written.spec, submission=work))
        assert [test.verdict for test in report.tests] == [Verdict.CRASHED, Verdict.PASSED], name


def test_a_test_that_starts_python_starts_python3_and_finds_absolute_paths_and_weights_of_constants(
    tmp_path: Path,
) -> None:
    files = {
        "run_autograder": "cp /autograder/submission/hi.py /autograder/source/\n",
        "tests/constants.py": "LEAST = 1\nMOST = 10 - LEAST\n",
        "tests/test_hi.py": "import subprocess, unittest\nfrom constants import MOST\n"
        "from gradescope_utils.autograder_utils.decorators import weight\n"
        "class TestHi(unittest.TestCase):\n    @weight(MOST / 7)  # of ten\n    def test_hi(self):\n"
        "        found = subprocess.run(['python', '/autograder/source/hi.py'], capture_output=True, text=True)\n"
        "        self.assertEqual(found.stdout, 'hi\\n')\n",
    }
    imported = import_gradescope(lay(tmp_path / "hi", files))
    assert any("python3 is written for python" in note for note in imported.notes)
    assert any("written as the working folder" in note for note in imported.notes)
    written = write_assignment(imported, tmp_path / "course")
    assert [f"{float(test.points):.4f}" for test in load(written.spec).tests] == ["1.2857"]
    for text, verdict in (("hi", Verdict.PASSED), ("ho", Verdict.FAILED)):
        work = Submission(id=text, path=lay(tmp_path / text, {"hi.py": f"print('{text}')\n"}))
        assert [test.verdict for test in grade(Job(spec=written.spec, submission=work)).tests] == [verdict]


def test_each_file_has_its_own_constants_and_an_unknown_visibility_is_hidden(tmp_path: Path) -> None:
    head = "import unittest\nfrom gradescope_utils.autograder_utils.decorators import visibility, weight\nimport hi\n"
    files = {"run_autograder": "cp /autograder/submission/hi.py /autograder/source/\n"}
    for name, worth in (("a", 2), ("b", 5)):
        body = "    @weight(WORTH)\n    def test_one(self):\n        self.assertTrue(hi.x)\n"
        files[f"tests/test_{name}.py"] = f"{head}WORTH = {worth}\nclass Test{name}(unittest.TestCase):\n{body}"
    files["tests/test_b.py"] = files["tests/test_b.py"].replace("@weight(", "@visibility(hi.SEEN)\n    @weight(")
    spec = load(write_assignment(import_gradescope(lay(tmp_path / "hi", files)), tmp_path / "course").spec)
    assert [(int(test.points), test.visibility) for test in spec.tests] == [(2, "visible"), (5, "hidden")]


_ODD = DATA["_ODD"]


def test_tests_that_no_text_shows_are_told(tmp_path: Path) -> None:
    files = {"run_autograder": "cp submission/calc.py .", "tests/test_calc.py": _ODD}
    written = write_assignment(import_gradescope(lay(tmp_path / "odd", files)), tmp_path / "course")
    tests = load(written.spec).tests
    assert [(test.name, float(test.points), str(test.visibility)) for test in tests] == [
        ("TestCalc.test_plain", 1, "visible")
    ]
    assert any("tests that it makes while it is loaded" in note for note in written.notes)


def test_a_module_of_a_folder_that_a_test_adds_to_its_path_is_the_courses(tmp_path: Path) -> None:
    files = {
        "run_autograder": "cd /autograder/source\npython3 run_tests.py\n",
        "lib/same.py": "def same(test, one, other): test.assertEqual(one, other)\n",
        "more/three.py": "THREE = 3\n",
        "tests/test_add.py": "import sys, unittest\nsys.path.append('lib')\n"
        "sys.path.insert(0, '/autograder/source/more')\nfrom same import same\nfrom three import THREE\n"
        "from calc import add\nclass TestAdd(unittest.TestCase):\n"
        "    def test_add(self): same(self, add(1, 2), THREE)\n",
    }
    written = write_assignment(import_gradescope(lay(tmp_path / "add", files)), tmp_path / "course")
    assert load(written.spec).files.required_names == ("calc.py",)
    work = Submission(id="ann", path=lay(tmp_path / "ann", {"calc.py": "def add(a, b): return a + b\n"}))
    assert [test.verdict for test in grade(Job(spec=written.spec, submission=work)).tests] == [Verdict.PASSED]


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
        work = Submission(id=name, path=lay(tmp_path / name, {"one.py": f"one = {name}\n"}))
        assert [one.verdict for one in grade(Job(spec=spec, submission=work)).tests] == [verdict]


def test_a_template_in_the_autograder_never_takes_the_place_of_what_is_handed_in(tmp_path: Path) -> None:
    test = "import subprocess, unittest\nclass TestFib(unittest.TestCase):\n    def test_one(self):\n"
    test += "        self.assertEqual(subprocess.run(['./fib'], capture_output=True).stdout, b'1')\n"
    files = {
        "run_autograder": "cp /autograder/submission/fib.c /autograder/source/fib.c\ncd /autograder/source\nmake\n",
        "Makefile": "fib: fib.c\n\tcc -o fib fib.c\n",
        "fib.c": "int main(void) { return 1; }\n",
        "tests/test_fib.py": test,
    }
    spec = write_assignment(import_gradescope(lay(tmp_path / "fib", files)), tmp_path / "course").spec
    assert load(spec).files.required_names == ("fib.c",)
    for name, digit, verdict in (("right", 1, Verdict.PASSED), ("wrong", 2, Verdict.FAILED)):
        program = f"#include <stdio.h>\nint main(void) {{ putchar('0' + {digit}); return 0; }}\n"
        work = Submission(id=name, path=lay(tmp_path / name, {"fib.c": program, "Makefile": files["Makefile"]}))
        assert [test.verdict for test in grade(Job(spec=spec, submission=work)).tests] == [verdict]


def test_a_file_of_the_starter_that_the_solution_has_as_it_is_need_not_be_handed_in(tmp_path: Path) -> None:
    table = "ROWS = [1, 2]\n"
    files = {
        "run_autograder": "cp -r /autograder/source/starter/. /autograder/source/work/\n"
        "cp -r /autograder/submission/. /autograder/source/work/\n"
        "cp /autograder/source/tests/test_all.py /autograder/source/work/\n"
        "cd /autograder/source/work\npython3 run_tests.py\n",
        "starter/table.py": table,
        "starter/total.py": "def total(): pass\n",
        "solution/table.py": table,
        "solution/total.py": "import table\ndef total(): return sum(table.ROWS)\n",
        "tests/test_all.py": "import importlib, unittest\nclass TestAll(unittest.TestCase):\n"
        "    def test_total(self):\n"
        "        self.assertEqual(importlib.import_module('total').total(), 3)\n",
    }
    spec = write_assignment(import_gradescope(lay(tmp_path / "sums", files)), tmp_path / "course").spec
    assert load(spec).files.required_names == ("total.py",)
    right = {"total.py": files["solution/total.py"]}
    wrong = {"total.py": files["starter/total.py"], "table.py": "ROWS = [3]\ndef total(): return 3\n"}
    for name, work, verdict in (("right", right, Verdict.PASSED), ("wrong", wrong, Verdict.FAILED)):
        report = grade(Job(spec=spec, submission=Submission(id=name, path=lay(tmp_path / name, work))))
        assert [test.verdict for test in report.tests] == [verdict], name


@each_row
def test_a_makefile_that_the_script_takes_from_students_is_theirs(tmp_path: Path, script: str) -> None:
    test = "import subprocess, unittest\nclass TestOne(unittest.TestCase):\n    def test_one(self):\n"
    test += "        self.assertEqual(subprocess.run(['./one'], capture_output=True).stdout, b'1')\n"
    right = {
        "Makefile": "one: one.c\n\tcc -o one one.c\n",
        "one.c": "#include <stdio.h>\nint main(void) { putchar('1'); }\n",
    }
    files = {"run_autograder": script, "Makefile": "one:\n\tfalse  # TODO\n", "tests/test_one.py": test}
    files |= {f"solution/{name}": text for name, text in right.items()}
    spec = write_assignment(import_gradescope(lay(tmp_path / "one", files)), tmp_path / "course").spec
    work = Submission(id="right", path=lay(tmp_path / "right", right))
    assert [one.verdict for one in grade(Job(spec=spec, submission=work)).tests] == [Verdict.PASSED]


def test_constants_in_decorators_count(tmp_path: Path) -> None:
    head = "from gradescope_utils.autograder_utils.decorators import *\nimport unittest\n"
    head += "SHOWN = 'visible'\nFIRST = '1.1'\n"
    test = f"{head}class TestOne(unittest.TestCase):\n    @weight(1)\n    @number(FIRST)\n    @visibility(SHOWN)\n"
    test += "    def test_one(self):\n        from one import one\n"
    files = {"run_autograder": "cp /autograder/submission/one.py /autograder/source\n", "tests/test_one.py": test}
    spec = load(write_assignment(import_gradescope(lay(tmp_path / "one", files)), tmp_path / "course").spec)
    assert [(test.name, str(test.visibility)) for test in spec.tests] == [("1.1) TestOne.test_one", "visible")]
