# Tries to change what a neighbour writes into its temporary files. Safe: 10, passed.
import os, sys, time
os.umask(0)
end = time.monotonic() + 2
while time.monotonic() < end:
    for name in ("out.txt", "numbers.txt", "result"):
        try:
            with open(f"/tmp/{name}", "r+") as file:
                file.write("99999")
        except OSError:
            pass
    time.sleep(0.002)
print(sum(range(int(sys.argv[1]) + 1)))
