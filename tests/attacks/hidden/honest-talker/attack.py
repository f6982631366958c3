def total(number):
    print("total", number, "of hidden numbers: harm is far; assert is a word")
    return sum(range(number + 1))
