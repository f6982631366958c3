# Tries to burn time in one call that no signal interrupts. Safe: 0, timeout or failed or crashed or memory.
trap('TERM') {}
trap('XCPU') {}
puts (7**(7**8)).to_s.size
puts (1..Float::INFINITY).sum
