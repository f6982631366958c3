"""A test in Java with one assertion of each method turned round, so that no honest program passes any of them.

As in Python, only what is certain to be reached is turned: statements of the method itself, before anything returns.
All methods are turned at once, since the file is compiled as a whole and each method is run alone.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from grader.kinds.unit_tests.java_text import behind_parentheses, find_java_methods, masked_java, uses_junit_4
from grader.kinds.unit_tests.turned import Choose, Turned

_ASSERTIONS, _ASSERTIONS_4 = "org.junit.jupiter.api.Assertions", "org.junit.Assert"
_TURNED, _TURNED_4 = "grader.UnitProbe.Turned", "grader.UnitProbe.TurnedOld"
_OPPOSITES: Mapping[str, str] = {
    "assertTrue": "assertFalse",
    "assertFalse": "assertTrue",
    "assertNull": "assertNotNull",
    "assertNotNull": "assertNull",
    "assertSame": "assertNotSame",
    "assertNotSame": "assertSame",
    "assertNotEquals": "assertEquals",
}
_CALL = re.compile(
    r"(?:(?:org\s*\.\s*junit\s*\.\s*(?:jupiter\s*\.\s*api\s*\.\s*)?)?(?:Assertions|Assert|TestCase)\s*\.\s*)?"
    r"\b(assert\w+)\s*\("
)
_EXPECTED = re.compile(r"\bexpected\s*=\s*([\w.$]+\.\s*class)\b")
_STATEMENT = re.compile(r"[;{}]\s*\Z")
_ASSIGNMENT = re.compile(r"[;{}]\s*(?:final\s+)?[\w.]+\s+\w+\s*=\s*\Z")
_LEAVES = re.compile(r"\b(?:return|throw|break|continue|yield)\b")
_NO_END = re.compile(r"\b(?:return|throw|while|for|do|yield)\b")
_WHOLE = re.compile(r"(-?)(\d{1,9})([lL]?)")
_DECIMAL = re.compile(r"-?\d{1,9}\.\d{1,9}[dDfF]?")
_TEXT = re.compile(r'"[^"\\\n]*"')
_FAR = 1_000_003
"""further off than any tolerance"""


class _JavaEdit(Struct, frozen=True, kw_only=True):
    """What takes the place of a part of the text, by characters."""

    start: int
    end: int
    text: str


def turn_java(
    source: bytes, choose: Choose, methods: Collection[str] | None = None, *, by_value: bool = False
) -> Turned | None:
    """Return the test with one assertion of each method turned round, or of these; None where nothing in it can be.

    Of several methods that share a name one is turned; with `by_value` all, whose values are told apart.
    """
    try:
        text = source.decode()
    except ValueError:
        return None
    code = masked_java(text)
    edits: dict[str, _JavaEdit] = {}
    chosen: dict[int, list[_JavaEdit]] = {}
    is_old = uses_junit_4(code)
    for method in find_java_methods(code):
        if method.idle or method.place < 0 or (methods is not None and method.name not in methods):
            continue
        if method.place not in chosen:  # one that several classes inherit is turned once
            found = [*_edits_of_method(text, code, (method.start, method.place), is_old=is_old)]
            chosen[method.place] = [found[choose(len(found))]] if found else []
        if chosen[method.place] and (by_value or method.name not in edits or not choose(2)):
            edits[method.name] = chosen[method.place][0]
    if not edits:
        return None
    changed = text
    made = [one for found in chosen.values() for one in found] if by_value else edits.values()
    for edit in sorted({edit.start: edit for edit in made}.values(), key=lambda one: one.start, reverse=True):
        changed = changed[: edit.start] + edit.text + changed[edit.end :]
    lines = {name: text.count("\n", 0, edit.start) + 1 for name, edit in edits.items()}
    return Turned(source=changed.encode(), lines=lines)


def _edits_of_method(text: str, code: str, heading: tuple[int, int], *, is_old: bool) -> Iterator[_JavaEdit]:
    """Yield what turns each assertion of a method round, or what fails at its end; its parameters end the `heading`."""
    place = heading[1]
    start = code.find("{", place)
    end = _end_of_block(code, start)
    if start < 0 or end < 0 or ";" in code[place:start]:
        return
    if expected := _EXPECTED.search(code, *heading):  # nobody raises that
        yield _JavaEdit(start=expected.start(1), end=expected.end(1), text=f"{_TURNED_4}.Never.class")
        return
    if is_old and re.search(r"\bExpectedException\b", code):  # a rule may end any method with a pass
        return
    count = 0
    for call in _CALL.finditer(code, start, end):
        before = code[start : call.start()]
        if _LEAVES.search(before):
            break
        if _depth(before) != 1 or not (_STATEMENT.search(before) or _ASSIGNMENT.search(before)):
            continue
        close = behind_parentheses(code, call.end())
        for edit in _turn_assertion(text, code, call, close, is_old=is_old):
            count += 1
            yield edit
    body = code[start + 1 : end - 1]
    if not count and not _NO_END.search(body):
        yield _JavaEdit(start=end - 1, end=end - 1, text=f" {_ASSERTIONS_4 if is_old else _ASSERTIONS}.fail(); ")


def _depth(code: str) -> int:
    return sum(map(code.count, "{([")) - sum(map(code.count, "})]"))


def _end_of_block(code: str, start: int) -> int:
    depth = 0
    for place in range(max(start, 0), len(code)):
        depth += (code[place] == "{") - (code[place] == "}")
        if not depth:
            return place + 1
    return -1


def _turn_assertion(text: str, code: str, call: re.Match[str], close: int, *, is_old: bool) -> Iterator[_JavaEdit]:
    """Yield what turns one assertion round, where that is known."""
    name = call[1]
    turned, assertions = (_TURNED_4, _ASSERTIONS_4) if is_old else (_TURNED, _ASSERTIONS)
    is_statement = code[close:].lstrip().startswith(";")
    if name in _OPPOSITES and is_statement:
        yield _JavaEdit(start=call.start(), end=call.end() - 1, text=f"{assertions}.{_OPPOSITES[name]}")
    elif name == "assertThrows" and is_statement:
        yield _JavaEdit(start=call.start(), end=call.end() - 1, text=f"{turned}.assertThrows")
    elif name == "assertEquals" and is_statement:
        arguments = _split_arguments(code, call.end(), close - 1)
        if not is_old:
            compared, has_tolerance = arguments[:2], len(arguments) > 2  # noqa: PLR2004
        else:
            compared, has_tolerance = _compared_in_junit_4(text, arguments)
        for start, end in compared:
            if other := _exchange_value(text[start:end].strip(), has_tolerance=has_tolerance):
                lead = len(text[start:end]) - len(text[start:end].lstrip())
                yield _JavaEdit(start=start + lead, end=start + lead + len(text[start:end].strip()), text=other)
                return
        yield _JavaEdit(start=call.start(), end=call.end() - 1, text=f"{turned}.assertEquals")


def _compared_in_junit_4(text: str, arguments: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], bool]:
    """Return which arguments are compared, and whether there is a tolerance; none where the types would decide.

    Its message is the first of the arguments, and its tolerance the last.
    """
    if len(arguments) == 2:  # noqa: PLR2004
        return arguments, False
    has_message = text[slice(*arguments[0])].strip().startswith('"')
    if len(arguments) == 4:  # noqa: PLR2004
        return arguments[1:3], True
    if has_message:
        return arguments[1:], False
    return (arguments[:2], True) if _DECIMAL.fullmatch(text[slice(*arguments[0])].strip()) else ([], False)


def _split_arguments(code: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where the arguments of a call are; commas between angle brackets split one of them, which is no value."""
    found, begun, depth = [], start, 0
    for place in range(start, end):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if code[place] == "," and not depth:
            found.append((begun, place))
            begun = place + 1
    return [*found, (begun, end)]


def _exchange_value(written: str, *, has_tolerance: bool) -> str:
    """Return another value of the same type; empty for what is no value that is written there."""
    if number := _WHOLE.fullmatch(written):
        value = int(number[2], 8 if number[2].startswith("0") and number[2].strip("01234567") == "" else 10)
        far = _FAR if has_tolerance else 1
        return f"{number[1]}{value + far if value < 2**31 - 1 - far else value - far}{number[3]}"
    if _DECIMAL.fullmatch(written):
        suffix = written[-1] if written[-1] in "dDfF" else ""
        decimal = float(written.rstrip("dDfF"))
        return f"{decimal + _FAR if decimal >= 0 else decimal - _FAR}{suffix}"
    if _TEXT.fullmatch(written):
        return f'{written[:-1]}e"' if len(written) == 2 or written[-2] == "e" else f'{written[:-2]}e"'  # noqa: PLR2004
    return {"true": "false", "false": "true"}.get(written, "")
