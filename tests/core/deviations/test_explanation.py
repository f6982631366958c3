"""The search for the smallest set, against trying every set there is."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.core.deviations.search import explain_difference, level, normal, shapes
from grader.core.deviations.sentences import describe_kinds
from grader.core.deviations.table import DEVIATIONS, TEXT_KINDS
from tests.support.examples import examples

TEXTS = st.lists(st.sampled_from([b"a", b"A", b"b", b" ", b"\t", b"\n", b"\n", b"\r\n"]), max_size=12).map(
    lambda parts: b"".join(parts) + b"\n"
)
SHARES = st.dictionaries(st.sampled_from([*DEVIATIONS]), st.fractions(0, 1, max_denominator=9))


def every_explanation(actual: bytes, expected: bytes) -> Iterator[frozenset[str]]:
    for size in range(len(TEXT_KINDS) + 1):
        for chosen in combinations(sorted(TEXT_KINDS), size):
            kinds = frozenset(chosen)
            pairs = [(actual, expected)]
            if "final-newline" in kinds:
                pairs.append(level(actual, expected, kinds))
            for one, other in pairs:
                yield from (kinds | shape for shape in shapes(normal(one, kinds), normal(other, kinds)))


@given(actual=TEXTS, expected=TEXTS)
@settings(max_examples=examples(150))
@example(actual=b"a\n   \n", expected=b"a\n")
@example(actual=b"A\n   \n", expected=b"a\n")
@example(actual=b" a\n\nb \n", expected=b"a\nb\n")
@example(actual=b"a\na\n", expected=b"a\n A \n")  # and not duplicates with missing-lines
def test_of_blanks_and_capitals_the_smallest_set(actual: bytes, expected: bytes) -> None:
    smallest = min((len(kinds) for kinds in every_explanation(actual, expected) if kinds <= TEXT_KINDS), default=None)
    found = explain_difference(actual, expected, {})
    if smallest is not None:
        assert found is not None
        assert (found <= TEXT_KINDS, len(found)) == (True, smallest)


@given(actual=TEXTS, expected=TEXTS, tolerate=SHARES)
@settings(max_examples=examples(150))
def test_what_is_found_explains_and_nothing_in_it_can_be_left_out(
    actual: bytes, expected: bytes, tolerate: dict[str, Fraction]
) -> None:
    found = explain_difference(actual, expected, tolerate)
    everything = set(every_explanation(actual, expected))
    assert found in everything if everything else found is None
    assert found is None or not any(kinds < found for kinds in everything)


def test_a_last_line_of_blanks_without_a_newline_is_none_of_those_that_are_repeated() -> None:
    told = dict(describe_kinds(b"a\r\n\r\na\r\n", b"a\r\n\t", frozenset({"trailing-space", "duplicates"}), "it"))
    assert told["duplicates"] == "It repeats 2 lines (``, `a`)."
