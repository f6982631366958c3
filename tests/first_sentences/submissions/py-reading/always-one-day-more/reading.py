def minutes(text):
    number = ""
    total = 0
    for c in text:
        if c == "h":
            total += int(number) * 60
            number = ""
        else:
            number += c
    if number != "":
        total += int(number)
    return total


def days_needed(pages, per_day):
    if per_day < 1:
        raise ValueError("per_day must not be below 1")
    return pages // per_day + 1


def longest_streak(days):
    best = 0
    n = 0
    for d in days:
        if d > 0:
            n += 1
            if n > best:
                best = n
        else:
            n = 0
    return best


def by_author(books):
    res = {}
    for a, t in books:
        if a in res:
            res[a].append(t)
        else:
            res[a] = [t]
    for a in res:
        res[a] = sorted(res[a])
    return res


def most_read(log):
    total = {}
    for t, m in log:
        if t in total:
            total[t] += m
        else:
            total[t] = m
    if total == {}:
        return None
    return max(total, key=lambda t: total[t])


class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.inhalt = []

    def __len__(self):
        return len(self.inhalt)

    def add(self, title):
        if len(self) < self.capacity and title not in self.inhalt:
            self.inhalt.append(title)
            return True
        return False

    def titles(self):
        return sorted(self.inhalt, key=str.lower)
