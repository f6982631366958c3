# Tries to return what never ends. Safe: 0, failed or crashed.
def total(number):
    while True:
        yield number
