import math

def minutes(text):
    if "h" in text:
        hours, mins = text.split("h")
        if mins == "":
            mins = 0
        return int(hours) * 60 + int(mins)
    return int(text)

def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day must be at least 1")
    return math.ceil(pages / per_day)

def longest_streak(days):
    current = 0
    longest = 0
    for day in days:
        if day == 0:
            current = 0
        else:
            current += 1
        if current > longest:
            longest = current
    return longest

def by_author(books):
    d = {}
    for author, title in books:
        if author not in d:
            d[author] = []
        d[author].append(title)
    for author in d:
        d[author].sort()
    return d

def most_read(log):
    if len(log) == 0:
        return None
    d = {}
    for title, m in log:
        if title not in d:
            d[title] = 0
        d[title] += m
    best = list(d)[0]
    for title in d:
        if d[title] > d[best]:
            best = title
    return best

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def add(self, title):
        if title in self.books or len(self.books) >= self.capacity:
            return False
        self.books.append(title)
        self.books.sort()
        return True

    def titles(self):
        return self.books

    def __len__(self):
        return len(self.books)
