class Playlist:
    def __init__(self):
        self.titles = []
        self.seconds = []
        self.index = 0

    def add(self, title, seconds):
        self.titles.append(title)
        self.seconds.append(seconds)

    def current(self):
        if len(self.titles) == 0:
            return None
        return self.titles[self.index]

    def next(self):
        if len(self.titles) == 0:
            return None
        self.index += 1
        if self.index == len(self.titles):
            self.index = 0
        return self.titles[self.index]

    def length(self):
        total = 0
        for s in self.seconds:
            total += s
        minutes = total // 60
        rest = total % 60
        return str(minutes) + ":" + str(rest).zfill(2)

    def remove(self, title):
        removed = 0
        i = 0
        while i < len(self.titles):
            if self.titles[i] == title:
                del self.titles[i]
                del self.seconds[i]
                removed += 1
            else:
                i += 1
        self.index = 0
        return removed

    def shortest(self):
        if len(self.titles) == 0:
            return None
        best = 0
        for i in range(len(self.seconds)):
            if self.seconds[i] < self.seconds[best]:
                best = i
        return self.titles[best]


def second_largest(numbers):
    if len(set(numbers)) < 2:
        return None
    largest = max(numbers)
    second = None
    for number in numbers:
        if number != largest and (second is None or number > second):
            second = number
    return second


def is_palindrome(text):
    text = text.replace(" ", "")
    left = 0
    right = len(text) - 1
    while left < right:
        if text[left] != text[right]:
            return False
        left += 1
        right -= 1
    return True
