class Library:
    LOAN = 14

    def __init__(self):
        self.loans = {}
        self.history = {}
        self.readers = {}

    def lend(self, title, reader, day):
        if title in self.loans:
            raise ValueError(f"{title} is lent")
        self.loans[title] = (reader, day)
        self.history[title] = self.history.get(title, 0) + 1

    def give_back(self, title, day):
        reader, since = self.loans.pop(title)
        late = day - since - self.LOAN + 1
        if late <= 0:
            return 0
        fine = late * 20
        return min(fine, 500)

    def reader_of(self, title):
        if title in self.loans:
            return self.loans[title][0]
        return None

    def overdue(self, day):
        late = []
        for title, (reader, since) in self.loans.items():
            if day - since > self.LOAN:
                late.append((since, title))
        return [title for since, title in sorted(late)]

    def lent_to(self, reader):
        return sorted(title for title, (who, _) in self.loans.items() if who == reader)

    def favourite(self):
        best = None
        most = 0
        for title, count in self.history.items():
            if count > most:
                most = count
                best = title
        return best

    def times_lent(self):
        return sum(self.history.values())
