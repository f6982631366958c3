"""Which tests of a list names and globs mean: a name comes before a glob."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from fractions import Fraction


def select_tests(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """Return the tests that names and globs mean, in their order, without any all of them.

    Raises LookupError with the first that means none.
    """
    found = {name for pattern in patterns for name in _match_tests(names, pattern)}
    return [name for name in names if name in found or not patterns]


def weigh_tests(names: Sequence[str], weights: Sequence[tuple[str, Fraction]]) -> Mapping[str, Fraction]:
    """Return how much each test counts: by its name, or the first glob that fits. Raises as `select_tests`."""
    exact: dict[str, Fraction] = {}
    by_glob: dict[str, Fraction] = {}
    for pattern, weight in weights:
        for name in _match_tests(names, pattern):
            (exact if name == pattern else by_glob).setdefault(name, weight)
    return {name: exact.get(name, by_glob.get(name, Fraction(1))) for name in names}


def _match_tests(names: Sequence[str], pattern: str) -> list[str]:
    found = [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]
    if not found:
        raise LookupError(pattern)
    return found
