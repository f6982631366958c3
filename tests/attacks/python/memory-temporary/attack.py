# Tries to take all memory by files in memory. Safe: 0, memory or crashed or failed.
for folder in ('/tmp', '/dev/shm', '.'):
    for number in range(8):
        try:
            with open(f'{folder}/left-behind-{number}', 'wb') as file:
                for _ in range(6):
                    file.write(bytes(10 << 20))
        except OSError:
            pass
