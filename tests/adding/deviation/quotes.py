"""An answer in quotation marks."""

from collections.abc import Iterator

from grader.core.deviations.table import Mended


def mended_quotes(actual: bytes, expected: bytes, *_: bytes) -> Iterator[Mended]:
    """Take the quotation marks out of an output."""
    if b'"' in actual:
        yield actual.replace(b'"', b""), expected, lambda: "The answer stands in quotation marks."
