"""The mark by which `grader lint` knows its rules: those for all specs, and those in the rooms of kinds."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

_Finder = TypeVar("_Finder", bound=Callable[..., Any])


def lint_rule(
    level: Literal["error", "warning", "note"] | None, name: str, *, once: bool = False, **needs: Any
) -> Callable[[_Finder], _Finder]:
    """Make a rule of a function, whose docstring says what is wrong with a spec that breaks it, and why it matters.

    `needs` are `asks` and `takes_course` of `LintRule`, and `each`: what it is called with, one by one. Without a level
    it finds more of what breaks the rule of that name. With `once`, the first flaw of each path is told.
    """

    def mark(find: _Finder) -> _Finder:
        vars(find)["lint_rule"] = {"level": level, "name": name, "once": once, **needs}
        return find

    return mark
