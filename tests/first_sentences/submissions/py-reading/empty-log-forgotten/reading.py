import math
from collections import Counter

def minutes(text):
    hours, sep, mins = text.partition("h")
    return int(hours) * 60 + int(mins or 0) if sep else int(hours)

def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day must be >= 1")
    return math.ceil(pages / per_day)

def longest_streak(days):
    text = "".join("x" if day else " " for day in days)
    return max((len(part) for part in text.split()), default=0)

def by_author(books):
    return {author: sorted(t for a, t in books if a == author) for author, _ in books}

def most_read(log):
    totals = Counter()
    for title, spent in log:
        totals[title] += spent
    return totals.most_common(1)[0][0]

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = set()

    def add(self, title):
        if title in self.books or len(self.books) >= self.capacity:
            return False
        self.books.add(title)
        return True

    def titles(self):
        return sorted(self.books, key=str.lower)

    def __len__(self):
        return len(self.books)
