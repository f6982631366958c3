# One after the other: right, and slow.
low, high = map(int, input().split())
for guess in range(low, high + 1):
    print(guess, flush=True)
    if input() == "right":
        break
