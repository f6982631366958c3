"""The comparators: each with its key, its reader and the other fields of `Comparator`."""

import re
from collections import UserDict
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from msgspec import Struct

from grader.core.comparators.base import OWN_ANSWER, Comparator
from grader.core.model.layout import StoredFile
from grader.core.model.spec import AllOf, AnyOf, Expected, Leaf
from grader.core.text import listed

_NAMES = (
    *("text", "contains", "regex", "lines", "tokens", "numbers", "json"),
    "check",
)
_ELSEWHERE = {"contains": "text", "numbers": "tokens"}
MODULES_OF_COMPARATORS = {name: f"{__name__}.{_ELSEWHERE.get(name, name).replace('-', '_')}" for name in _NAMES}
"""the name of a comparator -> the module that has it, under that name in capitals, `_` for `-`"""


class _Comparators(UserDict[str, Any]):
    """Imports the module of a comparator at its first use: most specs compare in one or two ways."""

    def __getitem__(self, name: str) -> Any:
        return getattr(import_module(self.data[name]), name.upper().replace("-", "_"))


COMPARATORS: Mapping[str, Comparator] = _Comparators(MODULES_OF_COMPARATORS)
"""name -> comparator, in the order of the language reference"""


class StoredWant(Struct, frozen=True, kw_only=True):
    """What a comparator makes of a large file of the course, as `Leaf.want`: read for the case that needs it."""

    how: str
    file: StoredFile

    def read(self) -> tuple[str, ...]:
        """Return what is wanted; HostError when the file is another one by now."""
        return COMPARATORS[self.how].freeze(self.file.read())


def in_words(expected: Expected, show_text: Callable[[str], str], most: int | None = None) -> str:
    """Describe on one line what a text is compared with, with at most `most` of the wanted texts."""
    if not isinstance(expected, Leaf):
        worded = ((part, in_words(part, show_text, most)) for part in expected.parts)
        several = "none of these" if len(expected.parts) > 1 else "anything but this"
        named = {AnyOf: "any of these", AllOf: "all of these"}.get(type(expected), several)
        described = "; ".join(words if isinstance(part, Leaf) else f"({words})" for part, words in worded)
        return f"{named}: {described}" if described else "whatever it is"
    want, part = expected.want, expected.part
    shown = f"of {OWN_ANSWER}" if want is None else listed(list(map(show_text, want)), most=most) or "none at all"
    chosen = f", of the lines with {show_text(expected.only)} alone" if expected.only else ""
    chosen += f", without the lines with {show_text(expected.skip)}" if expected.skip else ""
    holds, follows = f", of what {show_text(part)} holds", f", of what follows {show_text(part)}"
    chosen += (holds if re.compile(part).groups else follows) if part else ""
    return COMPARATORS[expected.how].words(expected, shown) + chosen
