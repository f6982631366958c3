"""Where the words or numbers of two texts first differ."""

import pytest

from grader.core.comparators import COMPARATORS
from grader.core.comparators.tokens import describe_parting
from tests.support.comparators import wanted_of
from tests.support.rows import each_row


def compared(how: str, output: bytes, want: bytes, tolerance: float = 0, relative: float = 0) -> list[tuple[str, str]]:
    wanted = wanted_of(how, want, tolerance=tolerance, relative=relative)
    return [(one.kind, one.message) for one in COMPARATORS[how].compare(output, wanted)]


MANY = b"a\n" * 5000


@pytest.mark.parametrize(
    ("output", "want", "found"),
    [
        (b"a  b\nc", b"a b c\n", None),
        (b"a b", b"a b c", ("wrong", "Standard output ends where word 3, `c`, is expected.")),
        (b"a b c d", b"a b c", ("wrong", "Word 4 of standard output is `d`, where nothing more is expected.")),
        (b"a x c", b"a b c", ("wrong", "Word 2 of standard output is `x`, expected `b`.")),
        (b"x b c", b"a b c", ("wrong", "Word 1 of standard output is `x`, expected `a`.")),
        (
            b"a B c",
            b"a b c",
            ("letter-case", "Letter case differs: word 2 of standard output is `B`, expected `b`."),
        ),
        # Of capital letters and something else the latter is told.
        (b"A x", b"a b", ("wrong", "Word 2 of standard output is `x`, expected `b`.")),
        (b" \n", b"a b", ("wrong", "It wrote nothing to standard output; the word `a` is expected.")),
        (MANY + b"x\n", MANY + b"b\n", ("wrong", "Word 5001 of standard output is `x`, expected `b`.")),
        (MANY + b"a x\n", MANY + b"a b\n", ("wrong", "Word 5002 of standard output is `x`, expected `b`.")),
        (b"y " + MANY + b"x\n", b"z " + MANY + b"b\n", ("wrong", "Word 1 of standard output is `y`, expected `z`.")),
        (
            b" ".join([b"a"] * 4096) + b"\n x",
            b"a\n" * 4096 + b"b",
            ("wrong", "Word 4097 of standard output is `x`, expected `b`."),
        ),
        (
            b"l" * 10 + b" " + b"m " * 140_000 + b"x",
            b"l" * 10 + b" " + b"m " * 140_000 + b"y",
            ("wrong", "Word 140002 of standard output is `x`, expected `y`."),
        ),
    ],
)
def test_where_words_first_differ(output: bytes, want: bytes, found: tuple[str, str] | None) -> None:
    got = compared("tokens", output, want)
    if found and "nothing to standard output" in found[1]:
        assert (got[0][0], "`a`" in got[0][1]) == ("wrong", True)
    else:
        assert got == ([found] if found else [])


@each_row
def test_numbers_within_words(have: bytes, want: bytes, tolerance: float, relative: float, *, is_right: bool) -> None:
    assert (compared("tokens", have, want, tolerance, relative) == []) is is_right


@each_row
def test_where_numbers_first_differ(output: bytes, want: bytes, found: list[str]) -> None:
    assert [message for _, message in compared("numbers", output, want)] == found


def test_a_parting_at_the_end_of_an_empty_text() -> None:
    assert "`x`" in describe_parting("word", (1, None, b"x"), b" \n", "standard output")
