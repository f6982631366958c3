"""`json`: JSON with this value, whatever its layout, and where two such values first differ.

A text is read strictly, as RFC 8259 has it, and stricter where that leaves things open: a name twice in an object, NaN
and Infinity are no JSON. Numbers are compared by value and without loss, so that 1 is 1.0 and no digit is rounded away;
the order of names is ignored.

In a spec, words without quotes are numbers, booleans and null where the core schema of YAML 1.2, and with it JSON, has
them so. A text with quotes is a text, unless it is a variable of the test and nothing else: then it is what the
variable holds. Numbers keep every digit that was written.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from grader.core.comparators.base import Comparator, Wanted, text_node, write_mapping
from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Deviation
from grader.core.model.spec import Leaf
from grader.core.text import capital, count, quote
from grader.core.yaml.nodes import Listing, Node, Scalar, Table
from grader.core.yaml.value import QUANTITIES, WORD, Key, Value, entries, escaped, is_reference, items, text, wrong
from grader.core.yaml.writing import listing, plain, table

_MAX_PATH_LENGTH = 120
_PLAIN_NAME = lazy_regex(r"[A-Za-z_][A-Za-z0-9_]*")
_CONTAINERS: Mapping[type, str] = {dict: "an object", list: "a list"}
_WORDS_OF_JSON: Mapping[Any, str] = {None: "null", True: "true", False: "false"}
_MAX_DIGITS = 18
"""of a number that is read as an integer, which takes less room than a decimal"""
_ABSENT = object()
"""stands for a member that one of two objects has not"""
_WORDS_OF_YAML: Mapping[str, str] = {
    **dict.fromkeys(("null", "Null", "NULL", "~"), "null"),
    **dict.fromkeys(("true", "True", "TRUE"), "true"),
    **dict.fromkeys(("false", "False", "FALSE"), "false"),
}
_OTHER_BASE = lazy_regex(r"0x[0-9a-fA-F]{1,30}|0o[0-7]{1,30}")
_NO_NUMBER = lazy_regex(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?Infinity|NaN")


def _read_value(value: Value) -> str:
    """Return the JSON text of a value: of an object, a list, a text, a number, a boolean or null."""
    match value.node:
        case Listing():
            return f"[{', '.join(_read_value(item) for item in items(value))}]"
        case Table():
            members = ((name, _read_value(entry)) for name, (_, entry) in entries(value).items())
            return f"{{{', '.join(f'{json.dumps(name, ensure_ascii=False)}: {member}' for name, member in members)}}}"
        case Scalar(text=written, plain=plain):
            is_variable = value.context.variables is not None and re.fullmatch(rf"\{{{WORD}\}}", written)
            word = text(value)
            return _read_plain(value, word) if plain or is_variable else json.dumps(word, ensure_ascii=False)


def _read_plain(value: Value, word: str) -> str:
    if word in _WORDS_OF_YAML:
        return _WORDS_OF_YAML[word]
    if _OTHER_BASE.fullmatch(word):
        return str(int(word, 0))
    if _NO_NUMBER.fullmatch(word):
        wrong(value, "JSON has no such number; write it in quotes for the text")
    if not re.fullmatch(QUANTITIES["number"], word):
        return json.dumps(word, ensure_ascii=False)
    try:
        return str(Decimal(word))
    except InvalidOperation:
        wrong(value, "this number is beyond all bounds")
        return "0"


def _compare_json(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    try:
        want = _parsed(wanted.values[0])
    except ValueError as error:
        raise HostError(f"what is expected of {wanted.where} is not JSON: {error}") from error
    try:
        have = _parsed(output)
    except ValueError as error:
        return (wanted.deviation("wrong", f"{capital(wanted.where)} is not JSON: {error}."),)
    first = _first_difference(have, want)
    if first is None:
        return ()
    path, told = first
    shown = quote(path, most=_MAX_PATH_LENGTH)
    return (wanted.deviation("wrong", f"In {wanted.where}, {shown} {told}."),)


def _parsed(text: bytes) -> Any:
    """Parse a JSON text; raises ValueError with the position of the mistake."""
    if not text.strip():
        raise ValueError("it is empty")
    try:
        return json.loads(
            text.decode(),
            object_pairs_hook=_object_of_json,
            parse_int=_number_of_json,
            parse_float=_number_of_json,
            parse_constant=_refuse_constant,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} is not UTF-8") from error
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        raise ValueError(f"line {error.lineno}, column {error.colno}: {reason}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _object_of_json(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {quote(twice)} appears twice in one object")
    return found


def _number_of_json(written: str) -> int | Decimal:
    if len(written) <= _MAX_DIGITS and written.removeprefix("-").isdigit():
        return int(written)
    try:
        return Decimal(written)
    except InvalidOperation:
        raise ValueError(f"the number {quote(written)} is too large") from None


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a number in JSON")


def _first_difference(have: Any, want: Any) -> tuple[str, str] | None:
    """Return the first place, in the order of what is wanted, where two values differ, and a clause about it."""
    levels = [iter([("$", have, want)])]  # no recursion: a text may be nested as deep as Python recurses
    while levels:
        pair = next(levels[-1], None)
        if pair is None:
            levels.pop()
            continue
        path, one, other = pair
        if told := _describe_json_difference(one, other):
            return path, told
        levels.append(_inner_pairs(path, one, other))
    return None


def _inner_pairs(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, list):
        yield from ((f"{path}[{at}]", *pair) for at, pair in enumerate(zip(one, other, strict=True)))
    elif isinstance(one, dict):
        for name in (*other, *(name for name in one if name not in other)):
            step = f".{name}" if _PLAIN_NAME.fullmatch(name) else f"[{json.dumps(name, ensure_ascii=False)}]"
            yield path + step, one.get(name, _ABSENT), other.get(name, _ABSENT)


def _describe_json_difference(one: Any, other: Any) -> str:
    """Describe how two values differ, without descending into them; empty if they do not."""
    if one is _ABSENT:
        return f"is missing; expected {_shown_json(other)}"
    if other is _ABSENT:
        return f"is {_shown_json(one)}, where nothing is expected"
    if isinstance(one, list) and isinstance(other, list):
        return "" if len(one) == len(other) else f"has {count(len(one), 'item')}; expected {len(other)}"
    if isinstance(one, dict) and isinstance(other, dict):
        return ""
    # Python takes booleans for 1 and 0.
    is_same = one is other if isinstance(one, bool) or isinstance(other, bool) else one == other
    return "" if is_same else f"is {_shown_json(one)}; expected {_shown_json(other)}"


def _shown_json(value: Any) -> str:
    if isinstance(value, list | dict):
        return _CONTAINERS[type(value)]
    if value is None or isinstance(value, bool):
        return quote(_WORDS_OF_JSON[value])
    return quote(json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value))


def _write_text(want: tuple[str, ...]) -> Node:
    try:
        # Numbers stay the text that they are, so that no digit is lost.
        return _write_value(json.loads(want[0], parse_int=plain, parse_float=plain))
    except ValueError as error:
        raise ValueError(f"this is not JSON: {error}") from None


def _write_value(value: Any) -> Node:
    match value:
        case dict():
            return table({escaped(name): _write_value(member) for name, member in value.items()})
        case list():
            return listing(map(_write_value, value))
        case str():
            return text_node(value)
        case Scalar():
            return value
        case _:
            return plain(json.dumps(value))


JSON = Comparator(
    name="json",
    key=Key(
        about="JSON with this value: numbers count by value, and the order of names in an object does not.",
        kind="json-value",
        examples=({"n": 8, "solutions": [[1, 3, 0, 2]]}, "reference"),
        alternative=True,
    ),
    kinds={
        "json-value": {
            "description": "Any value of JSON; the word reference without quotes is what the reference writes."
        }
    },
    example="{json: {n: 8, solutions: [[1, 3, 0, 2]]}}",
    read=lambda value, _siblings: Leaf(how="json", want=None if is_reference(value) else (_read_value(value),)),
    compare=_compare_json,
    words=lambda _leaf, shown: f"JSON with the value {shown}; the layout is free",
    write=lambda leaf: write_mapping(leaf, _write_text),
    whole=True,
)
