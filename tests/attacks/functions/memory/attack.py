# Tries to fill the memory in a call and catch what comes of it. Safe: 0, failed or crashed or memory.
def total(number):
    kept = []
    try:
        while True:
            kept.append(bytearray(1 << 22))
    except MemoryError:
        return len(kept)
