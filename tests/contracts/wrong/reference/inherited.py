import unittest


class Base:
    def test_one(self) -> None:
        assert self


class TestFirst(Base, unittest.TestCase):
    def test_two(self) -> None:
        assert self


class TestSecond(Base, unittest.TestCase):
    pass
