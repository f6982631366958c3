"""Points for each value of a method of a unit test: how many there are, which failed, and what of forged ones comes."""

from fractions import Fraction
from pathlib import Path

import pytest

from grader.author.handout import to_handout
from grader.check.runner import asking, examine
from grader.core.model.layout import Submission
from grader.core.model.report import Job, ReportedCase
from grader.core.pipeline import Course, grade, prepare
from tests.support.courses import course, submission

SPEC = """
spec: 1
id: echo
title: Twice
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
limits: {processes: 64}
tests:
  - name: pt
    points: 12
    unit: {pytest: tests/test_twice.py, values: share}
  - name: pt2
    points: 12
    unit: {pytest: tests/test_twice.py, values: share, together: true}
  - name: ut
    points: 16
    unit: {unittest: tests/twice.py, values: share}
  - name: ut2
    points: 16
    unit: {unittest: tests/twice.py, values: share, together: true}
"""
PYTEST = """
import pytest
from echo import twice

@pytest.mark.parametrize("n", [*range(5), pytest.param(5, marks=pytest.mark.skip)])
def test_twice(n):
    assert twice(n) == 2 * n

@pytest.fixture(params=["a", "b"])
def word(request):
    yield request.param
    assert twice(request.param)

def test_word(word):
    assert twice(word) == word + word

def test_one():
    assert twice(1) == 2

@pytest.mark.parametrize("n", range(4))
class TestLate:
    def test_late(self, n):
        if twice(n) > 100:
            pytest.skip("too large")
        assert twice(n) >= n
"""
UNITTEST = """
import unittest
from echo import twice

class Twice(unittest.TestCase):
    def check(self, n):
        with self.subTest(n=n):
            self.assertEqual(twice(n), 2 * n)

    def test_flat(self):
        for n in range(5):
            with self.subTest(n=n):
                self.assertEqual(twice(n), 2 * n)

    def test_nested(self):
        for n in (1, 2):
            with self.subTest(n=n):
                for word in ("a", "b"):
                    with self.subTest(word=word):
                        self.assertEqual(twice(word * n), word * n * 2)

    def test_both(self):
        with self.subTest("first"):
            self.assertEqual(twice(0), 0)
        self.check(1)
        self.check(3)
        self.assertEqual(twice(0), 0)

    def test_one(self):
        self.assertTrue(twice(1))
"""
RIGHT = "def twice(value):\n    return value + value\n"
ALL = ["pt", "pt2", "ut", "ut2"]
"""what has the same methods, each in a process of its own and together"""


def prepared_course(folder: Path, **files: str) -> tuple[Path, Course]:
    path = course(folder, SPEC, RIGHT)
    (folder / "tests").mkdir()
    for name, text in {"test_twice": PYTEST, "twice": UNITTEST, **files}.items():
        (folder / f"tests/{name}.py").write_text(text)
    return path, prepare(path)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Course]:
    return prepared_course(tmp_path_factory.mktemp("course"))


def graded(prepared: tuple[Path, Course], folder: Path, program: str, *only: str) -> dict[str, ReportedCase]:
    path, ready = prepared
    handed_in = submission(folder, program=program)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in), only=only), ready)
    return {case.id: case for test in report.tests for case in test.cases}


def shares(found: dict[str, ReportedCase]) -> dict[str, str]:
    """Return the share of each case that did not pass, or its verdict where it has no grade."""
    return {
        name: case.verdict if case.verdict == "ungraded" else str(Fraction(case.credit).limit_denominator(100))
        for name, case in found.items()
        if case.verdict != "passed"
    }


@pytest.mark.slow
def test_the_reference_has_all_and_lint_finds_nothing(prepared: tuple[Path, Course], tmp_path: Path) -> None:
    assert shares(graded(prepared, tmp_path, RIGHT)) == {}
    assert {one.rule for one in examine(prepared[0], asking("full", 1)).remarks} <= {
        "unit-tests-alone",
        "untested-method",
    }


def test_values_that_fail_cost_their_share_and_are_named(prepared: tuple[Path, Course], tmp_path: Path) -> None:
    wrong = "def twice(value):\n    return 7 if value in (3, 'a') else value + value\n"
    found = graded(prepared, tmp_path, wrong)
    expected = {
        "pt[test_twice]": "4/5",
        "pt[test_word]": "1/2",
        "ut[Twice.test_flat]": "4/5",
        "ut[Twice.test_nested]": "3/4",
        "ut[Twice.test_both]": "2/3",
    }
    assert shares(found) == expected | {name.replace("[", "2["): share for name, share in expected.items()}
    for name in ("pt[test_twice]", "pt2[test_twice]"):
        assert found[name].message == (
            "`test_twice` passes with 4 of 5 values, not with `3`. "
            "`test_twice` with `3`: `twice(n)` returned `7`; `6` is expected."
        )
    assert found["ut[Twice.test_flat]"].message.startswith("`test_flat` passes with 4 of 5 values, not with `n=3`. `")
    some = "def twice(value):\n    return value * 2 if value in (0, 4) else None\n"
    several = graded(prepared, tmp_path / "several", some, "ut")
    message = several["ut[Twice.test_flat]"].message
    assert message.startswith(
        "`test_flat` passes with 2 of 5 values, not with `n=1`, `n=2` and `n=3`. `test_flat` with"
    )
    assert to_handout(prepared[1]).count("gives a share of its points for each") == 4
    none = graded(prepared, tmp_path / "none", "def twice(value):\n    return None\n", "pt", "ut")
    assert none["pt[test_twice]"].message.startswith("`test_twice` passes with none of 5 values, not with `0`, `1`,")
    assert {none[name].verdict for name in ("pt[test_twice]", "ut[Twice.test_flat]")} == {"failed"}


ENDING = """
import os
def twice(v):
    if v == 'a': os.kill(os.getpid(), 9)
    return os._exit(0) if v in (1, 3) else v + v
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # What ends the process is the end of the method.
        (ENDING, {"test_twice": "0", "test_flat": "0", "test_nested": "0", "test_both": "0", "test_word": "0"}),
        # What ends the program is the end of that value.
        ("def twice(v):\n    return exit(0) if v == 3 else v + v\n", {"test_twice": "4/5", "test_flat": "4/5"}),
        ("import pytest\ndef twice(v):\n    return pytest.skip() if v == 3 else v + v\n", {"test_twice": "4/5"}),
        (
            "import unittest\ndef twice(v):\n    if v == 3: raise unittest.SkipTest\n    return v + v\n",
            {"test_twice": "4/5", "test_flat": "4/5"},
        ),
        # Skipping what the reference does not skip is no way out.
        ("def twice(v):\n    return 1000 if v in (1, 2) else v + v\n", {"TestLate.test_late": "1/2"}),
    ],
)
def test_what_a_value_can_do(
    prepared: tuple[Path, Course], program: str, expected: dict[str, str], tmp_path: Path
) -> None:
    found = shares(graded(prepared, tmp_path, program))
    for method, share in expected.items():
        names = [name for name in found if name.endswith((f"[{method}]", f".{method}]"))]
        assert len(names) == 2, found
        assert {found[name] for name in names} == {share}


EQUAL_TO_ALL = """
class All:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 1
    def __bool__(self): return True
def twice(value):
    return All() if value in (3, 4, 'a', 'aa') else value + value
"""
MORE_VALUES = """
import sys, unittest
def twice(value):
    frame = sys._getframe(1)
    while frame and not isinstance(frame.f_locals.get("self"), unittest.TestCase):
        frame = frame.f_back
    if frame:
        case = frame.f_locals["self"]
        subtest, case._subtest = case._subtest, None
        for n in range(20):
            with case.subTest(n=n): pass
        case._subtest = subtest
    return 0
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "methods", "outcome"),
    [
        (EQUAL_TO_ALL, ["test_twice", "Twice.test_flat", "Twice.test_nested", "test_word"], {"ungraded"}),
        # Values that a program adds give nothing: the failed ones count as the reference's.
        # Where they give something, they do so in the inverted run as well.
        (MORE_VALUES, ["Twice.test_flat", "Twice.test_nested"], {"1/5", "0", "ungraded"}),
    ],
)
def test_a_value_that_passes_both_ways_is_not_believed(
    prepared: tuple[Path, Course], program: str, methods: list[str], outcome: set[str], tmp_path: Path
) -> None:
    found = shares(graded(prepared, tmp_path, program))
    for method in methods:
        names = [name for name in found if name.endswith(f"[{method}]")]
        assert len(names) == 2, found
        assert {found[name] for name in names} <= outcome, (method, found)


def test_a_value_that_the_reference_fails_costs_nobody(tmp_path: Path) -> None:
    broken = PYTEST.replace("assert twice(n) == 2 * n", "assert twice(n) == (2 * n if n < 4 else 9)")
    own = prepared_course(tmp_path / "course", test_twice=broken)
    found = graded(own, tmp_path, RIGHT)
    assert shares(found) == {"pt[test_twice]": "ungraded", "pt2[test_twice]": "ungraded"}
    assert "does not pass with the reference either" in found["pt[test_twice]"].message


def test_without_a_reference_there_are_as_many_values_as_pytest_collects(tmp_path: Path) -> None:
    spec = SPEC.replace("reference: python3 reference/echo.py\n", "").partition("  - name: pt2")[0]
    late = "\nimport echo\n@pytest.mark.parametrize('n', echo.NUMBERS)\ndef test_late(n): assert n\n"
    for name, test, program, expected in (
        ("right", PYTEST, RIGHT, {}),
        (
            "wrong",
            PYTEST,
            "def twice(v):\n    if v == 'a': raise ValueError\n    return 7 if v == 3 else v + v\n",
            {"pt[test_twice]": "4/5", "pt[test_word]": "1/2"},
        ),
        # Values of a submission are as many as it likes.
        ("late", PYTEST + late, f"NUMBERS = [1] * 99\n{RIGHT}", {"pt[test_late]": "ungraded"}),
    ):
        path = course(tmp_path / name, spec, RIGHT)
        (tmp_path / name / "tests").mkdir()
        (tmp_path / name / "tests/test_twice.py").write_text(test)
        found = shares(graded((path, prepare(path)), tmp_path / name / "work", program))
        assert {one: share for one, share in found.items() if one in expected or not expected} == expected


# ---------------------------------------------------------------- JUnit

JAVA_SPEC = """
spec: 1
id: sums
title: Sums
language: java
files: {required: [Sum.java]}
build: {run: javac Sum.java, produces: ["*.class"]}
program: java Sum
reference: {files: reference}
tests:
  - {name: new, points: 1, unit: {junit: tests/SumTest.java, values: share, only: [twice]}}
  - {name: all, points: 5, unit: {junit: tests/SumTest.java, values: share, together: true}}
  - {name: old, points: 2, unit: {junit: tests/OldTest.java, values: share}}
"""
NEW_TEST = """
import static org.junit.jupiter.api.Assertions.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;

class SumTest {
    static int count = 0;
    static Stream<Integer> numbers() { return Stream.of(1, 2, 3, 4); }

    @ParameterizedTest @ValueSource(ints = {1, 2, 3, 4})
    void values(int n) { assertEquals(2 * n, Sum.of(n, n)); }
    @ParameterizedTest @CsvSource({"1,1,2", "3,1,4", "3,3,6", "0,0,0"})
    void rows(int a, int b, int sum) { assertTrue(Sum.of(a, b) == sum); }
    @ParameterizedTest @MethodSource("numbers")
    void made(int n) { assertEquals(n, Sum.of(n, 0), "nothing is added"); }
    @RepeatedTest(4) void again() { count++; assertEquals(count, Sum.of(count, 0)); }
    @ParameterizedTest @ValueSource(ints = {3, 4}) void twice(int n) { assertEquals(n + 1, Sum.of(n, 1)); }
    @ParameterizedTest @ValueSource(strings = {"1", "2"})
    void twice(String n) { int number = Integer.parseInt(n); assertEquals(number, Sum.of(0, number)); }
    @Test void one() { assertEquals(2, Sum.of(1, 1)); }
}
"""
OLD_TEST = """
import static org.junit.Assert.assertEquals;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class OldTest {
    @Parameterized.Parameters public static Object[] data() { return new Object[] {1, 2, 3, 4}; }
    @Parameterized.Parameter public int amount;
    @Test public void adds() { assertEquals(amount + 1, Sum.of(amount, 1)); }
    @Test public void doubles() { assertEquals(2 * amount, Sum.of(amount, amount)); }
}
"""
RIGHT_SUM = "public class Sum { static int of(int a, int b) { return a + b; } }"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_junit_counts_its_values(tmp_path: Path) -> None:
    path = course(tmp_path / "course", JAVA_SPEC)
    for name, text in {
        "tests/SumTest.java": NEW_TEST,
        "tests/OldTest.java": OLD_TEST,
        "reference/Sum.java": RIGHT_SUM,
    }.items():
        (path.parents[1] / name).parent.mkdir(exist_ok=True)
        (path.parents[1] / name).write_text(text)
    ready = prepare(path)

    def graded_in_java(name: str, program: str) -> dict[str, ReportedCase]:
        handed_in = submission(tmp_path / name, program="")
        (handed_in / "Sum.java").write_text(program)
        report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), ready)
        return {case.id: case for test in report.tests for case in test.cases}

    found = graded_in_java("wrong", RIGHT_SUM.replace("a + b", "a == 3 ? 9 : a + b"))
    of_new = {"values": "3/4", "rows": "1/2", "made": "3/4", "again": "3/4", "twice": "3/4"}
    assert shares(found) == {
        "new[twice]": "3/4",
        **{f"all[{name}]": share for name, share in of_new.items()},
        "old[adds]": "3/4",
        "old[doubles]": "3/4",
    }
    assert found["all[rows]"].message == (
        "`rows` passes with 2 of 4 values, not with `[2] 3, 1, 4` and `[3] 3, 3, 6`. "
        "`rows` with `[2] 3, 1, 4`: `Sum.of(a, b) == sum` is `false`; `true` is expected."
    )
