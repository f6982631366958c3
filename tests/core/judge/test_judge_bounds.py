"""Hostile output: it comes to an end, in a small multiple of it in memory.

Memory is traced on a smaller size, for tracing slows everything down. The time-out is there for hangs only.
"""

import random
import re
import tracemalloc
from collections.abc import Callable

import pytest

from grader.core.deviations.search import explain_difference
from grader.core.deviations.table import TEXT_KINDS
from grader.core.model.report import CaseResult

SampleResult = Callable[..., CaseResult]
Sized = Callable[[int], bytes]

WHOLE = 8 * 2**20
TRACED = 2**19
MAX_TIMES = 90
LISTING = b"(2, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n"
MIXED = b" (2,4, 1, 3) \r\n(2, 4, 1, 3)\n\n  \n(3,1,4,2)\n4-queens has 2 solutions\nX\r\n"


def filled(unit: bytes) -> Sized:
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def numbers(size: int) -> bytes:
    return b"".join(b"%d, Ab\n" % number for number in range(size // 16))


def three_kinds(size: int) -> bytes:
    return numbers(size).lower().replace(b"\n", b" \r\n")


def shuffled(size: int) -> bytes:
    lines = numbers(size).splitlines(keepends=True)
    random.Random(8).shuffle(lines)  # noqa: S311 - the same each time
    return b"".join(lines)


def listing(_size: int) -> bytes:
    return LISTING


def tuples(size: int) -> bytes:
    rows = [b"(%d, %d)\n" % (number, number * 7) for number in range(size // 20)]
    return b"".join([*rows, b"There are %d pairs\n" % len(rows)])


def one_less(size: int) -> bytes:
    text = re.sub(rb"\d+(?=[,)])", lambda number: b"%d" % (int(number[0]) - 1), tuples(size))
    return text.replace(b"(-1, -1)", b"(-1,-1)")


def told(size: int) -> bytes:
    return tuples(size).replace(b"are ", b"are 1")


def sentences(size: int) -> bytes:
    return b"".join(b"Queen %d stands there\n" % number for number in range(size // 30))


def misspelt(size: int) -> bytes:
    return sentences(size).replace(b"stands", b"stnads")


HOSTILE = [
    pytest.param(filled(b"\n"), listing, {"wrong"}, id="empty lines"),
    pytest.param(filled(b" "), lambda size: filled(b" ")(size) + b"x", {"wrong"}, id="blanks"),
    pytest.param(filled(b"a "), listing, {"wrong"}, id="one line of words"),
    pytest.param(filled(b"x"), lambda size: filled(b"x")(size) + b"y", {"wrong"}, id="two long lines"),
    pytest.param(filled(b"\0\xff\xc3"), listing, {"wrong"}, id="no text"),
    pytest.param(filled(MIXED), listing, {"inner-space", "letter-case", "extra-lines"}, id="mixed"),
    pytest.param(three_kinds, numbers, {"line-endings", "trailing-space", "letter-case"}, id="three kinds"),
    pytest.param(shuffled, numbers, {"order"}, id="order"),
    pytest.param(
        lambda size: numbers(size) + b"?", lambda size: numbers(size) + b"!", {"wrong"}, id="wrong at the end"
    ),
    pytest.param(filled(b"1 2 "), filled(b"2 4 "), {"wrong"}, id="one line of numbers"),
    pytest.param(filled(b"(1, 2"), listing, {"wrong"}, id="brackets that are open"),
    pytest.param(filled(b"> "), listing, {"wrong"}, id="prompts"),
]
LISTINGS = [
    pytest.param(filled(b"(1, 3, 0, 2)\n"), listing, {"wrong"}, id="a tuple again and again", marks=pytest.mark.soak),
    pytest.param(one_less, tuples, {"zero-based", "inner-space"}, id="one less"),
    pytest.param(told, tuples, {"wrong-count"}, id="count", marks=pytest.mark.soak),
    pytest.param(misspelt, sentences, {"wording"}, id="wording"),
    pytest.param(misspelt, tuples, {"wrong"}, id="sentences for tuples"),
]


def deviations(held: SampleResult, actual: bytes, expected: bytes) -> set[str]:
    return {deviation.kind for deviation in held(actual, expected).deviations}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("actual", "expected", "kinds"), HOSTILE)
def test_as_much_as_a_program_may_write(held: SampleResult, actual: Sized, expected: Sized, kinds: set[str]) -> None:
    """Of so much, blanks, letter case and the order of lines are found."""
    searched = kinds if kinds <= TEXT_KINDS | {"order"} else {"wrong"}
    assert deviations(held, actual(WHOLE), expected(WHOLE)) == searched


@pytest.mark.timeout(300)
def test_a_right_text_may_be_far_longer() -> None:
    """Of 100 MiB, all that differs is looked at: a newline, or one byte."""
    text = filled(b"Queen 1 stands there\n")(100 * 2**20)
    assert explain_difference(text, text[:-1] + b"x", {}) is None
    assert explain_difference(text + b"\n", text + b"\n\n", {}) == frozenset({"final-newline"})


@pytest.mark.parametrize(("actual", "expected", "kinds"), [*HOSTILE, *LISTINGS])
def test_memory_is_a_small_multiple(held: SampleResult, actual: Sized, expected: Sized, kinds: set[str]) -> None:
    written, wanted = actual(TRACED), expected(TRACED)
    tracemalloc.start()
    try:
        found = deviations(held, written, wanted)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == kinds
    assert most < MAX_TIMES * TRACED
