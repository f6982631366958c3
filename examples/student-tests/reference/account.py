class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount

    def withdraw(self, amount):
        if amount < 0 or amount > self.balance:
            raise ValueError(f"not possible: {amount}")
        self.balance -= amount
