"""What a case expects: `expect:` -> the parts of an `Expectation`.

Parts, for a case's expectation is laid over its test's key by key: `expect: {exit: 1}` in a case keeps the test's
`stdout`. `reference` and `any` are keywords only without quotes, and only where they stand for the whole value:
`"reference"` and `{text: reference}` are that word.
"""

from collections.abc import Callable
from typing import Any

from grader.comparators import COMPARATORS
from grader.comparators.any import ANYTHING
from grader.comparators.text import exactly
from grader.load.language import COMPARED, EXPECTATION, EXPECTED_FILES
from grader.model import Expected, ExpectedExit, ExpectedFiles
from grader.yaml import units
from grader.yaml.attached import inner_name
from grader.yaml.nodes import Listing, Scalar, Table
from grader.yaml.value import (
    Value,
    each_of,
    entries,
    fields,
    get,
    is_reference,
    is_understood,
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
        return read or {stream: ANYTHING for stream in _STREAMS if value.node.pairs}
    if not is_reference(value):
        unwanted(value, "reference or a mapping")
    return {stream: exactly(None) for stream in _STREAMS}


def stream(value: Value) -> Expected:
    """Read what a stream must be: a text, `reference`, `any`, or a mapping with a comparator in it."""
    if isinstance(value.node, Table):
        return _read_comparator(value)
    if keyword(value) == "any":
        return ANYTHING
    if is_reference(value):
        return exactly(None)
    if isinstance(value.node, Scalar):
        return exactly(text(value))
    unwanted(value, "a text, reference, any or a mapping such as {lines: [...]}")
    return ANYTHING


def _read_comparator(value: Value) -> Expected:
    """Read a mapping with one comparator in it."""
    beside = entries(value)
    free = next((name for name, key in COMPARED.items() if key.others and name in beside), None)
    if free is not None:
        _, entry = beside.pop(free)
        return COMPARATORS[free].read(entry, beside)
    found = fields(value, COMPARED)
    hows = [name for name in found if COMPARED[name].alternative]
    for option, owner in ((name, key.beside) for name, key in COMPARED.items() if key.beside):
        if option in found and owner not in found:
            wrong(found[option], f"{option} belongs to {owner} only")
    if len(hows) != 1:
        known = [name for name, key in COMPARED.items() if key.alternative and not key.others]
        if hows or (not found and is_understood(value, found)):
            told = " and ".join(name for name in known if name in hows)
            wrong(value, f"wanted one of {', '.join(known)}, found {told or 'none of them'}")
        return ANYTHING
    comparator = COMPARATORS[hows[0]]
    return comparator.read(
        found[comparator.name], {name: beside[name] for name in comparator.options if name in beside}
    )


def _read_exit(value: Value) -> ExpectedExit:
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


def _read_expected_files(value: Value) -> ExpectedFiles:
    found = fields(value, EXPECTED_FILES)
    files = ExpectedFiles(
        present=get(found, "present", each_of(inner_name), ()),
        absent=get(found, "absent", each_of(inner_name), ()),
        same=get(found, "same", _read_same_files, {}),
    )
    if files == ExpectedFiles():
        wrong(value, "this names no file: name some under present, absent or same")
    return files


def _read_same_files(value: Value) -> dict[str, str | None]:
    return {inner_name(key): None if is_reference(entry) else text(entry) for key, entry in entries(value).values()}


_PARTS: dict[str, Callable[[Value], object]] = {
    "stdout": stream,
    "stderr": stream,
    "exit": _read_exit,
    "files": _read_expected_files,
}
