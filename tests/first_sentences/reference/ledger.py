class Ledger:
    def __init__(self, limit=5):
        self.stock = {}
        self.limit = limit
        self.history = []

    def receive(self, article, amount):
        if amount <= 0:
            raise ValueError("nothing to receive")
        self.stock[article] = self.stock.get(article, 0) + amount
        self.history.append((article, amount))

    def ship(self, article, amount):
        if amount > self.stock.get(article, 0):
            return False
        self.stock[article] -= amount
        self.history.append((article, -amount))
        return True

    def level(self, article):
        return self.stock.get(article, 0)

    def low(self):
        return sorted(article for article, amount in self.stock.items() if amount < self.limit)

    def biggest(self):
        best = None
        for article in self.stock:
            if best is None or self.stock[article] > self.stock[best]:
                best = article
        return best

    def total(self):
        return sum(self.stock.values())

    def moves(self, article):
        return [amount for name, amount in self.history if name == article]


def merge(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def check_digit(code):
    """The sum of the digits, those at odd indices times 3, modulo 10."""
    total = 0
    for index, digit in enumerate(code):
        value = int(digit)
        if index % 2 == 1:
            value *= 3
        total += value
    return total % 10
