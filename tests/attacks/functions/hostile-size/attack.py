# Tries to return a gibibyte. Safe: 0, failed or crashed or memory or output or timeout.
def total(number):
    return [[]] * (30 << 20)
