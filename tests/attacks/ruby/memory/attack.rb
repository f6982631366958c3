# Tries to fill the memory. Safe: 0, crashed or memory.
all = []
loop { all << ('x' * (1 << 20)) + all.size.to_s }
