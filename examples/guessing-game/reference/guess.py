"""Speaks with a player: `guess.py SECRET FEW` thinks of SECRET, and gives all points for at most FEW guesses."""

import re
import sys
from pathlib import Path

LARGEST = 100


def end(status: int, told: str = "") -> None:
    print(told, file=sys.stderr)
    sys.exit(status)


def hear() -> int:
    line = sys.stdin.readline(1000)
    if not line:
        end(43, "Your program ended before it had found the number.")
    if not re.fullmatch("[0-9]{1,9}\n", line):
        end(43, f"A guess is a number on a line of its own, and not {line[:40]!r}.")
    return int(line)


secret, few = map(int, sys.argv[1:])
print(1, LARGEST, flush=True)
guesses = 1
while (guess := hear()) != secret:
    if guesses == LARGEST:
        end(43, f"It has not found the number with {LARGEST} guesses.")
    print("higher" if guess < secret else "lower", flush=True)
    guesses += 1
print("right", flush=True)
if sys.stdin.readline(1000):
    end(43, "It went on after the number was found.")
if guesses > few:
    share = max(0.0, 1 - (guesses - few) / 4)
    Path("feedback/score.txt").write_text(f"{share:.2f}")
    end(42, f"It took {guesses} guesses; {few} are enough.")
end(42)
