"""Shares that methods set, of which one hands on what sets it."""

import unittest
from collections.abc import Callable

from gradescope_utils.autograder_utils.decorators import partial_credit  # type: ignore[import-not-found]

Give = Callable[[int], None]


def give(set_score: Give, good: int) -> None:
    set_score(good)


class TestWords(unittest.TestCase):
    @partial_credit(4)  # type: ignore[untyped-decorator]
    def test_words(self, set_score: Give) -> None:
        give(set_score, 3)

    @partial_credit(4)  # type: ignore[untyped-decorator]
    def test_more(self, set_score: Give) -> None:
        set_score(3)
