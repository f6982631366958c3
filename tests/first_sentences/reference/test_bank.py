import unittest

from bank import Account, Savings, richest, total


class BankTest(unittest.TestCase):
    def test_deposit(self):
        account = Account("Ann")
        account.deposit(20)
        account.withdraw(5)
        self.assertEqual(account.balance, 15)
        self.assertEqual(account.history, [20, -5])

    def test_too_little(self):
        account = Account("Ann", 10)
        with self.assertRaises(ValueError):
            account.withdraw(11)
        self.assertEqual(account.balance, 10)

    def test_own_history(self):
        one, other = Account("Ann"), Account("Bob")
        one.deposit(3)
        self.assertEqual(other.history, [])

    def test_text(self):
        self.assertEqual(str(Account("Ann", 12.5)), "Ann: 12.50")

    def test_equal(self):
        self.assertEqual(Account("Ann", 5), Account("Ann", 5))
        self.assertNotEqual(Account("Ann", 5), Account("Bob", 5))

    def test_interest(self):
        savings = Savings("Cy", 2)
        savings.deposit(150)
        savings.add_interest()
        self.assertAlmostEqual(savings.balance, 153)

    def test_richest(self):
        accounts = [Account("Ann", 5), Account("Bob", 9), Account("Cy", 9)]
        self.assertEqual(richest(accounts).owner, "Bob")
        self.assertIsNone(richest([]))

    def test_total(self):
        self.assertEqual(total([Account("Ann", 5), Account("Bob", 9)]), 14)
