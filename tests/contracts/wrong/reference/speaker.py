import sys

sys.exit(42 if sys.stdin.readline() == "a\n" else 43)
