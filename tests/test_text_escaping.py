import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.text import inert, one_line, percent, points, sentence, show, to_bytes
from tests.support.report_samples import HOSTILE
from tests.support.rows import each_row


@each_row
def test_what_cannot_be_seen_is_escaped(data: bytes, shown: str) -> None:
    assert show(data) == show(data.decode("utf-8", "surrogateescape")) == shown


def test_what_no_bytes_say_is_escaped() -> None:
    assert show("\ud800") == r"\xed\xa0\x80"


@each_row
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


@each_row
def test_no_command_to_a_ci_system_is_left(text: str, safe: str) -> None:
    assert inert(text) == safe


def test_where_a_text_may_start_a_line_no_double_colon_is_left() -> None:
    assert "::" not in inert("::error::x :::", anywhere=True)


@each_row
def test_points_are_rounded_half_up(value: Fraction, shown: str) -> None:
    assert points(value) == shown


@each_row
def test_a_score_is_shown_as_all_or_nothing_only_where_it_is(score: Fraction, most: int, shown: str) -> None:
    assert points(score, most) == shown


@each_row
def test_only_all_of_it_is_a_hundred_percent(share: Fraction, shown: str) -> None:
    assert percent(share) == shown


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_are_printable(data: bytes) -> None:
    assert one_line(data).isprintable()
