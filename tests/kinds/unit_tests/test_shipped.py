"""What of a unit test's file is shipped: all but hidden methods, on its lines."""

import ast

import pytest

from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import UnitFramework
from grader.kinds.unit_tests.shipped import without_methods
from tests.support.rows import each_row


@each_row
def test_hidden_methods_are_blanked_where_they_stand(
    source: str, framework: UnitFramework, shown: frozenset[str]
) -> None:
    rest = without_methods(source.encode(), framework, shown).source.decode()
    assert set(unit_methods(rest.encode(), framework)) == shown
    assert "gone" not in rest.lower()
    before, after = source.splitlines(), rest.splitlines()
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        if "gone" not in old:
            assert new.strip() in (old.strip(), "", "pass")
        if "stays" in old and "gone" not in old:
            assert new == old
    if framework == "pytest":
        ast.parse(rest)
        assert after[before.index("class TestEmpty:") + 1].rstrip() == "    pass"


@each_row
def test_a_file_that_names_a_hidden_method_is_shipped_as_it_is(source: str) -> None:
    every = frozenset(unit_methods(source.encode(), "pytest"))
    gone = frozenset(one for one in every if one.endswith("test_gone"))
    found = without_methods(source.encode(), "pytest", every - gone)
    assert (found.source.decode(), found.named) == (source, gone)


def test_an_inherited_method_stays_for_the_class_that_shows_it() -> None:
    source = b"class Base(TestCase):\n  def test_a(self): stay()\nclass A(Base): pass\nclass B(Base):\n  x = 1\n"
    rest = without_methods(source, "unittest", frozenset({"A.test_a"}))
    assert b"stay()" in rest.source
    assert b"stay()" not in without_methods(source, "unittest", frozenset()).source


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_the_encoding_stays_known(encoding: str) -> None:
    head = "# coding: latin-1\n" if encoding == "latin-1" else "#!/usr/bin/python3\n"
    source = f"{head}X = 'é'\ndef test_shown():\r\n    assert X == 'é'\r\ndef test_gone():\n    assert 'gone'\n"
    rest = without_methods(source.encode(encoding), "pytest", frozenset({"test_shown"}))
    tree = ast.parse(rest.source)
    assert [value.value for value in ast.walk(tree) if isinstance(value, ast.Constant)] == ["é", "é"]


@each_row
def test_what_hidden_methods_share_with_visible_ones_is_named(source: str, names: list[str]) -> None:
    framework: UnitFramework = "unittest" if "class T" in source else "pytest"
    prefix = "T." if framework == "unittest" else ""
    found = without_methods(source.encode(), framework, frozenset({f"{prefix}test_a"}))
    assert sorted(found.shared | found.named) == names
