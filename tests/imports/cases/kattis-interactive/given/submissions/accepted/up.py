n = 4
print(n, flush=True)
while input() == 'True':
    n += 1
    print(n, flush=True)
