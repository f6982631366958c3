import math


def minutes(text):
    if not "h" in text:
        return int(text)
    parts = text.split("h")
    result = 60 * int(parts[0])
    if len(parts[1]) > 0:
        result += int(parts[1])
    return result


def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day has to be positive")
    return math.ceil(pages / per_day)


def longest_streak(days):
    maximum = 0
    counter = 0
    for day in days:
        if day > 0:
            counter += 1
        else:
            counter = 0
        maximum = max(maximum, counter)
    return maximum


def by_author(books):
    catalogue = dict()
    for author, title in books:
        titles = catalogue.get(author, [])
        titles.append(title)
        titles.sort()
        catalogue[author] = titles
    return catalogue


def most_read(log):
    if not log:
        return None
    total = dict()
    for title, minutes_read in log:
        total[title] = total.get(title, 0) + minutes_read
    return max(total, key=total.get)


class Shelf(object):
    def __init__(self, capacity):
        self.capacity = capacity
        self.stored = list()

    def add(self, title):
        if title not in self.stored and len(self.stored) < self.capacity:
            self.stored.append(title)
            return True
        return False

    def titles(self):
        return sorted(self.stored, str.lower)

    def __len__(self):
        return len(self.stored)
