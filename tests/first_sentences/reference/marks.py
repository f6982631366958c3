"""Print the statistics of the marks in the file that the second argument names; the first is the name for the usage message."""

import sys
from pathlib import Path

_, program, *files = sys.argv
if len(files) != 1:
    print(f"Usage: {program} FILE", file=sys.stderr)
    sys.exit(1)
try:
    text = Path(files[0]).read_text()
except OSError:
    print(f"Cannot read {files[0]}", file=sys.stderr)
    sys.exit(2)
lines = [line.split() for line in text.splitlines()]
marks = [(int(mark), name) for name, mark in lines]
if marks:
    best, name = max(marks, key=lambda one: one[0])
    print(f"Students: {len(marks)}")
    print(f"Best: {name} ({best})")
    print(f"Average: {sum(mark for mark, _ in marks) / len(marks):.2f}")
    print(f"Passed: {sum(mark >= 50 for mark, _ in marks)}")
else:
    print("No marks")
