"""Seats of a theatre, in rows of letters."""


def parse_seat(text):
    row, number = text[0].upper(), int(text[1:])
    if not row.isalpha() or number < 1:
        raise ValueError(text)
    return row, number


def free_seats(rows, width, taken):
    free = []
    for row in rows:
        for number in range(1, width + 1):
            if (row, number) not in taken:
                free.append((row, number))
    return free


def neighbours(seat, width):
    row, number = seat
    found = []
    if number > 1:
        found.append((row, number - 1))
    if number < width:
        found.append((row, number + 1))
    return found


def price(age, row):
    full = 20 if row in "ABC" else 12
    if age < 6:
        return 0
    if age < 18 or age >= 65:
        return full / 2
    return full


def longest_run(numbers):
    best = run = 0
    last = None
    for number in sorted(numbers):
        run = run + 1 if last is not None and number == last + 1 else 1
        best = max(best, run)
        last = number
        return best
