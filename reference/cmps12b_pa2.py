"""What `Queens` of CMPS 12B, programming assignment 2, has to do: `cmps12b_pa2.py [-v] number`.

Prints the number of solutions, with `-v` all of them first. Anything but `-v` and a number gets the usage message on
standard error. The assignment fixes no exit status and leaves 0 open: here they are 1 and no number.
"""

import sys
from collections.abc import Sequence

from queens import count, solutions

USAGE = """\
Usage: Queens [-v] number
Option: -v  verbose output, print all solutions
"""


def main(args: Sequence[str]) -> int:
    """Do what `args` ask for; returns the exit status."""
    verbose = args[:1] == ["-v"]
    n = number(args[1:] if verbose else args)
    if n is None:
        sys.stderr.write(USAGE)
        return 1
    total = listing(n) if verbose else count(n)
    print(f"{n}-Queens has {total} solutions")
    return 0


def number(args: Sequence[str]) -> int | None:
    """Read the only argument; None when it is no number from 1, or not the only one."""
    text = args[0] if len(args) == 1 else ""
    digits = text.isascii() and text.isdecimal()
    return (int(text) or None) if digits else None


def listing(n: int) -> int:
    """Print the solutions, one a line; returns how many there are."""
    total = 0
    for solution in solutions(n):
        print(f"({', '.join(map(str, solution))})")
        total += 1
    return total


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
