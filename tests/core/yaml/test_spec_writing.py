"""A tree that is written reads as it was, and so does a text whose braces are no variables."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Listing, Node, Scalar, in_line, listing, plain, quoted, table
from grader.core.yaml.parsing import parse
from grader.core.yaml.value import escaped, fill
from tests.support.expected import ROOT

LONGEST = 30
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30) | st.sampled_from(
    [
        "a\nb\n",
        "a \nb",
        "\ta\n b\n",
        "  a\nb",
        "a\n\n\nb\n\n\n",
        "x" * 200,
        "wo rd " * 40,
        "\u2028\x85",
        "# a: b",
        "\n",
        "-",
    ]
)
WORD = st.sampled_from(["reference", "any", "1..4", "10 s", "50%", "true", "-3", ".5", "512 MiB"])
LEAF = TEXT.map(quoted) | WORD.map(plain)
TREE = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=4).map(listing) | st.dictionaries(TEXT.filter(bool), inner, max_size=4).map(table)
    ),
    max_leaves=12,
)


def known(node: Node) -> Any:
    """What counts of a tree: texts, keywords without quotes (which are short), but not where they stand."""
    match node:
        case Scalar(text=text, plain=is_plain):
            return text, is_plain and len(text) <= LONGEST
        case Listing(items=items):
            return [known(item) for item in items]
        case _:
            return [(key.text, known(value)) for key, value in node.pairs]


@given(tree=TREE, open_levels=st.integers(0, 4))
def test_what_is_written_reads_as_it_was(tree: Node, open_levels: int) -> None:
    assert known(parse(dump(tree, open_levels=open_levels).encode(), "x")) == known(tree)


@given(tree=TREE)
def test_what_is_written_on_a_line_reads_as_it_was(tree: Node) -> None:
    written = in_line(tree)
    assert "\n" not in written
    assert known(parse(f"k: {written}\n".encode(), "x")) == [("k", known(tree))]


@pytest.mark.parametrize("path", sorted((ROOT / "specs").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_whole_spec_reads_as_it_was(path: Any) -> None:
    tree = parse(path.read_bytes(), "x")
    written = dump(tree, open_levels=3)
    assert known(parse(written.encode(), "x")) == known(tree)
    assert max(map(len, written.splitlines())) <= 130


@given(st.text("{}n-1 ", max_size=12))
def test_braces_of_an_escaped_text_are_braces(text: str) -> None:
    assert fill(escaped(text), {}) == text


@given(st.text(max_size=20))
def test_any_text_can_be_escaped(text: str) -> None:
    assert fill(escaped(text), {}) == text
