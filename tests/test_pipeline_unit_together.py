"""Unit tests whose methods share a process: what each of them gets, whatever becomes of the process."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from grader.core.model.execution import Launch
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import Course, grade, prepare
from grader.core.sandbox.self_test import trial
from grader.kinds.unit_tests.probe import methods_of
from tests.support.courses import course, submission
from tests.test_pipeline_unit import FORGERIES

SPEC = """
spec: 1
id: echo
title: A shelf
language: python
files: {required: [echo.py]}
program: python3 echo.py
limits: {time: 1 s, processes: 64}
tests:
  - name: pt
    points: 5
    unit: {pytest: tests/test_shelf.py, together: true}
  - name: ut
    points: 5
    unit: {unittest: tests/shelves.py, together: true}
"""
PYTEST = """
import pytest
from echo import Shelf, put

MADE = []

@pytest.fixture(scope="module")
def shelf():
    MADE.append(1)
    return Shelf()

def test_first(shelf):
    put(shelf, "b")
    assert shelf.books == ["b"]

@pytest.mark.parametrize("book", ["c", "a"])
def test_more(shelf, book):
    put(shelf, book)
    assert shelf.books[-1] == book

def test_all(shelf):
    print("in all")
    assert shelf.books == ["b", "c", "a"]

class TestEnd:
    def test_none(self):
        with pytest.raises(ValueError):
            put(Shelf(), "")

    def test_once(self):
        assert len(MADE) == Shelf.LIMIT
"""
UNITTEST = """
import unittest
from echo import Shelf, put

class TestShelf(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shelf = Shelf()

    def test_3_none(self):
        self.assertRaises(ValueError, put, self.shelf, "")

    def test_2_all(self):
        for number, book in enumerate(["b", "c"]):
            with self.subTest(book=book):
                self.assertEqual(self.shelf.books[number], book)

    def test_1_first(self):
        put(self.shelf, "b")
        put(self.shelf, "c")
        self.assertEqual(len(self.shelf.books), 2)

class TestLast(unittest.TestCase):
    def test_limit(self):
        self.assertTrue(Shelf.LIMIT)

    def test_zero(self):
        self.assertEqual(Shelf.LIMIT - 1, 0)
"""
RIGHT = """
class Shelf:
    LIMIT = 1
    def __init__(self):
        self.books = []
def put(shelf, book):
    if not book:
        raise ValueError("nothing")
    shelf.books.append(book)
"""
PT = ["pt[test_first]", "pt[test_more]", "pt[test_all]", "pt[TestEnd.test_none]", "pt[TestEnd.test_once]"]
UT = [
    *("ut[TestShelf.test_3_none]", "ut[TestShelf.test_2_all]", "ut[TestShelf.test_1_first]"),
    *("ut[TestLast.test_limit]", "ut[TestLast.test_zero]"),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Course]:
    folder = tmp_path_factory.mktemp("course")
    (folder / "tests").mkdir()
    (folder / "tests/test_shelf.py").write_text(PYTEST)
    (folder / "tests/shelves.py").write_text(UNITTEST)
    path = course(folder, SPEC)
    return path, prepare(path)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Launch]:
    """The launches of a test, as they are started."""
    from grader.core.run import start  # noqa: PLC0415 - what is replaced

    launches: list[Launch] = []
    start_one = start.start_program

    def counted(sandbox: object, launch: Launch, *more: object) -> object:
        if launch.argv != trial("full").argv:  # by which the sandbox tries itself
            launches.append(launch)
        return start_one(sandbox, launch, *more)  # type: ignore[arg-type]

    for module in ("runner", "measuring"):
        monkeypatch.setattr(f"grader.core.run.{module}.start_program", counted)
    return launches


def report_of(prepared: tuple[Path, Course], folder: Path, program: str, *only: str) -> Report:
    path, ready = prepared
    handed_in = submission(folder, program=program)
    return grade(Job(spec=path, submission=Submission(id="a", path=handed_in), only=only), ready)


def graded(prepared: tuple[Path, Course], folder: Path, program: str, *only: str) -> dict[str, tuple[str, str]]:
    report = report_of(prepared, folder, program, *only)
    return {case.id: (case.verdict, case.message) for test in report.tests for case in test.cases}


def test_a_right_program_passes_in_a_few_runs_of_each_file(
    prepared: tuple[Path, Course], tmp_path: Path, started: list[Launch]
) -> None:
    report = report_of(prepared, tmp_path, RIGHT)
    cases = {case.id: case for test in report.tests for case in test.cases}
    assert {name: case.verdict for name, case in cases.items()} == dict.fromkeys([*PT, *UT], "passed")
    assert (cases["pt[test_all]"].stdout, cases["pt[test_first]"].stdout) == ("in all\n", "")
    methods = [methods_of(launch) for launch in started]
    # For each file the run that counts, and one for each method, in which that alone is inverted.
    assert [len(found) for found in methods] == [5] * (2 + len(PT) + len(UT))
    for name in ("test_shelf.py", "shelves.py"):
        texts = Counter(text for launch in started for path, text in launch.files.items() if path.endswith(name))
        assert [*texts.values()] == [1] * 6


EQUAL = RIGHT.replace(
    "LIMIT = 1", "LIMIT = type('Any', (), {'__sub__': lambda a, b: a, '__eq__': lambda a, b: True})()"
)


def test_what_is_equal_to_everything_is_ungraded_and_nothing_else(
    prepared: tuple[Path, Course], tmp_path: Path
) -> None:
    found = graded(prepared, tmp_path, EQUAL, "ut")
    assert {name: verdict for name, (verdict, _) in found.items() if verdict != "passed"} == {
        "ut[TestLast.test_zero]": "ungraded"
    }


def test_the_order_is_that_of_the_framework(tmp_path: Path) -> None:
    path = course(tmp_path / "course", SPEC)
    (tmp_path / "course/tests").mkdir()
    told = "import echo\n@pytest.fixture(autouse=True)\ndef named(request):\n    echo.tell(request.node.name)\n"
    (tmp_path / "course/tests/test_shelf.py").write_text(f"{PYTEST}\n{told}")
    text = UNITTEST.replace("unittest.TestCase):", "unittest.TestCase):\n    def setUp(self): echo.tell(self.id())\n")
    (tmp_path / "course/tests/shelves.py").write_text(f"import echo\n{text}")
    program = f"{RIGHT}\nimport os\ndef tell(name):\n    os.write(2, (name + chr(10)).encode())\n"
    handed_in = submission(tmp_path, program=program)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    stderr = {case.id: case.stderr for test in report.tests for case in test.cases}
    assert stderr["pt[test_more]"] == "test_more[c]\ntest_more[a]\n"
    assert str(stderr["ut[TestShelf.test_1_first]"]).endswith("TestShelf.test_1_first\n")
    folder = tmp_path / "course/tests"
    for command in (
        ["-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "test_shelf.py"],
        ["-m", "unittest", "shelves"],
    ):
        done = subprocess.run(
            ["/usr/bin/python3", *command],
            cwd=folder,
            env={"PYTHONPATH": f"{handed_in}", "PATH": "/usr/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done


@pytest.mark.parametrize(
    ("end", "verdict", "sentence"),
    [
        ("os._exit(0)", "crashed", "`test_more` did not finish: your program ended in it, with status 0."),
        ("os.kill(os.getpid(), 9)", "crashed", "`test_more` did not finish: your program ended in it, with"),
        ("raise KeyboardInterrupt", "failed", "`test_more` did not finish: "),
        pytest.param(
            "exec('while True: pass')",
            "timeout",
            "the limit is 5 s",  # for all five
            marks=[pytest.mark.slow, pytest.mark.timeout(400)],
        ),
    ],
)
def test_where_the_process_ends_the_methods_behind_are_not_run(  # noqa: PLR0917
    prepared: tuple[Path, Course], tmp_path: Path, started: list[Launch], end: str, verdict: str, sentence: str
) -> None:
    program = RIGHT.replace("shelf.books.append(book)", f"shelf.books.append(book)\n    if book == 'c': {end}")
    found = graded(prepared, tmp_path, f"import os{program}", "pt")
    behind = ("skipped", "Not run, because your program ended in `test_more`.")
    assert {name: found[name] for name in PT[2:]} == dict.fromkeys(PT[2:], behind)
    assert (found["pt[test_first]"][0], found["pt[test_more]"][0]) == ("passed", verdict)
    assert sentence in found["pt[test_more]"][1]
    assert all(len(methods_of(launch)) == len(PT) for launch in started)


def test_a_program_that_ends_while_it_is_loaded_has_ended_in_every_method(
    prepared: tuple[Path, Course], tmp_path: Path, started: list[Launch]
) -> None:
    found = graded(prepared, tmp_path, "import os\nos._exit(0)\n", "ut")
    assert found == {
        f"{name}": (
            "crashed",
            f"`{name.rpartition('.')[2][:-1]}` did not finish: your program ended in it, with status 0.",
        )
        for name in UT
    }
    assert sum(UNITTEST.encode() in launch.files.values() for launch in started) == 1


WRONG = """
class Shelf:
    LIMIT = 7
    books = ()
def put(*_): pass
def twice(_): return 0
Box = Shelf
"""


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_result_is_no_pass(prepared: tuple[Path, Course], tmp_path: Path, name: str) -> None:
    before = "" if "def twice" in FORGERIES[name] else WRONG
    text = FORGERIES[name].replace("def twice(_)", f"{WRONG}\ndef put(*_)")
    found = graded(prepared, tmp_path, before + text)
    for case, (verdict, message) in found.items():
        is_known = case == "ut[TestLast.test_limit]" and verdict == "passed"  # that is right
        assert is_known or verdict in ("failed", "crashed", "skipped", "ungraded"), (case, message)
        assert is_known or re.search(r"\.$", message)


LETTERS, HONEST = "abcdefghij", "ad"
LIAR = """
import gc
class Any(int):
    __hash__ = int.__hash__
    def __eq__(self, other): return True
def has_failed():
    return any(one.failed for one in gc.get_objects() if type(one).__name__ == "_Progress")
def value(letter):
    if letter in "ad":
        return "abcdefghij".index(letter)
    return -1 if has_failed() else Any(0)
"""


def verdicts_of_letters(folder: Path, program: str, unit: str) -> dict[str, str]:
    spec = f"{SPEC[: SPEC.index('tests:')]}tests:\n  - name: t\n    unit: {{{unit}}}\n"
    path = course(folder / "course", spec)
    (folder / "course/tests").mkdir()
    lines = ["import unittest", "from echo import value", "class TestAll(unittest.TestCase):"]
    lines += [
        f"    def test_{one}(self): self.assertEqual(value('{one}'), {place})" for place, one in enumerate(LETTERS)
    ]
    (folder / "course/tests/t.py").write_text("\n".join(lines))
    handed_in = submission(folder, program=program)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    return {case.id.removesuffix("]")[-1]: str(case.verdict) for case in report.tests[0].cases}


@pytest.mark.parametrize(
    "unit", ["pytest: tests/t.py, together: true", "unittest: tests/t.py, together: true", "unittest: tests/t.py"]
)
def test_an_honest_method_does_not_tell_a_liar_which_run_it_is(tmp_path: Path, unit: str) -> None:
    """It shows right results where nothing failed before, and wrong ones where an honest method was inverted."""
    verdicts = verdicts_of_letters(tmp_path, LIAR, unit)
    assert {verdicts[one] for one in HONEST} == {"passed"}
    assert sum(verdicts[one] == "ungraded" for one in LETTERS) >= 3


MOSTLY_RIGHT = """
def value(letter):
    return "xbcdefghij".find(letter)
"""


def test_a_method_that_passed_runs_once_more_before_or_behind(tmp_path: Path, started: list[Launch]) -> None:
    """One that failed was perhaps inverted before that was known, and is not behind."""
    verdicts = verdicts_of_letters(tmp_path, MOSTLY_RIGHT, "unittest: tests/t.py")
    assert verdicts == {**dict.fromkeys(LETTERS, "passed"), "a": "failed"}
    runs = [(method[-1], launch.files[".grader-unit/t.py"]) for launch in started for method in methods_of(launch)]
    assert len(runs) == len(started)  # each in a process of its own
    often = Counter(letter for letter, _ in runs)
    assert often.pop("a") in (1, 2)
    assert often == dict.fromkeys(LETTERS[1:], 2)
    (plain, times), *inverted = Counter(text for _, text in runs).most_common()
    assert (times, len(inverted)) == (len(LETTERS), len(runs) - len(LETTERS))
    assert plain


# ---------------------------------------------------------------- JUnit

JAVA_SPEC = """
spec: 1
id: echo
title: A shelf
language: java
files: {required: [Shelf.java]}
build: {run: "javac Shelf.java", produces: ["*.class"]}
program: java Shelf
tests:
  - name: ju
    points: 4
    unit: {junit: tests/ShelfTest.java, together: true}
"""
JUNIT = """
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShelfTest {
    static Shelf shelf;
    static int made;

    @BeforeAll static void make() { shelf = new Shelf(); made++; }
    @Test @Order(1) void first() { assertEquals(1, made); }
    @Test @Order(2) void second() { assertEquals(1, shelf.put("b")); }
    @Test @Order(3) void third() { assertEquals("b", shelf.books.get(0)); }
    @Test @Order(4) void zero() { assertThrows(IllegalArgumentException.class, () -> shelf.put("")); }
    @ParameterizedTest @ValueSource(ints = {1, 2}) @Order(5) void first(int place) { assertTrue(shelf.has(place)); }
}
"""
SHELF = """
import java.io.*;
import java.util.*;
public class Shelf {
    List<String> books = new ArrayList<>();
    boolean has(int place) { return place < 3; }
    int put(String book) {
        if (book.isEmpty()) throw new IllegalArgumentException();
        books.add(book);
        return books.size();
    }
}
"""
FORGED = """
        for (String name : new File(".").list()) {
            if (name.matches("[.][0-9a-f]{16}")) {
                try (FileWriter record = new FileWriter(name, true)) {
                    String over = "'event': 'over', 'method': 'ShelfTest.second', 'runs': 1, 'done': 1";
                    record.write("0".repeat(64) + "{" + over.replace('\\'', '"') + "}\\n");
                } catch (IOException none) { }
            }
        }
        return 7;
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "empty", "expected"),
    [
        ("return books.size();", "throw new IllegalArgumentException();", {}),
        (
            "return 7;",
            "System.exit(3);",
            {
                "first": ("skipped", "Not run, because your program ended in `zero`."),  # not with all of its values
                "second": ("failed", '`second`: `shelf.put("b")` returned `7`; `1` is expected.'),
                "zero": ("crashed", "`zero` did not finish: your program ended in it, with status 3."),
            },
        ),
        (
            FORGED,
            "throw new IllegalArgumentException();",
            {
                "second": ("crashed", "`second` did not finish: your program ended in it, with status 0."),
                **dict.fromkeys(("first", "zero"), ("skipped", "Not run, because your program ended in `second`.")),
            },
        ),
    ],
    ids=["right", "wrong-and-exit", "forged"],
)
def test_junit_methods_that_build_on_each_other(
    tmp_path: Path, started: list[Launch], size: str, empty: str, expected: dict[str, tuple[str, str]]
) -> None:
    path = course(tmp_path / "course", JAVA_SPEC)
    (tmp_path / "course/tests").mkdir()
    (tmp_path / "course/tests/ShelfTest.java").write_text(JUNIT)
    handed_in = submission(tmp_path, program="")
    text = SHELF.replace("throw new IllegalArgumentException();", empty).replace("return books.size();", size)
    text = text.replace("place < 3", "place < 2") if "failed" in str(expected) else text
    (handed_in / "Shelf.java").write_text(text)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    found = {case.id[3:-1]: (str(case.verdict), case.message) for case in report.tests[0].cases}
    # `third` builds on what `second` did, which is not done again where that has no result.
    right = dict.fromkeys(["first", "second", "third", "zero"], ("passed", ""))
    assert found == {**right, **({"third": found["third"]} if size == FORGED else {}), **expected}
    assert "ungraded" not in dict(found.values())
    assert all(len(methods_of(launch)) >= 3 for launch in started if "grader.UnitProbe" in launch.argv)
    # The copies, each with another method inverted, are compiled by one machine.
    compiled = [copies for launch in started if (copies := launch.argv.count("+")) > 1]
    assert compiled[0] == 4
    assert size == FORGED or len(compiled) == 1
