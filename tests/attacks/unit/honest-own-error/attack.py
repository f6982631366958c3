class NegativeError(ValueError, ArithmeticError):
    def __str__(self):
        return 'negative: ' + super().__str__()


def total(number):
    if number < 0:
        raise NegativeError(number)
    return number * (number + 1) // 2


class Sum:
    def __init__(self, number):
        self.value = total(number)

    def __eq__(self, other):
        if not isinstance(other, Sum):
            return NotImplemented
        return self.value == other.value
