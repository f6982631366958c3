import unittest

from gradebook import GradeBook


class BookTests(unittest.TestCase):
    def setUp(self):
        self.book = GradeBook()
        self.book.add("Cleo", 90, 70)
        self.book.add("Ann", 80)
        self.book.add("Bob", 60, 70)

    def test_mean(self):
        self.assertAlmostEqual(self.book.mean("Bob"), 65.0)
        self.book.add("Bob", 100)
        self.assertAlmostEqual(self.book.mean("Bob"), 76.6666667)

    def test_unknown(self):
        with self.assertRaises(KeyError):
            self.book.mean("Zoe")

    def test_best(self):
        self.assertEqual(self.book.best(), ["Ann", "Cleo"])

    def test_ranking(self):
        self.assertIn(("Bob", 65.0), self.book.ranking())
        self.assertEqual([mean for _, mean in self.book.ranking()], [80, 80, 65])

    def test_empty(self):
        self.assertEqual(GradeBook().best(), [])
