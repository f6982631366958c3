import math

def minutes(text):
    if 'h' in text:
        i = text.index('h')
        h = int(text[:i])
        if i == len(text) - 1:
            m = 0
        else:
            m = int(text[i+1:])
        return h * 60 + m
    return int(text)

def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError('per_day')
    d = int(pages / per_day)
    if d * per_day < pages:
        d += 1
    return d

def longest_streak(days):
    longest = 0
    for start in range(len(days)):
        length = 0
        while start + length < len(days) and days[start + length] != 0:
            length += 1
        if length > longest:
            longest = length
    return longest

def by_author(books):
    result = {}
    for author, title in books:
        if author not in result:
            result[author] = []
        result[author].append(title)
    for author in result:
        result[author].sort()
    return result

def most_read(log):
    titles = []
    for title, m in log:
        if title not in titles:
            titles.append(title)
    best = None
    best_sum = 0
    for t in titles:
        s = 0
        for title, m in log:
            if title == t:
                s += m
        if s >= best_sum:
            best = t
            best_sum = s
    return best

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.titles_list = []

    def add(self, title):
        if len(self.titles_list) == self.capacity or title in self.titles_list:
            return False
        self.titles_list.append(title)
        return True

    def titles(self):
        copy = self.titles_list[:]
        copy.sort(key=str.lower)
        return copy

    def __len__(self):
        return len(self.titles_list)
