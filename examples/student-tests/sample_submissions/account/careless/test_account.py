import unittest

from account import Account


class TestAccount(unittest.TestCase):
    def test_deposits(self):
        account = Account()
        account.deposit(2)
        account.deposit(3)
        self.assertEqual(account.balance, 5)

    def test_too_much(self):
        with self.assertRaises(ValueError):
            Account().withdraw(1)
