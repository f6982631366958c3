"""What a wrong line has to do with the expected one, where its numbers show why it is wrong.

Too many decimals, a comma for the point, decimals that a division of whole numbers has lost, numbers that were sorted
as texts: each is said only where that alone makes the difference of the two lines.
"""

from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from itertools import pairwise

from grader.core.lazy import lazy_regex
from grader.core.text import count, quote

_MAX_LINE_LENGTH = 400
"""bytes of a line that is looked at"""
_MIN_SORTED = 3
"""numbers whose order shows that they were sorted"""
_NUMBER = lazy_regex(rb"(?<![\w.])-?[0-9]{1,15}(?:\.[0-9]{1,15})?(?![\w.]*[0-9])")
_WHOLE = lazy_regex(rb"-?[0-9]{1,15}")
_COMMA = lazy_regex(rb"(?<=[0-9]),(?=[0-9])")


def remark_on_line(line: bytes, wanted: bytes) -> str:
    """Return what makes a line differ from the expected one, to be put behind both; "" where that is not known."""
    if max(len(line), len(wanted)) > _MAX_LINE_LENGTH:
        return ""
    line, wanted = line.strip(), wanted.strip()
    if line != wanted and _COMMA.sub(b".", line) == wanted:
        return ": it has a comma where the decimal point is expected"
    if _NUMBER.sub(b"\0", line) != _NUMBER.sub(b"\0", wanted):
        return ""
    pairs = list(zip(_NUMBER.findall(line), _NUMBER.findall(wanted), strict=True))
    if before := sorted_as_text([one for one, _ in pairs], [other for _, other in pairs]):
        return before
    remarks = {remark_on_number(one.decode(), other.decode()) for one, other in pairs if one != other}
    return remarks.pop() if len(remarks) == 1 else ""


def is_joined(line: bytes, wanted: bytes, following: bytes) -> bool:
    """Whether a line is the expected one and goes on with the next expected one: the newline between is missing."""
    line, wanted, following = line.strip(), wanted.strip(), following.strip()
    return bool(wanted and following) and line.startswith(wanted) and line[len(wanted) :].lstrip().startswith(following)


def sorted_as_text(numbers: Sequence[bytes], wanted: Sequence[bytes]) -> str:
    """Say that numbers are in the order of texts where that of numbers is expected; "" where they are not."""
    if len(numbers) < _MIN_SORTED or not all(map(_WHOLE.fullmatch, numbers)) or sorted(numbers) != sorted(wanted):
        return ""
    if list(numbers) != sorted(numbers) or list(wanted) != sorted(numbers, key=int) or numbers == wanted:
        return ""
    first, second = next(pair for pair in pairwise(numbers) if int(pair[0]) > int(pair[1]))
    return f": the numbers are sorted as texts ({quote(first)} before {quote(second)})"


def remark_on_number(number: str, wanted: str) -> str:
    """Say what makes a number differ from the expected one: its decimals; "" where that is not known."""
    one, other = Decimal(number), Decimal(wanted)
    have, want = _decimals(number), _decimals(wanted)
    fewer = Decimal(1).scaleb(-min(have, want))
    long, short = (one, other) if have > want else (other, one)
    if have != want and short in {long.quantize(fewer, how) for how in (ROUND_HALF_EVEN, ROUND_HALF_UP)}:
        return f": it has {count(have, 'decimal') if have else 'no decimals'}, expected {want or 'none'}"
    return remark_on_lost_decimals(one, other)


def remark_on_lost_decimals(number: Decimal, wanted: Decimal) -> str:
    """Say that a whole number is the expected one without its decimals; "" where it is not."""
    if number != wanted and number == wanted.to_integral_value(ROUND_DOWN):
        return ": its decimals are missing (integer division?)"
    return ""


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])
