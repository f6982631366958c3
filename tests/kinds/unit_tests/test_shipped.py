"""What of a unit test's file is shipped: all but hidden methods, on its lines."""

import ast

import pytest

from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import UnitFramework
from grader.kinds.unit_tests.shipped import without_methods

PYTHON = '''# -*- coding: utf-8 -*-
"""About accounts."""
import pytest
from bank import Account

STAYS = 7  # stays

@pytest.fixture
def stays_fixture():
    return Account()

def test_shown(stays_fixture):
    assert stays_helper() == 7

# gone: a remark
@pytest.mark.parametrize("gone", [1, 2])
def test_gone(gone_fixture, gone):
    assert gone_helper(gone)
    assert stays_helper(), "gone"

class TestBoth:
    """stays"""
    def test_gone(self): gone()
    def test_shown(self):
        assert self.stays
# gone
    async def test_gone(self):
        assert self._gone()

class TestEmpty:
    def test_gone(self): pass

class TestStays(TestEmpty):
    def test_shown(self): pass
'''
JAVA = """package bank;
import org.junit.jupiter.api.*;

// stays, é
class BankTest extends Object {
    static final Map<String, Integer> STAYS = new HashMap<>() {{ put("a", 1); }};
    @BeforeEach void stays() { stays = new Account(); }
    @ParameterizedTest @MethodSource("stays_numbers")
    void shown(int n) { assertEquals(5, STAYS.get("a"), "} // {"); } // gone, é
    /* gone, é */
    @Test void gone() { assertEquals('"', stays.gone()); }
    @Nested class Inner {
        int[] stays = {1, 2};
        @Test void shown() { }
        @Test void gone() {
            assertThrows(Gone.class, () -> { gone[0] = -99; });
        }
    }
}
class OtherTest {
    static Stream<Integer> given() { return Stream.of(1); }
    @MethodSource @ParameterizedTest void given(int stays) { }
    @Test void hides() { gone(); }
}
"""
PYTHON_SHOWN = frozenset({"test_shown", "TestBoth.test_shown", "TestStays.test_shown"})
OWN = ("bank.BankTest", "bank.BankTest$Inner")
JAVA_SHOWN = frozenset({*(f"{one}.shown" for one in OWN), "bank.OtherTest.given"})


@pytest.mark.parametrize(
    ("source", "framework", "shown"),
    [(PYTHON, "pytest", PYTHON_SHOWN), (JAVA, "junit", JAVA_SHOWN)],
    ids=["python", "java"],
)
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


NAMED = [
    "def test_shown(): test_gone()\ndef test_gone(): assert 1 == 2\n",
    "def test_shown(): helper()\ndef helper(): test_gone()\ndef test_gone(): assert 1 == 2\n",
    "def test_shown(): getattr(m, 'test_gone')()\ndef test_gone(): assert 1 == 2\n",
    "class TestA:\n  def test_gone(self): pass\nclass TestB(TestA):\n  def test_shown(self): super().test_gone()\n",
]


@pytest.mark.parametrize("source", NAMED)
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


SHARED = [
    ("A = 1\ndef test_a(): assert A\ndef test_b(): assert 2\n", []),  # what only visible ones use
    ("A: int = 1\ndef test_a(): assert 2\ndef test_b(): assert A\n", ["A"]),
    ("A = 1\ndef test_a(): assert A\ndef test_b(): assert A\n", ["A"]),
    ("import a\ndef test_a(): assert a.b\ndef test_b(): assert a.b\n", []),
    ("A = 1\ndef helped(): return A\ndef test_a(): helped()\ndef test_b(): helped()\n", ["helped"]),
    ("def test_b(): assert 2\ndef test_a(): test_b()\n", ["test_b"]),
    (
        "class T(TestCase):\n    def setUp(self): self.a = 1\n    def test_a(self): 1\n    def test_b(self): self.a\n",
        [],
    ),
]


@pytest.mark.parametrize(("source", "names"), SHARED)
def test_what_hidden_methods_share_with_visible_ones_is_named(source: str, names: list[str]) -> None:
    framework: UnitFramework = "unittest" if "class T" in source else "pytest"
    prefix = "T." if framework == "unittest" else ""
    found = without_methods(source.encode(), framework, frozenset({f"{prefix}test_a"}))
    assert sorted(found.shared | found.named) == names
