# statistics of marks
import sys
import os.path
from helpers import average_of

if len(sys.argv) != 2:
    sys.stderr.write("Usage: marks.py FILE\n")
    sys.exit(1)

filename = sys.argv[1]
if not os.path.exists(filename):
    sys.stderr.write("Cannot read " + filename + "\n")
    sys.exit(2)

file = open(filename, "r")
names = []
marks = []
for line in file.readlines():
    parts = line.strip().split(" ")
    names.append(parts[0])
    marks.append(int(parts[1]))
file.close()

if marks == []:
    print("No marks")
    sys.exit(0)

best = max(marks)
average = average_of(marks)
passed = 0
for m in marks:
    if m >= 50:
        passed = passed + 1

print("Students: " + str(len(marks)))
print("Best: " + names[marks.index(best)] + " (" + str(best) + ")")
print("Average: " + "%.2f" % average)
print("Passed: " + str(passed))
