import math

def minutes(text):
    if "h" in text:
        hours, mins = text.split("h")
        return int(hours) * 60 + int(mins or "0")
    return int(text)

def days_needed(pages, per_day):
    if per_day <= 0:
        raise ValueError("no pages per day")
    return math.ceil(pages / per_day)

def longest_streak(days):
    best = 0
    streak = 0
    for d in days:
        if d == 0:
            streak = 0
        else:
            streak += 1
            best = max(best, streak)
    return best

def by_author(books):
    out = {}
    for author, title in sorted(books):
        out.setdefault(author, []).append(title)
    return out

def most_read(log):
    if not log:
        return None
    times = {}
    for title, t in log:
        times[title] = times.get(title, 0) + t
    best = log[0][0]
    for title, t in times.items():
        if t > times[best]:
            best = title
    return best

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def add(self, title):
        if len(self.books) > self.capacity:
            return False
        self.books.append(title)
        return True

    def titles(self):
        return sorted(self.books, key=str.lower)

    def __len__(self):
        return len(self.books)
