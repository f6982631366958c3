"""Which assertion of a method for JUnit is inverted, and how; the text of the rest stays as it is."""

import re

import pytest

from grader.core.seeded_random import SeededRandom
from grader.kinds.unit_tests.inverted import InvertedText
from grader.kinds.unit_tests.inverted_java import invert_java

FAIL = "static org.junit.jupiter.api.Assertions.fail"
ODD = (
    "«EnumConstantNotPresent|AnnotationTypeMismatch|IllegalCaller|IncompleteAnnotation|LayerInstantiation|"
    "MalformedParameters»«Exception»"
)
ROWS: list[tuple[str, str | None, str]] = [
    ("assertEquals(6, a.get());", "assertEquals(«[3-57-9]», a.get());", ""),
    ('Assertions.assertEquals(-6000L, a.get(), "why");', r'Assertions.assertEquals(-«\d\d»00L, a.get(), "why");', ""),
    (
        "assertEquals(0.5, a.get(), 0.1);",
        "assertNotEquals(0.5, a.get(), 0.1);",
        "static org.junit.jupiter.api.Assertions.assertNotEquals",
    ),
    ("assertEquals(2147483647, a.get());", "assertEquals(2147483647, new Object());", "java.lang.Object"),
    ("assertEquals(017, a.get());", "assertEquals(017, new Object());", "java.lang.Object"),
    ('assertEquals("a, (b", a.get());', r'assertEquals("«[a-z], \([a-z]»", a.get());', ""),
    ("assertEquals(a.get(), true);", "assertEquals(a.get(), false);", ""),
    ("assertEquals(f(1, 2), a.get());", "assertEquals(f(1, 2), new Object());", "java.lang.Object"),
    ("assertTrue(a.is());", "assertFalse(a.is());", "static org.junit.jupiter.api.Assertions.assertFalse"),
    ("assertNotEquals(a, b);", "assertEquals(a, b);", "static org.junit.jupiter.api.Assertions.assertEquals"),
    ("assertThrows(E.class, () -> { a.go(); });", f"assertThrows({ODD}.class, () -> {{ a.go(); }});", "ODD"),
    ("E e = assertThrows(E.class, () -> a.go());", "E e = assertThrows(E.class, () -> a.go()); fail(); ", FAIL),
    ("a.go();", "a.go(); fail(); ", FAIL),
    ("if (x) { assertTrue(a.is()); }", "if (x) { assertTrue(a.is()); } fail(); ", FAIL),
    ("if (x) assertTrue(a.is());", "if (x) assertTrue(a.is()); fail(); ", FAIL),
    ("try { assertTrue(a.is()); } finally { }", "try { assertTrue(a.is()); } finally { } fail(); ", FAIL),
    ("// assertTrue(a);\n a.go();", "// assertTrue(a);\n a.go(); fail(); ", FAIL),
    ("if (x) return; assertTrue(a.is());", None, ""),
    ("while (true) { a.go(); }", None, ""),
    ("return a.go();", None, ""),
]


def inverted(source: str, method: str, seed: int = 0, *, by_value: bool = False) -> InvertedText | None:
    return invert_java(source.encode(), method, SeededRandom(f"{seed}").below, by_value=by_value)


def compare(text: str, method: str, body: str, wanted: str | None, imports: str) -> None:
    for seed in range(30):
        found = inverted(text.format(body), method, seed)
        if wanted is None:
            assert found is None
            continue
        assert found
        changed = found.source.decode()
        head, plain = text.partition("\n")[0], text.partition("\n")[2]
        parts = re.split("[«»]", plain.format(wanted))
        pattern = "".join(f"(?:{part})" if at % 2 else re.escape(part) for at, part in enumerate(parts))
        first, _, rest = changed.partition("\n")  # what is imported stands on a line that was there
        assert re.fullmatch(pattern, rest), changed
        (added,) = [one for one in re.findall("import ([^;]*);", first) if one not in head] or [""]
        assert (
            re.fullmatch(r"java\.lang\.(?:annotation\.|reflect\.)?\w+Exception", added)
            if imports == "ODD"
            else added == imports
        )


@pytest.mark.parametrize(("body", "wanted", "imports"), ROWS)
def test_an_assertion_is_inverted(body: str, wanted: str | None, imports: str) -> None:
    text = "package p;\nclass T {{\n  @Test void it() {{ {}}}\n  void helper() {{ assertTrue(true); }}\n}}\n"
    compare(text, "p.T.it", body, wanted, imports)


def test_each_method_has_one_of_its_own() -> None:
    source = """class T {
  @Test void one() { assertEquals(100, f()); assertEquals(200, f()); }
  @Nested class In { @Test void two() { assertEquals("x", f()); } }
  @Test void over(int a) { assertEquals(300, f()); }
  @Test void over(long a) { assertEquals(400, f()); }
}"""
    for method, values in {"T.one": (100, 200), "T$In.two": ('"x"',), "T.over": (300, 400)}.items():
        gone = set[object]()
        for seed in range(30):
            found = inverted(source, method, seed)
            assert found
            absent = [one for one in (100, 200, '"x"', 300, 400) if f"({one}," not in found.source.decode()]
            assert len(absent) == 1
            gone.update(absent)
        assert gone == {*values}
    every = inverted(source, "T.over", by_value=True)
    assert every
    assert (b"(300," in every.source, b"(400," in every.source) == (False, False)  # each of two that share a name
    assert inverted(source, "T.nowhere") is None


def test_a_text_that_the_file_expects_elsewhere_takes_its_place() -> None:
    source = 'class T { @Test void it() { assertEquals("Cat", f()); } @Test void no() { assertEquals("Dog", g()); } }'
    found = [one.source.count(b'"Dog"') for seed in range(60) if (one := inverted(source, "T.it", seed))]
    assert set(found) == {1, 2}


@pytest.mark.parametrize("source", ["", "\xff", "class T { @Test void it() {"])
def test_what_is_no_test_is_left(source: str) -> None:
    assert invert_java(source.encode("latin-1"), "T.it", lambda _: 0) is None


OLD_ROWS: list[tuple[str, str, str]] = [
    ('assertEquals("why", 6, a.get());', 'assertEquals("why", «[3-57-9]», a.get());', ""),
    (
        "assertEquals(0.5, a.get(), 0.1);",
        "assertNotEquals(0.5, a.get(), 0.1);",
        "static org.junit.Assert.assertNotEquals",
    ),
    ("assertEquals(WHY, 6, a.get());", "assertNotEquals(WHY, 6, a.get());", "static org.junit.Assert.assertNotEquals"),
    ("assertEquals(one, two, by);", "assertNotEquals(one, two, by);", "static org.junit.Assert.assertNotEquals"),
    ('Assert.assertTrue("why", a.is());', 'assertFalse("why", a.is());', "static org.junit.Assert.assertFalse"),
    ('assertThrows("why", E.class, () -> a.go());', f'assertThrows("why", {ODD}.class, () -> a.go());', "ODD"),
    ("assertThat(a.get(), is(6));", "assertThat(a.get(), is(6)); fail(); ", "static org.junit.Assert.fail"),
]


@pytest.mark.parametrize(("body", "wanted", "imports"), OLD_ROWS)
def test_an_assertion_of_junit_4_is_inverted(body: str, wanted: str, imports: str) -> None:
    compare(
        "package p; import org.junit.*;\npublic class T {{\n @Test public void it() {{ {}}}\n}}\n",
        "p.T.it",
        body,
        wanted,
        imports,
    )


def test_what_is_to_be_thrown_is_exchanged_and_a_rule_is_left() -> None:
    source = "import org.junit.*; public class T { @Test(expected = E.class) public void it() { go(); } }"
    found = inverted(source, "T.it")
    assert found
    assert re.search(rb"expected = \w+Exception\.class", found.source)
    ruled = "import org.junit.*; public class T { @Rule ExpectedException thrown; @Test public void it() { go(); } }"
    assert inverted(ruled, "T.it") is None


@pytest.mark.parametrize("body", ['assertEquals("a", f(), "why");', "assertEquals(5, f(), WHY);"])
def test_assertions_of_junit_5_in_a_test_that_junit_4_runs_have_the_message_last(body: str) -> None:
    imports = "import org.junit.Test; import static org.junit.jupiter.api.Assertions.*;"
    for seed in range(30):
        found = inverted(f"{imports}\npublic class T {{ @Test public void it() {{ {body} }} }}", "T.it", seed)
        assert found
        assert b'f(), "why");' in found.source or b"assertNotEquals(5, f(), WHY);" in found.source
        assert b"org.junit.Assert." not in found.source


def test_where_the_assertions_may_be_of_both_nothing_is_inverted() -> None:
    imports = "import org.junit.*; import org.junit.jupiter.api.Assertions;"
    assert inverted(f'{imports} class T {{ @Test public void it() {{ assertEquals("a", b); }} }}', "T.it") is None
