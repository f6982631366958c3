import math

def minutes(text):
    total = 0
    if 'h' in text:
        hours = text[0:text.index('h')]
        total = int(hours) * 60
        text = text[text.index('h')+1:]
    if text != '':
        total = total + int(text)
    return total

def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError('per_day must be 1 or more')
    return math.ceil(pages / per_day)

def longest_streak(days):
    longest = 0
    streak = 0
    for minutes in days:
        if minutes == 0:
            streak = 0
            continue
        streak += 1
        longest = max(longest, streak)
    return longest

def by_author(books):
    authors = {}
    for author, title in books:
        if author not in authors:
            authors[author] = []
        authors[author].append(title)
        authors[author].sort()
    return authors

def most_read(log):
    if len(log) == 0:
        return None
    totals = {}
    for title, spent in log:
        if title not in totals:
            totals[title] = 0
        totals[title] += spent
    return max(totals)

class Shelf:

    def __init__(self, capacity):
        self.capacity = capacity
        self.shelf = []

    def add(self, title):
        if title in self.shelf or len(self.shelf) >= self.capacity:
            return False
        self.shelf.append(title)
        return True

    def titles(self):
        return sorted(self.shelf, key=str.lower)

    def __len__(self):
        return len(self.shelf)
