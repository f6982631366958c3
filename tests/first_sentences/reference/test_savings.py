import pytest

from savings import Account, balance_after, best_account, years_until


class TestAccount:
    def test_deposit(self):
        account = Account("Ann", 2)
        account.deposit(20)
        account.deposit(15)
        assert account.balance == 35
        assert account.deposits() == [20, 15]

    def test_withdraw(self):
        account = Account("Ann", 2)
        account.deposit(20)
        account.withdraw(20)
        assert account.balance == 0
        assert account.history == [("in", 20), ("out", 20)]

    def test_too_little(self):
        account = Account("Bob", 2)
        account.deposit(5)
        with pytest.raises(ValueError):
            account.withdraw(6)
        assert account.balance == 5

    def test_own_history(self):
        one, other = Account("Ann", 1), Account("Bob", 1)
        one.deposit(3)
        assert other.history == []

    def test_end_year(self):
        account = Account("Cy", 1.5)
        account.deposit(200)
        assert account.end_year() == 3
        assert account.balance == 203


class TestFunctions:
    def test_balance_after(self):
        assert balance_after(1000, 5, 2) == 1102.5
        assert balance_after(500, 3, 0) == 500

    @pytest.mark.parametrize(("start", "rate", "goal", "years"), [(100, 10, 120, 2), (100, 50, 150, 1), (100, 5, 90, 0)])
    def test_years_until(self, start, rate, goal, years):
        assert years_until(start, rate, goal) == years

    def test_best_account(self):
        accounts = [Account("Ann", 1), Account("Bob", 2), Account("Cy", 2)]
        assert best_account(accounts).owner == "Bob"
        assert best_account([]) is None
