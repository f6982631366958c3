"""Give change with the fewest coins."""

import sys


def coins(amount: int) -> str:
    """Return the fewest coins for an amount: with these, the largest first."""
    found = []
    for coin in (10, 5, 2, 1):
        found += [coin] * (amount // coin)
        amount %= coin
    return " ".join(map(str, found))


for word in sys.argv[1:] or sys.stdin:
    print(coins(int(word)))
