# An endless loop after the first answer.
input()
print(50, flush=True)
while input():
    while True:
        pass
