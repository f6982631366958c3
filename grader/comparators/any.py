"""`any`: whatever is written is right. A word, and no key."""

from grader.comparators.base import Comparator
from grader.model import Expected
from grader.yaml.writing import plain

ANYTHING = Expected(how="any")

ANY = Comparator(
    name=ANYTHING.how,
    key=None,
    example="any",
    read=lambda _value, _beside: ANYTHING,
    compare=lambda _output, _wanted: (),
    reachable=lambda _expected: frozenset(),
    asks=lambda _expected: False,
    words=lambda _expected, _shown: "whatever it is",
    write=lambda _expected: plain("any"),
)
