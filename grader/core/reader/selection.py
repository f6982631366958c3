"""Which tests of a list names and globs mean: a name comes before a glob."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from fractions import Fraction


def match_tests(names: Sequence[str], pattern: str) -> list[str]:
    """Return the tests that a name or a glob means."""
    return [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]


def select_tests(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """Return the tests that names and globs mean, in their order, without any all. LookupError as `weigh_tests`."""
    found = weigh_tests(names, [(pattern, Fraction(0)) for pattern in patterns])
    return [name for name in names if not patterns or not found[name]]


def weigh_tests(names: Sequence[str], weights: Sequence[tuple[str, Fraction]]) -> Mapping[str, Fraction]:
    """Return how much each test counts, by default 1. Raises LookupError with the first pattern that means none."""
    for pattern, _ in weights:
        if not match_tests(names, pattern):
            raise LookupError(pattern)
    return dict.fromkeys(names, Fraction(1)) | find_weights(names, weights)


def find_weights(names: Sequence[str], weights: Iterable[tuple[str, Fraction]]) -> dict[str, Fraction]:
    """Return how much those tests count that are meant: by their names, or the first glob that fits."""
    by_rank = sorted(weights, key=lambda one: one[0] not in names)
    return {name: weight for pattern, weight in reversed(by_rank) for name in match_tests(names, pattern)}
