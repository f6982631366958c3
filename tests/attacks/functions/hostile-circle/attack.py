# Tries to return itself. Safe: 0, failed or crashed.
def total(number):
    found = []
    found.append(found)
    return found
