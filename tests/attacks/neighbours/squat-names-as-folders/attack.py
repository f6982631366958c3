# Tries to be in the way of others by folders, links and pipes with the names that many programs use. Safe: 10, passed.
import os, sys, time
os.mkdir("/tmp/out.txt", 0o700)
os.mkfifo("/tmp/numbers.txt", 0o666)
os.symlink("/proc/self/mem", "/tmp/result")
time.sleep(1.5)
print(sum(range(int(sys.argv[1]) + 1)))
