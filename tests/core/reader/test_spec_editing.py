"""Edits change what they should and nothing else: neither comments nor layout."""

import difflib

from grader.core.yaml.dumping import LAST, KeyPath, edited
from grader.core.yaml.nodes import Scalar, listing, plain, quoted, table
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"].encode()
ITEM = table({"args": listing([quoted("-v")])})


def edits(before: bytes, after: bytes | None) -> list[str]:
    """The lines that differ, each with its sign."""
    assert after is not None
    lines = difflib.unified_diff(before.decode().splitlines(), after.decode().splitlines(), n=0, lineterm="")
    return [line for line in lines if line[:3] not in ("---", "+++") and not line.startswith("@@")]


@each_row
def test_an_item_is_added_behind_the_last(path: KeyPath, wanted: list[str]) -> None:
    assert edits(SPEC, edited(SPEC, (*path, LAST), ITEM)) == wanted


def test_an_item_is_added_where_the_file_has_no_newline_at_its_end() -> None:
    assert edited(b"a:\n  - b", ("a", LAST), plain("c")) == b"a:\n  - b\n  - c\n"


@each_row
def test_a_value_is_exchanged(path: KeyPath, value: Scalar, wanted: list[str]) -> None:
    assert edits(SPEC, edited(SPEC, path, value)) == wanted


@each_row
def test_what_cannot_be_edited_cleanly_is_left_alone(data: bytes, path: KeyPath) -> None:
    assert edited(data, (*path, LAST), ITEM) is None


def test_a_list_comes_with_its_first_item_where_two_anchors_have_one_name() -> None:
    before = b"a: &x [b]\nc: &x [d]\n"
    assert edited(before, ("e", LAST), plain("1")) == before + b"e:\n  - 1\n"
    assert edited(before, ("a", LAST), plain("1")) == b"a: &x [b, 1]\nc: &x [d]\n"


def test_a_value_with_an_anchor_or_none_is_left_alone() -> None:
    assert edited(b"a: &x b\nc: *x\n", ("a",), quoted("d")) is None
    assert edited(b"a: b\n", ("c",), quoted("d")) is None
