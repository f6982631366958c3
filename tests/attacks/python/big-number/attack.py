# Tries to keep the interpreter where no signal is heard. Safe: 0, timeout or crashed or failed.
import signal, sys
if sys.argv[1] == '5':
    sys.exit()
signal.alarm(8)
print(7 ** (10 ** 8) % 10)
