# Goes on when it is told that it is right.
low, high = map(int, input().split())
for guess in range(low, high + 1):
    print(guess, flush=True)
while True:
    print("again?", flush=True)
    if not input():
        break
