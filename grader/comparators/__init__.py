"""The comparators: each in a file of its own, with its key, its reader and all else that is asked of one."""

from collections.abc import Mapping

from grader.comparators.any import ANY
from grader.comparators.base import Comparator
from grader.comparators.check import CHECK
from grader.comparators.contains import CONTAINS
from grader.comparators.json import JSON
from grader.comparators.lines import LINES
from grader.comparators.numbers import NUMBERS
from grader.comparators.regex import REGEX
from grader.comparators.text import TEXT
from grader.comparators.tokens import TOKENS

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
    )
}
"""name -> comparator, in the order in which the language tells of them"""

__all__ = ["COMPARATORS", "Comparator"]
