"""`numbers`: these numbers in this order, each within a tolerance, whatever is between them.

Decimals hold what is written without loss: `2 ** 64 + 1` is not `2 ** 64`, and `1e999999` costs nothing. The same
digits are the same number without a look at their value.
"""

import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import partial

from grader.comparators.base import Beside, Comparator, Wanted, text_nodes, write_mapping
from grader.comparators.tokens import all_of, first_parting, freeze_all, tell_parting
from grader.model import Deviation, Expected
from grader.text import capital
from grader.yaml.kinds import REFERENCE, any_of, list_of, ref, strict_text
from grader.yaml.nodes import Listing
from grader.yaml.value import (
    QUANTITIES,
    Key,
    Value,
    in_quotes,
    is_reference,
    items,
    parse_number,
    parsed,
    text,
    unwanted,
    wrong,
)
from grader.yaml.writing import plain

# A sign belongs to a number unless it stands behind a word or a bracket, as in `1-2` and `(n)-1`.
_WRITTEN_NUMBER = re.compile(
    rb"(?:(?<![\w.)\]])[-+])?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+"
    rb"|(?:(?<![\w.)\]])[-+])?\b(?i:nan|inf(?:inity)?)\b"
)
_ROUGH = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""enough digits for a difference that is held against a tolerance"""


def _read_numbers(value: Value, beside: Beside) -> Expected:
    """Read numbers: a text with blanks between them, or a list."""
    found: list[tuple[Value, str]] = []
    if isinstance(value.node, Listing):
        found = [(item, text(item)) for item in items(value)]
    elif not is_reference(value):
        found = [(value, word) for word in text(value).split()]
    for place, word in found:
        if parse_number(word) is None:
            wrong(place, f"wanted a number, found {in_quotes(word)}")
    tolerance = 0.0
    if "tolerance" in beside:
        tolerance = parsed(parse_number, "a number that is 0 or more", 0.0)(beside["tolerance"][1])
        if tolerance < 0:
            unwanted(beside["tolerance"][1], "a number that is 0 or more")
    want = None if is_reference(value) else tuple(word for _, word in found)
    return Expected(how="numbers", want=want, tolerance=tolerance)


def _compare_numbers(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    close = partial(_is_close, within=Decimal(repr(wanted.tolerance)))
    first = first_parting(_WRITTEN_NUMBER, output, wanted.values[0], close)
    told = capital(tell_parting("number", first, output, wanted.where)) if first else ""
    return (wanted.deviation("wrong", told),) if told else ()


def _is_close(have: bytes, want: bytes, *, within: Decimal) -> bool:
    if have == want:
        return True
    try:
        one, other = Decimal(have.decode()), Decimal(want.decode())
    except InvalidOperation:  # an exponent beyond all bounds
        return False
    if one.is_nan() or other.is_nan():
        return one.is_nan() and other.is_nan()
    if one == other:
        return True
    return one.is_finite() and other.is_finite() and _ROUGH.abs(_ROUGH.subtract(one, other)) <= within


NUMBERS = Comparator(
    name="numbers",
    key=Key(about="These numbers, whatever is between them.", kind="numbers", alternative=True),
    options={
        "tolerance": Key(
            about="The largest absolute difference of two numbers.", kind="tolerance", default=0, beside="numbers"
        )
    },
    kinds={
        "numbers": any_of(REFERENCE, ref("number"), strict_text(r"^[-+0-9.eE\s]*$"), list_of("number")),
        "number": any_of({"type": "number"}, strict_text(QUANTITIES["number"])),
        "tolerance": any_of(
            {"type": "number", "minimum": 0},
            strict_text(r"^(?!-)" + QUANTITIES["number"].removeprefix("^")),
        ),
    },
    example="{numbers: [1, 2.50], tolerance: 1e-6}",
    read=_read_numbers,
    compare=_compare_numbers,
    words=lambda expected, shown: (
        f"the numbers {shown}{f', to within {expected.tolerance:g}' if expected.tolerance else ''}, "
        "whatever is between them"
    ),
    write=lambda expected: write_mapping(
        expected, text_nodes, **({"tolerance": plain(repr(expected.tolerance))} if expected.tolerance else {})
    ),
    freeze=lambda output: freeze_all(all_of(_WRITTEN_NUMBER, output), lambda word: parse_number(word) is not None),
    join=b" ".join,
    whole=True,
)
