import unittest

from attack import first, total


class TestRights(unittest.TestCase):
    """What every submission has right; `first` may do harm to the others."""

    def test_a(self):
        self.assertEqual(first(3), 6)

    def test_b(self):
        self.assertEqual(total(5), 15)

    def test_c(self):
        self.assertEqual(total(10), 55)

    def test_d(self):
        self.assertTrue(total(0) == 0)
