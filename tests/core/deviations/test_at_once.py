"""What is done at once for a whole text is what is done line by line, or in one go: on small random texts."""

from functools import partial
from itertools import cycle

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from grader.core.deviations import normalise, prompts
from grader.core.deviations.normalise import TEXT_KINDS, bare_rows, rewritten_row
from tests.support.examples import examples

PROMPTS = (b"Enter n: ", b"n = ", b"x: y: ", b"Size? ", b"> ", b"12: ", b"a:", b"1=", b": ", b"Enter:  ", b"is (a): ")
ANSWERS = (b"5", b"(1, 2)", b"y: 3", b"yes", b"x", b" 4", b"12:30", b"", b"a: b", b"n = 5", b"X ")
WORDS = (b"a", b"Ab", b"12", b"1.", b".5", b"-4", b"+", b" ", b"  ", b"\t", b",", b"7", b"xy z", "Ä".encode(), b"\r")
NO_TEXT = (b": ", b"b:", b"=", b"\0", b"\x7f", b"\xff", b"\xc3", b"\x80", b"\xe5\xa0", b"\f")
CHARACTERS = ("ΑΣ".encode(), "中".encode(), "e\u0301".encode())


@given(
    by_turns=st.lists(st.sampled_from(PROMPTS), min_size=1, max_size=3),
    rows=st.lists(st.tuples(st.sampled_from(ANSWERS), st.sampled_from(ANSWERS)), min_size=1, max_size=4),
    same=st.booleans(),
    end=st.sampled_from([b"", b"\n"]),
    blanks=st.sampled_from([None, 1]),
)
@settings(max_examples=examples(300), deadline=None)
def test_few_prompts_before_all_lines_are_taken_out_as_line_by_line(
    *, by_turns: list[bytes], rows: list[tuple[bytes, bytes]], same: bool, end: bytes, blanks: int | None
) -> None:
    wanted = b"\n".join(row for row, _ in rows) + b"\n"
    actual = b"\n".join(one + (row if same else other) for one, (row, other) in zip(cycle(by_turns), rows)) + end
    found = prompts._without_few_prompts(actual, wanted, blanks)
    lines = frozenset(filter(None, bare_rows(wanted)))
    start = partial(prompts._answer_start, wanted=lines, lengths=frozenset(map(len, lines)), blanks=blanks)
    assert found in (None, prompts._without(actual, start))


@pytest.mark.parametrize(
    ("actual", "left", "asked"),
    [
        pytest.param(b"n: 5\nn: 6\n", b"5\n6\n", [b"n:", b"n:"], id="one"),
        pytest.param(b"n: 5\nm? 6\nn: 7", b"5\n6\n7", [b"n:", b"m?", b"n:"], id="two by turns"),
        pytest.param(b"n: 5\nn: 6\nm? 7\n", b"5\n6\n7\n", [b"n:", b"n:", b"m?"], id="another at last"),
        pytest.param(b"n: 5\nm: 6\nn: m: 7\n", None, [], id="two on a line"),
        pytest.param(b"n: 5\nn: m: 6\n", None, [], id="one begins with the other"),
        pytest.param(b"n: 5\n6\n", None, [], id="a line without"),
        pytest.param(b"n: 5\nm: 6\nn: \n", None, [], id="no answer"),
        pytest.param(b"n: \0 5\n", None, [], id="a byte that is no text"),
    ],
)
def test_few_prompts_are_taken_out_at_once(actual: bytes, left: bytes | None, asked: list[bytes]) -> None:
    found = prompts._without_few_prompts(actual, b"5\n6\n7\n"[: 2 * actual.rstrip(b"\n").count(b"\n") + 2], None)
    assert (found and found.text, [prompt for prompt, _ in found.prompts] if found else []) == (left, asked)


@given(
    words=st.lists(st.sampled_from(WORDS + NO_TEXT + CHARACTERS), min_size=8, max_size=40),
    kinds=st.sets(st.sampled_from(sorted(TEXT_KINDS))),
)
@settings(max_examples=examples(300), deadline=None)
def test_a_line_that_is_cut_is_rewritten_as_in_one_go(words: list[bytes], kinds: set[str]) -> None:
    text, overlooked = b"".join(words), frozenset(kinds - {"blank-lines", "final-newline"})
    whole = b"".join(rewritten_row(text, overlooked))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normalise, "MAX_ROW_LENGTH", 16)
        patch.setattr(normalise, "_PIECE", 4)
        assert b"".join(rewritten_row(text, overlooked)) == whole
