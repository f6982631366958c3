# Tries to take all memory. Safe: 0, memory or crashed.
blocks = []
while len(blocks) < 100:
    blocks.append(b'x' * (10 << 20))
