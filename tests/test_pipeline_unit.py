"""Unit tests of the course's: what is told of each way in which a method can go, and what comes of forged results."""

import re
import subprocess
import zipfile
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from grader.author.handout import to_handout
from grader.author.public import make_public
from grader.check.verification import verify_spec
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import Course, grade, prepare
from grader.core.reader.spec import load
from grader.core.report.formats import render
from grader.core.report.plain import report_text, to_renderable
from grader.kinds.unit_tests.junit_jars import JUNIT_JARS
from grader.results.view import why_not_graded
from tests.support.courses import course, submission

SPEC = """
spec: 1
id: echo
title: Twice
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
tests:
  - name: twice
    points: 4
    unit: {pytest: tests/test_twice.py}
  - name: sums
    unit: {unittest: tests/sums.py, only: ["Sums.test_s*"]}
    visibility: hidden
  - name: number
    points: 1
    unit: {pytest: tests/test_twice.py, only: [test_number]}
"""
TWICE = """
import pytest
from echo import Box, twice

def test_number():
    assert twice(4) == 8

@pytest.mark.parametrize("text", ["a", "b c"])
class TestTexts:
    def test_text(self, text):
        assert twice(text) == text + text, "twice is once more"

def test_refuses():
    with pytest.raises(ValueError):
        twice(None)

class TestBoxes:
    def test_less(self, monkeypatch):
        monkeypatch.setattr("builtins.input", lambda *_: "1")
        assert input() == "1"
        assert Box(1) < Box(2)
"""
SUMS = """
import builtins, unittest
from echo import twice

class Base(unittest.TestCase):
    def test_sum(self):
        builtins.input = lambda: "and is never put back"
        self.assertEqual(twice(2) + 1, 5)

class Sums(Base):
    def test_several(self):
        for number in (1, 2):
            with self.subTest(number=number):
                self.assertEqual(twice(number), number * 2, "each")

    def test_other(self):
        self.fail()
"""
RIGHT = """
import sys
class Box:
    def __init__(self, size):
        self.size = size
    def __lt__(self, other):
        return self.size < other.size
def twice(value):
    if value is None:
        raise ValueError("nothing")
    return value + value
"""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Course]:
    folder = tmp_path_factory.mktemp("course")
    (folder / "tests").mkdir()
    (folder / "tests/test_twice.py").write_text(TWICE)
    (folder / "tests/sums.py").write_text(SUMS)
    path = course(folder, SPEC, RIGHT)
    return path, prepare(path)


def graded(
    prepared: tuple[Path, Course], folder: Path, program: str, *only: str, **files: str
) -> dict[str, tuple[str, str]]:
    """Grade a program, with further files; return verdict and sentence of each case of the tests called `only`."""
    path, ready = prepared
    handed_in = submission(folder, program=program)
    for name, text in files.items():
        (handed_in / name).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / name).write_text(text)
    job = Job(spec=path, submission=Submission(id="a", path=handed_in), only=only)
    report: Report = grade(job, ready)
    return {case.id: (case.verdict, case.message) for test in report.tests for case in test.cases}


def test_the_cases_are_known_before_anything_runs(prepared: tuple[Path, Course]) -> None:
    spec = load(prepared[0])
    assert [[case.id for case in test.cases] for test in spec.tests] == [
        ["twice[test_number]", "twice[TestTexts.test_text]", "twice[test_refuses]", "twice[TestBoxes.test_less]"],
        ["sums[Sums.test_several]", "sums[Sums.test_sum]"],
        ["number[test_number]"],
    ]
    assert set(spec.attached) == {"tests/test_twice.py", "tests/sums.py"}


def test_each_way_to_be_wrong_has_its_sentence(prepared: tuple[Path, Course], tmp_path: Path) -> None:
    wrong = (
        RIGHT.replace("return value + value", "if value == 4: sys.exit(0)\n    return value + 1")
        .replace('raise ValueError("nothing")', "return 3")
        .replace("self.size <", "self.size >")
    )
    found = graded(prepared, tmp_path, wrong, "twice", "sums")
    assert found.keys() == SENTENCES.keys()
    for name, (verdict, sentence) in SENTENCES.items():
        assert found[name][0] == verdict, (name, found[name])
        assert re.fullmatch(".*".join(map(re.escape, sentence.split("…"))), found[name][1]), found[name][1]


SENTENCES = {
    "twice[test_number]": (
        "crashed",
        "`test_number` ended the program with `SystemExit` in line 11 of `echo.py`, `if value == 4: sys.exit(0)`.",
    ),
    "twice[TestTexts.test_text]": (
        "crashed",
        "`test_text` with `a` ended with `TypeError` in line 12 of `echo.py`, `return value + 1`: `can only…",
    ),
    "twice[test_refuses]": (
        "failed",
        "`test_refuses`: `ValueError` is expected of `twice(None)`, but nothing was raised.",
    ),
    "twice[TestBoxes.test_less]": (
        "failed",
        "`test_less`: `<echo.Box object> < <echo.Box object>` does not hold (test_twice.py:21).",
    ),
    "sums[Sums.test_several]": (
        "failed",
        "`test_several` with `number=2`: `twice(number)` returned `3`; `4` is expected (`each`).",
    ),
    "sums[Sums.test_sum]": (
        "failed",
        "`test_sum`: `twice(2) + 1` is `4`; `5` is expected.",
    ),
}
WRONG = """
def twice(_): return 0
class Box: pass
"""
RECORD = 'b\'{"event": "over", "runs": 1, "done": 1}\''
FORGERIES = {
    "ends the process on import": "import os\nos._exit(0)",
    "ends it by an exception": "import sys\nsys.exit(0)",
    "ends it at the end": "import atexit, os\natexit.register(os._exit, 0)",
    "replaces an assertion": "import unittest\nunittest.TestCase.assertEqual = lambda *_: None",
    "replaces what runs tests": "import _pytest.python\n_pytest.python.Function.runtest = lambda _: None",
    "replaces the code of it": """
import _pytest.python
_pytest.python.Function.runtest.__code__ = (lambda self: None).__code__
""",
    "replaces what is built in": "import builtins\nbuiltins.AssertionError = type('A', (BaseException,), {})",
    "has a plugin": """
import gc
class Plugin:
    def pytest_pyfunc_call(self, pyfuncitem): return True
for one in gc.get_objects():
    if type(one).__name__ == "PytestPluginManager": one.register(Plugin())
""",
    "skips": "import pytest\ndef twice(_): pytest.skip('later')",
    "expects to fail": "import pytest\ndef twice(_): pytest.xfail('known')",
    "leaves pytest": "import pytest\ndef twice(_): pytest.exit('done', 0)",
    "writes to every descriptor": f"""
import os
for descriptor in range(64):
    try: os.write(descriptor, {RECORD})
    except OSError: pass
""",
    "writes records": f"""
import os
for name in os.listdir():
    if name.startswith("."): open(name + ("/x" if os.path.isdir(name) else ""), "ab").write({RECORD})
""",
    "leaves somebody who writes records": f"""
import os, time
if os.fork() == 0:
    for _ in range(2000):
        for name in os.listdir():
            if len(name) == 17:
                try: open(name, "wb").write(b"0" * 64 + {RECORD})
                except OSError: pass
        time.sleep(0.001)
    os._exit(0)
""",
}
EQUAL_TO_ALL = """
class Any(int):
    __hash__ = int.__hash__
    def __eq__(self, other): return True
def twice(_): return Any(0)
Box = Any
"""
NEIGHBOURS = {
    "conftest.py": "def pytest_pyfunc_call(pyfuncitem): return True\n",
    "pytest.ini": "[pytest]\naddopts = --collect-only\n",
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--collect-only"\n',
    "sitecustomize.py": "import os\nos._exit(0)\n",
    "pytest.py": "import os\nos._exit(0)\n",
    "unittest.py": "import os\nos._exit(0)\n",
    "tests/test_twice.py": "def test_number(): pass\n",
    "test_twice.py": "def test_number(): pass\n",
    "evil.py": "def pytest_pyfunc_call(pyfuncitem): return True\n",
    "evil-1.dist-info/entry_points.txt": "[pytest11]\nevil = evil\n",
    "evil-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1\n",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_result_is_no_pass(prepared: tuple[Path, Course], tmp_path: Path, name: str) -> None:
    before = "" if "def twice" in FORGERIES[name] else WRONG
    ((verdict, message),) = graded(prepared, tmp_path, before + FORGERIES[name], "number").values()
    assert verdict in ("failed", "crashed"), message
    assert message.endswith(".")


def test_a_pass_that_is_made_up_is_told_to_the_staff_alone(prepared: tuple[Path, Course], tmp_path: Path) -> None:
    path, ready = prepared
    handed_in = submission(tmp_path, program=EQUAL_TO_ALL)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in), only=("number",)), ready)
    (finding,) = report.findings
    assert (report.verdict, report.score, finding.kind) == ("ungraded", None, "forged")
    assert "test_twice.py:6" in finding.message
    assert finding.message in why_not_graded(report)
    files = render(report)
    assert b"forged" in files.pop("report.json")
    screen = Console(file=StringIO(), width=200)
    screen.print(*to_renderable(report))
    shown = [*(text.decode() for text in files.values()), report_text(report), screen.file.getvalue()]  # type: ignore[attr-defined]
    assert not [text for text in shown if "turned" in text or "forged" in text]
    assert sum("could not be graded automatically" in text for text in shown) >= 3


def test_a_right_program_may_have_strange_neighbours(prepared: tuple[Path, Course], tmp_path: Path) -> None:
    standard = dict.fromkeys(["asyncio.py", "hashlib.py", "json.py", "threading.py"], "raise SystemExit")
    found = graded(prepared, tmp_path / "right", RIGHT, "number", "sums", **NEIGHBOURS, **standard)
    assert {verdict for verdict, _ in found.values()} == {"passed"}, found
    found = graded(prepared, tmp_path / "wrong", WRONG, "number", **NEIGHBOURS)
    assert found == {"number[test_number]": ("failed", "`test_number`: `twice(4)` returned `0`; `8` is expected.")}


def test_a_module_that_is_asked_for_is_the_students_and_in_the_way_of_no_other(tmp_path: Path) -> None:
    spec = """
spec: 1
id: echo
title: Selectors
language: python
files: {required: [echo.py, selectors.py]}
program: python3 echo.py
tests: [{name: all, points: 1, unit: {unittest: tests/selected.py}}]
"""
    test = """
import asyncio, unittest
from echo import name
class Selected(unittest.TestCase):
    def test_name(self):
        self.assertEqual(asyncio.run(name()), "mine")
"""
    path = course(tmp_path / "course", spec)
    (tmp_path / "course/tests").mkdir()
    (tmp_path / "course/tests/selected.py").write_text(test)
    handed_in = submission(tmp_path, program="import selectors\nasync def name(): return selectors.NAME\n")
    (handed_in / "selectors.py").write_text("NAME = 'mine'\n")
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    assert [(case.verdict, case.message) for case in report.tests[0].cases] == [("passed", "")]


def test_the_mutants_of_the_reference_are_tried_on_unit_tests(prepared: tuple[Path, Course]) -> None:
    path, ready = prepared
    spec = replace(ready.spec, tests=ready.spec.tests[-1:])  # one method is enough
    found = verify_spec(path, replace(ready, spec=spec), most=3, samples=False)
    source = [trial for trial in found.trials if trial.mutant.kind == "source"]
    assert {str(trial.outcome) for trial in source} <= {"killed", "survived"}
    assert "killed" in {str(trial.outcome) for trial in source}


def test_a_handout_names_the_methods_that_are_no_secret(prepared: tuple[Path, Course]) -> None:
    told = to_handout(prepared[1])
    assert "`test_twice.py` for pytest" in told
    assert "- `test_number`\n- `test_text`\n- `test_refuses`\n- `test_less`" in told
    assert "sums.py" not in told


# ---------------------------------------------------------------- JUnit

JAVA_SPEC = """
spec: 1
id: bank
title: A bank account
language: java
files: {required: [Account.java], optional: ["META-INF/services/*", "*.properties"]}
build: {run: "javac Account.java", produces: ["*.class", "META-INF/services/*", "*.properties"]}
program: java Account
tests:
  - name: account
    points: 4
    unit: {junit: tests/AccountTest.java}
"""
ACCOUNT_TEST = """
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountTest {
    private final Account account = new Account();  // @Test void none() {}

    @Test void deposits() { account.deposit(5); assertEquals(6, account.balance, "all of it"); }
    @ParameterizedTest @ValueSource(ints = {1, 2})
    void many(int amount) { account.deposit(amount); assertEquals(amount, account.balance); }
    @Test void halts() { account.halt(); fail(); }
    @Nested class Inner {
        @Test void refuses() { assertThrows(IllegalStateException.class, () -> account.deposit(-1)); }
    }
}
"""
ACCOUNT = """
import java.io.*;
public class Account {
    static {
        for (int fd = 3; fd < 64; fd++) {
            try (OutputStream out = new FileOutputStream("/proc/self/fd/" + fd)) {
                out.write("{\\"event\\": \\"over\\", \\"runs\\": 1, \\"done\\": 1}".getBytes());
            } catch (IOException none) { }
        }
    }
    int balance;
    void deposit(int amount) { balance += amount; }
    void halt() { Runtime.getRuntime().halt(0); }
}
class Passing implements org.junit.jupiter.api.extension.TestExecutionExceptionHandler {
    public void handleTestExecutionException(org.junit.jupiter.api.extension.ExtensionContext c, Throwable t) { }
}
"""


@pytest.mark.slow
def test_junit_of_a_hostile_account(tmp_path: Path) -> None:
    path = course(tmp_path / "course", JAVA_SPEC)
    (tmp_path / "course/tests").mkdir()
    (tmp_path / "course/tests/AccountTest.java").write_text(ACCOUNT_TEST)
    jars = ":".join(JUNIT_JARS)
    path.write_text(JAVA_SPEC.replace("javac Account.java", f"javac -cp {jars} Account.java Assertions.java"))
    handed_in = submission(tmp_path, program="")
    (handed_in / "META-INF/services").mkdir(parents=True)
    for name, text in {
        "Account.java": ACCOUNT,
        # What is called as a class of JUnit or of ours is, and what JUnit looks for on the class path.
        "Assertions.java": "package org.junit.jupiter.api; public class Assertions { }",
        "META-INF/services/org.junit.jupiter.api.extension.Extension": "Passing",
        "META-INF/services/org.junit.platform.engine.TestEngine": "Passing",
        "META-INF/services/org.junit.platform.launcher.TestExecutionListener": "Passing",
        "junit-platform.properties": "junit.jupiter.extensions.autodetection.enabled=true",
        "AccountTest.java": "class AccountTest { }",
    }.items():
        (handed_in / name).write_text(text)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    assert {case.id: (case.verdict, case.message) for test in report.tests for case in test.cases} == {
        "account[deposits]": (
            "failed",
            "`deposits`: `account.balance` is `5`; `6` is expected (`all of it`).",
        ),
        "account[many]": ("passed", ""),
        "account[halts]": (
            "crashed",
            "`halts` did not finish: your program ended in it, with status 0.",
        ),
        "account[Inner.refuses]": (
            "failed",
            "`refuses`: `IllegalStateException` is expected of `account.deposit(-1)`, but nothing was raised.",
        ),
    }


# ---------------------------------------------------------------- JUnit 4, and archives of the course

OLD_SPEC = """
spec: 1
id: bank
title: A bank account
language: java
files: {required: [Account.java]}
build: {run: "javac Account.java", produces: ["*.class"], jars: [lib/words.jar]}
program: java Account
tests:
  - name: account
    points: 6
    unit: {junit: tests/AccountTest.java, jars: [lib/same.jar]}
  - name: run
    expect: {stdout: "hello\\n"}
"""
OLD_TEST = """
import static org.junit.Assert.*;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class AccountTest {
    @Parameterized.Parameters public static Object[] data() { return new Object[] {1, 2}; }
    @Parameterized.Parameter public int amount;
    private Account account;
    @Before public void open() { account = new Account(); }

    @Test public void deposits() { account.deposit(amount); same.Same.check(amount, account.balance); }
    @Test(expected = IllegalStateException.class) public void refuses() { account.deposit(-1); }
    @Test public void named() { assertEquals("its name", "bank", account.name()); }
    @Ignore @Test public void later() { fail(); }
}
"""
OLD_ACCOUNT = """
public class Account {
    int balance;
    void deposit(int amount) { balance = 1; }
    String name() { return "bonk"; }
    public static void main(String[] args) { System.out.println(words.Words.HELLO.get()); }
}
"""


def archive(folder: Path, name: str, source: str) -> bytes:
    """Return an archive with the compiled class of a package called as it is, but for its case."""
    own = folder / f"{name}.java"
    own.write_text(source)
    jars = [*JUNIT_JARS, "/usr/share/java/junit4.jar"]
    subprocess.run(["/usr/bin/javac", "-cp", ":".join(jars), "-d", folder, own], check=True, timeout=60)
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for path in (folder / name.lower()).glob("*.class"):
            file.write(path, path.relative_to(folder).as_posix())
    return made.getvalue()


@pytest.fixture(scope="module")
def old_course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    path = course(folder / "course", OLD_SPEC)
    for name, text in {
        "lib/words.jar": archive(
            folder,
            "Words",
            'package words; public enum Words { HELLO; public String get() { return "hello"; } }',
        ),
        "lib/same.jar": archive(
            folder,
            "Same",
            "package same; import org.junit.Assert;"
            "public class Same { public static void check(int a, int b) { Assert.assertEquals(a, b); } }",
        ),
        "tests/AccountTest.java": OLD_TEST.encode(),
    }.items():
        (path.parents[1] / name).parent.mkdir(exist_ok=True)
        (path.parents[1] / name).write_bytes(text)
    return path


def graded_in_java(path: Path, folder: Path, program: str) -> dict[str, tuple[str, str]]:
    handed_in = submission(folder, program="")
    (handed_in / "lib").mkdir()
    (handed_in / "lib/words.jar").write_text("not that of the course")
    (handed_in / "Account.java").write_text(program)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    return {case.id: (case.verdict, case.message) for test in report.tests for case in test.cases}


@pytest.mark.slow
def test_junit_4_with_archives_of_the_course(old_course: Path, tmp_path: Path) -> None:
    more = " The same happens in 1 more of its runs."
    assert graded_in_java(old_course, tmp_path, OLD_ACCOUNT) == {
        "account[deposits]": (
            "failed",
            "`deposits` with `[1]`: `1` was found; `2` is expected (AccountTest.java:14).",
        ),
        "account[refuses]": (
            "failed",
            f"`refuses` with `[0]`: `IllegalStateException` is expected, but nothing was raised.{more}",
        ),
        "account[named]": (
            "failed",
            f"`named` with `[0]`: `account.name()` returned `bonk`; `bank` is expected (`its name`).{more}",
        ),
        "run": ("passed", ""),
    }
    ready = prepare(old_course)
    handout = to_handout(ready)
    assert "- On the class path, for you to use: `lib/words.jar`." in handout
    assert "`AccountTest.java` for JUnit 4 with `same.jar`" in handout
    assert make_public(ready).files.keys() == {"lib/words.jar"}


@pytest.mark.slow
def test_a_test_that_does_not_compile_is_judged_by_whose_fault_that_is(old_course: Path, tmp_path: Path) -> None:
    without = "public class Account { int balance; String name() { return null; } }"
    test = old_course.parents[1] / "tests/AccountTest.java"
    test.write_text(OLD_TEST.replace("import org.junit.*;", "import org.junit.*; import org.assertj.core.api.*;"))
    broken = graded_in_java(old_course, tmp_path / "course", without)
    alone = "does not compile, whatever is handed in: no archive has `org.assertj.core.api` (name it under `jars`)"
    assert broken["account[named]"] == ("ungraded", f"tests/AccountTest.java {alone}")
    # With a reference, only what is wrong with that too is the course's.
    (old_course.parents[1] / "reference/Account.java").write_text(
        "public class Account { int balance; void deposit(int a) { } String name() { return null; } }"
    )
    old_course.write_text(OLD_SPEC.replace("tests:", "reference: {files: reference/Account.java}\ntests:"))
    both = "does not compile with the reference either: `package org.assertj.core.api does not exist`"
    found = graded_in_java(old_course, tmp_path / "both", without)
    assert found["account[named]"] == ("ungraded", f"tests/AccountTest.java {both} (AccountTest.java:3)")
    test.write_text(OLD_TEST)
    verdict, message = graded_in_java(old_course, tmp_path / "own", without)["account[named]"]
    assert verdict == "build-failed"
    assert "AccountTest.java cannot be compiled with what was handed in" in message
