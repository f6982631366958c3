r"""How the judge's sentences quote, count and measure.

A sentence is `str`, built from hostile bytes: what is quoted is cut short, and bytes that are no UTF-8 are written as
`\xff`. Control characters stay as they are; a reporter makes them visible in its own way.
"""

from collections.abc import Sequence
from fractions import Fraction

QUOTED = 60
"""characters of a quotation, at most"""
_UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
_BEFORE = 20


def quote(text: bytes, start: int = 0, most: int = QUOTED, *, blanks: bool = False) -> str:
    """Quote one line, cut to `most` characters from the byte `start` on, with dots where something was left out.

    With `blanks`, each of them is a middle dot: side by side, a reader cannot count them otherwise.
    """
    start = _character_start(text, start)
    shown = text[start : start + 4 * most].rstrip(b"\r\n").decode(errors="backslashreplace")
    if blanks:
        shown = shown.replace(" ", "·")
    cut = len(shown) > most or start + 4 * most < len(text)
    return f"`{'…' if start else ''}{shown[:most]}{'…' if cut else ''}`"


def quote_difference(one: bytes, other: bytes, *, blanks: bool = False) -> tuple[str, str]:
    """Quote two different lines so that the place where they part is seen."""
    start = _common_length(one, other) - _BEFORE
    if start + _BEFORE < QUOTED // 2:
        start = 0
    return quote(one, start, blanks=blanks), quote(other, start, blanks=blanks)


def _character_start(text: bytes, position: int) -> int:
    while position and text[position : position + 1] and text[position] & 0xC0 == 0x80:  # noqa: PLR2004 - UTF-8
        position -= 1
    return position


def _common_length(one: bytes, other: bytes) -> int:
    """Return how long the two are the same; by halves, for a loop over 8 MiB takes too long."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def listed(quoted: Sequence[str], total: int) -> str:
    """Join quotations, of `total` that there are: "`a`, `b` and 7 more"."""
    more = total - len(quoted)
    return ", ".join(quoted) + (f" and {more} more" if more > 0 else "")


def count(number: int, noun: str) -> str:
    """Say how many: "1 line", "2 lines"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def seconds(time: float) -> str:
    """Say a time: "9.8 s"."""
    return f"{time:.2g} s" if time < 1 else f"{round(time, 1):g} s"


def size(octets: int) -> str:
    """Say a size: "8 MiB"."""
    for unit, name in _UNITS:
        if octets >= unit:
            return f"{octets / unit:.4g} {name}"
    return count(octets, "byte")


def percent(share: Fraction) -> str:
    """Say a share: "50 %"."""
    return f"{float(share * 100):.4g} %"


def capital(sentence: str) -> str:
    """Begin a sentence with a capital letter, and leave the rest as it is."""
    return sentence[:1].upper() + sentence[1:]
