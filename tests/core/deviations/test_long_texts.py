"""Long texts: of those longer than is searched, blanks, letter case and order are found without a copy of them."""

import random
import re
import sys
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from types import FrameType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.core.comparators import COMPARATORS
from grader.core.comparators.text import TEXT
from grader.core.deviations import search
from grader.core.deviations.search import MAX_SEARCHED, explain_difference, normal
from grader.core.deviations.table import DEVIATIONS, TEXT_KINDS, Kinds, Mended
from grader.core.text import quote_difference
from tests.support.comparators import wanted_of
from tests.support.examples import examples
from tests.support.rows import each_row

Lines = list[bytes]
Change = Callable[[Lines], Lines]

MANY = 12_000
LONG = [b"%d, Ab\n" % number for number in range(MANY)]
LONGER = [b"%d, Ab there\n" % number for number in range(MAX_SEARCHED // 12)]


def at(place: int, how: Callable[[bytes], bytes]) -> Change:
    return lambda lines: [*lines[:place], how(lines[place]), *lines[place:][1:]]


def everywhere(how: Callable[[bytes], bytes]) -> Change:
    return lambda lines: list(map(how, lines))


def moved(lines: Lines) -> Lines:
    return random.Random(4).sample(lines, len(lines))  # noqa: S311 - the same each time


def both(*changes: Change) -> Change:
    def change(lines: Lines) -> Lines:
        for one in changes:
            lines = one(lines)
        return lines

    return change


def blank_behind(line: bytes) -> bytes:
    return line.replace(b"\n", b" \n")


def joined(line: bytes) -> bytes:
    return line.replace(b", ", b",")


CHANGES = [
    pytest.param(at(-1, bytes.strip), {"final-newline"}, id="last newline"),
    pytest.param(at(0, blank_behind), {"trailing-space"}, id="first line"),
    pytest.param(everywhere(blank_behind), {"trailing-space"}, id="blanks"),
    pytest.param(
        both(everywhere(blank_behind), at(-1, bytes.upper)), {"trailing-space", "letter-case"}, id="far apart"
    ),
    pytest.param(
        both(at(3, blank_behind), at(MANY // 2, joined), at(-9, bytes.lower), at(-1, bytes.strip)),
        {"trailing-space", "inner-space", "letter-case", "final-newline"},
        id="four places",
    ),
    pytest.param(lambda lines: [b"\n", *lines, b"\n"], {"blank-lines"}, id="blank lines"),
    pytest.param(lambda lines: [*lines, b" \n", b"\n"], {"blank-lines"}, id="blank lines at the end"),
    pytest.param(everywhere(lambda line: line.replace(b"\n", b"\r\n")), {"line-endings"}, id="line endings"),
    pytest.param(moved, {"order"}, id="order"),
    pytest.param(both(moved, everywhere(blank_behind)), {"order", "trailing-space"}, id="order and blanks"),
    pytest.param(lambda lines: lines[: MANY // 2], {"missing-lines"}, id="stops early"),
    pytest.param(lambda lines: [*lines[:9], b"?\n", *lines[9:]], {"extra-lines"}, id="one more"),
    pytest.param(lambda lines: lines + lines[4:5], {"duplicates"}, id="one again"),
    pytest.param(
        both(lambda lines: lines[9:], everywhere(joined)), {"missing-lines", "inner-space"}, id="some missing"
    ),
    pytest.param(both(moved, lambda lines: lines[1:]), {"order", "missing-lines"}, id="order and one missing"),
    pytest.param(both(moved, lambda lines: [*lines, b"?\n"]), {"order", "extra-lines"}, id="order and one more"),
    pytest.param(both(moved, lambda lines: lines + lines[4:5]), {"order", "duplicates"}, id="order and one again"),
    pytest.param(at(MANY // 2, lambda _: b"hello\n"), None, id="one wrong"),
    pytest.param(both(moved, at(MANY // 2, lambda _: b"hello\n")), None, id="one wrong, in another order"),
    pytest.param(lambda _: [], None, id="empty"),
]


@pytest.mark.parametrize("lines", [LONG, LONGER], ids=["long", "longer than is searched"])
@pytest.mark.parametrize(("change", "kinds"), CHANGES)
def test_the_smallest_set_of_a_long_text(change: Change, kinds: set[str] | None, lines: Lines) -> None:
    """Of one longer than is searched, blanks, letter case and the order of lines are found."""
    found = explain_difference(b"".join(change(lines)), b"".join(lines), {"duplicates": Fraction(1, 2)})
    if lines is LONGER and kinds and not kinds <= TEXT_KINDS | {"order"}:
        kinds = None
    assert (None if found is None else set(found)) == kinds
    short = [b"%d, Ab\n" % number for number in range(50)]
    if kinds and kinds <= {"trailing-space", "order", "line-endings", "final-newline"}:
        assert explain_difference(b"".join(change(short)), b"".join(short), {}) == frozenset(kinds)


@pytest.mark.parametrize(
    "pair", list(permutations(sorted(TEXT_KINDS - {"inner-space", "blank-lines"}), 2)), ids="-".join
)
def test_of_two_kinds_that_explain_a_long_text_the_dearer_is_left_out(pair: tuple[str, str]) -> None:
    tolerate = {pair[0]: Fraction(1), pair[1]: Fraction(1, 2)}
    same = Kinds(pair).intersection
    found = search.smallest_set(lambda kinds: bool(same(kinds)), lambda _: set(), Kinds(pair), tolerate, length=2**30)
    assert found == Kinds({pair[0]})


@each_row
def test_few_normal_forms_of_one_long_line(
    old: bytes, new: bytes, kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite, done = search._rewritten_part, []

    def watched(piece: bytes, overlooked: Kinds) -> bytes:
        done.append(len(piece))
        return rewrite(piece, overlooked)

    monkeypatch.setattr(search, "_rewritten_part", watched)
    expected = b"Ab cd of " * (2 * search.MAX_ROW_LENGTH // 9)
    wanted = wanted_of("text", expected)
    found = TEXT.compare(expected.replace(old, new), wanted)
    assert [one.kind for one in found] == kinds
    assert sum(done) < 20 * 2 * len(expected)


def calls(work: Callable[[], object]) -> int:
    """Return how many functions written in Python are called."""
    total = 0

    def watch(_frame: FrameType, event: str, _: object) -> None:
        nonlocal total
        total += event == "call"

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return total


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(moved, id="order"),
        pytest.param(both(moved, everywhere(blank_behind)), id="order and blanks"),
        pytest.param(everywhere(blank_behind), id="blanks"),
    ],
)
def test_of_a_long_text_no_lines_are_stored(change: Change) -> None:
    actual, expected = b"".join(change(LONGER)), b"".join(LONGER)
    tracemalloc.start()
    try:
        assert explain_difference(actual, expected, {})
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 3 * 2**20


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(at(0, lambda _: b"hello\n"), id="first line"),
        pytest.param(at(MANY, lambda _: b"hello\n"), id="in the middle"),
        pytest.param(at(-1, lambda _: b"hello\n"), id="last line"),
    ],
)
def test_of_texts_that_are_mostly_equal_hardly_anything_is_copied(change: Change) -> None:
    actual, expected = b"".join(change(LONGER)), b"".join(LONGER)
    wanted = wanted_of("text", expected)
    tracemalloc.start()
    try:
        assert [one.kind for one in TEXT.compare(actual, wanted)] == ["wrong"]
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 3 * 2**20


@pytest.mark.parametrize("before", [b"", b"Ab there\n" * 9], ids=["alone", "below others"])
def test_of_an_enormous_line_hardly_anything_is_copied(before: bytes) -> None:
    line = before + b"1234567" * (MAX_SEARCHED // 2) + b"123"
    wanted = wanted_of("text", line + b"7")
    actual = line + b"x"
    tracemalloc.start()
    try:
        (found,) = TEXT.compare(actual, wanted)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.kind, most < 3 * len(line)) == ("wrong", True)
    message = found.message.partition(" A text ")[0]
    assert message.endswith("…56712345671234567123x`, expected `…567123456712345671237`.")


@each_row
def test_of_an_enormous_line_that_is_explained_no_copy_is_made(
    actual: bytes, expected: bytes, kinds: list[str]
) -> None:
    wanted = wanted_of("text", expected)
    tracemalloc.start()
    try:
        found = TEXT.compare(actual, wanted)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [one.kind for one in found] == kinds
    assert most < 2**23


@pytest.mark.parametrize("unit", [b"\0\xff\xc3", b"n: ", b"(1, 2) "], ids=["no text", "prompts", "tuples"])
def test_a_long_line_is_cut_into_parts(unit: bytes) -> None:
    line = unit * (4 * search.MAX_ROW_LENGTH // len(unit))
    assert max(map(len, search.parts(line))) <= search.MAX_ROW_LENGTH


def test_a_line_that_cannot_be_cut_is_not_searched_to_its_end_for_that() -> None:
    line = b"1 " * (2 * search.MAX_ROW_LENGTH) + b"and more"
    assert list(search.parts(line)) == [line]


@pytest.mark.parametrize("how", ["text", "lines"])
@pytest.mark.parametrize("around", [(b"", b""), (b"Ab\n", b"Cd\n")], ids=["alone", "among others"])
@each_row
def test_what_is_named_in_a_short_line_is_named_in_a_long_one(
    how: str, around: tuple[bytes, bytes], actual: bytes, expected: bytes, kinds: set[str]
) -> None:
    before, behind = around
    wanted = wanted_of(how, before + expected + behind)
    found = COMPARATORS[how].compare(before + actual + behind, wanted)
    assert {one.kind for one in found} == kinds
    for one in found:  # no two texts that look the same
        assert not re.search(r"is (`.*`), expected \1\.", one.message)


@each_row
def test_two_lines_that_differ_are_never_quoted_alike(one: bytes, other: bytes, shown: tuple[str, str]) -> None:
    assert quote_difference(one, other) == shown


@given(
    words=st.lists(st.sampled_from([b"word", b"A", b"1", b",", b" ", b"  ", b"\t", b"-5", "é".encode()]), min_size=2)
)
@settings(max_examples=examples(40), deadline=None)
def test_a_long_line_is_rewritten_as_in_one_go(words: list[bytes]) -> None:
    """Its beginning, its end and what is between them: whatever is cut, the normal form is the same."""
    unit = b"".join((*words, b"filling"))
    kinds = frozenset({"line-endings", "trailing-space", "leading-space", "inner-space", "letter-case"})
    middle = unit * (2**18 // len(unit) + 1)
    assert normal(b" " + middle + b" \r\n", kinds) == normal_of_units(unit, len(middle) // len(unit), kinds)


def normal_of_units(unit: bytes, many: int, kinds: frozenset[str]) -> bytes:
    """Return the normal form of so many of these in a row, as three of them show it."""
    one, two, three = (normal(b" " + unit * times + b" \r\n", kinds) for times in (1, 2, 3))
    step = len(two) - len(one)
    assert len(three) - len(two) == step
    return two[: len(two) - step - 1] + two[len(two) - step - 1 : -1] * (many - 1) + b"\n"


def test_an_enormous_line_without_its_newline_is_named() -> None:
    line = b"1234567" * (MAX_SEARCHED // 7)
    assert explain_difference(line, line + b"\n", {}) == frozenset({"final-newline"})
    assert explain_difference(b"a\n" + line, b"a\n" + line + b"\n", {}) == frozenset({"final-newline"})
    assert explain_difference(b"a\n" + line + b"\n", line + b"\n", {}) == frozenset({"extra-lines"})
    assert explain_difference(line, line + b"x", {}) is None
    assert explain_difference(line, line, {}, means=lambda shape: shape) == frozenset()


@pytest.mark.parametrize(
    ("how", "change"),
    [
        pytest.param("tokens", joined, id="tokens, of which all differ"),
        pytest.param("tokens", blank_behind, id="tokens and blanks"),
        pytest.param("tokens", bytes.upper, id="tokens in capitals"),
        pytest.param("numbers", bytes.upper, id="numbers and other words"),
        pytest.param("numbers", lambda line: line.replace(b",", b".01,"), id="numbers that are close"),
    ],
)
def test_words_and_numbers_that_are_the_same_take_no_call_for_each(how: str, change: Callable[[bytes], bytes]) -> None:
    actual, expected = b"".join(map(change, LONG)), b"".join(LONG)
    wanted = wanted_of(how, expected, **({"tolerance": 0.1} if how == "numbers" else {}))
    COMPARATORS[how].compare(b"1", wanted)  # patterns are compiled when they are first used
    assert calls(lambda: COMPARATORS[how].compare(actual, wanted)) < (2 * MANY if b".01," in actual else MANY // 10)


BLANKS = st.lists(
    st.sampled_from([b" ", b"  ", b"a", b"5", b".", b"-", b"+", b",", b"(", b'"', b"\n", b"\r", b"\t", b"_"])
)


@given(words=BLANKS)
@settings(max_examples=examples(400), deadline=None)
@example(words=[b"a", b" ", b" ", b"-", b"5"])
@example(words=[b"5", b".", b" ", b"5"])
@example(words=[b"a", b" ", b",", b" ", b".", b"5"])
def test_blanks_in_lines_are_overlooked_as_the_patterns_do(words: list[bytes]) -> None:
    """What is behind a line with a vertical tab is left to the patterns."""
    text, left = b"".join(words), b"\n\v -\n"
    kinds = frozenset({"inner-space"})
    assert normal(text, kinds) + left == normal(text + left, kinds)


def mended(kind: str, actual: bytes, wanted: bytes) -> list[Mended]:
    mend = DEVIATIONS[kind].mend
    assert mend
    return list(mend(actual, wanted, b"", b""))


NUMBERS = st.sampled_from([b"0", b"1", b"9", b"10", b"-1", b"-10", b"007", b"99", b"-01", b"12345"])
ROWS = st.lists(st.tuples(NUMBERS, st.sampled_from([b", ", b" ", b"  ", b";\t"]), NUMBERS), min_size=1, max_size=4)


@given(found=ROWS, by=st.sampled_from([-1, 1]))
@settings(max_examples=examples(200), deadline=None)
def test_numbers_are_shifted_all_at_once_as_one_after_the_other(found: list[tuple[bytes, ...]], by: int) -> None:
    actual = b"".join(b"(%b)\n" % b"".join(row) for row in found)
    kind = "zero-based" if by > 0 else "one-based"
    wanted = re.sub(rb"-?\d+", lambda number: b"%d" % (int(number[0]) + by), actual)
    assert wanted in [text for text, _, _ in mended(kind, actual, wanted)]


@given(found=st.lists(st.lists(NUMBERS, min_size=1, max_size=3), min_size=1, max_size=4))
@settings(max_examples=examples(200), deadline=None)
@example(found=[[b"1"], [b"1", b"2", b"3"]])
def test_tuples_are_turned_all_at_once_as_one_after_the_other(found: list[list[bytes]]) -> None:
    """Also where those of one number and of three are two on average."""
    rows = [[b"7", b"8"], *found]
    actual, turned = (b"".join(b"(%b)\n" % b", ".join(row[::by]) for row in rows) for by in (1, -1))
    assert all(text == turned for text, _, _ in mended("reversed", actual, turned))
