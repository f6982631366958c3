"""Quantities as people write them. Every function takes the text and returns None when it is no such quantity.

The patterns bound the digits, so that no text makes a number that takes long to compute.
"""

import math
import re
from collections.abc import Mapping
from fractions import Fraction

_DECIMAL = r"[0-9]{1,12}(?:\.[0-9]{1,12})?"
_QUANTITY = re.compile(rf"({_DECIMAL}) ?([A-Za-z]+)")
_PERCENT = re.compile(rf"({_DECIMAL}) ?%")
_ANY_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SHORT_INTEGER = r"-?(?:0|[1-9][0-9]{0,8})"
_RANGE = re.compile(rf"({_SHORT_INTEGER})\.\.({_SHORT_INTEGER})")

_SECONDS_EACH = {"ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60)}
_BYTES_EACH = {
    "B": Fraction(1),
    "kB": Fraction(10**3),
    "MB": Fraction(10**6),
    "GB": Fraction(10**9),
    "KiB": Fraction(2**10),
    "MiB": Fraction(2**20),
    "GiB": Fraction(2**30),
}

QUANTITIES: Mapping[str, str] = {
    "duration": rf"^(?=[0-9.]*[1-9]){_DECIMAL} ?({'|'.join(_SECONDS_EACH)})$",
    "size": rf"^(?=[0-9.]*[1-9]){_DECIMAL} ?({'|'.join(_BYTES_EACH)})$",
    "share": r"^0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]{1,12})?) ?%$",
    "number": rf"^{_ANY_NUMBER.pattern}$",
    "range": rf"^{_RANGE.pattern}$",
}
"""the same quantities as regular expressions that other languages read too, for the schema"""


def parse_duration(text: str) -> float | None:
    """`10 s`, `500 ms`, `2 min` in seconds, more than 0."""
    seconds = _quantity(text, _SECONDS_EACH)
    return float(seconds) if seconds else None


def parse_size(text: str) -> int | None:
    """`512 MiB`, `8 MB`, `64 KiB` in bytes, at least 1."""
    return int(_quantity(text, _BYTES_EACH) or 0) or None


def parse_count(text: str) -> int | None:
    """`64`: at least 1."""
    return int(text) if re.fullmatch(r"[1-9][0-9]{0,8}", text) else None


def parse_percent(text: str) -> Fraction | None:
    """`0%` to `100%`, exactly, as a share of 1."""
    match = _PERCENT.fullmatch(text)
    share = Fraction(match[1]) / 100 if match else None
    return share if share is not None and share <= 1 else None


def parse_points(text: str) -> Fraction | None:
    """`10` or `2.5`, exactly; 0 or more."""
    return Fraction(text) if re.fullmatch(_DECIMAL, text) else None


def parse_number(text: str) -> float | None:
    """Any finite decimal number, also `-3`, `.5` and `1e-6`."""
    value = float(text) if _ANY_NUMBER.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


def parse_exit_status(text: str) -> int | None:
    """`0` to `255`."""
    status = int(text) if re.fullmatch(r"[0-9]{1,3}", text) else 256
    return status if status < 256 else None  # noqa: PLR2004 — a byte, as POSIX has it


def parse_range(text: str) -> range | None:
    """`1..10`, both ends included; empty when the ends are the wrong way round."""
    match = _RANGE.fullmatch(text)
    return range(int(match[1]), int(match[2]) + 1) if match else None


def _quantity(text: str, units: dict[str, Fraction]) -> Fraction | None:
    match = _QUANTITY.fullmatch(text)
    return Fraction(match[1]) * units[match[2]] if match and match[2] in units else None
