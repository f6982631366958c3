def ask():
    while True:
        try:
            cents = round(float(input("Change owed: ")) * 100)
        except ValueError:
            continue
        if cents >= 0:
            return cents


cents, coins = ask(), 0
for coin in (25, 10, 5, 1):
    coins += cents // coin
    cents %= coin
print(coins)
