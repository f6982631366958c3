import sys


def count(total, numbers):
    if not numbers:
        if total == 0:
            return 1
        else:
            return 0
    first = numbers[0]
    others = numbers[1:]
    with_first = 0
    without_first = 0
    if first <= total:
        with_first = count(total - first, others)
    without_first = count(total, others)
    return with_first + without_first


wanted, *given = map(int, sys.argv[1:])
print(count(wanted, given))
