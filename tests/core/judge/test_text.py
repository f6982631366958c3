"""Tables of deviations of one text, with what real programs write."""

from collections.abc import Callable
from fractions import Fraction

from grader.core.model.report import CaseResult, Verdict
from tests.support.rows import each_row

SampleResult = Callable[..., CaseResult]

LISTING = b"(2, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n"


def kinds(result: CaseResult) -> list[str]:
    return [deviation.kind for deviation in result.deviations]


@each_row
def test_a_listing_deviates_by(held: SampleResult, actual: bytes, expected_kinds: list[str]) -> None:
    result = held(actual, LISTING)
    assert kinds(result) == expected_kinds
    assert result.verdict == (Verdict.FAILED if expected_kinds else Verdict.PASSED)


@each_row
def test_two_texts_differ_by(held: SampleResult, actual: bytes, expected: bytes, expected_kinds: list[str]) -> None:
    assert kinds(held(actual, expected)) == expected_kinds


@each_row
def test_of_two_smallest_sets_the_one_that_keeps_more(
    held: SampleResult, tolerate: dict[str, Fraction], kind: str, credit: Fraction
) -> None:
    result = held(LISTING + b"\n", LISTING, tolerate)
    assert (kinds(result), result.credit) == ([kind], credit)


def test_credit_is_the_product(held: SampleResult) -> None:
    tolerate = {"letter-case": Fraction(9, 10), "final-newline": Fraction(1, 2), "wrong-stream": Fraction(1, 3)}
    result = held(LISTING.upper()[:-1], LISTING, tolerate)
    assert (result.verdict, result.credit) == (Verdict.PARTIAL, Fraction(9, 20))
    assert result.message.text.endswith("This costs 10 % of the credit; 45 % remains.")


def test_what_costs_nothing_is_named(held: SampleResult) -> None:
    result = held(LISTING[:-1], LISTING, {"final-newline": Fraction(1)})
    assert (result.verdict, result.credit, kinds(result)) == (Verdict.PASSED, Fraction(1), ["final-newline"])
    assert result.message.text == "The last line of standard output has no newline at its end. This costs nothing."


@each_row
def test_messages(held: SampleResult, actual: bytes, message: str) -> None:
    assert held(actual, LISTING).message.text == message


def test_a_long_line_is_quoted_where_it_differs(held: SampleResult) -> None:
    result = held(b"a" * 500 + b"b" + b"a" * 500, b"a" * 1001)
    assert result.message.text == (f"Line 1 of standard output is `…{'a' * 20}b{'a' * 39}…`, expected `…{'a' * 60}…`.")


def test_a_quotation_does_not_begin_inside_a_character(held: SampleResult) -> None:
    result = held("é".encode() * 100 + b"x", "é".encode() * 100 + b"y")
    assert "\\x" not in result.message.text


def test_bytes_that_are_no_text_are_quoted_escaped(held: SampleResult) -> None:
    remark = "it has bytes that are no text, as behind an array's end"
    told = rf"Line 1 of standard output is `\xff\xfe`, expected `ok`: {remark}."
    assert held(b"\xff\xfe", b"ok\n").message.text == told


@each_row
def test_the_first_line_that_differs_is_told(held: SampleResult, actual: str, told: str) -> None:
    result = held("".join(f"{line}\n" for line in actual.split()).encode(), b"a\nb\nc\nd\n")
    assert (kinds(result), result.message.text) == (["wrong"], told)


@each_row
def test_a_free_prompt_is_not_blamed(
    held: SampleResult, actual: bytes, tolerate: dict[str, Fraction], message: str
) -> None:
    assert held(actual, b"a\nb\nc\n", tolerate).message.text == message
