import math

def minutes(text):
    if "h" in text:
        h, m = text.split("h")
        if m == "":
            m = 0
        return int(h) * 60 + int(m)
    return int(text)

def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("at least one page a day")
    return math.ceil(pages / per_day)

def longest_streak(days):
    best = 0
    current = 0
    for d in days:
        if d != 0:
            current += 1
            best = max(best, current)
        else:
            current = 0
    return best

def by_author(books):
    result = {}
    for author, title in books:
        if author not in result:
            result[author] = []
        result[author].append(title)
    for author in result:
        result[author] = result[author].sort()
    return result

def most_read(log):
    total = {}
    for title, m in log:
        total[title] = total.get(title, 0) + m
    if not total:
        return None
    return max(total, key=total.get)

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def add(self, title):
        if len(self.books) >= self.capacity or title in self.books:
            return False
        self.books.append(title)
        return True

    def titles(self):
        return sorted(self.books, key=str.lower)

    def __len__(self):
        return len(self.books)
