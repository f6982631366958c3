# Tries to write by other ways than its streams. Safe: 0, failed.
import os
for number in range(3, 64):
    try:
        os.write(number, b'21\n')
        print('harm:', 'descriptor', number)
    except OSError:
        pass
