import math


def minutes(text):
    if "h" in text:
        hours, mins = text.split("h")
        return int(hours) * 60 + (int(mins) if mins != "" else 0)
    return int(text)


def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day must be at least one")
    return math.ceil(pages / per_day)


def longest_streak(days):
    best = 0
    count = 0
    for m in days:
        if m > 0:
            count += 1
        else:
            count = 0
        if count > best:
            best = count
    return best


def by_author(books):
    authors = {}
    for author, title in books:
        if author in authors:
            authors[author].append(title)
        else:
            authors[author] = [title]
    for author in authors:
        authors[author] = sorted(authors[author])
    return authors


def most_read(log):
    best_title = None
    best_time = 0
    for title, time in log:
        if time > best_time:
            best_title = title
            best_time = time
    return best_title


class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def add(self, title):
        if title in self.books:
            return False
        if len(self.books) >= self.capacity:
            return False
        self.books.append(title)
        return True

    def titles(self):
        return sorted(self.books, key=str.lower)

    def __len__(self):
        return len(self.books)
