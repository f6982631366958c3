"""The comparators: each in a file of its own, with its key, its reader and the other fields of `Comparator`."""

from collections.abc import Callable, Mapping

from grader.core.comparators.any import ALL, ANY, NOT
from grader.core.comparators.base import OWN_ANSWER, Comparator
from grader.core.comparators.check import CHECK
from grader.core.comparators.contains import CONTAINS
from grader.core.comparators.json import JSON
from grader.core.comparators.lines import LINES
from grader.core.comparators.numbers import NUMBERS
from grader.core.comparators.regex import REGEX, has_group
from grader.core.comparators.text import TEXT
from grader.core.comparators.tokens import TOKENS
from grader.core.model import Expected
from grader.core.text import listed

COMPARATORS: Mapping[str, Comparator] = {
    one.name: one
    for one in (
        TEXT,
        CONTAINS,
        REGEX,
        LINES,
        TOKENS,
        NUMBERS,
        JSON,
        CHECK,
        ANY,
        ALL,
        NOT,
    )
}
"""name -> comparator, in the order of the language reference"""


def in_words(expected: Expected, show_text: Callable[[str], str], most: int | None = None) -> str:
    """Describe on one line what a text is compared with, with at most `most` of the wanted texts."""

    def describe_parts(parts: tuple[Expected, ...]) -> str:
        each = ((part, in_words(part, show_text, most)) for part in parts)
        return "; ".join(f"({words})" if part.either or part.parts else words for part, words in each)

    if expected.either:
        return f"any of these: {describe_parts(expected.either)}"
    if expected.how == ALL.name:
        return f"all of these: {describe_parts(expected.parts)}"
    if expected.how == NOT.name:
        denied = expected.parts[0].alternatives
        return f"{'anything but this' if len(denied) == 1 else 'none of these'}: {describe_parts(denied)}"
    shown = f"of {OWN_ANSWER}"
    if expected.want is not None:
        shown = listed(list(map(show_text, expected.want)), most=most) or "none at all"
    chosen = f", of the lines with {show_text(expected.only)} alone" if expected.only else ""
    chosen += f", without the lines with {show_text(expected.skip)}" if expected.skip else ""
    if expected.part:
        shown_part = show_text(expected.part)
        chosen += f", of what {shown_part} holds" if has_group(expected.part) else f", of what follows {shown_part}"
    return COMPARATORS[expected.how].words(expected, shown) + chosen


__all__ = ["COMPARATORS", "Comparator", "in_words"]
