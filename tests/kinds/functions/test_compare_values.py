"""Where two values differ, and how they are written."""

from typing import Any

import pytest

from grader.core.model.values import MapValue, Opaque, PlainValue, SetValue, Wildcard
from grader.kinds.functions.compare_values import (
    MISSING,
    differing,
    element_at,
    encode_value,
    has_whatever,
    in_lines,
    place_of,
    shown_value,
)
from grader.kinds.functions.model import display_value
from tests.support.rows import each_row

NAN, OPEN = float("nan"), Wildcard()
THING = Opaque(type="Thing")
SHOWN = Opaque(type="Bank", text="Bank(3)")


def members(*items: PlainValue) -> SetValue:
    return SetValue(items=items)


def entries(*pairs: tuple[PlainValue, PlainValue]) -> MapValue:
    return MapValue(items=pairs)


def differences(actual: PlainValue, wanted: PlainValue) -> list[tuple[Any, ...]]:
    return [(one.path, one.actual, one.wanted) for one in differing(actual, wanted, ())]


@pytest.mark.parametrize(
    ("actual", "wanted"),
    [
        (1, 1.0),
        (1, True),
        (0, False),
        ("a", "a"),
        (None, None),
        (NAN, NAN),
        (0.1 + 0.2, 0.3),
        # Relative to the larger, to within 1e-9 and no more.
        (1.0, 1.0 + 0.9e-9),
        (1e6, 1e6 + 0.9e-3),
        (5, OPEN),
        ((1, (2, 3)), (1, (OPEN, 3))),
        ((), ()),
        (members(1, 2), members(2, 1)),
        (members(1), SetValue(items=(True,))),
        (members(1.0), members(1)),
        (members((1, 2)), members((1.0, 2))),
        (entries(("a", 1), ("b", 2)), entries(("b", 2), ("a", 1))),
        (entries(("a", 1)), entries(("a", OPEN))),
        (SHOWN, Opaque(type="Other", text="Bank(3)")),
        # An int is what a float near it rounds to, and what is near 0 is 0.
        (6.000000000000001, 6),
        (6, 6.000000000000001),
        (6.000000000000001, 6.0),
        (1e-17, 0.0),
        (-9e-10, 0),
        (0, 1e-300 * 1e-300),
        ((1.0, 6e-17), (1, 0)),
        (members(0.1 + 0.2), members(0.3)),
        (members(6.000000000000001), members(6)),
        (entries((0.1 + 0.2, 1e-17)), entries((0.3, 0))),
        (float("inf"), float("inf")),
    ],
)
def test_values_that_are_the_same(actual: PlainValue, wanted: PlainValue) -> None:
    assert differences(actual, wanted) == []


@pytest.mark.parametrize(
    ("actual", "wanted", "found"),
    [
        (1, 2, [((), 1, 2)]),
        (1.0, 1.0 + 1.1e-9, [((), 1.0, 1.0 + 1.1e-9)]),
        (1e-12, 2e-12, [((), 1e-12, 2e-12)]),
        (0.0, 1.6e-19, [((), 0.0, 1.6e-19)]),
        (0, 1.6e-19, [((), 0, 1.6e-19)]),
        (1.1e-9, 0, [((), 1.1e-9, 0)]),
        (0.5, 0, [((), 0.5, 0)]),
        (6.1, 6, [((), 6.1, 6)]),
        (1e12 + 400, 10**12, [((), 1e12 + 400, 10**12)]),
        (10**12 + 400, 1e12, [((), 10**12 + 400, 1e12)]),
        (1.0 + 1e-15, True, [((), 1.0 + 1e-15, True)]),
        (10**400, 1.5, [((), 10**400, 1.5)]),
        (10**400, NAN, None),
        (1.5, 10**400, [((), 1.5, 10**400)]),
        (float("inf"), 10**400, [((), float("inf"), 10**400)]),
        (float("inf"), -float("inf"), [((), float("inf"), -float("inf"))]),
        (members(0.3001), members(0.3), [((), MISSING, 0.3), ((), 0.3001, MISSING)]),
        (THING, THING, [((), THING, THING)]),
        (1, "1", [((), 1, "1")]),
        ((1, 2), (1, 3), [((1,), 2, 3)]),
        ((1, (2, 3)), (0, (2, 4)), [((0,), 1, 0), ((1, 1), 3, 4)]),
        ((1,), (1, 2), [((), 1, 2)]),
        ((1, 2), 3, [((), (1, 2), 3)]),
        (3, (1, 2), [((), 3, (1, 2))]),
        (members(1, 2), members(1, 3), [((), MISSING, 3), ((), 2, MISSING)]),
        (entries(("a", 1)), entries(("a", 2)), [(('"a"',), 1, 2)]),
        (entries(("a", 1)), entries(("b", 1)), [((), MISSING, "b"), ((), "a", MISSING)]),
        (members(), entries(), [((), members(), entries())]),
        (THING, SHOWN, [((), THING, SHOWN)]),
        (SHOWN, Opaque(type="Bank"), [((), SHOWN, Opaque(type="Bank"))]),
        (Opaque(type="Bank", text="Bank(4)"), SHOWN, [((), Opaque(type="Bank", text="Bank(4)"), SHOWN)]),
        ("Bank(3)", SHOWN, [((), "Bank(3)", SHOWN)]),
        (1, 1.5, [((), 1, 1.5)]),
        ("a", 1.5, [((), "a", 1.5)]),
        (THING, Opaque(type="Other"), [((), THING, Opaque(type="Other"))]),
        (members((1, 2)), members((3,)), [((), MISSING, (3,)), ((), (1, 2), MISSING)]),
        (members(1.5), members(1), [((), MISSING, 1), ((), 1.5, MISSING)]),
        (1.5, NAN, None),
        (NAN, 1.5, None),
    ],
)
def test_where_values_differ(actual: PlainValue, wanted: PlainValue, found: list[tuple[Any, ...]] | None) -> None:
    assert differences(actual, wanted) == found or (found is None and len(differences(actual, wanted)) == 1)


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


@pytest.mark.parametrize(
    ("value", "python", "other"),
    [
        (None, "None", "null"),
        (True, "True", "true"),
        (1.5, "1.5", "1.5"),
        ("a'b", '"a\'b"', '"a\'b"'),
        ((1, ("é", False)), "[1, ['é', False]]", '[1, ["é", false]]'),
        (members(2, 1, "a"), "{'a', 1, 2}", '{"a", 1, 2}'),
        (entries(("b", 1), ("a", (None,))), "{'b': 1, 'a': [None]}", '{"b": 1, "a": [null]}'),
        (OPEN, "_", "_"),
        (THING, "<Thing>", "<Thing>"),
        (SHOWN, "Bank(3)", "Bank(3)"),
    ],
)
def test_a_value_is_written_in_the_words_of_the_language(value: PlainValue, python: str, other: str) -> None:
    assert display_value(value, is_python=True) == python
    assert display_value(value, is_python=False) == other


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (7, "7"),
        (10**498, str(10**498)),
        (10**499, str(10**499)),
        ("a", "`'a'`"),
        ((1, 2), "`[1, 2]`"),
        (members(1), "`{1}`"),
        (entries((1, 2)), "`{1: 2}`"),
        (None, "None"),
        (THING, "something of the type `Thing`, not plain data, or too much of it"),
        (SHOWN, "`Bank(3)`, an object of the type `Bank`"),
        (Opaque(type="B", text="x" * 161), f"`{'x' * 160}…`, an object of the type `B`"),
    ],
)
def test_a_value_is_shown_in_a_sentence(value: PlainValue, shown: str) -> None:
    assert shown_value(value, is_python=True) == shown


def test_a_number_that_a_program_can_forge_is_cut() -> None:
    assert shown_value(10**500, is_python=True).endswith("…`")


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ("é\n", "é\n".encode()),
        ("\ud800", b"\xed\xa0\x80"),
        (1, b"1"),
        ((1, "é", None), '[1, "é", null]'.encode()),
        (("\ud800",), b'["\\ud800"]'),
        (SHOWN, b"Bank(3)"),
        ((SHOWN,), b'["Bank(3)"]'),
        (entries(("a", 1), (2, 3)), b'{"a": 1, "2": 3}'),
        (entries((None, 1)), b'{"null": 1}'),
        (members(3, 1, 2), b"[1, 2, 3]"),
        (THING, None),
        ((THING,), None),
        (OPEN, None),
    ],
)
def test_a_value_for_a_comparator(value: PlainValue, encoded: bytes | None) -> None:
    assert encode_value(value) == encoded


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ((), ((1, 2), 3)),
        ((0, 1), 2),
        ((1,), 3),
        ((2,), MISSING),
        ((1, 0), MISSING),
        (("a",), MISSING),
        ((0, 2), MISSING),
    ],
)
def test_what_is_in_a_cell(path: tuple[int | str, ...], found: PlainValue) -> None:
    assert element_at(((1, 2), 3), path) == found


def test_a_place_is_written_with_brackets() -> None:
    assert (place_of(()), place_of((1, 0)), place_of(('"Ann"', 2))) == ("", "[1][0]", '["Ann"][2]')


@pytest.mark.parametrize(
    ("value", "is_open"),
    [(OPEN, True), ((1, (2, OPEN)), True), ((1, OPEN), True), ((1, (2,)), False), (1, False), ((), False)],
)
def test_what_is_left_open(value: PlainValue, *, is_open: bool) -> None:
    assert has_whatever(value) is is_open


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (((0, 1), (2, 3)), "[0, 1]\n[2, 3]\n"),
        (((0,), 1), "[0]\n1\n"),
        ((0, 1), "[0, 1]\n"),
        ((), "[]\n"),
        ("a", "'a'\n"),
        (7, "7\n"),
    ],
)
def test_a_board_has_a_line_for_each_of_its_rows(value: PlainValue, lines: str) -> None:
    assert in_lines(value, is_python=True) == lines
