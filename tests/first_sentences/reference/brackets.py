import sys

PAIRS = {")": "(", "]": "[", "}": "{"}
depths = [0]


def check(line):
    stack = []
    for at, sign in enumerate(line, 1):
        if sign in "([{":
            stack.append((sign, at))
            depths.append(len(stack))
        elif sign in PAIRS:
            if not stack:
                return f"unexpected {sign} at {at}"
            was, place = stack.pop()
            if was != PAIRS[sign]:
                return f"{was} at {place} is closed by {sign} at {at}"
    return "{} at {} is not closed".format(*stack[-1]) if stack else "ok"


results = []
for number, line in enumerate(sys.stdin.read().split("\n"), 1):
    if line.strip():
        results.append(check(line))
        print(f"{number}: {results[-1]}")
print(f"Balanced: {results.count('ok')} of {len(results)}")
print("Deepest:", max(depths))
