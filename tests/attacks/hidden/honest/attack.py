def total(number):
    return sum(range(number + 1))
