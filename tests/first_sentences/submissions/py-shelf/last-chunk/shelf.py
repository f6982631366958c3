def count_vowels(text):
    count = 0
    for letter in text:
        if letter in "aeiouAEIOU":
            count += 1
    return count


def longest(words):
    best = words[0]
    for word in words:
        if len(word) > len(best):
            best = word
    return best


def chunks(values, size):
    result = []
    for start in range(0, len(values) - size + 1, size):
        result.append(values[start:start + size])
    return result


def without(values, value):
    result = []
    for one in values:
        if one != value:
            result.append(one)
    return result


class Shelf:
    def __init__(self):
        self.books = []

    def add(self, title):
        if title in self.books:
            raise ValueError(title + " is there")
        self.books.append(title)

    def titles(self):
        return sorted(self.books)

    def __len__(self):
        return len(self.books)
