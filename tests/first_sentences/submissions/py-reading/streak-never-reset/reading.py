from math import ceil


def minutes(text):
    if "h" in text:
        hours, minutes = text.split("h")
    else:
        hours, minutes = "0", text
    return 60 * int(hours) + int(minutes if minutes else "0")


def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day must be 1 or more")
    return ceil(pages / per_day)


def longest_streak(days):
    longest = 0
    streak = 0
    for read in days:
        if read > 0:
            streak += 1
        if streak > longest:
            longest = streak
    return longest


def by_author(books):
    shelves = {}
    for author, title in books:
        shelves.setdefault(author, []).append(title)
    return {author: sorted(titles) for author, titles in shelves.items()}


def most_read(log):
    sums = {}
    for title, read in log:
        sums[title] = sums.get(title, 0) + read
    most = None
    for title in sums:
        if most is None or sums[title] > sums[most]:
            most = title
    return most


class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def add(self, title):
        ok = len(self.books) < self.capacity and title not in self.books
        if ok:
            self.books.append(title)
        return ok

    def titles(self):
        return sorted(self.books, key=lambda t: t.upper())

    def __len__(self):
        return len(self.books)
