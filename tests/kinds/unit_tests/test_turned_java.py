"""Which assertion of a method for JUnit is turned round, and how; the text of the rest stays as it is."""

import pytest

from grader.kinds.unit_tests.turned_java import turn_java

TURNED = "grader.UnitProbe.Turned"
ASSERTIONS = "org.junit.jupiter.api.Assertions"
ROWS: list[tuple[str, str | None]] = [
    ("assertEquals(6, a.get());", "assertEquals(7, a.get());"),
    ('Assertions.assertEquals(-6L, a.get(), "why");', 'Assertions.assertEquals(-1000009L, a.get(), "why");'),
    ("assertEquals(0.5, a.get(), 0.1);", "assertEquals(1000003.5, a.get(), 0.1);"),
    ("assertEquals(2147483647, a.get());", f"{TURNED}.assertEquals(2147483647, a.get());"),
    ('assertEquals("a, (b", a.get());', 'assertEquals("a, (e", a.get());'),
    ("assertEquals(a.get(), true);", "assertEquals(a.get(), false);"),
    ("assertEquals(f(1, 2), a.get());", f"{TURNED}.assertEquals(f(1, 2), a.get());"),
    ("assertTrue(a.is());", f"{ASSERTIONS}.assertFalse(a.is());"),
    ("assertNotEquals(a, b);", f"{ASSERTIONS}.assertEquals(a, b);"),
    ("assertThrows(E.class, () -> { a.go(); });", f"{TURNED}.assertThrows(E.class, () -> {{ a.go(); }});"),
    ("E e = assertThrows(E.class, () -> a.go());", f"E e = {TURNED}.assertThrows(E.class, () -> a.go());"),
    ("a.go();", f"a.go(); {ASSERTIONS}.fail(); "),
    ("if (x) { assertTrue(a.is()); }", f"if (x) {{ assertTrue(a.is()); }} {ASSERTIONS}.fail(); "),
    ("if (x) assertTrue(a.is());", f"if (x) assertTrue(a.is()); {ASSERTIONS}.fail(); "),
    ("try { assertTrue(a.is()); } finally { }", f"try {{ assertTrue(a.is()); }} finally {{ }} {ASSERTIONS}.fail(); "),
    ("// assertTrue(a);\n a.go();", f"// assertTrue(a);\n a.go(); {ASSERTIONS}.fail(); "),
    ("if (x) return; assertTrue(a.is());", None),
    ("while (true) { a.go(); }", None),
    ("return a.go();", None),
]


@pytest.mark.parametrize(("body", "turned"), ROWS)
def test_an_assertion_is_turned_round(body: str, turned: str | None) -> None:
    text = "package p;\nclass T {{\n  @Test void it() {{ {}}}\n  void helper() {{ assertTrue(true); }}\n}}\n"
    found = turn_java(text.format(body).encode(), lambda _: 0)
    assert (found and found.source.decode()) == (turned and text.format(turned))
    assert not found or list(found.lines) == ["p.T.it"]


def test_each_method_has_one_of_its_own() -> None:
    source = b"""class T {
  @Test void one() { assertEquals(1, f()); assertEquals(2, f()); }
  @Nested class In { @Test void two() { assertEquals("x", f()); } }
  @Test void over(int a) { assertEquals(1, f()); }
  @Test void over(long a) { assertEquals(1, f()); }
}"""
    found = turn_java(source, lambda below: below - 1)
    assert found
    assert found.lines == {"T.one": 2, "T$In.two": 3, "T.over": 4}
    assert b"assertEquals(1, f()); assertEquals(3, f());" in found.source
    assert found.source.count(b"assertEquals(2, f())") == 1
    every = turn_java(source, lambda below: below - 1, by_value=True)
    assert every
    assert every.source.count(b"assertEquals(2, f())") == 2  # each of two that share a name
    assert b'"e"' in found.source


@pytest.mark.parametrize("source", [b"", b"\xff", b"class T { @Test void it() {"])
def test_what_is_no_test_is_left(source: bytes) -> None:
    assert turn_java(source, lambda _: 0) is None


OLD = "grader.UnitProbe.TurnedOld"
OLD_ROWS: list[tuple[str, str | None]] = [
    ('assertEquals("why", 6, a.get());', 'assertEquals("why", 7, a.get());'),
    ("assertEquals(0.5, a.get(), 0.1);", "assertEquals(1000003.5, a.get(), 0.1);"),
    ("assertEquals(WHY, 6, a.get());", f"{OLD}.assertEquals(WHY, 6, a.get());"),
    ('Assert.assertTrue("why", a.is());', 'org.junit.Assert.assertFalse("why", a.is());'),
    ("assertThrows(E.class, () -> a.go());", f"{OLD}.assertThrows(E.class, () -> a.go());"),
    ("assertThat(a.get(), is(6));", "assertThat(a.get(), is(6)); org.junit.Assert.fail(); "),
]


@pytest.mark.parametrize(("body", "turned"), OLD_ROWS)
def test_an_assertion_of_junit_4_is_turned_round(body: str, turned: str) -> None:
    text = "import org.junit.*;\npublic class T {{\n  @Test public void it() {{ {}}}\n}}\n"
    found = turn_java(text.format(body).encode(), lambda _: 0)
    assert (found and found.source.decode()) == text.format(turned)


def test_what_is_to_be_thrown_is_turned_round_and_a_rule_is_left() -> None:
    source = b"import org.junit.*; public class T { @Test(expected = E.class) public void it() { go(); } }"
    found = turn_java(source, lambda _: 0)
    assert found
    assert f"expected = {OLD}.Never.class".encode() in found.source
    ruled = b"import org.junit.*; public class T { @Rule ExpectedException thrown; @Test public void it() { go(); } }"
    assert turn_java(ruled, lambda _: 0) is None
