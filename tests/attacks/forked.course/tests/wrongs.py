import unittest

from attack import first, guess


class TestWrongs(unittest.TestCase):
    """What no attacker can do, behind a method that each has right."""

    def test_a(self):
        self.assertEqual(first(4), 10)

    def test_b(self):
        self.assertEqual(guess(6), 21)

    def test_c(self):
        self.assertTrue(guess(7) == 28)

    def test_d(self):
        with self.assertRaises(ValueError):
            guess(-1)
