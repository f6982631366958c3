cents = -1
while cents < 0:
    try:
        cents = int(float(input("Change owed: ")) * 100)
    except ValueError:
        pass
coins = 0
for coin in (25, 10, 5, 1):
    while cents >= coin:
        cents -= coin
        coins += 1
print(coins)
