"""A test in Java with one assertion of a method inverted, so that no honest program passes it.

As in Python, only what is certain to be reached is inverted: statements of the method itself, before anything returns.
What a copy needs it imports on the line of its package: a class that is handed in hides no name that is imported.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from grader.kinds.unit_tests.java_text import behind_parentheses, find_java_methods, masked_java, uses_junit_4
from grader.kinds.unit_tests.turned import Choose, Turned, other_number, other_text

_ASSERTIONS, _ASSERTIONS_4 = "org.junit.jupiter.api.Assertions", "org.junit.Assert"
_OPPOSITES: Mapping[str, str] = {
    "assertTrue": "assertFalse",
    "assertFalse": "assertTrue",
    "assertNull": "assertNotNull",
    "assertNotNull": "assertNull",
    "assertSame": "assertNotSame",
    "assertNotSame": "assertSame",
    "assertNotEquals": "assertEquals",
}
_RAISED_BY_NOBODY = (
    *("java.lang.EnumConstantNotPresentException", "java.lang.annotation.AnnotationTypeMismatchException"),
    *("java.lang.IllegalCallerException", "java.lang.annotation.IncompleteAnnotationException"),
    *("java.lang.LayerInstantiationException", "java.lang.reflect.MalformedParametersException"),
)
"""what no class is derived from, and no program raises"""
_JUPITER_ASSERTIONS = re.compile(r"\bjupiter\s*\.\s*api\s*\.\s*Assertions\b")
_OLD_ASSERTIONS = re.compile(r"\borg\s*\.\s*junit\s*\.\s*(?:Assert\b|\*)|\bjunit\s*\.\s*framework\b")
_CALL = re.compile(
    r"(?:(?:org\s*\.\s*junit\s*\.\s*(?:jupiter\s*\.\s*api\s*\.\s*)?)?(?:Assertions|Assert|TestCase)\s*\.\s*)?"
    r"\b(assert\w+)\s*\("
)
_EXPECTED = re.compile(r"\bexpected\s*=\s*([\w.$]+\.\s*class)\b")
_STATEMENT = re.compile(r"[;{}]\s*\Z")
_ASSIGNMENT = re.compile(r"[;{}]\s*(?:final\s+)?[\w.]+\s+\w+\s*=\s*\Z")
_LEAVES = re.compile(r"\b(?:return|throw|break|continue|yield)\b")
_NO_END = re.compile(r"\b(?:return|throw|while|for|do|yield)\b")
_PACKAGE = re.compile(r"^\s*package\s+[\w.]+\s*;", re.MULTILINE)
_NUMBER = re.compile(r"(-?(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?)([lLdDfF]?)")
_DECIMAL = re.compile(r"-?\d{1,9}\.\d{1,9}[dDfF]?")
_TEXT = re.compile(r'"[^"\\\n]*"')
_MOST_TRIES = 20
"""to find a number that is further off than a tolerance"""


class _JavaEdit(Struct, frozen=True, kw_only=True):
    """What takes the place of a part of the text, by characters."""

    start: int
    end: int
    text: str
    imports: str = ""
    """what the new text needs"""


class _JavaTest(Struct, frozen=True, kw_only=True):
    """A test in Java that is inverted."""

    text: str
    code: str
    """the same, as `masked_java` has it"""
    choose: Choose
    is_old: bool

    @property
    def expected(self) -> list[str]:
        """The texts that stand as arguments of assertions, each once."""
        calls = [(call.end(), behind_parentheses(self.code, call.end())) for call in _CALL.finditer(self.code)]
        return [*dict.fromkeys(one[1:-1] for start, end in calls for one in _TEXT.findall(self.text[start:end]))]

    def calls(self, name: str) -> str:
        """Return what imports an assertion of JUnit's."""
        return f"import static {_ASSERTIONS_4 if self.is_old else _ASSERTIONS}.{name};"


def turn_java(source: bytes, method: str, choose: Choose, *, by_value: bool = False) -> Turned | None:
    """Return the test with one assertion of a method inverted; None where nothing in it can be.

    Of several methods that share a name one is inverted; with `by_value` all, whose values are told apart.
    """
    try:
        text = source.decode()
    except ValueError:
        return None
    code = masked_java(text)
    is_jupiter = bool(_JUPITER_ASSERTIONS.search(code))  # also where JUnit 4 runs the methods: messages come last there
    if is_jupiter and _OLD_ASSERTIONS.search(code):
        return None
    test = _JavaTest(text=text, code=code, choose=choose, is_old=uses_junit_4(code) and not is_jupiter)
    chosen = list[_JavaEdit]()
    for one in find_java_methods(text):
        if one.name == method and not one.idle and one.place >= 0:
            found = [*_edits_of_method(test, (one.start, one.place))]
            chosen += [found[choose(len(found))]] if found else []
    if not chosen:
        return None
    made = chosen if by_value else [chosen[choose(len(chosen))]]
    changed = text
    for edit in sorted({edit.start: edit for edit in made}.values(), key=lambda one: one.start, reverse=True):
        changed = changed[: edit.start] + edit.text + changed[edit.end :]
    package = _PACKAGE.search(code)
    place = package.end() if package else 0
    imports = " ".join(dict.fromkeys(edit.imports for edit in made if edit.imports))
    changed = f"{changed[:place]}{' ' if package and imports else ''}{imports}{changed[place:]}"
    return Turned(source=changed.encode(), line=text.count("\n", 0, made[0].start) + 1)


def _edits_of_method(test: _JavaTest, heading: tuple[int, int]) -> Iterator[_JavaEdit]:
    """Yield what inverts each assertion of a method, or what fails at its end; its parameters end the `heading`."""
    code, place = test.code, heading[1]
    start = code.find("{", place)
    end = _end_of_block(code, start)
    if start < 0 or end < 0 or ";" in code[place:start]:
        return
    if expected := _EXPECTED.search(code, *heading):  # nobody raises that
        name, imports = _other_exception(test, expected[1])
        yield _JavaEdit(start=expected.start(1), end=expected.end(1), text=f"{name}.class", imports=imports)
        return
    if re.search(r"\bExpectedException\b", code):  # a rule may end any method with a pass
        return
    count = 0
    for call in _CALL.finditer(code, start, end):
        before = code[start : call.start()]
        if _LEAVES.search(before):
            break
        if _depth(before) != 1 or not (_STATEMENT.search(before) or _ASSIGNMENT.search(before)):
            continue
        for edit in _turn_assertion(test, call):
            count += 1
            yield edit
    body = code[start + 1 : end - 1]
    if not count and not _NO_END.search(body):
        yield _JavaEdit(start=end - 1, end=end - 1, text=" fail(); ", imports=test.calls("fail"))


def _other_exception(test: _JavaTest, name: str) -> tuple[str, str]:
    """Return an exception that nobody raises in the place of another, and what imports it."""
    short = name.removesuffix("class").rstrip(". ").rpartition(".")[2]
    others = [one for one in _RAISED_BY_NOBODY if one.rpartition(".")[2] != short]
    chosen = others[test.choose(len(others))]
    return chosen.rpartition(".")[2], f"import {chosen};"


def _depth(code: str) -> int:
    return sum(map(code.count, "{([")) - sum(map(code.count, "})]"))


def _end_of_block(code: str, start: int) -> int:
    depth = 0
    for place in range(max(start, 0), len(code)):
        depth += (code[place] == "{") - (code[place] == "}")
        if not depth:
            return place + 1
    return -1


def _turn_assertion(test: _JavaTest, call: re.Match[str]) -> Iterator[_JavaEdit]:
    """Yield what inverts one assertion, where that is known."""
    text, code, name = test.text, test.code, call[1]
    close = behind_parentheses(code, call.end())
    if not code[close:].lstrip().startswith(";"):
        return
    arguments = _split_arguments(code, call.end(), close - 1)
    if name in _OPPOSITES:
        opposite = _OPPOSITES[name]
        yield _JavaEdit(start=call.start(), end=call.end() - 1, text=opposite, imports=test.calls(opposite))
    elif name == "assertThrows":
        types = [(start, end) for start, end in arguments if code[start:end].rstrip().endswith(".class")]
        if types:
            start, end = types[0]
            own = text[start:end].strip().removesuffix("class").rstrip(". ")
            other, imports = _other_exception(test, own)
            # What is thrown may be assigned to a variable of the type that was asked for.
            cast = "" if _STATEMENT.search(code[: call.start()]) else f"({own}) (Throwable) "
            new = f"{cast}{text[call.start() : start]}{other}.class"
            yield _JavaEdit(start=call.start(), end=end, text=new, imports=imports)
    elif name == "assertEquals":
        yield _turn_equality(test, call, arguments)


def _turn_equality(test: _JavaTest, call: re.Match[str], arguments: list[tuple[int, int]]) -> _JavaEdit:
    """Return what exchanges a value that is written there, or else compares with something else."""
    text = test.text
    if not test.is_old:
        compared, tolerances = arguments[:2], arguments[2:3]
    else:
        compared, tolerances = _compared_in_junit_4(text, arguments)
    tolerance = text[slice(*tolerances[0])].strip() if tolerances else ""
    is_near = bool(tolerance) and not tolerance.startswith('"') and not _TEXT.search(tolerance)
    for start, end in compared:
        written = text[start:end].strip()
        if other := _exchange_value(test, written, tolerance if is_near else ""):
            lead = start + len(text[start:end]) - len(text[start:end].lstrip())
            return _JavaEdit(start=lead, end=lead + len(written), text=other)
    if len(compared) == 2 and not is_near:  # noqa: PLR2004
        # An object that is equal to everything is so to this one, too.
        start, end = compared[1]
        return _JavaEdit(start=start, end=end, text=" new Object()", imports="import java.lang.Object;")
    name = "assertNotEquals"
    return _JavaEdit(start=call.start(), end=call.end() - 1, text=name, imports=test.calls(name))


def _compared_in_junit_4(
    text: str, arguments: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return which arguments are compared, and the tolerance if there is one; none where the types would decide.

    Its message is the first of the arguments, and its tolerance the last.
    """
    if len(arguments) == 2:  # noqa: PLR2004
        return arguments, []
    has_message = text[slice(*arguments[0])].strip().startswith('"')
    if len(arguments) == 4:  # noqa: PLR2004
        return arguments[1:3], arguments[3:]
    if has_message:
        return arguments[1:], []
    return (arguments[:2], arguments[2:]) if _DECIMAL.fullmatch(text[slice(*arguments[0])].strip()) else ([], [])


def _split_arguments(code: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where the arguments of a call are; commas between angle brackets split one of them, which is no value."""
    found, begun, depth = [], start, 0
    for place in range(start, end):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if code[place] == "," and not depth:
            found.append((begun, place))
            begun = place + 1
    return [*found, (begun, end)]


def _exchange_value(test: _JavaTest, written: str, tolerance: str) -> str:
    """Return another value of the same type; empty for what is no value that is written there, or may be too near."""
    if number := _NUMBER.fullmatch(written):
        width = _NUMBER.fullmatch(tolerance) if tolerance else None
        if tolerance and not width:
            return ""
        near = 2 * float(width[1]) if width else 0.0
        for _ in range(_MOST_TRIES):
            other = other_number(number[1], test.choose)
            if abs(float(other) - float(number[1])) > near:
                return other + number[2]
        return ""
    if _TEXT.fullmatch(written):
        other = other_text(written[1:-1], test.expected, test.choose)
        return f'"{other}"'
    return {"true": "false", "false": "true"}.get(written, "")
