# Tries to return what nobody can write down. Safe: 0, failed or crashed.
def total(number):
    found = []
    for _ in range(200000):
        found = [found]
    return found
