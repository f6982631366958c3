"""A test in Java with one assertion of a method inverted, by its syntax tree.

As in Python, only what is certain to be reached is inverted: statements of the method itself, before anything returns.
What is written there needs no name, which a class that is handed in could hide.
"""

import re
from collections.abc import Iterator
from typing import Any

from grader.kinds.unit_tests.inverted import Choose, InvertedText, Swap, other_value, with_swaps
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java, parse_java, uses_junit_4

_ASSERTIONS_5 = re.compile(r"\bjupiter\s*\.\s*api\s*\.\s*Assertions\b")
_ASSERTIONS_4 = re.compile(r"\borg\s*\.\s*junit\s*\.\s*(?:Assert\b|\*)|\bjunit\s*\.\s*framework\b")
_EQUALITY = re.compile(r"(?:(?:[\w.]*\.)?(?:Assertions|Assert|TestCase)\.)?assertEquals")
_LEAVES = {f"{word}_statement" for word in ("return", "throw", "break", "continue", "yield")}
_NUMBER = re.compile(r"(-?(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?)([lLdDfF]?)")
_TEXT = re.compile(r'"([^"\\\n]*)"')


def invert_java(source: bytes, method: str, choose: Choose) -> InvertedText | None:
    """Return the test with one assertion of a method inverted; None where nothing in it can be.

    Of several methods that share a name each is inverted.
    """
    try:
        text = source.decode()
    except ValueError:
        return None
    code = masked_java(text)
    is_jupiter = bool(_ASSERTIONS_5.search(code))  # also where JUnit 4 runs the methods: messages come last there
    if is_jupiter and _ASSERTIONS_4.search(code):
        return None
    test, swaps = _JavaTest(source, choose, is_old=uses_junit_4(text) and not is_jupiter), list[Swap]()
    for one in find_java_methods(text):
        if one.name == method and not one.idle and one.place >= 0:
            swaps += test.swaps(len(text[: one.start].encode()), len(text[: one.end].encode()))
    return with_swaps(source, swaps)


class _JavaTest:
    """A test in Java, and what in it can be inverted."""

    def __init__(self, source: bytes, choose: Choose, *, is_old: bool) -> None:
        self.source, self.choose, self.is_old, self.root = source, choose, is_old, parse_java(source)
        compared = (one for one in _walk(self.root) if _EQUALITY.fullmatch(self.name_of(one)))
        self.known = [*dict.fromkeys(text for one in compared for text in _TEXT.findall(self.of(one)))]

    def of(self, node: Any) -> str:
        """Return the text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def name_of(self, node: Any) -> str:
        """Return the name of the method that is called, with what is before it; "" for what is no call."""
        name = node.child_by_field_name("name") if node.type == "method_invocation" else None
        return self.source[node.start_byte : name.end_byte].decode() if name else ""

    def swaps(self, start: int, end: int) -> list[Swap]:
        """Return what inverts one of the equalities of a method that are certain to be reached, or what fails behind.

        A method that is to end with an exception, by an annotation or a rule, passes with whatever is thrown in it.
        """
        method = self.root.descendant_for_byte_range(start, end)
        body, found, place = method.child_by_field_name("body"), list[Swap](), 0
        if body is None or method.has_error or b"ExpectedException" in self.source:
            return []
        for one in _walk(method):
            if one.type == "element_value_pair" and self.of(one.child_by_field_name("key")) == "expected":
                annotation = self.of(one.parent.parent.child_by_field_name("name"))
                return [Swap(one.start_byte, one.end_byte, f"expected = {annotation}.None.class")]  # as without it
        for statement in (one for one in body.named_children if "comment" not in one.type):
            if any(one.type in _LEAVES for one in _walk(statement)):
                break
            place = statement.end_byte
            for call in statement.named_children if statement.type == "expression_statement" else ():
                found += self._invert(call) if _EQUALITY.fullmatch(self.name_of(call)) else ()
        behind = [Swap(place, place, " if (true) { throw null; }")] if place else []
        return [found[self.choose(len(found))]] if found else behind

    def _invert(self, call: Any) -> Iterator[Swap]:
        """Yield what exchanges a value that is written in an equality, or else compares with something else."""
        compared = [one for one in call.child_by_field_name("arguments").named_children if "comment" not in one.type]
        if len(compared) > 2 and compared[0 if self.is_old else -1].type == "string_literal":  # noqa: PLR2004
            compared.pop(0 if self.is_old else -1)  # the message
        if len(compared) != 2:  # noqa: PLR2004 - it has a tolerance, or a message that is computed
            return
        for node in compared:
            written = self.of(node)
            text, number = _TEXT.fullmatch(written), _NUMBER.fullmatch(written)
            if text or number or written in ("true", "false"):
                plain, suffix = number.groups() if number else (written, "")
                value = text[1] if text else 0 if number else written == "true"
                other = other_value(plain, value, self.known, self.choose) + suffix
                yield Swap(node.start_byte, node.end_byte, other)
                return
        # An object that is equal to everything is so to this one, too.
        side = compared["literal" not in compared[0].type]
        yield Swap(side.start_byte, side.end_byte, "new int[0]")


def _walk(node: Any) -> Iterator[Any]:
    """Yield a node and all below it."""
    yield node
    for one in node.children:
        yield from _walk(one)
