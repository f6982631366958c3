"""A test in Java with one assertion of a method inverted, by its syntax tree.

As in Python, only what is certain to be reached is inverted: statements of the method itself, before anything returns.
What a copy needs it imports on the line of its package: a class that is handed in hides no name that is imported.
"""

import re
from collections.abc import Iterator
from typing import Any

from grader.kinds.unit_tests.inverted import Choose, InvertedText, Swap, TestText, other_value
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java, parse_java, uses_junit_4

_ASSERTIONS, _ASSERTIONS_4 = "org.junit.jupiter.api.Assertions", "org.junit.Assert"
_PAIRS = [("assert" + one, "assertNot" + one) for one in ("Equals", "Null", "Same")] + [("assertTrue", "assertFalse")]
_OPPOSITES = dict([*_PAIRS, *((second, first) for first, second in _PAIRS)])
_THROWN_BY_NOBODY = (
    *("java.lang.EnumConstantNotPresentException", "java.lang.annotation.AnnotationTypeMismatchException"),
    *("java.lang.IllegalCallerException", "java.lang.annotation.IncompleteAnnotationException"),
    *("java.lang.LayerInstantiationException", "java.lang.reflect.MalformedParametersException"),
)
"""what no class is derived from, and no program throws"""
_JUPITER = re.compile(rb"\bjupiter\s*\.\s*api\s*\.\s*Assertions\b")
_OLD = re.compile(rb"\borg\s*\.\s*junit\s*\.\s*(?:Assert\b|\*)|\bjunit\s*\.\s*framework\b")
_JAVA_LEAVES = {f"{word}_statement" for word in ("return", "throw", "break", "continue", "yield")}
_NO_END = {f"{word}_statement" for word in ("return", "throw", "while", "for", "enhanced_for", "do", "yield")}
_JAVA_NUMBER = re.compile(r"(-?(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?)([lLdDfF]?)")
_JAVA_TEXT = re.compile(r'"([^"\\\n]*)"')


def invert_java(
    source: bytes,
    method: str,
    choose: Choose,
    *,
    by_value: bool = False,
) -> InvertedText | None:
    """Return the test with one assertion of a method inverted; None where nothing in it can be.

    Of several methods that share a name one is inverted; with `by_value` all, whose values are told apart.
    """
    try:
        text = source.decode()
    except ValueError:
        return None
    code = masked_java(text)
    is_jupiter = bool(_JUPITER.search(code.encode()))  # also where JUnit 4 runs the methods: messages come last there
    if is_jupiter and _OLD.search(code.encode()):
        return None
    test = _JavaTest(source, choose, is_old=uses_junit_4(code) and not is_jupiter)
    methods = [one for one in find_java_methods(text) if one.name == method and not one.idle and one.place >= 0]
    found = [[*test.edits(len(text[: one.start].encode()), len(text[: one.end].encode()))] for one in methods]
    chosen = [edit for edits in found for edit in test.choose_one(edits)]
    package = re.search(r"(?m)^\s*package\s+[\w.]+\s*;", code)
    place = len(text[: package.end()].encode()) if package else 0
    return test.with_edits(chosen if by_value else test.choose_one(chosen), place=place)


def place_in_java(source: bytes, method: str) -> int | None:
    """Return where a method of a file is; None where it is not in it."""
    return next(
        (one.place for one in find_java_methods(source.decode()) if one.name == method and one.place >= 0), None
    )


class _JavaTest(TestText):
    """A test in Java, and what in it can be inverted."""

    def __init__(self, source: bytes, choose: Choose, *, is_old: bool) -> None:
        super().__init__(source, choose)
        self.is_old, self.root = is_old, parse_java(source)
        calls = [one for one in _walk(self.root) if self.name_of(one).startswith("assert")]
        self.known = [*dict.fromkeys(one for call in calls for one in _JAVA_TEXT.findall(self.of(call)))]

    def name_of(self, node: Any) -> str:
        """Return the name of the method that is called; "" for what is no call."""
        return self.of(node.child_by_field_name("name")) if node and node.type == "method_invocation" else ""

    def calls(self, name: str) -> str:
        """Return what imports an assertion of JUnit's."""
        return f"import static {_ASSERTIONS_4 if self.is_old else _ASSERTIONS}.{name};"

    def edits(self, start: int, end: int) -> Iterator[Swap]:
        """Yield what inverts each assertion of a method that is certain to be reached, or what fails at its end."""
        node = self.root.descendant_for_byte_range(start, end)
        body, found = node.child_by_field_name("body"), list[Swap]()
        for one in _walk(node):
            if one.type == "element_value_pair" and self.of(one).startswith("expected"):
                yield self._exchange_class(one.child_by_field_name("value"))
                return
        if body is None or node.has_error or b"ExpectedException" in self.source:  # a rule may end it with a pass
            return
        for statement in body.named_children:
            if statement.type == "expression_statement":
                found += self._invert(statement.named_children[0])
            if any(one.type in _JAVA_LEAVES for one in _walk(statement)):
                break
        yield from found
        if not found and not any(one.type in _NO_END for one in _walk(body)):
            yield Swap(body.end_byte - 1, body.end_byte - 1, " fail(); ", self.calls("fail"))

    def _invert(self, call: Any) -> Iterator[Swap]:
        """Yield what inverts an assertion, where that is known."""
        name, owner = self.name_of(call), call.child_by_field_name("object")
        if not name or (owner and self.of(owner).split(".")[-1] not in ("Assertions", "Assert", "TestCase")):
            return
        arguments = [one for one in call.child_by_field_name("arguments").named_children if "comment" not in one.type]
        if name == "assertThrows":
            yield from [self._exchange_class(one) for one in arguments if one.type == "class_literal"][:1]
        edit = self._invert_equality(self._compared(arguments)) if name == "assertEquals" else None
        if edit:
            yield edit
        elif name in _OPPOSITES:
            opposite = Swap(call.start_byte, call.child_by_field_name("name").end_byte, _OPPOSITES[name])
            yield opposite._replace(imports=self.calls(_OPPOSITES[name]))

    def _exchange_class(self, node: Any) -> Swap:
        """Return what puts an exception that nobody throws in the place of another."""
        short = self.of(node).removesuffix("class").rstrip(". ").rpartition(".")[2]
        others = [one for one in _THROWN_BY_NOBODY if one.rpartition(".")[2] != short]
        other = others[self.choose(len(others))]
        return self.edit(node, f"{other.rpartition('.')[2]}.class", f"import {other};")

    def _compared(self, arguments: list[Any]) -> list[Any]:
        """Return which arguments are compared; none where there is a tolerance, or the types would decide.

        The message is the first of the arguments in JUnit 4, and else the last.
        """
        if self.is_old and len(arguments) > 2:  # noqa: PLR2004
            has_message = len(arguments) == 3 and arguments[0].type == "string_literal"  # noqa: PLR2004
            return arguments[1:] if has_message else []
        return arguments if len(arguments) == 2 or arguments[2].type == "string_literal" else []  # noqa: PLR2004

    def _invert_equality(self, compared: list[Any]) -> Swap | None:
        """Return what exchanges a value that is written there, or else compares with something else."""
        for node in compared[:2]:
            written = self.of(node)
            text, number = _JAVA_TEXT.fullmatch(written), _JAVA_NUMBER.fullmatch(written)
            if text or number or written in ("true", "false"):
                plain, suffix = number.groups() if number else (written, "")
                value = text[1] if text else 0 if number else written == "true"
                return self.edit(node, other_value(plain, value, self.known, self.choose) + suffix)
        # An object that is equal to everything is so to this one, too.
        return self.edit(compared[1], "new Object()", "import java.lang.Object;") if compared else None


def _walk(node: Any) -> Iterator[Any]:
    """Yield a node and all below it."""
    yield node
    for one in node.children:
        yield from _walk(one)
