"""Checks by the rules of Submitty's validators.

`grader import submitty` puts a copy of this file beside the assignment. Numbers and names are given as texts, as a spec
gives options.
"""

import json
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne

from grader import Wrong

METHODS = ("errorIfEmpty", "errorIfNotEmpty", "searchToken", "intComparison")
HOLDS = {"eq": eq, "ne": ne, "gt": gt, "lt": lt, "ge": ge, "le": le}
_WORDS = {"eq": "exactly", "ne": "not", "gt": "more than", "lt": "less than", "ge": "at least", "le": "at most"}
_QUESTION = re.compile(rb"### Question q(\d{1,4}): {0,20}(\d{1,6}) {0,20}/ {0,20}(\d{1,6})(?!\d)")
_TOTAL = re.compile(rb"\bTotal: {0,20}(\d{1,9}) {0,20}/ {0,20}(\d{1,9})(?!\d)")


def asks(output: bytes, *, method: str, wanted: str, keeps: str = "0") -> tuple[Fraction, str] | None:
    """Leave `keeps` of the credit where the output is not what a validator asks for; `wanted` is a list in JSON.

    Of several texts each has its part of the rest.
    """
    words, missing, message = json.loads(wanted), Fraction(0), ""
    if method == "errorIfNotEmpty":
        missing, message = Fraction(bool(output)), "Something is written where nothing is expected."
    elif method == "errorIfEmpty":
        missing, message = Fraction(not output), "Nothing is written."
    elif method == "searchToken":
        absent = [text for text in words if text.encode() not in output]
        missing, message = Fraction(len(absent), len(words)), f"`{(absent or [''])[0]}` is not written."
    elif (found := re.match(rb"\s*([+-]?\d{1,18})", output)) is None:
        missing, message = Fraction(1), "The output does not begin with a number."
    else:
        missing = Fraction(not HOLDS[words[0]](int(found[1]), int(words[1])))
        message = f"The number is {int(found[1])}; {_WORDS[words[0]]} {words[1]} is expected."
    left = 1 - (1 - Fraction(keeps)) * missing
    if not left:
        raise Wrong(message)
    return (left, message) if missing else None


def one_of(_output: bytes, files: Mapping[str, bytes], *, names: str) -> None:
    """Raise Wrong unless a file is there by one of these names, or globs, which are on a line each."""
    wanted = names.splitlines()
    if not any(fnmatchcase(name, one) for name in files for one in wanted):
        raise Wrong(f"None of these files is there: {', '.join(wanted)}.")


def pacman(output: bytes, *, tests: str) -> tuple[Fraction, str]:
    """Return the share of the points that an output in the form of the Pacman projects states; Wrong for no such."""
    points = {int(found[1]): (int(found[2]), int(found[3])) for found in _QUESTION.finditer(output)}
    totals = _TOTAL.findall(output)
    missing = [place for place in range(1, int(tests) + 1) if place not in points]
    if missing or not totals:
        raise Wrong(f"The output has no points for question {missing[0]}." if missing else "The output has no total.")
    awarded, possible = (sum(pair[place] for pair in points.values()) for place in (0, 1))
    if (awarded, possible) != tuple(map(int, totals[-1])) or not 0 <= awarded <= possible or not possible:
        raise Wrong("The total is not the sum of the points for the questions.")
    return Fraction(awarded, possible), f"The tests gave {awarded} of {possible} points."
