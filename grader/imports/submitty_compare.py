"""Checks by the rules of Submitty's validators.

`grader import submitty` puts a copy of this file beside the assignment. Numbers and names are given as texts, as a spec
gives options.
"""

import json
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from fractions import Fraction

from grader import Wrong

_HOLDS = {
    "eq": lambda one, other: one == other,
    "ne": lambda one, other: one != other,
    "gt": lambda one, other: one > other,
    "lt": lambda one, other: one < other,
    "ge": lambda one, other: one >= other,
    "le": lambda one, other: one <= other,
}
_WORDS = {"eq": "exactly", "ne": "not", "gt": "more than", "lt": "less than", "ge": "at least", "le": "at most"}
_QUESTION = re.compile(rb"### Question q(\d{1,4}): {0,20}(\d{1,6}) {0,20}/ {0,20}(\d{1,6})(?!\d)")
_TOTAL = re.compile(rb"\bTotal: {0,20}(\d{1,9}) {0,20}/ {0,20}(\d{1,9})(?!\d)")


def number(output: bytes, *, comparison: str, term: str, keeps: str = "0") -> tuple[Fraction, str] | None:
    """Raise Wrong unless the output begins with a number for which the comparison holds."""
    found = re.match(rb"\s*([+-]?\d{1,18})", output)
    if found is None:
        return _leave(keeps, "The output does not begin with a number.")
    if not _HOLDS[comparison](int(found[1]), int(term)):
        return _leave(keeps, f"The number is {int(found[1])}; {_WORDS[comparison]} {term} is expected.")
    return None


def empty(output: bytes, *, keeps: str) -> tuple[Fraction, str] | None:
    """Leave a share of the credit where something is written."""
    return _leave(keeps, "Something is written where nothing is expected.") if output else None


def not_empty(output: bytes, *, keeps: str) -> tuple[Fraction, str] | None:
    """Leave a share of the credit where nothing is written."""
    return None if output else _leave(keeps, "Nothing is written.")


def tokens(output: bytes, *, wanted: str, keeps: str) -> tuple[Fraction, str] | None:
    """Leave a share of the credit, and a part of the rest for each text of a list in JSON that is written."""
    texts = json.loads(wanted)
    missing = [text for text in texts if text.encode() not in output]
    if not missing:
        return None
    least = Fraction(keeps)
    return _leave(str(1 - (1 - least) * Fraction(len(missing), len(texts))), f"`{missing[0]}` is not written.")


def _leave(keeps: str, message: str) -> tuple[Fraction, str]:
    """Return what a mistake leaves of the credit; Wrong where that is nothing."""
    if not Fraction(keeps):
        raise Wrong(message)
    return Fraction(keeps), message


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
