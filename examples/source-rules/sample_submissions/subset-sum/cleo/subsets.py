import sys


def count(total, numbers):
    return with_first(total, numbers) + count(total, numbers[1:]) if numbers else int(total == 0)


def with_first(total, numbers):
    return count(total - numbers[0], numbers[1:])


wanted, *given = map(int, sys.argv[1:])
print(count(wanted, given))
