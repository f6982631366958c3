import sys

for word in sys.argv[1:] or sys.stdin.read().split():
    amount, given = int(word), []
    while amount:
        coin = max(coin for coin in (1, 2, 5, 10) if coin <= amount)
        given.insert(0, str(coin))
        amount -= coin
    print(*given)
