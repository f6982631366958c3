"""`any`, `all` and `not`, which combine other comparators; and the word `any`, which accepts every text.

Readers, judges and writers of a combination visit its parts; the table only has its name and example.
"""

from typing import NoReturn

from grader.core.comparators.base import WRONG, Comparator
from grader.core.errors import HostError
from grader.core.model.spec import Expected
from grader.core.yaml.writing import plain

ANYTHING = Expected(how="any")


def _go_into_parts(*_asked: object) -> NoReturn:
    raise HostError("a combination of comparators is compared part by part")


ANY = Comparator(
    name=ANYTHING.how,
    key=None,
    example="any",
    read=lambda _value, _siblings: ANYTHING,
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
