# Talks without end and never listens.
while True:
    print(0)
