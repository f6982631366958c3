# Takes the answer for a number.
input()
print(50, flush=True)
int(input())
