import sys
from itertools import combinations as choose


def count(total, numbers):
    found = 0
    for size in range(len(numbers) + 1):
        found += sum(sum(subset) == total for subset in choose(numbers, size))
    return found


wanted, *given = map(int, sys.argv[1:])
print(count(wanted, given))
