"""What a case expects: `expect:` -> the parts of an `Expectation`.

Parts, for a case's expectation is laid over its test's key by key: `expect: {exit: 1}` in a case keeps the test's
`stdout`. `reference` and `any` are keywords only without quotes, and only where they stand for the whole value:
`"reference"` and `{text: reference}` are that word.
"""

import re
import warnings
from collections.abc import Callable
from typing import Any

from grader.load.check import check
from grader.load.files import read_inner_name
from grader.load.json_value import json_value
from grader.load.language import COMPARED, EXPECTATION, EXPECTED_FILES
from grader.model import Comparator, Expected, ExpectedExit, ExpectedFiles
from grader.yaml import units
from grader.yaml.nodes import Listing, Scalar, Table
from grader.yaml.value import (
    Value,
    choice,
    each_of,
    entries,
    fields,
    get,
    in_quotes,
    is_understood,
    items,
    keyword,
    parsed,
    text,
    unwanted,
    wrong,
)

_STREAMS = ("stdout", "stderr")
_STATUS = parsed(units.parse_exit_status, "0 to 255, a list of such numbers, success, failure, reference or any", 0)


def read_expectation(value: Value) -> dict[str, Any]:
    """Read `expect` as keyword arguments of `Expectation`. Only what checks nothing at all gives none."""
    if isinstance(value.node, Table):
        read = {key: _PARTS[key](entry) for key, entry in fields(value, EXPECTATION).items()}
        return read or {stream: Expected(how="any") for stream in _STREAMS if value.node.pairs}
    if not is_reference(value):
        unwanted(value, "reference or a mapping")
    return {stream: Expected(how="text") for stream in _STREAMS}


def is_reference(value: Value) -> bool:
    """Whether a value is the keyword `reference`, which needs a reference in the spec."""
    if keyword(value) != "reference":
        return False
    if not value.context.has_reference:
        wrong(value, 'there is no reference: add its command to the spec, under the key "reference"')
    return True


def stream(value: Value) -> Expected:
    """Read what a stream must be: a text, `reference`, `any`, or a mapping with a comparator in it."""
    if isinstance(value.node, Table):
        return _compared(value)
    if keyword(value) == "any":
        return Expected(how="any")
    if is_reference(value):
        return Expected(how="text")
    if isinstance(value.node, Scalar):
        return Expected(how="text", want=(text(value),))
    unwanted(value, "a text, reference, any or a mapping such as {lines: [...]}")
    return Expected(how="any")


def _compared(value: Value) -> Expected:
    """Read a mapping with one comparator in it."""
    if "check" in entries(value):
        return check(value)
    found = fields(value, COMPARED)
    hows: list[Comparator] = [how for how in _WANTS if how in found]
    for option, owner in ((name, key.beside) for name, key in COMPARED.items() if key.beside):
        if option in found and owner not in found:
            wrong(found[option], f"{option} belongs to {owner} only")
    if len(hows) != 1:
        if hows or (not found and is_understood(value, found)):
            wrong(value, f"wanted one of {', '.join(_WANTS)}, found {' and '.join(hows) or 'none of them'}")
        return Expected(how="any")
    return Expected(
        how=hows[0],
        want=_WANTS[hows[0]](found[hows[0]]),
        ordered=get(found, "order", choice(("same", "any"), "order"), "same") == "same",
        tolerance=get(found, "tolerance", _tolerance, 0.0),
    )


def _literal(value: Value) -> tuple[str, ...]:
    return (text(value),)


def regex(value: Value) -> tuple[str, ...]:
    """Read a regular expression."""
    pattern = text(value)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        wrong(value, f"this is no regular expression: {error}")
    return (pattern,)


def _contained(value: Value) -> tuple[str, ...]:
    if not isinstance(value.node, Listing):
        return (_content(value),)
    if not value.node.items:
        unwanted(value, "at least one text")
    return each_of(_content)(value)


def _content(value: Value) -> str:
    content = text(value)
    if not content:
        wrong(value, "an empty text is contained in everything: name what must be there")
    return content


def _line(value: Value) -> str:
    line = text(value)
    if "\n" in line:
        wrong(value, "a line has no line break in it: make it several")
    return line


def _tokens(value: Value) -> tuple[str, ...]:
    """Read words: a text with blanks between them, or a list."""
    return each_of(_token)(value) if isinstance(value.node, Listing) else tuple(text(value).split())


def _token(value: Value) -> str:
    word = text(value)
    if word.split() != [word]:
        wrong(value, "a token is not empty and has no blanks in it: make it several")
    return word


def _numbers(value: Value) -> tuple[str, ...]:
    """Read numbers: a text with blanks between them, or a list."""
    if isinstance(value.node, Listing):
        return tuple(_number(item, text(item)) for item in items(value))
    return tuple(_number(value, word) for word in text(value).split())


def _number(value: Value, word: str) -> str:
    if units.parse_number(word) is None:
        wrong(value, f"wanted a number, found {in_quotes(word)}")
    return word


def _json(value: Value) -> tuple[str, ...]:
    return (json_value(value),)


def _or_reference(reader: Callable[[Value], tuple[str, ...]]) -> Callable[[Value], tuple[str, ...] | None]:
    return lambda value: None if is_reference(value) else reader(value)


_WANTS: dict[Comparator, Callable[[Value], tuple[str, ...] | None]] = {
    "text": _literal,
    "contains": _contained,
    "regex": regex,
    "lines": _or_reference(each_of(_line)),
    "tokens": _or_reference(_tokens),
    "numbers": _or_reference(_numbers),
    "json": _or_reference(_json),
}


def _tolerance(value: Value) -> float:
    tolerance = parsed(units.parse_number, "a number that is 0 or more", 0.0)(value)
    if tolerance < 0:
        unwanted(value, "a number that is 0 or more")
    return tolerance


def _exit(value: Value) -> ExpectedExit:
    if is_reference(value):
        return "reference"
    match keyword(value):
        case "any" | "success" | "failure" as word:
            return word
    if not isinstance(value.node, Listing):
        return (_STATUS(value),)
    if not value.node.items:
        unwanted(value, "at least one number")
    return each_of(_STATUS)(value)


def _files(value: Value) -> ExpectedFiles:
    found = fields(value, EXPECTED_FILES)
    files = ExpectedFiles(
        present=get(found, "present", each_of(read_inner_name), ()),
        absent=get(found, "absent", each_of(read_inner_name), ()),
        same=get(found, "same", _same, {}),
    )
    if files == ExpectedFiles():
        wrong(value, "this names no file: name some under present, absent or same")
    return files


def _same(value: Value) -> dict[str, str | None]:
    return {
        read_inner_name(key): None if is_reference(entry) else text(entry) for key, entry in entries(value).values()
    }


_PARTS: dict[str, Callable[[Value], object]] = {
    "stdout": stream,
    "stderr": stream,
    "exit": _exit,
    "files": _files,
}
