"""Numbers: the quick ways to find and to compare them say what the exact ones say."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.core.comparators.base import Wanted
from grader.core.comparators.closeness import NUMBER_IN_DIGITS, WRITTEN_NUMBER, are_surely_close, is_close
from tests.support.examples import examples

PARTS = st.lists(st.sampled_from([b"%c" % sign for sign in b"-+.0123eE)] \n_ax"]), max_size=12).map(b"".join)
NUMBERS = st.sampled_from(
    b"0 1 -1 .5 5. 1.1 1.2 1.10 1e5 100000 1e-400 1e-320 1e999 -1e999 inf -inf nan 18446744073709551617".split()
)
BOUNDS = st.sampled_from([0.0, 5e-324, 1e-310, 0.1, 1.0, 1e300])


@given(text=PARTS)
@settings(max_examples=examples(800))
@example(text=b"3+1)+.2 -.5e+1 1.2.3")
def test_numbers_are_found_as_with_words_among_them(text: bytes) -> None:
    assert NUMBER_IN_DIGITS.findall(text) == WRITTEN_NUMBER.findall(text)


@given(have=NUMBERS, want=NUMBERS, tolerance=BOUNDS, relative=st.sampled_from([0.0, 1e-6, 0.1]))
@settings(max_examples=examples(800))
@example(have=b"1.2", want=b"1.1", tolerance=0.1, relative=0.0)
@example(have=b"1e999", want=b"inf", tolerance=0.1, relative=0.1)
def test_what_is_surely_close_is_close(have: bytes, want: bytes, tolerance: float, relative: float) -> None:
    wanted = Wanted(
        how="numbers",
        values=(want,),
        tolerate={},
        place="stdout",
        where="standard output",
        tolerance=tolerance,
        relative=relative,
    )
    assert is_close(have, want, wanted) or not are_surely_close([have], [want], wanted)
    assert are_surely_close([b"1.05"], [b"1.0"], wanted) == (tolerance >= 0.1 or relative == 0.1)
