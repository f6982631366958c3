"""Which tests of a list names and globs mean: a name comes before a glob."""

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from fractions import Fraction

_Weights = Collection[tuple[str, Fraction]]


def match_tests(names: Sequence[str], pattern: str) -> list[str]:
    """Return the tests that a name or a glob means."""
    return [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]


def selected_tests(names: Sequence[str], only: Sequence[str], weights: _Weights) -> Mapping[str, Fraction]:
    """Return how much each test counts that `only` means, or each of all; LookupError with what means none."""
    for pattern in (*only, *dict(weights)):
        if not match_tests(names, pattern):
            raise LookupError(pattern)
    known, meant = find_weights(names, weights), {name for pattern in only for name in match_tests(names, pattern)}
    return {name: known.get(name, Fraction(1)) for name in names if not only or name in meant}


def find_weights(names: Sequence[str], weights: _Weights) -> dict[str, Fraction]:
    """Return how much those tests count that are meant: by their names, or the first glob that fits."""
    by_rank = sorted(weights, key=lambda pair: pair[0] not in names)
    return {name: weight for pattern, weight in reversed(by_rank) for name in match_tests(names, pattern)}
