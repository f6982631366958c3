import math

MINUTES_PER_HOUR = 100


def minutes(text):
    if "h" in text:
        hours, rest = text.split("h", 1)
        return int(hours) * MINUTES_PER_HOUR + int(rest or 0)
    return int(text)


def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day must be at least 1")
    return math.ceil(pages / per_day)


def longest_streak(days):
    best = current = 0
    for day in days:
        if day:
            current += 1
        else:
            current = 0
        best = max(best, current)
    return best


def by_author(books):
    authors = {}
    for author, title in books:
        authors.setdefault(author, []).append(title)
    for titles in authors.values():
        titles.sort()
    return authors


def most_read(log):
    totals = {}
    for title, spent in log:
        totals[title] = totals.get(title, 0) + spent
    return max(totals, key=totals.get) if totals else None


class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def add(self, title):
        if title in self.books or len(self.books) == self.capacity:
            return False
        self.books.append(title)
        return True

    def titles(self):
        return sorted(self.books, key=str.lower)

    def __len__(self):
        return len(self.books)
