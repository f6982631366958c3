def minutes(text):
    if text.endswith("h"):
        return 60 * int(text[:-1])
    elif "h" in text:
        a = text.split("h")
        return 60 * int(a[0]) + int(a[1])
    else:
        return int(text)

def days_needed(pages, per_day):
    if per_day < 1:
        return ValueError("You have to read at least one page a day!")
    days = 0
    while pages > 0:
        pages = pages - per_day
        days = days + 1
    return days

def longest_streak(days):
    record = 0
    now = 0
    for i in range(len(days)):
        if days[i] > 0:
            now = now + 1
        else:
            now = 0
        if now > record:
            record = now
    return record

def by_author(books):
    authors = {}
    for book in books:
        if book[0] in authors:
            authors[book[0]].append(book[1])
        else:
            authors[book[0]] = [book[1]]
    for a in authors:
        authors[a].sort()
    return authors

def most_read(log):
    time = {}
    for entry in log:
        if entry[0] in time:
            time[entry[0]] = time[entry[0]] + entry[1]
        else:
            time[entry[0]] = entry[1]
    winner = None
    most = -1
    for title in time:
        if time[title] > most:
            most = time[title]
            winner = title
    return winner

class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.books = []
    def add(self, title):
        if title in self.books or len(self.books) == self.capacity:
            return False
        else:
            self.books.append(title)
            return True
    def titles(self):
        result = list(self.books)
        result.sort(key=str.lower)
        return result
    def __len__(self):
        return len(self.books)
