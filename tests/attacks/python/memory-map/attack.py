# Tries to take all memory by mappings. Safe: 0, memory or crashed.
import mmap
kept = [mmap.mmap(-1, 10 << 20) for _ in range(80)]
for one in kept:
    one.write(b'x' * (10 << 20))
