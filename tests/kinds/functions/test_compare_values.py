"""Where two values differ, and how they are written."""

from typing import Any

import pytest

from grader.core.model.values import MapValue, Opaque, PlainValue, SetValue
from grader.kinds.functions.compare_values import (
    differing,
    element_at,
    encode_value,
    has_whatever,
    in_lines,
    place_of,
    shown_value,
)
from grader.kinds.functions.model import display_value
from tests.support.functions import plain
from tests.support.rows import each_row

NAN = float("nan")


def members(*items: PlainValue) -> SetValue:
    return SetValue(items=items)


def entries(*pairs: tuple[PlainValue, PlainValue]) -> MapValue:
    return MapValue(items=pairs)


def differences(actual: PlainValue, wanted: PlainValue) -> tuple[tuple[Any, ...], ...]:
    return tuple((one.path, one.actual, one.wanted) for one in differing(actual, wanted, ()))


@each_row
def test_values_that_are_the_same(actual: PlainValue, wanted: PlainValue) -> None:
    actual, wanted = plain(actual), plain(wanted)
    assert differences(actual, wanted) == ()


@each_row
def test_where_values_differ(actual: PlainValue, wanted: PlainValue, found: Any) -> None:
    actual, wanted, found = plain(actual), plain(wanted), plain(found)
    assert differences(actual, wanted) == found or (found is None and len(differences(actual, wanted)) == 1)


@pytest.mark.parametrize("other", [1.5, NAN, float("inf")])
def test_an_int_beyond_every_float_differs_from_each(other: float) -> None:
    assert differences(10**400, 10**400) == ()
    for actual, wanted in ((10**400, other), (other, 10**400)):
        assert [(one.path, one.actual, one.wanted) for one in differing(actual, wanted, ())] == [((), actual, wanted)]


@each_row
def test_what_a_reference_computes_may_be_nearly_0(actual: float, computed: float, *, is_same: bool) -> None:
    assert (list(differing((actual,), (computed,), (), is_computed=True)) == []) is is_same
    assert (list(differing(entries((1, actual)), entries((1, computed)), (), is_computed=True)) == []) is is_same


def test_of_what_a_difference_is() -> None:
    (length,) = differing((1,), (1, 2), (7,))
    assert (length.is_length, length.kind, length.path) == (True, "", (7,))
    (value,) = differing(1, 2, ())
    assert (value.is_length, value.kind) == (False, "")
    assert {one.kind for one in differing(members(1), members(2), ())} == {"a set"}
    assert {one.kind for one in differing(entries(("a", 1)), entries(("b", 1)), ())} == {"a map"}


@each_row
def test_a_value_is_written_in_the_words_of_the_language(value: PlainValue, python: str, other: str) -> None:
    value = plain(value)
    assert display_value(value, is_python=True) == python
    assert display_value(value, is_python=False) == other


@each_row
def test_a_value_is_shown_in_a_sentence(value: PlainValue, shown: str) -> None:
    value = plain(value)
    assert shown_value(value, is_python=True) == shown


def test_a_number_or_a_text_that_a_program_can_forge_is_cut() -> None:
    assert shown_value(10**499, is_python=True) == str(10**499)
    assert shown_value(10**500, is_python=True).endswith("…`")
    long = Opaque(type="B", text="x" * 161)
    assert shown_value(long, is_python=True) == f"`{'x' * 160}…`, an object of the type `B`"


@each_row
def test_a_value_for_a_comparator(value: PlainValue, encoded: bytes | None) -> None:
    value = plain(value)
    assert encode_value(value) == encoded


@each_row
def test_what_is_in_a_cell(path: tuple[int | str, ...], found: PlainValue) -> None:
    found = plain(found)
    assert element_at(((1, 2), 3), path) == found


def test_half_a_character_is_encoded_as_well() -> None:
    assert (encode_value("\ud800"), encode_value(("\ud800",))) == (b"\xed\xa0\x80", b'["\\ud800"]')


def test_a_place_is_written_with_brackets() -> None:
    assert (place_of(()), place_of((1, 0)), place_of(('"Ann"', 2))) == ("", "[1][0]", '["Ann"][2]')


@each_row
def test_what_is_left_open(value: PlainValue, *, is_open: bool) -> None:
    value = plain(value)
    assert has_whatever(value) is is_open


@each_row
def test_a_board_has_a_line_for_each_of_its_rows(value: PlainValue, lines: str) -> None:
    value = plain(value)
    assert in_lines(value, is_python=True) == lines
