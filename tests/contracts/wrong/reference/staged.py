import unittest


class TestFirst(unittest.TestCase):
    def test_one(self) -> None:
        assert self

    def test_two(self) -> None:
        assert self
