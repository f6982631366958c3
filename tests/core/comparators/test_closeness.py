"""Numbers: the quick ways to find and to compare them say what the exact ones say."""

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from grader.core.comparators.tokens import WRITTEN_NUMBER, Closeness
from tests.support.examples import examples

PARTS = st.lists(
    st.sampled_from([b"%c" % sign for sign in b"-+.0123eE)] \n_ax"] + [b"nan", b"Inf", b"infinity"]), max_size=12
).map(b"".join)
SIMPLE = re.compile(
    rb"(?:(?<![\w.)\]])[-+])?(?:(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+|\b(?i:nan|inf(?:inity)?)\b)"
)
NUMBERS = st.sampled_from(
    b"0 1 -1 .5 5. 1.1 1.2 1.10 1e5 100000 1e-400 1e-320 1e999 -1e999 inf -inf nan 18446744073709551617".split()
)
BOUNDS = st.sampled_from([0.0, 5e-324, 1e-310, 0.1, 1.0, 1e300])


@given(text=PARTS)
@settings(max_examples=examples(800))
@example(text=b"3+1)+.2 -.5e+1 1.2.3")
def test_numbers_are_found_as_the_simple_pattern_finds_them(text: bytes) -> None:
    assert WRITTEN_NUMBER.findall(text) == SIMPLE.findall(text)


@given(have=NUMBERS, want=NUMBERS, tolerance=BOUNDS, relative=st.sampled_from([0.0, 1e-6, 0.1]))
@settings(max_examples=examples(800))
@example(have=b"1.2", want=b"1.1", tolerance=0.1, relative=0.0)
@example(have=b"1e999", want=b"inf", tolerance=0.1, relative=0.1)
def test_floats_decide_as_exact_numbers_do(have: bytes, want: bytes, tolerance: float, relative: float) -> None:
    bounds, exact = Closeness(tolerance=tolerance, relative=relative), (Decimal(have.decode()), Decimal(want.decode()))
    is_near = exact[0] == exact[1] or (exact[0].is_nan() and exact[1].is_nan())
    if exact[0].is_finite() and exact[1].is_finite():
        off = abs(Fraction(have.decode()) - Fraction(want.decode()))
        for bound in (Fraction(str(tolerance)), Fraction(str(relative)) * abs(Fraction(want.decode()))):
            assume(off == bound or abs(off - bound) > bound * Fraction(1, 10**45))  # which fifty digits tell apart
        is_near = off <= Fraction(str(tolerance)) or off <= Fraction(str(relative)) * abs(Fraction(want.decode()))
    assert bounds.is_close(have, want) == is_near


@pytest.mark.parametrize(
    ("have", "want", "tolerance", "relative", "close"),
    [
        (b"1", b"1", 0, 0, True),
        (b"1.0", b"1", 0, 0, True),
        (b"2", b"1", 0, 0, False),
        (b"1.1", b"1", 0.1, 0, True),  # just so
        (b"0.9", b"1", 0.1, 0, True),
        (b"1.09", b"1", 0.1, 0, True),
        (b"0.91", b"1", 0.1, 0, True),
        (b"1.11", b"1", 0.1, 0, False),
        (b"110", b"100", 0, 0.1, True),
        (b"109", b"100", 0, 0.1, True),
        (b"111", b"100", 0, 0.1, False),
        (b"-109", b"-100", 0, 0.1, True),
        (b"-111", b"-100", 0, 0.1, False),
        # With both, either is enough; the share is of what is wanted.
        (b"105", b"100", 1, 0.1, True),
        (b"0.5", b"0.1", 1, 0.1, True),
        (b"100", b"91", 0, 0.1, True),
        (b"100", b"90", 0, 0.1, False),
        # What is off by less than a float can tell is off.
        (b"0.1000000000000000000001", b"0", 0.1, 0, False),
        (b"-0.0100000000000000000001", b"0.06", 0.07, 0, False),
        (b"6.999999999999999999e-7", b"7", 0, 0.9999999, False),
        # Differences count to 50 digits.
        (b"0.1" + b"0" * 48 + b"1", b"0", 0.1, 0, False),
        (b"0.1" + b"0" * 49 + b"1", b"0", 0.1, 0, True),
        (b"0", b"0.0", 0, 0.1, True),
        (b"nan", b"nan", 0, 0, True),
        (b"NaN", b"nan", 0, 0, True),
        (b"inf", b"infinity", 0, 0, True),
        (b"inf", b"-inf", 9, 0, False),
        (b"inf", b"nan", 9, 0, False),
        (b"nan", b"1", 9, 0, False),
        (b"1", b"inf", 9, 0.5, False),
        (b"18446744073709551617", b"18446744073709551616", 0, 0, False),
        (b"1e99999999999999999999", b"1", 9, 0, False),
    ],
)
def test_how_close_two_numbers_are(*, have: bytes, want: bytes, tolerance: float, relative: float, close: bool) -> None:
    assert Closeness(tolerance=tolerance, relative=relative).is_close(have, want) is close


@pytest.mark.parametrize(
    ("tolerance", "relative", "told"),
    [
        (0, 0, ""),
        (0.01, 0, "to within 0.01"),
        (0, 0.001, "to within 0.1 % of each"),
        (0.01, 0.1, "to within 0.01 or 10 % of each"),
    ],
)
def test_closeness_is_told_and_written(tolerance: float, relative: float, told: str) -> None:
    bounds = Closeness(tolerance=tolerance, relative=relative)
    assert bounds.in_words("") == told
    assert set(bounds.nodes()) == {name for name in ("tolerance", "relative") if getattr(bounds, name)}
