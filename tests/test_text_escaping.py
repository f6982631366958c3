import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.text import inert, one_line, percent, points, sentence, show, to_bytes
from tests.support.report_samples import HOSTILE


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"plain \xc3\xa9\n\ttext", "plain é\n\ttext"),
        (b"\x1b[31m", r"\x1b[31m"),
        (b"\x00\x7f", r"\x00\x7f"),
        (b"a\r\n", "a\\r\n"),
        (b"\xff\xe2\x82", r"\xff\xe2\x82"),
        ("\x85\u00a0", r"\u0085\u00a0"),
        ("\u202e\u200b\ufeff", r"\u202e\u200b\ufeff"),
        ("\u2028\ue000\ufffe\ufe0f\u3164", r"\u2028\ue000\ufffe\ufe0f\u3164"),
        ("\U000e0001", r"\U000e0001"),
        ("\udcff", r"\xff"),
        ("\ud800", r"\xed\xa0\x80"),
        ("北京 ½ 🙂", "北京 ½ 🙂"),
        ("", ""),
    ],
)
def test_what_cannot_be_seen_is_escaped(data: bytes | str, shown: str) -> None:
    assert show(data) == shown


@pytest.mark.parametrize(
    ("data", "limit", "shown"),
    [
        (b"12345678", 8, "12345678"),
        (b"123456789", 8, "12345678… 1 more bytes"),
        ("aé".encode() * 100, 5, "aéa… 296 more bytes"),
        (b"\x80" * 10, 5, r"\x80\x80\x80\x80\x80… 5 more bytes"),
        (b"abc", 0, "… 3 more bytes"),
    ],
)
def test_a_cut_says_how_much_is_missing_and_tears_no_character(data: bytes, limit: int, shown: str) -> None:
    assert show(data, limit) == shown


@given(st.binary() | st.text(st.characters()))
def test_only_printable_characters_are_left(data: bytes | str) -> None:
    for character in show(data):
        assert character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert "\n" not in one_line(data)


@given(st.binary())
def test_the_bytes_behind_a_file_name_come_back(data: bytes) -> None:
    assert to_bytes(data.decode("utf-8", "surrogateescape")) == data


def test_a_line_is_one_line() -> None:
    assert one_line("a\n\tb") == r"a\n\tb"
    assert sentence("  Look\n  again. ") == "Look again."


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("##[error]x", r"#\x23[error]x"),
        ("a ##vso[task] ##teamcity[x]", r"a #\x23vso[task] #\x23teamcity[x]"),
        ("## heading", "## heading"),
        ("std::vector", "std::vector"),
    ],
)
def test_no_command_to_a_ci_system_is_left(text: str, safe: str) -> None:
    assert inert(text) == safe


def test_where_a_text_may_start_a_line_no_double_colon_is_left() -> None:
    assert "::" not in inert("::error::x :::", anywhere=True)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(100), "100"),
        (Fraction(0), "0"),
        (Fraction(175, 2), "87.5"),
        (Fraction(1, 3), "0.33"),
        (Fraction(2, 3), "0.67"),
        (Fraction(1, 200), "0.01"),
        (Fraction(1, 201), "0"),
        (Fraction(2675, 1000), "2.68"),
        (Fraction(10), "10"),
        (Fraction(201, 20), "10.05"),
        (Fraction(-1, 2), "-0.5"),
    ],
)
def test_points_are_rounded_half_up(value: Fraction, shown: str) -> None:
    assert points(value) == shown


@pytest.mark.parametrize(
    ("score", "most", "shown"),
    [
        (Fraction(249, 250), 1, "0.99"),
        (Fraction(1), 1, "1"),
        (Fraction(1, 250), 1, "0.01"),
        (Fraction(0), 1, "0"),
        (Fraction(19999, 200), 100, "99.99"),
        (Fraction(99994, 1000), 100, "99.99"),
        (Fraction(101), 100, "101"),  # with a bonus
        (Fraction(-1, 3), 0, "-0.33"),
    ],
)
def test_a_score_is_shown_as_all_or_nothing_only_where_it_is(score: Fraction, most: int, shown: str) -> None:
    assert points(score, most) == shown


@pytest.mark.parametrize(
    ("share", "shown"), [(Fraction(1), "100 %"), (Fraction(99999, 100000), "99.99 %"), (Fraction(1, 3), "33.33 %")]
)
def test_only_all_of_it_is_a_hundred_percent(share: Fraction, shown: str) -> None:
    assert percent(share) == shown


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_are_printable(data: bytes) -> None:
    assert one_line(data).isprintable()
