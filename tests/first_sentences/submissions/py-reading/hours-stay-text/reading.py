"""Reading diary."""


def minutes(text):
    """Return the minutes in a text like 1h20."""
    hours = 0
    rest = text
    if "h" in text:
        position = text.find("h")
        hours = text[:position]
        rest = text[position + 1:]
    if rest == "":
        rest = "0"
    return hours * 60 + int(rest)


def days_needed(pages, per_day):
    """Return how many days a book takes."""
    if per_day < 1:
        raise ValueError("per_day must be positive")
    days = pages // per_day
    if pages % per_day != 0:
        days += 1
    return days


def longest_streak(days):
    """Return the longest row of days with reading."""
    longest = streak = 0
    for day in days:
        if day:
            streak += 1
            if streak > longest:
                longest = streak
        else:
            streak = 0
    return longest


def by_author(books):
    """Group the titles by author."""
    groups = {}
    for author, title in books:
        groups.setdefault(author, []).append(title)
    for titles in groups.values():
        titles.sort()
    return groups


def most_read(log):
    """Return the title read longest, None if there is none."""
    sums = {}
    for title, spent in log:
        sums.setdefault(title, 0)
        sums[title] += spent
    favourite = None
    for title in sums:
        if favourite is None or sums[title] > sums[favourite]:
            favourite = title
    return favourite


class Shelf:
    """A shelf with room for some books."""

    def __init__(self, capacity):
        self._capacity = capacity
        self._titles = []

    def __len__(self):
        return len(self._titles)

    def add(self, title):
        """Add a title, return whether that was possible."""
        if len(self) == self._capacity or title in self._titles:
            return False
        self._titles.append(title)
        return True

    def titles(self):
        """Return the titles in order."""
        return sorted(self._titles, key=lambda title: title.lower())
