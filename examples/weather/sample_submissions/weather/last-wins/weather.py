import sys

last, bad = {}, 0
for line in sys.stdin:
    words = line.split()
    if len(words) == 2 and words[1].replace(".", "").strip("-").isdigit():
        last[words[0]] = float(words[1])
    else:
        bad += 1
with open("means.txt", "w") as file:
    for name in sorted(last):
        print(name, last[name], file=file)
print(bad)
