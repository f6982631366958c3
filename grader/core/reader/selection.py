"""Which tests of a list names and globs mean: a name comes before a glob."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from fractions import Fraction


def select_tests(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """Return the tests that names and globs mean, in their order, without any all. LookupError as `weigh_tests`."""
    found = weigh_tests(names, [(pattern, Fraction(0)) for pattern in patterns])
    return [name for name in names if not patterns or not found[name]]


def weigh_tests(names: Sequence[str], weights: Sequence[tuple[str, Fraction]]) -> Mapping[str, Fraction]:
    """Return how much each test counts: by its name, or the first glob that fits.

    Raises LookupError with the first pattern that means none.
    """
    weighed: dict[str, Fraction] = {}
    for pattern, weight in sorted(weights, key=lambda one: one[0] not in names):
        fitting = [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]
        if not fitting:
            raise LookupError(pattern)
        weighed |= {name: weight for name in fitting if name not in weighed}
    return {name: weighed.get(name, Fraction(1)) for name in names}
