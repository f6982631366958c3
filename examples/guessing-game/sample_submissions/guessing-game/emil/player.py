# Another protocol: a sentence for a number.
low, high = map(int, input().split())
print("Is it", (low + high) // 2, "?", flush=True)
input()
