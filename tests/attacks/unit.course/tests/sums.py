import unittest

from attack import Sum, total


class TestSums(unittest.TestCase):
    def setUp(self):
        self.sum = Sum(4)

    def test_value(self):
        self.assertEqual(self.sum.value, 10)

    def test_each(self):
        for number in (2, 6):
            with self.subTest(number=number):
                self.assertEqual(total(number), number * (number + 1) // 2)

    def test_refuses(self):
        self.assertRaises(ValueError, total, -2)
