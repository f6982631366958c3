"""The comparator of JSON: the value that a text stands for, and where two such values first differ.

Strict, as RFC 8259 has it, and stricter where it leaves things open: a name twice in an object, NaN and Infinity are no
JSON. Numbers are compared by value and without loss, so that 1 is 1.0 and no digit is rounded away; the order of
names does not count.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from grader.errors import HostError
from grader.judge.wanted import Wanted
from grader.model import Deviation
from grader.text import capital, count, quote

_LONGEST_PATH = 120
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KINDS: Mapping[type, str] = {dict: "an object", list: "a list"}
_WORDS: Mapping[Any, str] = {None: "null", True: "true", False: "false"}
_MOST_DIGITS = 18
"""of a number that is read as an integer, which takes less room than a decimal"""


_ABSENT = object()
"""stands for a member that one of two objects has not"""


def compare_json(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the text is JSON, with the value that is wanted."""
    try:
        want = _parsed(wanted.values[0])
    except ValueError as error:
        raise HostError(f"what is expected of {wanted.where} is no JSON: {error}") from error
    try:
        have = _parsed(output)
    except ValueError as error:
        return (wanted.deviation("wrong", f"{capital(wanted.where)} is no JSON: {error}."),)
    first = _first_difference(have, want)
    if first is None:
        return ()
    path, told = first
    shown = quote(path.encode(errors="backslashreplace"), most=_LONGEST_PATH)
    return (wanted.deviation("wrong", f"In {wanted.where}, {shown} {told}."),)


def _parsed(text: bytes) -> Any:
    """Return the value of a JSON text. Raises ValueError, which says where it is none."""
    if not text.strip():
        raise ValueError("it is empty")
    try:
        return json.loads(
            text.decode(),
            object_pairs_hook=_object,
            parse_int=_number,
            parse_float=_number,
            parse_constant=_constant,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} is no UTF-8") from error
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        raise ValueError(f"line {error.lineno}, column {error.colno}: {reason}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {_quoted(twice)} is there twice in one object")
    return found


def _number(written: str) -> int | Decimal:
    if len(written) <= _MOST_DIGITS and written.removeprefix("-").isdigit():
        return int(written)
    try:
        return Decimal(written)
    except InvalidOperation:
        raise ValueError(f"the number {_quoted(written)} is beyond all bounds") from None


def _constant(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _quoted(text: str) -> str:
    return quote(text.encode(errors="backslashreplace"))


# ---------------------------------------------------------------- differences


def _first_difference(have: Any, want: Any) -> tuple[str, str] | None:
    """Return the first place, in the order of what is wanted, where two values differ, and a clause about it."""
    levels = [iter([("$", have, want)])]  # no recursion: a text may be nested as deep as Python recurses
    while levels:
        pair = next(levels[-1], None)
        if pair is None:
            levels.pop()
            continue
        path, one, other = pair
        if told := _told(one, other):
            return path, told
        levels.append(_inside(path, one, other))
    return None


def _inside(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, list):
        yield from ((f"{path}[{at}]", *pair) for at, pair in enumerate(zip(one, other, strict=True)))
    elif isinstance(one, dict):
        yield from ((_member(path, name), one.get(name, _ABSENT), other[name]) for name in other)
        yield from ((_member(path, name), one[name], _ABSENT) for name in one if name not in other)


def _member(path: str, name: str) -> str:
    return f"{path}.{name}" if _NAME.fullmatch(name) else f"{path}[{json.dumps(name, ensure_ascii=False)}]"


def _told(one: Any, other: Any) -> str:
    """Say how two values differ, as far as that can be seen without looking into them; nothing if they do not."""
    if one is _ABSENT:
        return f"is missing; expected {_shown(other)}"
    if other is _ABSENT:
        return f"is {_shown(one)}, where nothing is expected"
    if isinstance(one, list) and isinstance(other, list):
        return "" if len(one) == len(other) else f"has {count(len(one), 'item')}; expected {len(other)}"
    if isinstance(one, dict) and isinstance(other, dict):
        return ""
    return "" if _is_same(one, other) else f"is {_shown(one)}; expected {_shown(other)}"


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):  # which Python takes for 1 and 0
        return one is other
    return bool(one == other)


def _shown(value: Any) -> str:
    if isinstance(value, list | dict):
        return _KINDS[type(value)]
    return _quoted(_WORDS[value] if value is None or isinstance(value, bool) else _written(value))


def _written(value: str | int | Decimal) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
