import sys
secret = int(open(sys.argv[1]).read())
for _ in range(9):
    guess = int(sys.stdin.readline() or 99)
    print(guess < secret, flush=True)
    if guess == secret:
        sys.exit(42)
sys.exit(43)
