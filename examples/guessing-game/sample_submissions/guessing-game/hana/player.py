# Right, but nothing is flushed.
import sys

low, high = map(int, sys.stdin.readline().split())
answer = ""
while answer != "right":
    guess = (low + high) // 2
    print(guess)
    answer = sys.stdin.readline().strip()
    if not answer:
        break
    if answer == "higher":
        low = guess + 1
    else:
        high = guess - 1
