"""Which assertion of a method for JUnit is inverted, and how; the text of the rest stays as it is."""

import re

import pytest

from grader.core.seeded_random import SeededRandom
from grader.kinds.unit_tests.audit import InvertedText, invert_java
from tests.support.rows import each_row


def inverted(source: str, method: str, seed: int = 0) -> InvertedText | None:
    return invert_java(source.encode(), method, SeededRandom(f"{seed}").below)


def compare(text: str, method: str, body: str, wanted: str | None) -> None:
    for seed in range(30):
        found = inverted(text.format(body + "\n"), method, seed)
        if wanted is None:
            assert found is None
            continue
        assert found
        changed = found.source.decode()
        parts = re.split("[«»]", text.format(wanted + "\n"))
        pattern = "".join(f"(?:{part})" if at % 2 else re.escape(part) for at, part in enumerate(parts))
        assert re.fullmatch(pattern, changed), changed


@each_row
def test_an_assertion_is_inverted(body: str, wanted: str | None) -> None:
    text = "package p;\nclass T {{\n  @Test void it() {{ {}}}\n  void helper() {{ assertTrue(true); }}\n}}\n"
    compare(text, "p.T.it", body, wanted)


def test_each_method_has_one_of_its_own() -> None:
    source = """class T {
  @Test void one() { assertEquals(100, f()); assertEquals(200, f()); }
  @Nested class In { @Test void two() { assertEquals("x", f()); } }
  @Test void over(int a) { assertEquals(300, f()); }
  @Test void over(long a) { assertEquals(400, f()); }
}"""
    values = (100, 200, '"x"', 300, 400)
    for method, number in {"T.one": 1, "T$In.two": 1, "T.over": 2}.items():  # each of two that share a name
        gone = set[object]()
        for seed in range(30):
            found = inverted(source, method, seed)
            assert found
            absent = [one for one in values if f"({one}," not in found.source.decode()]
            assert len(absent) == number
            gone.update(absent)
        assert gone == {"T.one": {100, 200}, "T$In.two": {'"x"'}, "T.over": {300, 400}}[method]
    assert inverted(source, "T.nowhere") is None


def test_a_text_that_the_file_expects_elsewhere_takes_its_place() -> None:
    source = 'class T { @Test void it() { assertEquals("Cat", f()); } @Test void no() { assertEquals("Dog", g()); } }'
    found = [one.source.count(b'"Dog"') for seed in range(60) if (one := inverted(source, "T.it", seed))]
    assert set(found) == {1, 2}


@pytest.mark.parametrize("source", ["", "\xff", "class T { @Test void it() {"])
def test_what_is_no_test_is_left(source: str) -> None:
    assert invert_java(source.encode("latin-1"), "T.it", lambda _: 0) is None


@each_row
def test_an_assertion_of_junit_4_is_inverted(body: str, wanted: str) -> None:
    compare(
        "package p; import org.junit.*;\npublic class T {{\n @Test public void it() {{ {}}}\n}}\n",
        "p.T.it",
        body,
        wanted,
    )


def test_what_is_to_be_thrown_is_exchanged_and_a_rule_is_left() -> None:
    source = "import org.junit.*; public class T {{ @{} public void it() {{ go(); }} }}"
    for heading in ("Test(expected = {})", "org.junit.Test(timeout = 9, expected = {})"):
        found = inverted(source.format(heading.format("E.class")), "T.it")
        assert found
        none = f"{heading.partition('(')[0]}.None.class"
        assert found.source.decode() == source.format(heading.format(none))
    ruled = "import org.junit.*; public class T { @Rule ExpectedException thrown; @Test public void it() { go(); } }"
    assert inverted(ruled, "T.it") is None


@pytest.mark.parametrize("body", ['assertEquals("a", f(), "why");', "assertEquals(5, f(), WHY);"])
def test_assertions_of_junit_5_in_a_test_that_junit_4_runs_have_the_message_last(body: str) -> None:
    imports = "import org.junit.Test; import static org.junit.jupiter.api.Assertions.*;"
    for seed in range(30):
        found = inverted(f"{imports}\npublic class T {{ @Test public void it() {{ {body} }} }}", "T.it", seed)
        assert found
        assert b'f(), "why");' in found.source or b"throw null; }" in found.source


def test_where_the_assertions_may_be_of_both_nothing_is_inverted() -> None:
    imports = "import org.junit.*; import org.junit.jupiter.api.Assertions;"
    assert inverted(f'{imports} class T {{ @Test public void it() {{ assertEquals("a", b); }} }}', "T.it") is None
