import math
from collections import defaultdict


def minutes(text: str) -> int:
    if "h" in text:
        hours, rest = text.split("h")
        return int(hours) * 60 + (int(rest) if rest else 0)
    return int(text)


def days_needed(pages: int, per_day: int) -> int:
    if per_day < 1:
        raise ValueError(f"per_day is {per_day}")
    return math.ceil(pages / per_day)


def longest_streak(days: list[int]) -> int:
    best = current = 0
    for day in days:
        current = current + 1 if day > 0 else 0
        best = max(best, current)
    return best


def by_author(books: list[tuple[str, str]]) -> dict[str, list[str]]:
    result = defaultdict(list)
    for author, title in books:
        result[author].append(title)
    return {author: sorted(titles) for author, titles in result.items()}


def most_read(log: list[tuple[str, int]]) -> str | None:
    totals: dict[str, int] = defaultdict(int)
    for title, spent in log:
        totals[title] += spent
    if not totals:
        return None
    return max(totals, key=lambda title: totals[title])


class Shelf:
    def __init__(self, capacity: int) -> None:
        capacity = capacity
        self.content: list[str] = []

    def add(self, title: str) -> bool:
        if title in self.content or len(self.content) >= self.capacity:
            return False
        self.content.append(title)
        return True

    def titles(self) -> list[str]:
        return sorted(self.content, key=str.lower)

    def __len__(self) -> int:
        return len(self.content)
