# Tries to be in the way of others at names that many programs use. Safe: 10, passed.
import os, sys, time
for name in ("out.txt", "a.txt", "data", "result", "numbers.txt"):
    try:
        os.close(os.open(f"/tmp/{name}", os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        print("harm:", error)
time.sleep(2)
print(sum(range(int(sys.argv[1]) + 1)))
