low, high = map(int, input().split())
answer = ""
while answer != "right":
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "higher":
        low = guess + 1
    else:
        high = guess - 1
