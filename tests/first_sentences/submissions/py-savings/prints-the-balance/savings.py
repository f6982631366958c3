class Account:
    def __init__(self, owner, rate):
        self.owner = owner
        self.rate = rate
        self.balance = 0
        self.history = []

    def deposit(self, amount):
        self.balance += amount
        self.history.append(("in", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough money")
        self.balance -= amount
        self.history.append(("out", amount))

    def end_year(self):
        interest = round(self.balance * self.rate / 100, 2)
        self.balance += interest
        self.history.append(("interest", interest))
        return interest

    def deposits(self):
        return [amount for kind, amount in self.history if kind == "in"]


def balance_after(start, rate, years):
    balance = start
    for _ in range(years):
        balance = balance * (1 + rate / 100)
    print(round(balance, 2))


def years_until(start, rate, goal):
    balance = start
    years = 0
    while balance < goal:
        balance = balance * (1 + rate / 100)
        years += 1
    return years


def best_account(accounts):
    best = None
    for account in accounts:
        if best is None or account.rate > best.rate:
            best = account
    return best
