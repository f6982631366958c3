"""Which methods a unit test has, read from its text: no more and no fewer than its framework runs."""

from fractions import Fraction

import pytest

from grader.kinds.unit_tests.java_text import graded_weights
from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import UnitFramework
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)


@each_row
def test_the_methods_are_read(framework: UnitFramework, source: str, methods: list[str]) -> None:
    assert unit_methods(DATA.get(source, source).encode(), framework) == methods


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
