"""Tables of deviations of one text, with what real programs write."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from grader.core.model.report import CaseResult, Verdict

SampleResult = Callable[..., CaseResult]
Judged = SampleResult

LISTING = b"(2, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n"
FIRST, SECOND, LAST = LISTING.splitlines(keepends=True)


def kinds(result: CaseResult) -> list[str]:
    return [deviation.kind for deviation in result.deviations]


@pytest.mark.parametrize(
    ("actual", "expected_kinds"),
    [
        (LISTING, []),
        (LISTING[:-1], ["final-newline"]),
        (LISTING + b"\n", ["final-newline"]),
        (LISTING + b"\n\n", ["blank-lines"]),
        (LISTING.replace(b"\n", b"\r\n"), ["line-endings"]),
        (FIRST + SECOND.replace(b"\n", b"\r\n") + LAST, ["line-endings"]),
        (LISTING.replace(b"\n", b"\r"), ["wrong"]),
        (LISTING.replace(b"\n", b" \t\n"), ["trailing-space"]),
        (LISTING.replace(b"\n", b" \r\n"), ["line-endings", "trailing-space"]),
        (FIRST + b" " + SECOND + LAST, ["leading-space"]),
        (LISTING.replace(b", ", b","), ["inner-space"]),
        (LISTING.replace(b")", b" )"), ["inner-space"]),
        (LISTING.replace(b" has", b"\t has"), ["inner-space"]),
        (LISTING.replace(b" has", b"has"), ["wrong"]),
        (LISTING.replace(b"\n", b"\n\n"), ["blank-lines"]),
        (b"  \n" + LISTING, ["blank-lines"]),
        (LISTING + b"   ", ["trailing-space"]),
        (LISTING.upper(), ["letter-case"]),
        (LISTING.upper()[:-1], ["final-newline", "letter-case"]),
        (SECOND + FIRST + LAST, ["order"]),
        (SECOND + FIRST + LAST[:-1], ["final-newline", "order"]),
        (SECOND + FIRST + LAST + b"\n", ["final-newline", "order"]),
        ((SECOND + FIRST + LAST).replace(b" ", b"  "), ["inner-space", "order"]),
        (FIRST + FIRST + SECOND + LAST, ["duplicates"]),
        (LISTING + LISTING, ["duplicates"]),
        (SECOND + FIRST + FIRST + LAST, ["order", "duplicates"]),
        (FIRST + b"Found one.\n" + SECOND + LAST, ["extra-lines"]),
        (b"Found one.\n" + SECOND + FIRST + LAST, ["order", "extra-lines"]),
        (LISTING + b"Bye.\n", ["extra-lines"]),
        (FIRST + LAST, ["missing-lines"]),
        (FIRST, ["missing-lines"]),
        (LAST + FIRST, ["order", "missing-lines"]),
        (FIRST + FIRST + LAST, ["wrong"]),
        (LISTING.replace(b"solutions", b"soultions"), ["wording"]),
        (LISTING.replace(b"2 sol", b"3 sol"), ["wrong-count"]),
        (b"", ["wrong"]),
        (b"\n", ["wrong"]),
        (b"\n".join((FIRST, b"and more")), ["wrong"]),
    ],
)
def test_a_listing_deviates_by(held: SampleResult, actual: bytes, expected_kinds: list[str]) -> None:
    result = held(actual, LISTING)
    assert kinds(result) == expected_kinds
    assert result.verdict == (Verdict.FAILED if expected_kinds else Verdict.PASSED)


@pytest.mark.parametrize(
    ("actual", "expected", "expected_kinds"),
    [
        (b"1 23", b"12 3", ["wrong"]),
        (b"1 2", b"12", ["wrong"]),
        (b"4 -1", b"4-1", ["wrong"]),
        (b"4 - 1", b"4-1", ["inner-space"]),
        (b"1. 5", b"1.5", ["wrong"]),
        (b"1 .5", b"1.5", ["wrong"]),
        (b"-v verbose", b"-v  verbose", ["inner-space"]),
        (b"-v\tverbose", b"-v  verbose", ["inner-space"]),
        (b"-vverbose", b"-v  verbose", ["wrong"]),
        (b"[-v]number", b"[-v] number", ["inner-space"]),
        (b"Q . . .", b"Q...", ["inner-space"]),
        ("é à".encode(), "éà".encode(), ["wrong"]),
        ("ÉTÉ".encode(), "été".encode(), ["letter-case"]),
        (b"\n", b"", ["final-newline"]),
        (b"\n\n", b"", ["blank-lines"]),
        (b"  ", b"", ["trailing-space"]),
        (b"a", b"", ["wrong"]),
        (b"a\nb", b"b\na", ["order"]),
        (b"a\n", b"a", ["final-newline"]),
        (b"a\n\n\n", b"a\n\n", ["final-newline"]),
        (b"a\r\n", b"a", ["final-newline", "line-endings"]),
        (b"a\n", b"a\r\n", ["line-endings"]),
        (b"\xff\xfe", b"\xff\xfe\n", ["final-newline"]),
        (b"\xffA", b"\xffa", ["letter-case"]),
        (b"x\nx\n", b"x\nx\nx\n", ["missing-lines"]),
    ],
)
def test_two_texts_differ_by(held: SampleResult, actual: bytes, expected: bytes, expected_kinds: list[str]) -> None:
    assert kinds(held(actual, expected)) == expected_kinds


@pytest.mark.parametrize(
    ("tolerate", "kind", "credit"),
    [
        ({}, "final-newline", 0),
        ({"blank-lines": Fraction(1, 2)}, "blank-lines", Fraction(1, 2)),
        ({"blank-lines": Fraction(1, 2), "final-newline": Fraction(3, 4)}, "final-newline", Fraction(3, 4)),
        ({"extra-lines": Fraction(4, 5)}, "extra-lines", Fraction(4, 5)),
    ],
)
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


@pytest.mark.parametrize(
    ("actual", "message"),
    [
        (LISTING, ""),
        (b"", "Your program wrote nothing to standard output; expected: 3 lines, `(2, 4, 1, 3)` and 2 more."),
        (
            LISTING.replace(b"4-Q", b"5-Q"),
            "Line 3 of standard output is `5-Queens has 2 solutions`, expected `4-Queens has 2 solutions`.",
        ),
        (
            b"\n" + FIRST.replace(b" ", b"") + b"(3,1,2,4)\n",
            "Line 3 of standard output is `(3,1,2,4)`, expected `(3, 1, 4, 2)`.",
        ),
        (
            LISTING.replace(b", ", b","),
            "Spaces within lines differ: line 1 of standard output is `(2,4,1,3)`, expected `(2,·4,·1,·3)`.",
        ),
        (
            SECOND + FIRST + LAST,
            ("The lines are in the wrong order: line 1 of standard output is `(3, 1, 4, 2)`, expected `(2, 4, 1, 3)`."),
        ),
        (FIRST + LISTING, "Standard output repeats 1 line (`(2, 4, 1, 3)`)."),
        (LISTING + b"a\nb\nc\nd\n", "Standard output has 4 extra lines (`a`, `b`, `c` and 1 more)."),
        (FIRST + LAST, "Standard output lacks 1 line (`(3, 1, 4, 2)`)."),
        (FIRST + SECOND, "Standard output stops early; it lacks 1 line (`4-Queens has 2 solutions`)."),
        (b"x" * 1000, f"Line 1 of standard output is `{'x' * 60}…`, expected `(2, 4, 1, 3)`."),
    ],
)
def test_messages(held: SampleResult, actual: bytes, message: str) -> None:
    assert held(actual, LISTING).message.text == message


def test_a_long_line_is_quoted_where_it_differs(held: SampleResult) -> None:
    result = held(b"a" * 500 + b"b" + b"a" * 500, b"a" * 1001)
    assert result.message.text == (f"Line 1 of standard output is `…{'a' * 20}b{'a' * 39}…`, expected `…{'a' * 60}…`.")


def test_a_quotation_does_not_begin_inside_a_character(held: SampleResult) -> None:
    result = held("é".encode() * 100 + b"x", "é".encode() * 100 + b"y")
    assert "\\x" not in result.message.text


def test_bytes_that_are_no_text_are_quoted_escaped(held: SampleResult) -> None:
    assert held(b"\xff\xfe", b"ok\n").message.text == r"Line 1 of standard output is `\xff\xfe`, expected `ok`."


@pytest.mark.parametrize(
    ("actual", "told"),
    [
        ("b c x", "Line 1 of standard output, `a`, is missing: `b` is in its place."),
        ("a z b x d", "Line 2 of standard output is `z`, expected `b`."),
        ("a x c d", "Line 2 of standard output is `x`, expected `b`."),
        ("b a x d", "Line 1 of standard output is `b`, expected `a`."),
        ("A b x", "Line 3 of standard output is `x`, expected `c`."),
    ],
)
def test_the_first_line_that_differs_is_told(held: SampleResult, actual: str, told: str) -> None:
    result = held("".join(f"{line}\n" for line in actual.split()).encode(), b"a\nb\nc\nd\n")
    assert (kinds(result), result.message.text) == (["wrong"], told)


@pytest.mark.parametrize(
    ("actual", "tolerate", "message"),
    [
        # one wrong line is told by its two texts, also where it is right elsewhere
        (b"a\na\nc\n", {}, "Line 2 of standard output is `a`, expected `b`."),
        (
            b"a\na\nc\n",
            {"duplicates": Fraction(1, 2), "missing-lines": Fraction(1, 2)},
            (
                "Standard output repeats 1 line (`a`). This costs 50 % of the credit. "
                "Standard output lacks 1 line (`b`). This costs 50 % of the credit; 25 % remains."
            ),
        ),
        (b"A\na\nc", {"letter-case": Fraction(1)}, "Line 2 of standard output is `a`, expected `b`."),
        # what keeps credit is not blamed for what is wrong
        (b"Here it is:\na\nx\nc\n", {"prompt": Fraction(1)}, "Line 3 of standard output is `x`, expected `b`."),
        (b"n = a\nx\nc\n", {"prompt": Fraction(1)}, "Line 2 of standard output is `x`, expected `b`."),
        (b"Here it is:\na\nx\nc\n", {}, "Line 1 of standard output is `Here it is:`, expected `a`."),
        (b"Here it is:\na\nb\n", {"prompt": Fraction(1)}, "Standard output ends where line 3, `c`, is expected."),
    ],
)
def test_a_free_prompt_is_not_blamed(
    held: SampleResult, actual: bytes, tolerate: dict[str, Fraction], message: str
) -> None:
    assert held(actual, b"a\nb\nc\n", tolerate).message.text == message
