"""Which methods a unit test has, read from its text: no more and no fewer than its framework runs."""

from fractions import Fraction

import pytest

from grader.kinds.unit_tests.java_text import graded_weights
from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import UnitFramework
from tests.support.rows import read_data

DATA = read_data(__file__)
PYTHON = DATA["PYTHON"]
CASES = ["Base.test_four", "Cases.test_five", "Cases.test_four", "Own.test_six"]
READ: list[tuple[UnitFramework, str, list[str]]] = [
    (
        "junit",
        DATA["JAVA"],
        [f"money.bank.BankTest{name}" for name in (".one", ".two", ".three", ".four", "$Inner.five", "$Inner$Deep.six")]
        + ["money.bank.BankTest.seven", "money.bank.Other.eight"],
    ),
    (
        "junit",
        DATA["INHERITED"],
        [f"AllTest{name}" for name in (".own", ".shared", ".kept", "$Apart.apart", "$In.shared")],
    ),
    ("junit", DATA["OLD"], ["OldTest.testOne", "OldTest.testBase"]),
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
