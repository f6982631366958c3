"""`each` of a test: its variables, and every combination of their values, the first variable changing slowest."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from grader.core.model.generated_inputs import GeneratedNumber
from grader.core.reader.generated import read_variable
from grader.core.yaml.nodes import Listing
from grader.core.yaml.value import WORD, Value, each_of, entries, in_quotes, keyword, parse_range, text, unwanted, wrong

MAX_CASES = 10_000  # of a whole spec; more is a slip of the pen in `each`
_WANTED_VALUES = "a range such as 1..10, the smaller end first, a list, or {random: 1..10, count: 3}"

Filling = Mapping[str, str]
"""variable -> value"""


class Variables(Struct, frozen=True, kw_only=True):
    """The values of a test's variables."""

    fillings: Sequence[Filling] = ({},)  # every combination of their values
    generated: Mapping[str, Mapping[str, GeneratedNumber]] = field(default_factory=dict)
    """variable -> its values, each with where it comes from; only of variables whose values are generated"""

    def generated_in(self, filling: Filling) -> Mapping[str, tuple[str, GeneratedNumber]]:
        """Return for each generated value of a filling, by its variable, how names of cases call it, `#1`."""
        found = (
            (name, [*values].index(filling[name]), values[filling[name]]) for name, values in self.generated.items()
        )
        return {name: (f"#{place + 1}", number) for name, place, number in found}


def read_variables(value: Value, test: str) -> Variables:
    """Read `each` of the test of that name."""
    variables: dict[str, Sequence[str]] = {}
    generated: dict[str, Mapping[str, GeneratedNumber]] = {}
    for name, (key, entry) in entries(value).items():
        if not re.fullmatch(WORD, name):
            unwanted(key, "a variable's name, one word such as n")
        numbers = read_variable(entry, test, name)
        if numbers:
            generated[name] = numbers
        variables[name] = _read_range_or_list(entry) if numbers is None else tuple(numbers) or ("",)
    if not variables:
        unwanted(value, "at least one variable, such as {n: 1..10}")
    if math.prod(map(len, variables.values())) > MAX_CASES:
        wrong(value, f"this makes more than {MAX_CASES} cases: shorten a range or a list")
        return Variables()
    combined = itertools.product(*variables.values())
    return Variables(fillings=[dict(zip(variables, values, strict=True)) for values in combined], generated=generated)


def _read_range_or_list(value: Value) -> Sequence[str]:
    """Read what a variable goes through: a range, or a list of texts."""
    if isinstance(value.node, Listing):
        values = each_of(text)(value)
    else:
        span = parse_range(keyword(value) or "") or range(0)
        values = tuple(map(str, span[: MAX_CASES + 1]))
    if not values:
        unwanted(value, _WANTED_VALUES)
    elif twice := [entry for entry, times in Counter(values).items() if entry and times > 1]:
        wrong(value, f"{in_quotes(twice[0])} is in this list more than once: keep one")
    return values or ("",)
