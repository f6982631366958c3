"""What of a unit test's file is shipped: all that visible methods need, on its lines, and nothing else."""

import ast

import pytest

from grader.core.errors import HostError
from grader.kinds.unit_tests.model import UnitFramework
from grader.kinds.unit_tests.reader import unit_methods
from grader.kinds.unit_tests.shipped import shared_names, without_methods

PYTHON = '''# -*- coding: utf-8 -*-
"""About accounts."""
import pytest
from bank import Account

LIMIT = 4321  # gone
GONE_TABLE = {
    1: "gone",
}
STAYS = 7

def gone_helper(n):
    return GONE_TABLE[n]

def stays_helper():
    return STAYS

@pytest.fixture
def gone_fixture():
    return Account(LIMIT)

@pytest.fixture
def stays_fixture():
    return Account()

@pytest.fixture(autouse=True)
def stays_always(): yield

# gone: a remark
def test_shown(stays_fixture):
    assert stays_helper() == 7

@pytest.mark.parametrize("gone", [1, 2])
def test_gone(gone_fixture, gone):
    assert gone_helper(gone)
    assert stays_helper(), "gone"

class TestBoth:
    """stays"""
    stays = None
    GONE = [1]
    def setup_method(self): self.stays = 1
    def _gone(self): return self.GONE
    def test_shown(self):
        assert self.stays
    # gone
    def test_gone(self):
        assert self._gone()

class TestGone:
    gone = 3
    def test_gone(self): pass

class TestEmpty:
    def test_gone(self): pass

class TestStays(TestEmpty):
    def test_shown(self): pass
'''
JAVA = """package bank;
import org.junit.jupiter.api.*;

// gone, é
class BankTest extends Object {
    static final Map<String, Integer> STAYS = new HashMap<>() {{ put("a", 1); }};
    Account stays;
    @BeforeEach void stays() { stays = new Account(); }
    static Stream<Integer> stays_numbers() { return Stream.of(1, 2); }
    BankTest() { }
    /* gone */
    @ParameterizedTest @MethodSource("stays_numbers")
    void shown(int n) { assertEquals(5, STAYS.get("a"), "} // {"); } // gone
    @Test void gone() { assertEquals('"', stays.gone()); }
    @Nested class Inner {
        int[] gone = {1, 2};
        @Test void shown() { }
        @Test void gone() { assertThrows(Gone.class, () -> { gone[0] = -99; }); }
    }
    @Nested class Gone { int gone = 3; @Test void gone() { } }
}
class OtherTest {
    static final int GONE = 3;
    static int gone() { return GONE; }
    static Stream<Integer> given() { return Stream.of(1); }
    @MethodSource @ParameterizedTest void given(int stays) { }
    @Test void hides() { gone(); }
}
"""
PYTHON_GONE = frozenset({"test_gone", "TestBoth.test_gone", "TestGone.test_gone", "TestEmpty.test_gone"})
PYTHON_SHOWN = frozenset({"test_shown", "TestBoth.test_shown", "TestStays.test_shown"})
OWN = ("bank.BankTest", "bank.BankTest$Inner")
JAVA_GONE = frozenset({*(f"{one}.gone" for one in OWN), "bank.BankTest$Gone.gone", "bank.OtherTest.hides"})
JAVA_SHOWN = frozenset({*(f"{one}.shown" for one in OWN), "bank.OtherTest.given"})


@pytest.mark.parametrize(
    ("source", "framework", "gone", "shown"),
    [(PYTHON, "pytest", PYTHON_GONE, PYTHON_SHOWN), (JAVA, "junit", JAVA_GONE, JAVA_SHOWN)],
    ids=["python", "java"],
)
def test_hidden_methods_go_with_what_they_alone_use(
    source: str, framework: UnitFramework, gone: frozenset[str], shown: frozenset[str]
) -> None:
    rest = without_methods(source.encode(), framework, gone, shown).decode()
    assert set(unit_methods(rest.encode(), framework)) >= shown
    assert gone.isdisjoint(unit_methods(rest.encode(), framework))
    assert "gone" not in rest.lower()
    before, after = source.splitlines(), rest.splitlines()
    assert len(before) == len(after)
    kept = {line.partition(" // gone")[0] for line in before if "stays" in line.lower() or "shown" in line}
    assert {line for line in kept if "gone" not in line} <= {line.rstrip() for line in after}
    if framework == "pytest":
        ast.parse(rest)
        assert after[before.index("class TestEmpty:") + 1].rstrip() == "    pass"


NEEDED = {
    "by its name": ("def test_shown(): test_gone()\n", "def test_gone(): assert 1 == 2\n"),
    "by another": ("def test_shown(): helper()\n", "def helper(): test_gone()\ndef test_gone(): assert 1 == 2\n"),
    "by a text": ("def test_shown(): getattr(m, 'x')\n", "def used(): return 12\ndef test_gone(): used()\n"),
    "on the same line": ("A = 5; B = 6\ndef test_shown(): return A\n", "def test_gone(): return B\n"),
    "by a class that is handed on": (
        "class TestA:\n  def test_shown(self): work(self)\n",
        "  def called_back(self): return 12\n  def test_gone(self): self.called_back()\n",
    ),
    "by a fixture's name in a text": (
        "@pytest.mark.usefixtures('ready')\ndef test_shown(): pass\n",
        "@pytest.fixture\ndef ready(): return 12\ndef test_gone(ready): pass\n",
    ),
    "for whoever asks a fake": (
        "class Fake:\n  def size(self): return 12\n",
        "def test_shown(): f(Fake())\ndef test_gone(): Fake().size()\n",
    ),
}


@pytest.mark.parametrize("name", NEEDED)
def test_what_visible_methods_may_need_stays(name: str) -> None:
    source = "".join(NEEDED[name])
    every = unit_methods(source.encode(), "pytest")
    gone = frozenset(one for one in every if one.endswith("test_gone"))
    rest = without_methods(source.encode(), "pytest", gone, frozenset(every) - gone).decode()
    assert [line for line in source.splitlines() if ("12" in line or "1 == 2" in line) and line not in rest] == []
    assert "B = 6" in rest or "B = 6" not in source


def test_an_inherited_method_stays_for_the_class_that_shows_it() -> None:
    source = b"class Base(TestCase):\n  def test_a(self): stay()\nclass A(Base): pass\nclass B(Base):\n  x = 1\n"
    rest = without_methods(source, "unittest", frozenset({"B.test_a"}), frozenset({"A.test_a"}))
    assert b"stay()" in rest
    assert b"stay()" not in without_methods(source, "unittest", frozenset({"A.test_a", "B.test_a", "Base.test_a"}))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_the_encoding_stays_known(encoding: str) -> None:
    head = "# coding: latin-1\n" if encoding == "latin-1" else "#!/usr/bin/python3\n"
    source = f"{head}X = 'é'\ndef test_shown():\r\n    assert X == 'é'\r\ndef test_gone():\n    assert 'gone'\n"
    rest = without_methods(source.encode(encoding), "pytest", frozenset({"test_gone"}), frozenset({"test_shown"}))
    tree = ast.parse(rest)
    assert [value.value for value in ast.walk(tree) if isinstance(value, ast.Constant)] == ["é", "é"]


def test_a_source_that_would_be_another_is_not_shipped() -> None:
    with pytest.raises(HostError, match="no test_other"):
        without_methods(b"def test_a(): pass\n", "pytest", frozenset({"test_a"}), frozenset({"test_other"}))


SHARED = [
    ("A = 1\ndef test_a(): assert A\ndef test_b(): assert 2\n", []),  # what only visible ones use
    ("A = 1\ndef test_a(): assert 2\ndef test_b(): assert A\n", []),  # what only hidden ones use
    ("A = 1\ndef test_a(): assert A\ndef test_b(): assert A\n", ["A"]),
    ("import a\ndef test_a(): assert a.b\ndef test_b(): assert a.b\n", []),
    ("A = 1\ndef helped(): return A\ndef test_a(): helped()\ndef test_b(): helped()\n", ["A", "helped"]),
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
    found = shared_names(source.encode(), framework, frozenset({f"{prefix}test_b"}), frozenset({f"{prefix}test_a"}))
    assert found == names
