"""What the text of a unit test in Python says: weights of decorators, what it imports and replaces."""

from fractions import Fraction

import pytest

from grader.kinds.unit_tests.model import modules_imported_by
from grader.kinds.unit_tests.python_text import (
    decorated_weights,
    decorators_without_meaning,
    makes_tests,
    python_methods,
)
from tests.support.rows import each_row, read_data

SOURCE = read_data(__file__)["SOURCE"]


def test_weights_are_read_and_what_has_none_counts_nothing() -> None:
    source = SOURCE.encode()
    assert decorated_weights(source, "unittest") == {
        "TestSums.test_one": Fraction(5, 2),
        "TestSums.test_two": 10,
        "TestSums.test_three": 0,
        "TestMore.test_one": 4,
        "TestMore.test_two": 10,
        "TestMore.test_three": 0,
    }
    assert decorators_without_meaning(source, "unittest") == {
        "number": "TestSums.test_one",
        "visibility": "TestSums.test_two",
    }


@pytest.mark.parametrize("source", [SOURCE.replace("gradescope_utils", "own"), "import gradescope_utils\n"])
def test_decorators_of_others_mean_nothing(source: str) -> None:
    assert decorated_weights(source.encode(), "unittest") == {}


@pytest.mark.parametrize("written", ["N", "", "-1", "1j", "'2'", "2 * 3"])
def test_a_weight_that_is_no_number_is_told(written: str) -> None:
    source = SOURCE.replace("@weight(2.5)", f"@weight({written})").encode()
    with pytest.raises(ValueError, match=r"^the weight of TestSums\.test_one is not written as a number$"):
        decorated_weights(source, "unittest")


def test_nested_classes_are_those_of_pytest_alone() -> None:
    source = b"class TestA:\n class TestB:\n  def test_c(self): pass\n class Other:\n  def test_d(self): pass\n"
    assert [one.name for one in python_methods(source, "pytest")] == ["TestA.TestB.test_c"]
    assert not list(python_methods(source, "unittest"))


def test_what_a_test_imports() -> None:
    text = "import a, b.c as d\nfrom e.f import g\ndef h():\n    import i\nfrom . import j\n# import k\nimporting = 1\n"
    assert modules_imported_by(text) == ("a", "b", "e", "i")


@each_row
def test_a_file_may_make_tests_in_a_block(source: str, may: bool) -> None:  # noqa: FBT001 - a column
    assert makes_tests(source.encode()) is may
