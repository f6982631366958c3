import sys


def count(total: int, numbers: list[int]) -> int:
    if not numbers:
        return int(total == 0)
    return count(total, numbers[1:]) + count(total - numbers[0], numbers[1:])


wanted, *given = map(int, sys.argv[1:])
print(count(wanted, given))
