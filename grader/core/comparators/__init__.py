"""The comparators: each in a file of its own, with its key, its reader and the other fields of `Comparator`."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module

from grader.core.comparators.base import OWN_ANSWER, Comparator
from grader.core.comparators.regex import has_group
from grader.core.model.spec import AllOf, AnyOf, Expected, Leaf
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
    if isinstance(expected, Leaf):
        return _leaf_in_words(expected, show_text, most)
    if not expected.parts:
        return "whatever it is"
    each = ((part, in_words(part, show_text, most)) for part in expected.parts)
    several = "none of these" if len(expected.parts) > 1 else "anything but this"
    named = {AnyOf: "any of these", AllOf: "all of these"}.get(type(expected), several)
    return f"{named}: {'; '.join(words if isinstance(part, Leaf) else f'({words})' for part, words in each)}"


def _leaf_in_words(leaf: Leaf, show_text: Callable[[str], str], most: int | None) -> str:
    shown = f"of {OWN_ANSWER}"
    if leaf.want is not None:
        shown = listed(list(map(show_text, leaf.want)), most=most) or "none at all"
    chosen = f", of the lines with {show_text(leaf.only)} alone" if leaf.only else ""
    chosen += f", without the lines with {show_text(leaf.skip)}" if leaf.skip else ""
    if leaf.part:
        chosen += f", of what {'{} holds' if has_group(leaf.part) else 'follows {}'}".format(show_text(leaf.part))
    return COMPARATORS[leaf.how].words(leaf, shown) + chosen
