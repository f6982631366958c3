import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.core.report import view
from grader.core.text import show
from tests.support.rows import each_row


def diff_lines(expected: bytes, actual: bytes, most: int = 16, width: int = 160) -> list[str]:
    shown = (show(data, len(data)) for data in (expected, actual))
    return view.diff_lines(*shown, most=most, width=width)


@each_row
def test_a_difference_is_short_and_shows_its_blanks(expected: bytes, actual: bytes, lines: list[str]) -> None:
    assert diff_lines(expected, actual) == lines


def test_two_places_have_their_line_numbers() -> None:
    expected = b"".join(b"%d\n" % number for number in range(1, 21))
    actual = expected.replace(b"3\n", b"three\n", 1).replace(b"18\n", b"")
    assert [line for line in diff_lines(expected, actual) if line[0] in "-+@"] == [
        "@@ line 1 @@",
        "- 3",
        "+ three",
        "@@ line 16 @@",
        "- 18",
    ]


def test_a_long_change_shows_both_sides() -> None:
    lines = diff_lines(b"a\n" * 40, b"b\n" * 40)
    assert lines == ["- a"] * 4 + ["- … and 36 more lines"] + ["+ b"] * 4 + ["+ … and 36 more lines"]


def test_a_line_missing_at_the_start_does_not_make_one_look_added_at_the_end() -> None:
    expected = b"".join(b"%d\n" % number for number in range(1000))
    assert diff_lines(expected, expected[2:]) == ["- 0", "  1", "  2", "…"]


def test_a_long_line_is_cut_around_the_difference() -> None:
    lines = diff_lines(b"a" * 500 + b"x" + b"b" * 500 + b"\n", b"a" * 500 + b"y" + b"b" * 500 + b"\n", width=20)
    assert lines == ["- …aaaaaaaaaaxbbbbbbbbb…", "+ …aaaaaaaaaaybbbbbbbbb…"]


def test_a_cut_tears_no_character() -> None:
    for line in diff_lines("é".encode() * 500 + b"x", "é".encode() * 500 + b"y", width=21):
        assert "\\x" not in line


@pytest.mark.slow
@each_row
def test_mebibytes_of_anything_are_quick_and_short(expected: bytes, actual: bytes) -> None:
    lines = diff_lines(expected, actual)
    assert 0 < len(lines) <= 16
    assert max(map(len, lines)) < 1000


TEXTS = st.text("ab \t\r\n", max_size=30).map(str.encode)


@given(TEXTS, TEXTS)
@example(b"a\n \n", b" \na")
def test_what_differs_looks_different(expected: bytes, actual: bytes) -> None:
    lines = diff_lines(expected, actual)
    removed = [line[2:] for line in lines if line[0] == "-"]
    added = [line[2:] for line in lines if line[0] == "+"]
    assert (removed != added) == (expected != actual)


@given(st.binary(), st.binary(), st.integers(2, 40))
def test_it_is_never_longer_than_asked_and_always_printable(expected: bytes, actual: bytes, most: int) -> None:
    lines = diff_lines(expected, actual, most=most)
    assert len(lines) <= most
    assert "".join(lines).isprintable()


@each_row
def test_an_excerpt_has_the_start_and_the_end(data: bytes, lines: list[str]) -> None:
    assert view.excerpt(show(data), most=4) == lines
