"""A line that is cut into parts is rewritten as in one go: on small random texts."""

from collections.abc import Callable
from functools import reduce

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from grader.core.deviations import search
from grader.core.deviations.search import normal
from grader.core.deviations.table import TEXT_KINDS
from tests.support.examples import examples

WORDS = (b"a", b"Ab", b"12", b"1.", b".5", b"-4", b"+", b" ", b"  ", b"\t", b",", b"7", b"xy z", "Ä".encode(), b"\r")
NO_TEXT = (b": ", b"b:", b"=", b"\0", b"\x7f", b"\xff", b"\xc3", b"\x80", b"\xe5\xa0", b"\f")
CHARACTERS = ("ΑΣ".encode(), "中".encode(), "e\u0301".encode())


@given(
    words=st.lists(st.sampled_from(WORDS + NO_TEXT + CHARACTERS), min_size=8, max_size=40),
    kinds=st.sets(st.sampled_from(sorted(TEXT_KINDS))),
)
@settings(max_examples=examples(300), deadline=None)
def test_a_line_that_is_cut_is_rewritten_as_in_one_go(words: list[bytes], kinds: set[str]) -> None:
    text, overlooked = b"".join(words), frozenset(kinds - {"blank-lines", "final-newline"})
    whole = normal(text, overlooked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "MAX_ROW_LENGTH", 16)
        patch.setattr(search, "_PIECE", 4)
        assert normal(text, overlooked) == whole


FAR_SIGMA = (b"a''''''''" + "Σ".encode(), b"''''''''''")  # it ends a word that is farther than a cut looks
CHANGES = (
    lambda text: text,
    lambda text: text.replace(b" ", b"  "),
    lambda text: text + b" ",
    lambda text: text.swapcase(),
    lambda text: text.replace(b"7", b"8"),
    lambda text: b" " + text[1:],
)


@given(
    words=st.lists(st.sampled_from(WORDS + NO_TEXT + CHARACTERS + FAR_SIGMA), min_size=8, max_size=40),
    changes=st.lists(st.sampled_from(CHANGES), max_size=3),
    kinds=st.sets(st.sampled_from(sorted(TEXT_KINDS))),
)
@settings(max_examples=examples(300), deadline=None)
def test_two_lines_are_the_same_whose_normal_forms_are(
    words: list[bytes], changes: list[Callable[[bytes], bytes]], kinds: set[str]
) -> None:
    """Also where their ends alone are looked at first."""
    text, overlooked = b"".join(words), frozenset(kinds - {"blank-lines", "final-newline"})
    changed = reduce(lambda done, change: change(done), changes, text)
    wanted = normal(text, overlooked) == normal(changed, overlooked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "MAX_ROW_LENGTH", 2**10)
        patch.setattr(search, "_PIECE", 16)
        assert search._are_the_same(text, changed, overlooked) == wanted
