# Tries to take all memory by page tables. Safe: 0, memory or crashed or failed.
import mmap
room = mmap.mmap(-1, 60 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
for place in range(0, 60 << 30, 2 << 20):
    room[place]
