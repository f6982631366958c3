"""Where the words or numbers of two texts first differ."""

from grader.core.comparators import COMPARATORS
from grader.core.comparators.tokens import describe_parting
from tests.support.comparators import wanted_of
from tests.support.rows import each_row


def compared(how: str, output: bytes, want: bytes, tolerance: float = 0, relative: float = 0) -> list[tuple[str, str]]:
    wanted = wanted_of(how, want, tolerance=tolerance, relative=relative)
    return [(one.kind, one.message) for one in COMPARATORS[how].compare(output, wanted)]


@each_row
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
