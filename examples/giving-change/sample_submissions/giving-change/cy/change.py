import sys

for word in sys.argv[1:] or sys.stdin:
    amount = int(word)
    if amount == 0:
        break
    for coin in 10, 5, 2, 1:
        while amount >= coin:
            print(coin, end=" ")
            amount -= coin
    print()
