# Tries to call machine code. Safe: 0, failed.
import ctypes

ctypes.CDLL("./words.txt").total(4)
