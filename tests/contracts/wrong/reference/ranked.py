import unittest

from gradescope_utils.autograder_utils.decorators import number  # type: ignore[import-not-found]


class TestSums(unittest.TestCase):
    @number("1.1")  # type: ignore[untyped-decorator]
    def test_one(self) -> None:
        assert self
