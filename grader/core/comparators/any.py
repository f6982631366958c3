"""`any`, `all` and `not`: what is made of other comparators; and the word `any`, of which whatever is written is right.

Who reads, compares, tells or writes what is made of parts goes into these, and asks the table nothing but how it looks.
"""

from typing import NoReturn

from grader.core.comparators.base import WRONG, Comparator
from grader.core.errors import HostError
from grader.core.model import Expected
from grader.core.yaml.writing import plain

ANYTHING = Expected(how="any")


def _go_into_parts(*_asked: object) -> NoReturn:
    raise HostError("what is made of other comparators is held part by part")


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
ALL = Comparator(
    name="all",
    key=None,
    example="{all: [{lines: reference}, {numbers: reference, tolerance: 0.1}, {not: {contains: Error}}]}",
    read=_go_into_parts,
    compare=_go_into_parts,
    words=_go_into_parts,
    write=_go_into_parts,
)
NOT = Comparator(
    name="not",
    key=None,
    example="{not: {any: [{contains: Error}, {regex: '^debug', about: a debug line}]}}",
    read=_go_into_parts,
    compare=_go_into_parts,
    reachable=lambda _expected: WRONG,
    asks=lambda _expected: False,
    words=_go_into_parts,
    write=_go_into_parts,
)
