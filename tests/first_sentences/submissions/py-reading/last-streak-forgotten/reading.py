import math

def minutes(text):
    if "h" in text:
        h = text.split("h")
        if h[1]:
            return int(h[0]) * 60 + int(h[1])
        return int(h[0]) * 60
    return int(text)

def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day must be at least 1")
    return math.ceil(pages / per_day)

def longest_streak(days):
    longest = 0
    current = 0
    for day in days:
        if day > 0:
            current += 1
        else:
            if current > longest:
                longest = current
            current = 0
    return longest

def by_author(books):
    result = {}
    for author, title in books:
        result.setdefault(author, [])
        result[author].append(title)
        result[author].sort()
    return result

def most_read(log):
    if not log:
        return None
    totals = {}
    for title, amount in log:
        totals[title] = totals.get(title, 0) + amount
    return max(totals, key=totals.get)

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def add(self, title):
        if title in self.books or len(self.books) >= self.capacity:
            return False
        self.books.append(title)
        return True

    def titles(self):
        return sorted(self.books, key=str.lower)

    def __len__(self):
        return len(self.books)
