# Tries to crash by objects that it reads. Safe: 0, failed or crashed or memory.
unserialize(as.raw(c(0x58, 0x0a, 0, 0, 0, 3, 0, 4, 2, 2, 0, 3, 5, 0, 0, 0, 0, 5, rep(0x7f, 60))))
