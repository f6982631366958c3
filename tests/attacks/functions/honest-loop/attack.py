def total(number):
    result = 0
    for each in range(1, number + 1):
        result += each
    return result
