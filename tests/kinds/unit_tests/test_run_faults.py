"""Whose fault it is that a method fails: a submission's, or the course's own."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.check.subject import Subject
from grader.core.model.layout import Build, Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.core.run.runner import command_text
from grader.kinds.unit_tests.check import lacking_archives, lacking_sources
from grader.kinds.unit_tests.faults import find_missing_class
from grader.kinds.unit_tests.model import UnitMethod
from tests.support.courses import course, submission

SPEC = """
spec: 1
id: bank
title: A bank
language: java
files: {required: [Bank.java]}
build: {run: javac Bank.java, produces: ["*.class"]}
program: java Bank
tests:
  - name: bank
    unit: {junit: tests/BankTest.java}
"""
TEST = """
import static org.junit.jupiter.api.Assertions.*;
import java.nio.file.*;
import java.util.List;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BankTest {
    @Nested class Reading {
        List<String> rows;
        @BeforeEach void read() throws Exception { rows = Files.readAllLines(Path.of("rows.txt")); }
        @Test void hasRows() { assertEquals(1, Bank.sum(rows.size())); }
    }
    @Nested class Opening {
        @BeforeEach void open() { Bank.sum(-1); }
        @Test void opens() { }
    }
    @ParameterizedTest @MethodSource("gone") void given(int n) { assertEquals(n, Bank.sum(n)); }
    @Test void looksInside() throws Exception { Class.forName("sun.misc.Unsafe"); }
    @Test void looksFor() throws Exception { Class.forName("Teller"); }
}
"""
BANK = "public class Bank { static int sum(int n) { if (n < 0) throw new IllegalStateException(); return n; } }"
RIGHT = BANK.replace("throw new IllegalStateException()", "return 0")


def graded(path: Path, folder: Path, program: str) -> dict[str, tuple[str, str]]:
    handed_in = submission(folder, program="")
    (handed_in / "Bank.java").write_text(program)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    return {case.id: (case.verdict, case.message) for test in report.tests for case in test.cases}


@pytest.mark.slow
def test_a_test_that_fails_without_any_submission_is_ungraded(tmp_path: Path) -> None:
    path = course(tmp_path / "course", SPEC.replace("Test.java}", "Test.java, modules: [jdk.unsupported]}"))
    (tmp_path / "course/tests").mkdir()
    (tmp_path / "course/tests/BankTest.java").write_text(TEST)
    found = graded(path, tmp_path, BANK)
    alone = "of tests/BankTest.java fails without any submission too: it ends with"
    assert found["bank[Reading.hasRows]"] == (
        "ungraded",
        f"`hasRows` {alone} `NoSuchFileException` (BankTest.java:12): `rows.txt`.",
    )
    assert found["bank[given]"][0] == "ungraded"
    assert found["bank[Opening.opens]"][0] == "crashed"
    assert found["bank[looksFor]"][0] == "crashed"
    assert found["bank[looksInside]"][0] == "passed"


CLAIMS = """
public class Bank {
    static int sum(int n) {
        if (n == 1) { throw new NoClassDefFoundError("sun/misc/Unsafe"); }
        if (n == 3) { throw new NoClassDefFoundError("net/bytebuddy/ByteBuddy"); }
        long[][] all = new long[100000][];
        for (int i = 0; ; i++) { all[i] = new long[1 << 24]; }
    }
}
"""
CLAIMED = """
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class BankTest {
    @Test void needs() { assertEquals(1, Bank.sum(1)); }
    @Test void fills() { assertEquals(2, Bank.sum(2)); }
    @Test void lacks() { assertEquals(3, Bank.sum(3)); }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("together", ["", ", together: true"])
def test_what_a_program_claims_or_uses_up_is_its_own(together: str, tmp_path: Path) -> None:
    path = course(tmp_path / "course", SPEC.replace("Test.java}", f"Test.java, jars: [lib/assertj.jar]{together}}}"))
    for name, content in (("tests/BankTest.java", CLAIMED.encode()), ("lib/assertj.jar", ASSERTJ)):
        (tmp_path / "course" / name).parent.mkdir()
        (tmp_path / "course" / name).write_bytes(content)
    found = graded(path, tmp_path, CLAIMS)
    verdict, message = found["bank[needs]"]
    assert (verdict, message[:42]) == ("crashed", "`needs` ended with `NoClassDefFoundError` ")
    verdict, message = found["bank[fills]"]
    assert (verdict, message[:59]) == ("crashed", "`fills` ended with `OutOfMemoryError` in line 7 of `Bank.ja")
    # No archive has that class, which it threw itself. A process that has no memory left is at its end.
    assert found["bank[lacks]"][0] == ("skipped" if together else "crashed")


PYTHON = """
spec: 1
id: echo
title: Echo
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
tests:
  - name: echo
    unit: {unittest: tests/test_echo.py}
"""


def test_a_method_that_the_reference_does_not_pass_is_ungraded(tmp_path: Path) -> None:
    right = "def twice(number):\n    return 2 * number\n"
    path = course(tmp_path / "course", PYTHON, right)
    (tmp_path / "course/tests").mkdir()
    (tmp_path / "course/tests/test_echo.py").write_text(
        "import unittest\nfrom echo import twice\nclass T(unittest.TestCase):\n"
        "    def test_right(self): self.assertEqual(twice(2), 4)\n"
        "    def test_wrong(self): self.assertEqual(twice(2), 5)\n"
        "    def test_file(self): open('gone.txt')\n"
    )
    handed_in = submission(tmp_path, program="def twice(number):\n    return 0\n")
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    found = {case.id: (case.verdict, case.message) for case in report.tests[0].cases}
    assert found["echo[T.test_right]"][0] == "failed"
    either = "of tests/test_echo.py does not pass with the reference either"
    assert found["echo[T.test_wrong]"] == ("ungraded", f"`test_wrong` {either} (test_echo.py:5).")
    assert found["echo[T.test_file]"][0] == "ungraded"
    assert report.score is None


MANY_THREADS = """\
import threading, unittest
import echo

class T(unittest.TestCase):
    def start(self, number):
        go = threading.Event()
        threads = [threading.Thread(target=lambda: (go.wait(), echo.add(1))) for _ in range(number)]
        try:
            for thread in threads:
                thread.start()
        finally:
            go.set()
        for thread in threads:
            thread.join()
        self.assertEqual(echo.total, number)
    def test_many(self):
        self.start(40)
    def test_most(self):
        self.start(300)  # more than the reference has by itself
    def test_one(self):
        echo.add(2)
        self.assertEqual(echo.total, 2)
"""
ADD = "total = 0\ndef add(n):\n    global total\n    total += n\n"
MORE_THREADS = f"""\
import threading
{ADD}    if n == 2:
        held = threading.Event()
        try:
            for _ in range(40):
                threading.Thread(target=held.wait).start()
        finally:
            held.set()
"""


def test_a_method_that_needs_more_threads_than_students_may_have_is_ungraded(tmp_path: Path) -> None:
    spec = PYTHON.replace("tests:", "limits: {processes: 20}\ntests:")
    path = course(tmp_path / "course", spec, ADD)
    (tmp_path / "course/tests").mkdir()
    (tmp_path / "course/tests/test_echo.py").write_text(MANY_THREADS)
    prepared = prepare(path)
    found = {}
    for name, program in (("right", ADD), ("wrong", ADD.replace("+= n", "+= 3")), ("greedy", MORE_THREADS)):
        handed_in = submission(tmp_path / name, program=program)
        report = grade(Job(spec=path, submission=Submission(id=name, path=handed_in)), prepared)
        found[name] = {case.id: (str(case.verdict), case.message) for case in report.tests[0].cases}
    limit = "more processes and threads than the limit of 20 allows, with the reference too"
    for method in ("test_many", "test_most"):
        assert {name: found[name][f"echo[T.{method}]"] for name in found} == dict.fromkeys(
            ("right", "wrong", "greedy"),
            ("ungraded", f"`{method}` of tests/test_echo.py starts {limit}: raise `processes` under `limits`."),
        )
    assert {name: found[name]["echo[T.test_one]"][0] for name in found} == {
        "right": "passed",
        "wrong": "failed",
        "greedy": "crashed",  # these threads are its own
    }


# ---------------------------------------------------------------- archives


def archive(**classes: str) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, content in classes.items():
            file.writestr(f"{name.replace('__', '/')}.class", content)
    return made.getvalue()


ASSERTJ = archive(org__assertj__core__Api="names net/bytebuddy/ByteBuddy and net/bytebuddy/Gone")
BYTE_BUDDY = archive(net__bytebuddy__ByteBuddy="names nothing", org__objenesis__Objenesis="nothing")
MISSING = {
    "net/bytebuddy/ByteBuddy": "lib/assertj.jar",
    "Could not initialize class net.bytebuddy.ByteBuddy": "lib/assertj.jar",
    "net/bytebuddy/Other": "",
    "Teller": "",
    "bank/Teller": "",
    "names nothing": "",
}


def junit(jars: Mapping[str, bytes]) -> UnitMethod:
    return UnitMethod(framework="junit", file="tests/T.java", source=b"class T { }", method="T.one", jars=jars)


@pytest.mark.parametrize("message", MISSING)
def test_a_class_that_an_archive_needs_and_none_has(message: str, tmp_path: Path) -> None:
    spec = load(course(tmp_path))
    found = find_missing_class(junit(jars={"lib/assertj.jar": ASSERTJ}), spec, message)
    assert MISSING[message] in found
    assert bool(MISSING[message]) == bool(found)
    both = {"lib/assertj.jar": ASSERTJ, "lib/byte-buddy.jar": BYTE_BUDDY}
    assert not find_missing_class(junit(jars=both), spec, message)


def subject(folder: Path, keys: str = "", **files: bytes) -> Subject:
    """Return a spec with a test for JUnit, with further keys of `unit` and files of the course."""
    path = course(folder, SPEC.replace("BankTest.java}", f"BankTest.java{keys}}}"))
    for name, content in {"tests/BankTest.java": b"class BankTest { @Test void a() { } }", **files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return Subject(spec=load(path), file="", nodes={})


SOURCES = {
    '@ParameterizedTest @CsvFileSource(resources = "/rows.csv", numLinesToSkip = 1) void one(int n) { }': 0,
    '@ParameterizedTest @CsvFileSource(resources = {"/rows.csv", "/more.csv"}) void one(int n) { }': 1,
    '@ParameterizedTest @CsvFileSource(files = "more.csv") void one(int n) { }': 0,
    '// @CsvFileSource(resources = "/more.csv")\n @Test void one() { }': 0,
}


@pytest.mark.parametrize("source", SOURCES)
def test_values_that_are_not_there_are_found(source: str, tmp_path: Path) -> None:
    test = f"class BankTest {{ @Test void zero() {{ }} {source} }}".encode()
    files = {"tests/rows.csv": b"1\n", "tests/BankTest.java": test}
    found = [*lacking_sources(subject(tmp_path, ", with: [tests/rows.csv]", **files))]
    assert len(found) == SOURCES[source]


def test_the_command_that_repeats_a_method_has_its_archives(tmp_path: Path) -> None:
    keys = ", jars: [lib/a.jar], with: [tests/Base.java]"
    files = {"lib/a.jar": ASSERTJ, "lib/b.jar": BYTE_BUDDY, "tests/Base.java": b"class Base { }"}
    found = subject(tmp_path, keys, **files)
    build = Build(run=(), jars=("lib/b.jar",), files={"lib/b.jar": BYTE_BUDDY})
    (case,) = found.spec.tests[0].cases
    console = "/usr/share/java/junit-platform-console-standalone.jar"
    assert command_text(case, replace(found.spec, build=build)) == (
        f"javac -cp {console}:lib/a.jar:lib/b.jar:. -d . tests/BankTest.java tests/Base.java && "
        f"java -jar {console} -cp lib/a.jar:lib/b.jar:. -m 'BankTest#a'"
    )


LACKING = {
    "jars: [lib/a.jar]": "lib/a.jar needs `net.bytebuddy`, which no archive has: name its archive under jars",
    "jars: [lib/a.jar, lib/b.jar]": "",
    "jars: [lib/shaded.jar]": "",
}


@pytest.mark.parametrize("keys", LACKING)
def test_libraries_without_what_they_need_are_found(keys: str, tmp_path: Path) -> None:
    shaded = archive(org__assertj__core__Api="names org/assertj/core/internal/bytebuddy")
    files = {"lib/a.jar": ASSERTJ, "lib/b.jar": BYTE_BUDDY, "lib/shaded.jar": shaded}
    found = [message for _, message in lacking_archives(subject(tmp_path, f", {keys}", **files))]
    assert len(found) == bool(LACKING[keys])
    assert LACKING[keys] in "".join(found)
