"""The comparators: each in a file of its own, with its key, its reader and the other fields of `Comparator`."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module

from grader.core.comparators.any import ALL, NOT
from grader.core.comparators.base import OWN_ANSWER, Comparator
from grader.core.comparators.regex import has_group
from grader.core.model.spec import Expected
from grader.core.text import listed

MODULES_OF_COMPARATORS: Mapping[str, str] = {
    "text": "grader.core.comparators.text",
    "contains": "grader.core.comparators.contains",
    "regex": "grader.core.comparators.regex",
    "lines": "grader.core.comparators.lines",
    "tokens": "grader.core.comparators.tokens",
    "numbers": "grader.core.comparators.numbers",
    "json": "grader.core.comparators.json",
    "check": "grader.core.comparators.check",
    "any": "grader.core.comparators.any",
    "all": "grader.core.comparators.any",
    "not": "grader.core.comparators.any",
}
"""the name of a comparator -> the module that has it, under that name in capitals, `_` for `-`"""


@cache
def _comparator_named(name: str) -> Comparator:
    found: Comparator = getattr(import_module(MODULES_OF_COMPARATORS[name]), name.upper().replace("-", "_"))
    return found


class _Comparators(Mapping[str, Comparator]):
    """Imports the module of a comparator at its first use: most specs compare in one or two ways."""

    def __getitem__(self, name: str) -> Comparator:
        return _comparator_named(name)

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES_OF_COMPARATORS)

    def __len__(self) -> int:
        return len(MODULES_OF_COMPARATORS)


COMPARATORS: Mapping[str, Comparator] = _Comparators()
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


__all__ = ["COMPARATORS", "MODULES_OF_COMPARATORS", "Comparator", "in_words"]
