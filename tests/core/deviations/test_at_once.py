"""What is done at once for a whole text is what is done line by line, or in one go: on small random texts."""

from functools import partial

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from grader.core.deviations import normalise, prompts
from grader.core.deviations.normalise import TEXT_KINDS, bare_rows, rewritten_row
from tests.support.examples import examples

PROMPTS = (b"Enter n: ", b"n = ", b"x: y: ", b"Size? ", b"> ", b"12: ", b"a:", b"1=", b": ", b"Enter:  ", b"is (a): ")
ANSWERS = (b"5", b"(1, 2)", b"y: 3", b"yes", b"x", b" 4", b"12:30", b"", b"a: b", b"n = 5", b"X ")
WORDS = (b"a", b"Ab", b"12", b"1.", b".5", b"-4", b"+", b" ", b"  ", b"\t", b",", b"7", b"xy z", "Ä".encode(), b"\r")


@given(
    prompt=st.sampled_from(PROMPTS),
    rows=st.lists(st.tuples(st.sampled_from(ANSWERS), st.sampled_from(ANSWERS)), min_size=1, max_size=4),
    same=st.booleans(),
    end=st.sampled_from([b"", b"\n"]),
    blanks=st.sampled_from([None, 1]),
)
@settings(max_examples=examples(300), deadline=None)
def test_the_same_prompt_of_all_lines_is_taken_out_as_line_by_line(
    *, prompt: bytes, rows: list[tuple[bytes, bytes]], same: bool, end: bytes, blanks: int | None
) -> None:
    wanted = b"\n".join(row for row, _ in rows) + b"\n"
    actual = b"\n".join(prompt + (row if same else other) for row, other in rows) + end
    found = prompts._without_same_prompt(actual, wanted, blanks)
    lines = frozenset(filter(None, bare_rows(wanted)))
    start = partial(prompts._answer_start, wanted=lines, lengths=frozenset(map(len, lines)), blanks=blanks)
    assert found in (None, prompts._without(actual, start))


def test_the_same_prompt_is_taken_out_at_once() -> None:
    found = prompts._without_same_prompt(b"n: 5\nn: 6\n", b"5\n6\n", None)
    assert found is not None
    assert found.text == b"5\n6\n"


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=8, max_size=40), kinds=st.sets(st.sampled_from(sorted(TEXT_KINDS)))
)
@settings(max_examples=examples(300), deadline=None)
def test_a_line_that_is_cut_is_rewritten_as_in_one_go(words: list[bytes], kinds: set[str]) -> None:
    text, overlooked = b"".join(words), frozenset(kinds - {"blank-lines", "final-newline"})
    whole = b"".join(rewritten_row(text, overlooked))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normalise, "MAX_ROW_LENGTH", 16)
        patch.setattr(normalise, "_PIECE", 4)
        assert b"".join(rewritten_row(text, overlooked)) == whole
