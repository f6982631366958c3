"""The check for `intComparison` of Submitty: `grader import submitty` puts a copy of it beside an assignment."""

import re
from operator import eq, ge, gt, le, lt, ne

from grader import Wrong

HOLDS = {
    "eq": (eq, "exactly"),
    "ne": (ne, "not"),
    "gt": (gt, "more than"),
    "lt": (lt, "less than"),
    "ge": (ge, "at least"),
    "le": (le, "at most"),
}


def compare_number(output: bytes, *, comparison: str, term: str) -> None:
    """Raise Wrong unless the output begins with a number that compares so with the term."""
    if (found := re.match(rb"\s*([+-]?\d{1,18})", output)) is None:
        raise Wrong("The output does not begin with a number.")
    holds, words = HOLDS[comparison]
    if not holds(int(found[1]), int(term)):
        raise Wrong(f"The number is {int(found[1])}; {words} {term} is expected.")
