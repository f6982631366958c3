import unittest

from account import Account


class TestAccount(unittest.TestCase):
    def test_new(self):
        self.assertEqual(Account().balance, 0)
