"""Deviations of whole answers: alone, beside blanks or order, and what is none of them."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.core.comparators.lines import LineOptions
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Expectation, Leaf
from tests.support.examples import examples
from tests.support.rows import each_row

SampleResult = Callable[..., CaseResult]
Judged = Callable[..., CaseResult]

Tuples = list[tuple[int, ...]]

FIVE: Tuples = [(2, 4, 1, 3, 5), (3, 1, 4, 2, 5), (1, 3, 5, 2, 4)]
USAGE = b"Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions\n"


def listing(tuples: Tuples, told: int = 3) -> bytes:
    """The listing as the assignment has it."""
    rows = [f"({', '.join(map(str, row))})\n" for row in tuples]
    return "".join([*rows, f"5-Queens has {told} solutions\n"]).encode()


def shifted(tuples: Tuples, by: int) -> Tuples:
    return [tuple(number + by for number in row) for row in tuples]


def backwards(tuples: Tuples) -> Tuples:
    return [row[::-1] for row in tuples]


def inverse(tuples: Tuples) -> Tuples:
    return [tuple(row.index(number) + min(row) for number in sorted(row)) for row in tuples]


LISTING = listing(FIVE)

RIGHT: dict[str, tuple[bytes, bytes]] = {
    "prompt": (b"Enter a number: " + LISTING, LISTING),
    "zero-based": (listing(shifted(FIVE, -1)), LISTING),
    "one-based": (listing(shifted(FIVE, 1)), LISTING),
    "reversed": (listing(backwards(FIVE)), LISTING),
    "transposed": (listing(inverse(FIVE)), LISTING),
    "wrong-count": (listing(FIVE, 4), LISTING),
    "wording": (LISTING.replace(b"solutions", b"soultions"), LISTING),
}
"""each kind alone"""


def kinds(result: CaseResult) -> list[str]:
    return [deviation.kind for deviation in result.deviations]


def swapped(text: bytes) -> bytes:
    one, other, *rest = text.splitlines(keepends=True)
    return b"".join([other, one, *rest])


def repeated(text: bytes) -> bytes:
    return text.splitlines(keepends=True)[1] + text


BESIDE: dict[str, Callable[[bytes], bytes]] = {
    "final-newline": lambda text: text[:-1],
    "line-endings": lambda text: text.replace(b"\n", b"\r\n"),
    "trailing-space": lambda text: text.replace(b"\n", b" \n"),
    "inner-space": lambda text: text.replace(b", ", b","),
    "letter-case": bytes.upper,
    "order": swapped,
    "duplicates": repeated,
    "extra-lines": lambda text: text + b"Bye.\n",
}


@pytest.mark.parametrize("kind", RIGHT)
def test_alone(held: SampleResult, kind: str) -> None:
    result = held(*RIGHT[kind])
    assert (kinds(result), result.credit) == ([kind], Fraction(0))
    result = held(*RIGHT[kind], {kind: Fraction(3, 4)})
    assert (kinds(result), result.verdict, result.credit) == ([kind], Verdict.PARTIAL, Fraction(3, 4))


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("kind", RIGHT)
def test_beside_another(held: SampleResult, kind: str, beside: str) -> None:
    actual, expected = RIGHT[kind]
    result = held(BESIDE[beside](actual), expected, {kind: Fraction(1, 2), beside: Fraction(1, 3)})
    # A prompt is on the first line only, which is repeated or the second one then.
    if kind == "prompt" and beside in ("order", "duplicates"):
        assert kind in kinds(result)
    else:
        assert (kinds(result), result.credit) == ([kind, beside], Fraction(1, 6))


@each_row
def test_what_was_done_to_an_answer(
    held: SampleResult, actual: bytes, expected: bytes, expected_kinds: list[str]
) -> None:
    assert kinds(held(actual, expected)) == expected_kinds


@each_row
def test_of_one_size_the_one_that_keeps_more(
    held: SampleResult, tolerate: dict[str, Fraction], expected_kinds: list[str]
) -> None:
    both = (b"(3, 1, 4, 2)\n(2, 4, 1, 3)\n", b"(2, 4, 1, 3)\n(3, 1, 4, 2)\n")
    assert kinds(held(*both, tolerate)) == expected_kinds


@each_row
def test_a_smaller_set_takes_no_credit_away(
    held: SampleResult, tolerate: dict[str, Fraction], expected_kinds: list[str]
) -> None:
    assert kinds(held(b"(2, 1)\n(1, 2)\n(2, 1)\n", b"(1, 2)\n(2, 1)\n(1, 2)\n", tolerate)) == expected_kinds


def test_newlines_of_a_long_listing(held: SampleResult) -> None:
    rows = [b"%d" % number for number in range(20_000)]
    expected, actual = b"\n".join([*rows, b""]), b" ".join(rows) + b"\n"
    assert kinds(held(actual, expected)) == ["joined-lines"]
    assert kinds(held(actual.replace(b" 7777 ", b" 7778 "), expected)) == ["wrong"]


@each_row
def test_messages_of_whole_answers(held: SampleResult, actual: bytes, expected: bytes, message: str) -> None:
    assert held(actual, expected).message.text == message


@pytest.mark.parametrize("kind", RIGHT)
def test_lines_in_any_order(judged: Judged, kind: str) -> None:
    actual, expected = RIGHT[kind]
    expect = Expectation(stdout=Leaf(how="lines", options=LineOptions(ordered=False)))
    one, *rest = actual.splitlines(keepends=True)
    reference = Execution(stdout=expected, status=0)
    for text in (actual, b"".join([*rest, one])):
        assert kinds(judged(Execution(stdout=text, status=0), expect, None, reference)) == [kind]


def test_on_the_other_stream(judged: Judged) -> None:
    expect = Expectation(stderr=Leaf(how="text", want=(USAGE.decode(),)))
    result = judged(Execution(stdout=USAGE.replace(b"Option", b"Options"), status=0), expect)
    assert kinds(result) == ["wrong-stream", "wording"]


@pytest.mark.parametrize("how", ["tokens", "numbers", "contains"])
def test_not_where_there_are_no_lines(judged: Judged, how: str) -> None:
    expected = Leaf(how=how, want=("1", "2", "3"))
    assert kinds(judged(Execution(stdout=b"0 1 2\n", status=0), Expectation(stdout=expected))) == ["wrong"]


PERMUTATIONS = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.permutations(range(1, n + 1)).map(tuple), min_size=1, max_size=6, unique=True)
)
CHANGES: dict[str, Callable[[Tuples], Tuples]] = {
    "zero-based": lambda tuples: shifted(tuples, -1),
    "one-based": lambda tuples: shifted(tuples, 1),
    "reversed": backwards,
    "transposed": inverse,
}


@given(tuples=PERMUTATIONS, kind=st.sampled_from([*CHANGES, "wrong-count"]), blank=st.sampled_from(["", *BESIDE][:5]))
@settings(max_examples=examples(200))
def test_what_is_done_to_a_listing_is_named_or_something_as_small(
    held: SampleResult, tuples: Tuples, kind: str, blank: str
) -> None:
    changed = CHANGES[kind](tuples) if kind in CHANGES else tuples
    expected = listing(tuples, len(tuples))
    actual = listing(changed, len(tuples) + (kind == "wrong-count"))
    actual = BESIDE[blank](actual) if blank else actual
    found = set(kinds(held(actual, expected)))
    made = ({kind} if changed != tuples or kind == "wrong-count" else set()) | ({blank} if blank else set())
    assert "wrong" not in found
    assert len(found) <= len(made)
    assert found == made or found & {"order", *CHANGES}
    assert held(actual, expected, {kind: Fraction(1), blank: Fraction(1)}).credit == 1


@given(tuples=PERMUTATIONS, at=st.integers(0), data=st.data())
@settings(max_examples=examples(200))
def test_a_wrong_listing_with_the_right_number_is_no_wrong_count(
    held: SampleResult, tuples: Tuples, at: int, data: st.DataObject
) -> None:
    others = list(tuples)
    others[at % len(tuples)] = tuple(data.draw(st.permutations(others[0])))
    if data.draw(st.booleans()):
        others.append(tuple(data.draw(st.permutations(others[0]))))
    told = len(tuples)
    found = kinds(held(listing(others, told), listing(tuples, told)))
    assert "wrong-count" not in found
    if sorted(others) != sorted(tuples):
        assert found


@given(tuples=PERMUTATIONS, other=PERMUTATIONS)
@settings(max_examples=examples(200))
def test_no_listing_is_right_for_another(held: SampleResult, tuples: Tuples, other: Tuples) -> None:
    found = set(kinds(held(listing(tuples), listing(other))))
    for kind in found & CHANGES.keys():
        mended = set(CHANGES[{"zero-based": "one-based", "one-based": "zero-based"}.get(kind, kind)](tuples))
        assert mended <= set(other) or mended >= set(other)


PRICES = {
    "wrong-count": Fraction(1, 2),
    "order": Fraction(4, 5),
    "final-newline": Fraction(1),
    "wording": Fraction(9, 10),
}
ROWS = b"(2, 4, 1, 3)\n(3, 1, 4, 2)\n"
SUMMARY = b"4-Queens has 2 solutions\n"


@each_row
def test_a_line_with_the_count_that_is_missing_or_says_something_else(
    held: SampleResult, actual: bytes, expected_kinds: set[str]
) -> None:
    assert {one.kind for one in held(actual, ROWS + SUMMARY, PRICES).deviations} == expected_kinds
    unpriced = {kind: share for kind, share in PRICES.items() if kind != "wrong-count"}
    without = {one.kind for one in held(actual, ROWS + SUMMARY, unpriced).deviations}
    assert "wrong-count" not in without


@each_row
def test_the_count_of_an_empty_listing_costs_what_it_costs_elsewhere(
    held: SampleResult, actual: bytes, expected: bytes, expected_kinds: set[str]
) -> None:
    assert {one.kind for one in held(actual, expected, PRICES).deviations} == expected_kinds
    unpriced = {kind: share for kind, share in PRICES.items() if kind != "wrong-count"}
    assert "wrong-count" not in {one.kind for one in held(actual, expected, unpriced).deviations}
