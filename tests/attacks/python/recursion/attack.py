# Tries to overflow the stack. Safe: 0, crashed or memory.
import sys
sys.setrecursionlimit(10**9)
def deeper(number):
    return deeper(number + 1) + 1
deeper(0)
