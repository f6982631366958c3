# Tries to return a number of a million digits. Safe: 0, failed or crashed.
def total(number):
    return 10 ** 1000000
