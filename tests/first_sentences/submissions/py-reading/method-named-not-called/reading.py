import math


def minutes(text):
    hours, h, rest = text.partition("h")
    if h == "":
        return int(text)
    return int(hours) * 60 + int(rest or 0)


def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day")
    return math.ceil(pages / per_day)


def longest_streak(days):
    best = 0
    streak = 0
    for x in days:
        if x == 0:
            streak = 0
        else:
            streak = streak + 1
        if streak > best:
            best = streak
    return best


def by_author(books):
    d = {}
    for (a, t) in books:
        if a not in d.keys():
            d[a] = [t]
        else:
            d[a] = sorted(d[a] + [t])
    return d


def most_read(log):
    if log == []:
        return None
    d = {}
    for (t, m) in log:
        if t not in d.keys():
            d[t] = m
        else:
            d[t] += m
    best = log[0][0]
    for t in d.keys():
        if d[t] > d[best]:
            best = t
    return best


class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def is_full(self):
        return len(self.books) == self.capacity

    def has(self, title):
        return title in self.books

    def add(self, title):
        if self.is_full or self.has(title):
            return False
        self.books.append(title)
        return True

    def titles(self):
        return sorted(self.books, key=str.casefold)

    def __len__(self):
        return len(self.books)
