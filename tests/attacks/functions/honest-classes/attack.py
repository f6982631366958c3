from functools import reduce


class Numbers:
    def __init__(self, number):
        self.number = number

    def __iter__(self):
        yield from range(1, self.number + 1)


def total(number):
    return reduce(lambda a, b: a + b, Numbers(number), 0)
