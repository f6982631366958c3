from functools import total_ordering

def total(number):
    if number < 0:
        raise ValueError("negative")
    return Number(number * (number + 1) // 2)


class Sum:
    def __init__(self, number):
        self.value = total(number)

    def __eq__(self, other):
        if not isinstance(other, Sum):
            return NotImplemented
        return self.value == other.value


@total_ordering
class Number(int):
    def __eq__(self, other):
        return int(self) == other

    def __lt__(self, other):
        return int(self) < other

    def __hash__(self):
        return hash(int(self))
