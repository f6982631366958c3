"""The same for many amounts, as an output validator of the Kattis problem package format."""

import sys
from pathlib import Path

RIGHT, WRONG = 42, 43

_, answer, feedback, unit = sys.argv[1:]
wanted = [sorted(line.split()) for line in Path(answer).read_text(encoding="ascii").splitlines()]
given = [sorted(line.split()) for line in sys.stdin.read().splitlines()]
for number, (want, have) in enumerate(zip(wanted, given, strict=False), 1):
    if want != have:
        Path(feedback, "teammessage.txt").write_text(f"The coins of line {number} are not the fewest for its amount.")
        sys.exit(WRONG)
if len(wanted) != len(given):
    Path(feedback, "teammessage.txt").write_text(f"There are {len(given)} {unit}, and {len(wanted)} amounts.")
    sys.exit(WRONG)
sys.exit(RIGHT)
