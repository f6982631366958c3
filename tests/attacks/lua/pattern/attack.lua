-- Tries to burn time in one call that no hook interrupts. Safe: 0, timeout.
print((('a'):rep(100000)):find(('.-'):rep(30) .. 'b'))
