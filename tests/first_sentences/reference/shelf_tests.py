import unittest

from shelf import Shelf


class ShelfTests(unittest.TestCase):
    def setUp(self):
        self.shelf = Shelf()

    def test_length(self):
        self.assertEqual(len(self.shelf), 0)
        self.shelf.add("Emma")
        self.assertEqual(len(self.shelf), 1)

    def test_titles(self):
        self.shelf.add("Ulysses")
        self.shelf.add("Emma")
        self.assertEqual(self.shelf.titles(), ["Emma", "Ulysses"])
        self.assertEqual(self.shelf.titles(), ["Emma", "Ulysses"])

    def test_twice(self):
        self.shelf.add("Emma")
        with self.assertRaises(ValueError):
            self.shelf.add("Emma")
