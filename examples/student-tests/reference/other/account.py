class Account:
    balance = 0

    def deposit(self, amount):
        self.balance = self.balance + amount

    def withdraw(self, amount):
        if not self.balance >= amount >= 0:
            raise ValueError(f"not possible: {amount}")
        self.deposit(-amount)
