"""Numbers: the quick ways to find and to compare them say what the exact ones say."""

import re
from decimal import Decimal
from fractions import Fraction

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from grader.core.comparators.tokens import WRITTEN_NUMBER, Closeness
from tests.support.examples import examples
from tests.support.rows import each_row

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


@each_row
def test_how_close_two_numbers_are(*, have: bytes, want: bytes, tolerance: float, relative: float, close: bool) -> None:
    assert Closeness(tolerance=tolerance, relative=relative).is_close(have, want) is close


@each_row
def test_closeness_is_told_and_written(tolerance: float, relative: float, told: str) -> None:
    bounds = Closeness(tolerance=tolerance, relative=relative)
    assert bounds.in_words("") == told
    assert set(bounds.nodes()) == {name for name in ("tolerance", "relative") if getattr(bounds, name)}
