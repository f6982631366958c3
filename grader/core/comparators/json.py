"""`json`: JSON with this value, whatever its layout, and where two such values first differ.

A text is read strictly, as RFC 8259 has it; numbers are compared without loss: 1 is 1.0, and no digit is rounded away.
In a spec, words without quotes are numbers, booleans and null as in the core schema of YAML 1.2. A text with quotes is
a text, unless it is a variable of the test and nothing else: then it is what the variable holds.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import partial
from importlib import import_module
from typing import Any

from grader.core.comparators.base import Comparator, Wanted, write_mapping
from grader.core.errors import CannotBeWrittenError, HostError
from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.report import Deviation
from grader.core.model.spec import Leaf
from grader.core.text import capital, count, quote
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, plain
from grader.core.yaml.types import node_of
from grader.core.yaml.value import QUANTITIES, WORD, Key, Value

_PLAIN_NAME = lazy_regex(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_DIGITS = 18  # of a number that is read as an integer, which takes less room than a decimal
_ABSENT = object()  # stands for a member that one of two objects has not
_WORD_OF_YAML = lazy_regex("~|null|Null|NULL|true|True|TRUE|false|False|FALSE")
_NO_NUMBER = lazy_regex(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?Infinity|NaN")
_in_quotes = partial(lazy_call("json", "dumps"), ensure_ascii=False)


def _read_value(value: Value) -> str:
    """Return the JSON text of a value: of an object, a list, a text, a number, a boolean or null."""
    match value.node:
        case Listing():
            return f"[{', '.join(map(_read_value, yaml.items(value)))}]"
        case Table():
            members = (f"{_in_quotes(name)}: {_read_value(entry)}" for name, (_, entry) in yaml.entries(value).items())
            return f"{{{', '.join(members)}}}"
        case Scalar(text=written, plain=plain):
            is_variable = value.context.variables is not None and re.fullmatch(rf"\{{{WORD}\}}", written)
            word = yaml.text(value)
            return _read_plain(value, word) if plain or is_variable else _in_quotes(word)


def _read_plain(value: Value, word: str) -> str:
    if _WORD_OF_YAML.fullmatch(word):
        return word.lower().replace("~", "null")
    if re.fullmatch("0x[0-9a-fA-F]{1,30}|0o[0-7]{1,30}", word):
        return str(int(word, 0))
    is_number = re.fullmatch(QUANTITIES["number"], word)
    if _NO_NUMBER.fullmatch(word) or (is_number and yaml.parse_number(word) is None):
        yaml.wrong(value, "JSON has no such number; write it in quotes for the text")
        return "0"
    return str(Decimal(word)) if is_number else _in_quotes(word)


def _compare_json(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    try:
        want = _parsed(wanted.values[0])
    except ValueError as error:
        raise HostError(f"what is expected of {wanted.where} is not JSON: {error}") from error
    try:
        have = _parsed(output)
    except ValueError as error:
        return (wanted.deviation("wrong", f"{capital(wanted.where)} is not JSON: {error}."),)
    path, difference = _first_difference(have, want)
    place = f"In {wanted.where}, {quote(path, most=120)}" if path != "$" else f"The JSON value in {wanted.where}"
    return (wanted.deviation("wrong", f"{place} {difference}."),) if difference else ()


def _parsed(text: bytes) -> Any:
    """Parse a JSON text; raises ValueError with the position of the mistake."""
    json = import_module("json")
    if not text.strip():
        raise ValueError("it is empty")
    try:
        return json.loads(text.decode(), object_pairs_hook=_object_of_json, **_HOOKS)
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} is not UTF-8") from error
    except json.JSONDecodeError as why:
        raise ValueError(f"line {why.lineno}, column {why.colno}: {why.msg[0].lower()}{why.msg[1:]}") from why
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _object_of_json(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {quote(twice)} appears twice in one object")
    return members


def _number_of_json(written: str) -> int | Decimal:
    if written[-1].isalpha():
        raise ValueError(f"{written} is not a number in JSON")
    if len(written) <= _MAX_DIGITS and written.removeprefix("-").isdigit():
        return int(written)
    try:
        return Decimal(written)
    except InvalidOperation:
        raise ValueError(f"the number {quote(written)} is too large") from None


_HOOKS: Mapping[str, Any] = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), _number_of_json)


def _first_difference(have: Any, want: Any) -> tuple[str, str]:
    """Return the first place, in the order of what is wanted, where two values differ, and a clause about it."""
    levels = [iter([("$", have, want)])]  # no recursion: a text may be nested as deep as Python recurses
    while levels:
        if (values := next(levels[-1], None)) is None:
            levels.pop()
        elif difference := _describe_json_difference(*values[1:]):
            return values[0], difference
        else:
            levels.append(_inner_pairs(*values))
    return "", ""


def _inner_pairs(path: str, have: Any, want: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(have, list):
        yield from ((f"{path}[{at}]", *pair) for at, pair in enumerate(zip(have, want, strict=True)))
    elif isinstance(have, dict):
        for name in (*want, *(name for name in have if name not in want)):
            step = f".{name}" if _PLAIN_NAME.fullmatch(name) else f"[{_in_quotes(name)}]"
            yield path + step, have.get(name, _ABSENT), want.get(name, _ABSENT)


def _describe_json_difference(have: Any, want: Any) -> str:
    """Describe how two values differ, without descending into them; empty if they do not."""
    if have is _ABSENT:
        return f"is missing; expected {_shown_json(want)}"
    if want is _ABSENT:
        return f"is {_shown_json(have)}, where nothing is expected"
    if isinstance(have, list) and isinstance(want, list):
        return "" if len(have) == len(want) else f"has {count(len(have), 'item')}; expected {len(want)}"
    if isinstance(have, dict) and isinstance(want, dict):
        return ""
    # Python takes booleans for 1 and 0.
    is_same = have is want if isinstance(have, bool) or isinstance(want, bool) else have == want
    return "" if is_same else f"is {_shown_json(have)}; expected {_shown_json(want)}"


def _shown_json(value: Any) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return quote(str(value) if isinstance(value, Decimal) else _in_quotes(value))


def _write_text(want: tuple[str, ...]) -> Node:
    try:  # numbers stay the text that they are, so that no digit is lost
        return node_of(lazy_call("json", "loads")(want[0], parse_int=plain, parse_float=plain))
    except ValueError as error:
        raise CannotBeWrittenError(f"this is not JSON: {error}") from None


JSON = Comparator(
    name="json",
    key=Key(
        about="JSON with this value: numbers count by value, and the order of names in an object does not.",
        kind="json-value",
        examples=({"n": 8, "solutions": [[1, 3, 0, 2]]}, "reference"),
    ),
    kinds={"json-value": {"description": "Any JSON; the word reference without quotes is what the reference writes."}},
    example="{json: {n: 8, solutions: [[1, 3, 0, 2]]}}",
    read=lambda value, _siblings: Leaf(how="json", want=None if yaml.is_reference(value) else (_read_value(value),)),
    compare=_compare_json,
    words=lambda _leaf, shown: f"JSON with the value {shown}; the layout is free",
    write=lambda leaf: write_mapping(leaf, _write_text),
    prescribes="content",
)
