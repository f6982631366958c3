import sys


def subsets(total, numbers):
    if not numbers:
        return int(total == 0)
    return subsets(total, numbers[1:]) + subsets(total - numbers[0], numbers[1:])


wanted, *given = map(int, sys.argv[1:])
print(subsets(wanted, given))
