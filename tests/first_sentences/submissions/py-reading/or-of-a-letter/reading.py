import math

# --- functions -------------------------------------------------

def minutes(text):
    # the H may be a capital letter
    if "H" or "h" in text:
        hours, rest = text.lower().split("h")
        if rest == "":
            return int(hours) * 60
        return int(hours) * 60 + int(rest)
    else:
        return int(text)

def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("not possible")
    return -(-pages // per_day)

def longest_streak(days):
    streaks = []
    streak = 0
    for day in days:
        if day == 0:
            streaks.append(streak)
            streak = 0
        else:
            streak += 1
    streaks.append(streak)
    return max(streaks)

def by_author(books):
    authors = {author: [] for author, title in books}
    for author, title in books:
        authors[author].append(title)
        authors[author] = sorted(authors[author])
    return authors

def most_read(log):
    minutes_of = {}
    for title, read in log:
        minutes_of[title] = minutes_of.get(title, 0) + read
    best_title = None
    best_minutes = 0
    for title, read in minutes_of.items():
        if read > best_minutes:
            best_title = title
            best_minutes = read
    return best_title

# --- class -----------------------------------------------------

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []

    def add(self, title):
        if len(self.books) >= self.capacity:
            return False
        if title in self.books:
            return False
        self.books.append(title)
        return True

    def titles(self):
        return sorted(self.books, key=str.lower)

    def __len__(self):
        return len(self.books)
