# Says nothing, and waits.
while True:
    input()
