"""Tests for everybody and for nobody, of one table."""

WORDS = {"a": "aa", "bc": "bcbc"}


def test_twice() -> None:
    assert WORDS["a"] == "a" * 2


def test_again() -> None:
    assert WORDS["bc"] == "bc" * 2
