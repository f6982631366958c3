import math

class Shelf:

    def __init__(self, capacity):
        self.capacity = capacity
        self.content = []

    def add(self, title):
        if title in self.content:
            return False
        if len(self.content) >= self.capacity:
            return False
        self.content.append(title)
        return True

    def titles(self):
        return sorted(self.content, key=str.lower)

    def __len__(self):
        return len(self.content)


def minutes(text):
    if "h" not in text:
        return int(text)
    hours, rest = text.split("h")
    total = int(hours) * 60
    if rest:
        total += int(rest)
    return total


def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day is too small: " + str(per_day)
    return math.ceil(pages / per_day)


def longest_streak(days):
    best = run = 0
    for value in days:
        run = run + 1 if value else 0
        best = max(run, best)
    return best


def by_author(books):
    index = {}
    for author, title in sorted(books):
        index.setdefault(author, []).append(title)
    return index


def most_read(log):
    total = {}
    for title, time in log:
        total[title] = total.get(title, 0) + time
    return max(total, key=total.get, default=None)
