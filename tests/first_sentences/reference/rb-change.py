import re, sys
coins = 0
for line in sys.stdin:
    line = line.strip()
    if not re.fullmatch(r"\d+", line):
        print("Wrong:", line)
        continue
    rest, used = int(line), []
    for coin in (200, 100, 50, 20, 10, 5, 2, 1):
        used += [coin] * (rest // coin)
        rest %= coin
    coins += len(used)
    print(f"{line}:", *(used or ["nothing"]))
print("Coins:", coins)
