"""Which methods a unit test has, read from its text: no more and no fewer than its framework runs."""

from fractions import Fraction

import pytest

from grader.kinds.unit_tests.java_text import graded_weights
from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import UnitFramework

JAVA = """
package money.bank;
/* @Test void comment() {} */
import org.junit.jupiter.api.*;
@DisplayName("a ( { \\" @Test void text() {")
public class BankTest extends Base {
    private static final char QUOTE = '"', BRACE = '{';
    private final String text = \"\"\"
        @Test void block() { "quoted" }
        \"\"\";
    @BeforeEach void setUp() { run(new Object() { @Override public String toString() { return "{"; } }); }
    @Test @DisplayName("one") public void one() throws Exception { if (true) { helper(); } }
    @org.junit.jupiter.api.Test
    void two(@TempDir java.nio.file.Path folder) { }
    @ParameterizedTest(name = "{0} (again)") @CsvSource({"1, 2", "3, ')'"})
    <T> void three(int a, int b) { for (int i = 0; i < 2; i++) { class Local { void local() { } } } }
    void helper() { }
    @RepeatedTest(3) void four() { }
    @Nested class Inner {
        @Test void five() { }
        @Nested class Deep { @TestFactory java.util.List<DynamicTest> six() { return null; } }
    }
    record Pair(int a, int b) { int sum() { return a + b; } }
    @Test void seven() { }
}
class Other { @Test void eight() { } }
"""
INHERITED = """
abstract class Base<T extends Comparable<T>> implements I<T> {
    @Test void shared() { new Object() { @Test void within() { } }; }
    @Test abstract void without();
}
interface Contract { @Test default void kept() { } }
class AllTest extends Base<String> implements Contract {
    @Test void own() { }
    @Test private void hidden() { }
    @Test static void still() { }
    @Disabled("later") @Test void off() { }
    static class Apart { @Test void apart() { } }
    class Unnested { @Test void never() { } }
    @Nested class In extends Base<Integer> { @Nested @Disabled class Deep { @Test void deep() { } } }
}
"""
OLD = """
import junit.framework.TestCase;
abstract class Base extends TestCase { public void testBase() { } }
public class OldTest extends Base {
    public void testOne() throws Exception { }
    public void testGiven(int a) { }
    void testHidden() { }
    public void helper() { }
}
"""
PYTHON = '''
import unittest
from unittest import TestCase
"""def test_text(): pass"""
def test_one(): pass
async def test_two():
    def test_within(): pass
def helper(): pass
class TestPlain:
    def test_three(self): pass
    def other(self): pass
class TestWithState:
    def __init__(self): pass
    def test_not(self): pass
class Helper:
    def test_not(self): pass
class Base(unittest.TestCase):
    def test_four(self): pass
class Cases(Base):
    def test_five(self): pass
    def test_four(self): pass
class Own(TestCase):
    def setUp(self): pass
    def test_six(self): pass
class Loop(Loop): pass
'''
CASES = ["Base.test_four", "Cases.test_five", "Cases.test_four", "Own.test_six"]
READ: list[tuple[UnitFramework, str, list[str]]] = [
    (
        "junit",
        JAVA,
        [f"money.bank.BankTest{name}" for name in (".one", ".two", ".three", ".four", "$Inner.five", "$Inner$Deep.six")]
        + ["money.bank.BankTest.seven", "money.bank.Other.eight"],
    ),
    (
        "junit",
        INHERITED,
        [f"AllTest{name}" for name in (".own", ".shared", ".kept", "$Apart.apart", "$In.shared")],
    ),
    ("junit", OLD, ["OldTest.testOne", "OldTest.testBase"]),
    ("pytest", PYTHON, ["test_one", "test_two", "TestPlain.test_three", *CASES]),
    ("unittest", PYTHON, CASES),
    (
        "junit",
        "class T { @Test void one() { } @Test void two() { } @ParameterizedTest void one(int n) { } }",
        ["T.one", "T.two"],
    ),
    ("junit", "", []),
    ("junit", "@Test void outside() { } } } class A { @Test(", []),
    ("pytest", "", []),
]


@pytest.mark.parametrize(("framework", "source", "methods"), READ)
def test_the_methods_are_read(framework: UnitFramework, source: str, methods: list[str]) -> None:
    assert unit_methods(source.encode(), framework) == methods


@pytest.mark.parametrize(("framework", "source"), [("pytest", b"def f(:"), ("pytest", b"\0"), ("junit", b"\xff")])
def test_what_is_not_in_the_language_is_told(framework: UnitFramework, source: bytes) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        unit_methods(source, framework)


def test_the_scores_of_graded_tests_are_read() -> None:
    source = """
    class T {
        @Test @GradedTest(name = "a (1)", max_score = 2.5) void one() { }
        @edu.berkeley.cs.jh61b.grader.GradedTest(max_score = 3, number = "1") @Test void two() { }
        @Test void three() { }
    }"""
    assert graded_weights(source) == {"T.one": Fraction(5, 2), "T.two": 3}
