import sys
words = sys.stdin.read().split()
seats = left = int(words[0])
best, most = "-", 0
for name, n in zip(words[1::2], map(int, words[2::2])):
    if n > left:
        print(f"{name}: sorry")
        continue
    left -= n
    print(f"{name}: {n}")
    if n > most:
        best, most = name, n
print(f"Left: {left}")
print(f"Sold: {100 * (seats - left) / seats:.1f}")
print(f"Largest: {best}")
