def total(number):
    if number < 0:
        raise ValueError("negative")
    return number * (number + 1) // 2


class Sum:
    def __init__(self, number):
        self.value = total(number)

    def __eq__(self, other):
        if not isinstance(other, Sum):
            return NotImplemented
        return self.value == other.value
