import math

def minutes(text):
    if "h" in text:
        hours, mins = text.split("h")
        if mins == "": mins = "0"
        return int(hours) * 60 + int(mins)
    else:
        return int(text)

def days_needed(pages, per_day):
    if per_day < 1: raise ValueError("per_day < 1")
    return math.ceil(pages / per_day)

def longest_streak(days):
    longest, streak = 0, 0
    for d in days:
        if d: streak += 1
        else: streak = 0
        if streak > longest: longest = streak
    return longest

def by_author(books):
    # {author: [title, title, ...]}
    authors = {}
    for author, title in sorted(books):
        authors[author] = authors.get(author, []).append(title)
    return authors

def most_read(log):
    if not log: return None
    totals = {}
    for title, mins in log:
        totals[title] = totals.get(title, 0) + mins
    most = max(totals.values())
    for title in totals:
        if totals[title] == most: return title

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.list = []
    def add(self, title):
        if title in self.list or len(self.list) >= self.capacity:
            return False
        self.list.append(title)
        return True
    def titles(self):
        return sorted(self.list, key=str.lower)
    def __len__(self):
        return len(self.list)
