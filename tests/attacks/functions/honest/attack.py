def total(number):
    return number * (number + 1) // 2
