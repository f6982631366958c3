"""Print the words of standard input from the last to the first, their number and their average length."""

import sys

words = sys.stdin.read().split()
if words:
    print("\n".join(reversed(words)))
    print(f"Words: {len(words)}")
    print(f"Average length: {sum(map(len, words)) // len(words)}")
else:
    print("No words")
