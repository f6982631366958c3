class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        self.balance += amount
        self.history.append(amount)

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("too little")
        self.balance -= amount
        self.history.append(-amount)

    def __eq__(self, other):
        return self.owner == other.owner and self.balance == other.balance

    def __str__(self):
        return f"{self.owner}: {self.balance:.2f}"


class Savings(Account):
    def __init__(self, owner, rate):
        super().__init__(owner)
        self.rate = rate

    def add_interest(self):
        self.deposit(self.balance * self.rate / 100)


def richest(accounts):
    best = None
    for account in accounts:
        if best is None or account.balance > best.balance:
            best = account
    return best


def total(accounts):
    result = 0
    for account in accounts:
        result += account.balance
        return result
