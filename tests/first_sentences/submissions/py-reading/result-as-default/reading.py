from math import ceil

def minutes(text):
    parts = text.split('h')
    if len(parts) == 1:
        return int(parts[0])
    if parts[1] == '':
        return int(parts[0]) * 60
    return int(parts[0]) * 60 + int(parts[1])

def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError
    return ceil(pages / per_day)

def longest_streak(days):
    counts = [0]
    for day in days:
        if day > 0:
            counts[-1] += 1
        else:
            counts.append(0)
    return max(counts)

def by_author(books, authors={}):
    for author, title in books:
        if author in authors:
            authors[author].append(title)
        else:
            authors[author] = [title]
        authors[author].sort()
    return authors

def most_read(log):
    sums = {}
    for title, min in log:
        if title in sums:
            sums[title] += min
        else:
            sums[title] = min
    best = None
    for t in sums:
        if best == None or sums[t] > sums[best]:
            best = t
    return best

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.list = []

    def add(self, title):
        if title in self.list:
            return False
        if len(self.list) == self.capacity:
            return False
        self.list.append(title)
        return True

    def titles(self):
        return sorted(self.list, key = str.lower)

    def __len__(self):
        return len(self.list)
