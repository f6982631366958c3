"""`numbers`: these numbers in this order, each within a tolerance, whatever is between them.

Whole numbers behind a letter belong to a name, as in `x1 = 2.0`; those with a point do not: `EUR12.50`. Behind a longer
word they may be either: in `Sum5` the value, and in `Player1 7` a part of the name, where only that gives what is
wanted.
"""

import re
from collections.abc import Iterable

from grader.core.comparators.base import Comparator, Siblings, Wanted, text_nodes, write_mapping
from grader.core.comparators.closeness import (
    CLOSENESS,
    CLOSENESS_KINDS,
    NUMBER_IN_DIGITS,
    WRITTEN_NUMBER,
    Closeness,
    read_closeness,
)
from grader.core.comparators.tokens import describe_parting, each_match, first_parting, freeze_all
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Deviation
from grader.core.model.spec import Leaf, Options
from grader.core.text import capital
from grader.core.yaml.json_schema_parts import REFERENCE, any_of, list_of, ref, strict_text
from grader.core.yaml.nodes import Listing
from grader.core.yaml.value import QUANTITIES, Key, Value, in_quotes, is_reference, items, parse_number, text, wrong

_BEHIND_LETTER = lazy_regex(rb"[A-Za-z_]\d")
_NAME = lazy_regex(rb"\b(?:(?:[A-Za-z]_?|_)\d\w*+|[A-Za-z_]++\d++(?:[A-Za-z_]\w*+|(?=[ \t]*+[=:(\[])))(?!\.\d)")
_PERHAPS_NAME = lazy_regex(rb"\b[A-Za-z_]++\d\w*+(?!\.\d)")


def _read_numbers(value: Value, siblings: Siblings) -> Leaf:
    """Read numbers: a text with blanks between them, or a list."""
    found: list[tuple[Value, str]] = []
    if isinstance(value.node, Listing):
        found = [(item, text(item)) for item in items(value)]
    elif not is_reference(value):
        found = [(value, word) for word in text(value).split()]
    for place, word in found:
        if parse_number(word) is None:
            wrong(place, f"wanted a number, found {in_quotes(word)}")
    want = None if is_reference(value) else tuple(word for _, word in found)
    bounds = read_closeness(siblings, of_texts=False)
    return Leaf(how="numbers", want=want, options=Closeness(**bounds) if any(bounds.values()) else Options())


def _numbers(text: bytes) -> Iterable[bytes]:
    text = _without_names(text)
    lower = text.lower()
    return each_match(WRITTEN_NUMBER if b"nan" in lower or b"inf" in lower else NUMBER_IN_DIGITS, text)


def _without_names(text: bytes, names: re.Pattern[bytes] = _NAME) -> bytes:
    """Return a text with other signs for each name that has a digit in it."""
    return names.sub(lambda name: b"_" * len(name[0]), text) if _BEHIND_LETTER.search(text) else text


def _compare_numbers(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    is_close, want = wanted.leaf.get(Closeness).is_close, wanted.values[0]
    first = first_parting(_numbers, output, want, is_close)
    if first and want and _BEHIND_LETTER.search(output):
        without = _without_names(output, _PERHAPS_NAME)
        first = first_parting(_numbers, without, want, is_close) and first
    told = capital(describe_parting("number", first, output, wanted.where)) if first else ""
    return (wanted.deviation("wrong", told),) if told else ()


NUMBERS = Comparator(
    name="numbers",
    key=Key(
        about="These numbers, whatever is between them; the digit of a name such as `x1` is none.",
        kind="numbers",
        alternative=True,
    ),
    options=CLOSENESS,
    kinds={
        "numbers": any_of(
            REFERENCE, ref("file-content"), ref("number"), strict_text(r"^[-+0-9.eE\s]*$"), list_of("number")
        ),
        "number": any_of({"type": "number"}, strict_text(QUANTITIES["number"])),
        **CLOSENESS_KINDS,
    },
    example="{numbers: [1, 2.50], tolerance: 1e-6}",
    read=_read_numbers,
    compare=_compare_numbers,
    words=lambda leaf, shown: f"the numbers {shown}{leaf.get(Closeness).in_words(', ')}, whatever is between them",
    write=lambda leaf: write_mapping(leaf, text_nodes, **leaf.get(Closeness).nodes()),
    freeze=lambda output: freeze_all(_numbers(output), lambda word: parse_number(word) is not None),
    join=b" ".join,
    whole=True,
)
