"""Hostile output, up to the 8 MiB that a program may write: it comes to an end, in a small multiple of it in memory.

Memory is traced on a smaller size, for tracing slows everything down. The time-out is there for hangs only.
"""

import random
import tracemalloc
from collections.abc import Callable

import pytest

from grader.model import CaseResult

Held = Callable[..., CaseResult]
Sized = Callable[[int], bytes]

WHOLE = 8 * 2**20
TRACED = 2**20
MOST_MEMORY = 40 * TRACED
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
]


def deviations(held: Held, actual: bytes, expected: bytes) -> set[str]:
    return {deviation.kind for deviation in held(actual, expected).deviations}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("actual", "expected", "kinds"), HOSTILE)
def test_as_much_as_a_program_may_write(held: Held, actual: Sized, expected: Sized, kinds: set[str]) -> None:
    assert deviations(held, actual(WHOLE), expected(WHOLE)) == kinds


@pytest.mark.slow
@pytest.mark.parametrize(("actual", "expected", "kinds"), HOSTILE)
def test_memory_is_a_small_multiple(held: Held, actual: Sized, expected: Sized, kinds: set[str]) -> None:
    written, wanted = actual(TRACED), expected(TRACED)
    tracemalloc.start()
    try:
        found = deviations(held, written, wanted)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == kinds
    assert most < MOST_MEMORY
