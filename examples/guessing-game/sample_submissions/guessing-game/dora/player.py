# Never finds it: it takes lower for higher.
low, high = map(int, input().split())
answer = ""
while answer != "right":
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "lower":
        low = min(guess + 1, 100)
    else:
        high = max(guess - 1, 1)
