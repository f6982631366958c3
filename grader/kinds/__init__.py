"""The rooms of the kinds of cases; `grader.core.kind` has the table of them.

Here is how what finds flaws in a spec for `grader lint` is marked, in the `check.py` of a room and in `grader/check/`.
What each rule is about, and all that it says, stands in `grader/check/rules.yaml`: code finds places and values.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Flaw = tuple[str, str, Mapping[str, Any]]
"""the path of what is meant; which sentence of the rule says what is wrong, if it has several; the values in it"""
_Finder = Callable[..., Iterator[Flaw]]


def flaw(path: str, sentence: str = "", /, **values: Any) -> Flaw:
    """Make a flaw at a path."""
    return path, sentence, values


def lint_rule(name: str, *, each: str = "", once: bool = False) -> Callable[[_Finder], _Finder]:
    """Mark what finds where a spec breaks a rule; several functions may find something of one.

    It is called with the subject and, one by one, with `each` of its "cases", "tests", "texts" or "answers". With
    `once`, the first flaw of each path is told.
    """

    def mark(find: _Finder) -> _Finder:
        vars(find)["lint_rule"] = {"name": name, "each": each, "once": once}
        return find

    return mark
