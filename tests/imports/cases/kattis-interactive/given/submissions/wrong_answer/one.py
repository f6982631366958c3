for _ in range(9):
    print(1, flush=True)
    input()
