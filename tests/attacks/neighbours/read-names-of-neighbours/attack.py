# Tries to read what a neighbour writes into its temporary files. Safe: 10, passed.
import glob, os, sys, time
end = time.monotonic() + 2
while time.monotonic() < end:
    for path in glob.glob("/tmp/*") + glob.glob("/dev/shm/*"):
        try:
            if os.path.isfile(path) and "neighbours own" in open(path).read():
                print("harm: read", path)
        except (OSError, ValueError):
            pass
    time.sleep(0.01)
print(sum(range(int(sys.argv[1]) + 1)))
