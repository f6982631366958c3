import sys, time
with open("/tmp/out.txt", "x") as file:
    print("the neighbours own", file=file)
with open("/tmp/numbers.txt", "x") as file:
    print(*range(int(sys.argv[1]) + 1), file=file)
time.sleep(0.5)
print(sum(map(int, open("/tmp/numbers.txt").read().split())))
