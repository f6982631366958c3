"""What each comparator says of an output, and which deviations it can name."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from grader.core.comparators import COMPARATORS
from grader.core.comparators.lines import common_lines
from grader.core.comparators.regex import matches_everything
from grader.core.comparators.text import TEXT_DEVIATIONS
from grader.core.deviations.search import MAX_SEARCHED
from grader.core.deviations.table import LINE_KINDS, MENDED_KINDS, TEXT_KINDS
from grader.core.errors import HostError
from grader.core.model.spec import Leaf
from tests.support.comparators import compare, wanted_of
from tests.support.rows import each_row


@each_row
def test_what_is_said(
    how: str, output: bytes, values: tuple[bytes, ...], more: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    assert compare(how, output, *values, **more) == found


FIVE = b"1\n22\n333\n4444\nfive\n"


@each_row
def test_right_lines_keep_their_share(
    output: bytes, wanted: bytes, more: dict[str, Any], share: str, message: str
) -> None:
    (found,) = COMPARATORS["lines"].compare(output, wanted_of("lines", wanted, by_line=True, **more))
    assert found.keeps == Fraction(share)
    assert found.message.startswith(message)


@each_row
def test_numbers_in_lines_may_be_off(output: bytes, wanted: bytes, more: dict[str, Any], kinds: list[str]) -> None:
    found = COMPARATORS["lines"].compare(output, wanted_of("lines", wanted, **more))
    assert [one.kind for one in found] == kinds


def test_the_share_is_that_of_the_longest_common_subsequence() -> None:
    random = Random(1)  # noqa: S311 - a test
    for _ in range(200):
        one, other = (random.choices(b"abcd", k=random.randrange(9)) for _ in range(2))
        longest = [[0] * 10 for _ in range(10)]
        for i, j in product(range(len(one)), range(len(other))):
            before = max(longest[i - 1][j], longest[i][j - 1])
            longest[i][j] = longest[i - 1][j - 1] + 1 if one[i] == other[j] else before
        first, second = (b"\n".join(b"%c" % line for line in lines) for lines in (one, other))
        assert common_lines(first, second + b"\n" * bool(other), ordered=True) == max(map(max, longest)), (one, other)


def test_texts_with_too_many_pairs_of_lines_have_no_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.comparators.lines.MAX_ALIGNED", 15)
    wanted = wanted_of("lines", FIVE, by_line=True)
    assert COMPARATORS["lines"].compare(b"x\n" * 99 + FIVE[2:], wanted)[0].keeps == Fraction(4, 103)
    with pytest.raises(HostError, match="too long"):
        COMPARATORS["lines"].compare(b"22\n1\nfive\n4444\n", wanted)
    monkeypatch.setattr("grader.core.comparators.lines.MAX_ALIGNED", 4 * 5 * 5)
    assert COMPARATORS["lines"].compare(b"22\n1\nfive\n4444\n" * 10, wanted)[0].keeps == 0
    monkeypatch.setattr("grader.core.comparators.lines.MAX_ALIGNED", 4 * 5 * 5 - 1)
    with pytest.raises(HostError, match="too long"):
        COMPARATORS["lines"].compare(b"22\n1\nfive\n4444\n" * 10, wanted)


@pytest.mark.parametrize(("lines", "common"), [(2**17, 1), (2**17 + 1, None)])
def test_of_how_many_pairs_of_lines_those_in_common_are_counted(lines: int, common: int | None) -> None:
    assert common_lines(b"a\n" * 2**16, b"b\n" * (lines - 2) + b"a\nb\n", ordered=True) == common


def test_a_very_long_text_is_not_searched_for_everything() -> None:
    remark = " A text over 1 MiB is not searched for every kind of difference."
    long = b"a\n" * (MAX_SEARCHED // 2)
    for output, want, is_remarked in (
        (b"b\nc\n", long, False),
        (long + b"a", b"b\n" + long[2:], True),
        (b"b\nc\n", long + b"d", True),
        (b"", long + b"d", False),
        (long + b"d", b"", False),
    ):
        [(kind, message)] = compare("text", output, want)
        assert kind == "wrong"
        assert message.endswith(remark) is is_remarked


# ---------------------------------------------------------------- which deviations there can be

ONE_LINE = TEXT_DEVIATIONS - {"missing-lines", "order"}
NO_LINE = TEXT_DEVIATIONS - LINE_KINDS - (MENDED_KINDS - {"prompt"}) - {"letter-case"}
WRONG = frozenset({"wrong"})


TEXT_AND_WRONG = TEXT_KINDS | WRONG


@each_row
def test_which_deviations_there_can_be(expected: Leaf, kinds: frozenset[str], less: frozenset[str]) -> None:
    assert COMPARATORS[expected.how].reachable(expected) == kinds - less


def test_a_deviation_keeps_the_credit_that_is_tolerated() -> None:
    wanted = wanted_of("contains", b"a", tolerate={"letter-case": Fraction(1, 2)})
    [one] = COMPARATORS["contains"].compare(b"A", wanted)
    assert (one.kind, one.stream, one.keeps) == ("letter-case", "stdout", Fraction(1, 2))
    [one] = COMPARATORS["contains"].compare(b"x", wanted)
    assert (one.kind, one.keeps) == ("wrong", Fraction(0))


@pytest.mark.parametrize("pattern", ["a*", "", "^", "(?s)^.*$", "(?m)^.*$"])
def test_a_pattern_that_matches_everything(pattern: str) -> None:
    assert matches_everything(pattern) is True


@pytest.mark.parametrize("pattern", ["a", "^.*$", "^[^\n]*$", "^[^x]*$", "^[^\u017f]*$", "(?s)^.{0,4999}$", r"\b"])
def test_a_pattern_that_does_not(pattern: str) -> None:
    assert matches_everything(pattern) is False
