class Ledger:
    def __init__(self, limit=5):
        self.articles = []
        self.amounts = []
        self.limit = limit
        self.log = []

    def receive(self, article, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        if article in self.articles:
            i = self.articles.index(article)
            self.amounts[i] = amount
        else:
            self.articles.append(article)
            self.amounts.append(amount)
        self.log.append([article, amount])

    def ship(self, article, amount):
        if self.level(article) < amount:
            return False
        i = self.articles.index(article)
        self.amounts[i] -= amount
        self.log.append([article, -amount])
        return True

    def level(self, article):
        for i in range(len(self.articles)):
            if self.articles[i] == article:
                return self.amounts[i]
        return 0

    def low(self):
        result = []
        for i in range(len(self.articles)):
            if self.amounts[i] < self.limit:
                result.append(self.articles[i])
        result.sort()
        return result

    def biggest(self):
        if len(self.articles) == 0:
            return None
        best = 0
        for i in range(1, len(self.amounts)):
            if self.amounts[i] > self.amounts[best]:
                best = i
        return self.articles[best]

    def total(self):
        total = 0
        for amount in self.amounts:
            total += amount
        return total

    def moves(self, article):
        result = []
        for entry in self.log:
            if entry[0] == article:
                result.append(entry[1])
        return result


def merge(intervals):
    intervals = sorted(intervals)
    if len(intervals) == 0:
        return []
    result = []
    start = intervals[0][0]
    end = intervals[0][1]
    for interval in intervals[1:]:
        if interval[0] <= end:
            if interval[1] > end:
                end = interval[1]
        else:
            result.append([start, end])
            start = interval[0]
            end = interval[1]
    result.append([start, end])
    return result


def check_digit(code):
    total = 0
    for i in range(len(code)):
        if i % 2 == 0:
            total += int(code[i])
        else:
            total += int(code[i]) * 3
    return total % 10
