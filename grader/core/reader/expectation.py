"""The expectation of a case: `expect:`, as the parts of an `Expectation`.

It is read as parts because a case's expectation is merged into its test's, key by key. `expect: {exit: 1}` in a case
keeps the test's `stdout`. A case that names streams discards the screen of its test, and the reverse. `reference` and
`any` are keywords only without quotes, and only as the whole value.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS, StoredWant
from grader.core.comparators.base import Comparator, Siblings
from grader.core.comparators.lines import LineOptions
from grader.core.comparators.regex import read_line_pattern, read_part_pattern
from grader.core.comparators.text import TEXT, exactly
from grader.core.model.spec import (
    ANYTHING,
    AllOf,
    AnyOf,
    Expectation,
    Expected,
    ExpectedExit,
    ExpectedFiles,
    Leaf,
    NoneOf,
)
from grader.core.model.stored_file import StoredFile, first_bytes
from grader.core.reader.language import COMPARED, EXPECTATION, EXPECTED_FILES, FILE_CONTENT
from grader.core.reader.validators import read_validator
from grader.core.text import joined
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, entries_of
from grader.core.yaml.types import node_of, read_given
from grader.core.yaml.value import Value, each_of, entries, fields, get, inner_name, is_reference, keyword, text, wrong
from grader.core.yaml.writing import listing, plain, table

ChoiceT = TypeVar("ChoiceT")
MAX_ALTERNATIVES = 16  # each is compared, and with two such streams every pair of them
_STREAMS = ("stdout", "stderr")
_FROM_FILES = ("lines", "tokens", "numbers")
"""comparators that take what they want from a file too; `json` would take that for a value"""
_CHOICES = {"only": read_line_pattern, "skip": read_line_pattern, "part": read_part_pattern}
"""the key of a pattern that chooses what is compared -> its reader"""
_STATUS = yaml.parsed(yaml.parse_exit_status, "0 to 255, a list of such numbers, success, failure, reference or any", 0)


def read_expectation(value: Value) -> dict[str, Any]:
    """Read `expect` as keyword arguments of `Expectation`. Only what checks nothing at all gives none."""
    if isinstance(value.node, Table):
        found = fields(value, EXPECTATION)
        read = read_given(found, EXPECTATION)
        if "screen" in found and not found.keys().isdisjoint(_STREAMS):
            wrong(found["screen"], "the screen shows both streams: name it alone, or the streams")
        elif "screen" in found:
            read |= dict.fromkeys(_STREAMS)
        elif not found.keys().isdisjoint(_STREAMS):
            read["screen"] = None
        return read or {stream: ANYTHING for stream in _STREAMS if value.node.pairs}
    if not is_reference(value):
        yaml.unwanted(value, "reference or a mapping such as {stdout: …}")
    return {stream: exactly(None) for stream in (*_STREAMS, "screen")}


def make_expectation(value: Value, parts: Mapping[str, Any]) -> Expectation:
    """Make the expectation of the case at `value`; a screen that no kind has made of the streams is a mistake."""
    if not isinstance(parts.get("screen"), Expected):
        return Expectation(**{**parts, "screen": bool(parts.get("screen"))})
    if not any(map(parts.get, _STREAMS)):
        wrong(value, "a screen is there in a dialogue only: name stdout or stderr")
    return Expectation(**{**parts, "screen": False})


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
    yaml.unwanted(value, "a text, reference, any or a mapping such as {lines: [...]}")
    return ANYTHING


def _read_comparator(value: Value) -> Expected:
    """Read a mapping with one comparator in it."""
    beside = entries(value)
    free = next((name for name, key in COMPARED.items() if key.others and name in beside), None)
    if free is not None:
        _, entry = beside.pop(free)
        if isinstance(entry.node, Table):
            return read_validator(entry, beside)
        return COMPARATORS[free].read(entry, beside)
    found = fields(value, COMPARED)
    hows = [name for name in found if COMPARED[name].alternative]
    for option, owners in ((name, COMPARED[name].beside.split()) for name in found):
        if owners and found.keys().isdisjoint(owners):
            wrong(found[option], f"{option} belongs to {joined(owners)} only")
    chosen = {name: get(found, name, reader, "") for name, reader in _CHOICES.items()}
    if len(hows) != 1:
        known = [name for name, key in COMPARED.items() if key.alternative and not key.others]
        if hows or (found.keys() <= _CHOICES.keys() and yaml.is_understood(value, found)):
            told = " and ".join(filter(hows.count, known)) or "none of them"
            wrong(value, f"wanted one of {', '.join(known)}, found {told}")
        return ANYTHING
    entry = found[hows[0]]
    if hows[0] in _COMBINED:
        combine, read_parts = _COMBINED[hows[0]]
        return combine(parts=tuple(_choosing(entry, part, chosen) for part in read_parts(entry)))
    if hows == ["file"]:
        read = _expect_file(entry, entry, exactly, chosen["part"])
    else:
        read = _read_want(COMPARATORS[hows[0]], entry, beside, chosen["part"])
    return _choosing(value, read, chosen)


def _read_want(comparator: Comparator, value: Value, beside: Siblings, part: str) -> Expected:
    """Read what is wanted; of `{file: NAME}`, what the comparator would make of it as the reference's output."""
    options = {name: beside[name] for name in comparator.options if name in beside}
    if comparator.name not in _FROM_FILES or not isinstance(value.node, Table):
        return comparator.read(value, options)
    found = fields(value, FILE_CONTENT)
    context = replace(value.context, has_reference=True)
    read = comparator.read(replace(value, node=plain("reference"), context=context), options)
    try:
        if "file" in found:
            make = comparator.freeze
            return _expect_file(value, found["file"], lambda text: replace(read, want=make(text.encode())), part)
    except ValueError as error:
        wrong(value, f"the file holds what is not wanted here: {error}")
    return replace(read, want=())


def _expect_file(value: Value, named: Value, make: Callable[[str], Leaf], part: str) -> Expected:
    """Return the expectation of a file's text, or of what is in the part of its lines that is compared.

    Where its lines end as on Windows, that with plain newlines is right as well. CR LF is not overlooked: a program may
    have to write it, as Python's `csv` does.
    """
    name = inner_name(named)
    if not part:
        return exact_file(named, name, make)
    found = [parts for line in text_of_file(named, name).splitlines() if (parts := re.search(part, line))]
    if not found:
        wrong(value, "part matches in no line of the file: choose another")
    pieces = [one[1] if one.re.groups else one.string[one.end() :].strip(" \t") for one in found]
    return make("".join(f"{piece}\n" for piece in pieces if piece is not None))


def exact_file(value: Value, name: str, make: Callable[[str], Leaf] = exactly) -> Expected:
    """Return the expectation of the text of a file of the course, which is named at `value`."""
    content, text = yaml.attach_unread(value, name), text_of_file(value, name)
    unix, written = make(text.replace("\r\n", "\n")), make(text)
    if unix != written:
        return AnyOf(parts=(unix, written))
    if isinstance(content, StoredFile) and first_bytes(content, len(BOM_UTF8)) != BOM_UTF8:
        return replace(written, want=StoredWant(how=written.how, file=content))
    return written


def text_of_file(value: Value, name: str) -> str:
    """Return the text of a file of the course, which is named at `value`; a byte order mark is no part of it."""
    try:
        return yaml.attach(value, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        told = f"byte {error.start + 1} of {yaml.in_quotes(name)} is no UTF-8, and a text is compared"
        wrong(value, f"{told}: write a check")
        return ""


def _choosing(value: Value, expected: Expected, chosen: Mapping[str, str]) -> Expected:
    """Compare only some lines, unless an inner expectation selects others; a text without such lines is an error."""
    pairs = value.node.pairs if isinstance(value.node, Table) else ()
    is_file = any(key.text == "file" or isinstance(node, Table) for key, node in pairs)

    def choose(leaf: Leaf) -> Leaf:
        leaf = replace(leaf, **{name: getattr(leaf, name) or pattern for name, pattern in chosen.items()})
        wanted = [line for text in leaf.want or () for line in text.splitlines()]
        if COMPARATORS[leaf.how].prescribes != "lines" or not wanted:
            return leaf
        if not leaf.part:
            skip = leaf.skip or "(?!)"
            if not any(re.search(leaf.only, line) and not re.search(skip, line) for line in wanted):
                wrong(value, "by only and skip none of the wanted lines is compared: choose others")
            return leaf
        if not is_file and any(re.search(leaf.part, line) for line in wanted):
            wrong(value, "what is wanted is compared with the part alone: write it without what part matches")
        # A text of the spec is the part already, and each part is a line.
        if leaf.how == TEXT.name and leaf.want and not leaf.want[0].endswith("\n"):
            return replace(leaf, want=(f"{leaf.want[0]}\n",))
        return leaf

    return expected.map_leaves(choose)


def _read_part(value: Value, if_any: str) -> Expected:
    """Read a part of what is expected; `if_any` says why the word any is none."""
    if keyword(value) == "any":
        wrong(value, if_any)
    return stream(value)


def _read_denied(value: Value) -> tuple[Expected, ...]:
    """Read what must not hold: neither the reference's output nor a check, which reports its own mistakes."""
    one = _read_part(value, "then nothing at all is right: say what must not be written")
    if one.denied:
        wrong(value, "`not` inside `not`: remove both")
    elif one.asks_reference:
        wrong(value, "the reference itself would be wrong: say what must not be written")
    for leaf in one.leaves:
        if leaf.how == "contains" and len(leaf.want or ()) > 1:
            wrong(value, "not all of these texts? Write `not: {any: [{contains: …}, …]}` if none may occur")
        elif leaf.how == "check":
            wrong(value, "a check tells what is wrong, and cannot be turned round: let it raise Wrong where it did not")
        elif leaf.how == "lines" and leaf.get(LineOptions).by_line:
            wrong(value, "only what is exactly so is denied, and no share of its lines: take credit out")
    return _alternatives(one)


def _alternatives(one: Expected) -> tuple[Expected, ...]:
    return one.parts if isinstance(one, AnyOf) else (one,)


_REDUNDANT = "with any among them, whatever is written is right: take it out"
_FEW = "`all` needs at least two parts: name two or more, or leave all out"
_COMBINED: Mapping[str, tuple[type[Expected], Callable[[Value], tuple[Expected, ...]]]] = {
    "any": (AnyOf, lambda value: read_alternatives(value, lambda item: _alternatives(_read_part(item, _REDUNDANT)))),
    "all": (
        AllOf,
        lambda value: read_alternatives(
            value, lambda item: (_read_part(item, "any asks for nothing: take it out"),), _FEW, "hold together"
        ),
    ),
    "not": (NoneOf, _read_denied),
}
"""a key -> what it makes of its parts, and their reader"""


def read_alternatives(
    value: Value, reader: Callable[[Value], tuple[ChoiceT, ...]], few: str = "", use: str = "choose from"
) -> tuple[ChoiceT, ...]:
    """Read a list of right alternatives; an item that is itself such a list is replaced by its items."""
    read: list[ChoiceT] = []
    for item in yaml.items(value):
        found = reader(item)
        if len(found) == 1 and found[0] in read:
            wrong(item, "this is in the list already: keep one")
        read += found
    if isinstance(value.node, Listing) and len(read) <= 1:
        wrong(value, few or f"{len(read) or 'nothing'} to choose from: name two or more that are right")
    elif len(read) > MAX_ALTERNATIVES:
        wrong(value, f"more than {MAX_ALTERNATIVES} to {use}: write a check")
    return tuple(read)


def read_exit(value: Value) -> ExpectedExit:
    """Read `exit`: a word, a status, or a list of them."""
    if is_reference(value):
        return "reference"
    match keyword(value):
        case "any" | "success" | "failure" as word:
            return word
    each = each_of(_STATUS, "at least one number")
    return each(value) if isinstance(value.node, Listing) else (_STATUS(value),)


def read_expected_files(value: Value) -> ExpectedFiles:
    """Read `files` of an expectation: what is there, what is not, and what some hold."""
    every = entries(value)
    found = {name: entry for name, (_, entry) in every.items() if name in EXPECTED_FILES}
    compared = {inner_name(key): _read_file(key, entry) for name, (key, entry) in every.items() if name not in found}
    exact = entries(found["same"]).values() if "same" in found else ()
    same = {inner_name(key): Leaf(how="text", want=None if is_reference(one) else (text(one),)) for key, one in exact}
    names = {key: get(found, key, each_of(inner_name), tuple[str, ...]()) for key in ("present", "absent")}
    files = ExpectedFiles(**names, contents={**same, **compared})
    if files == ExpectedFiles() and isinstance(value.node, Table):
        wrong(value, "this names no file: name some under present, absent or same")
    for name in same.keys() & compared.keys():
        wrong(value, f"{yaml.in_quotes(name)} is here under same as well: say in one place what it must hold")
    return files


def write_expected_files(files: ExpectedFiles) -> Node:
    """Write `files` of an expectation; under `same` what would be a key or a pattern outside it."""
    nodes = {name: write_expected(content) for name, content in files.contents.items()}
    same = {name: node for name, node in nodes.items() if name in EXPECTED_FILES or set(name) & {"*", "?"}}
    found = {"present": files.present, "absent": files.absent, "same": same}
    others = {name: node for name, node in nodes.items() if name not in same}
    return node_of({**{name: listed for name, listed in found.items() if listed}, **others})


def _read_file(key: Value, value: Value) -> Expected:
    """Read what a file must hold; a list is meant for one of the keys."""
    if isinstance(value.node, Listing):
        wrong(key, f"unknown key{yaml.suggestion(text(key), EXPECTED_FILES)}")
        return ANYTHING
    if re.search(r"[*?]", text(key)):
        wrong(key, "one file is looked into, by its name: write it without * and ?")
    if keyword(value) == "any":
        wrong(value, "whatever it holds is right: name it under present")
    return stream(value)


def write_expected(expected: Expected) -> Node:
    """Write what a text is compared with; `reference` where the reference is asked."""
    return expected.fold(
        _write_leaf,
        any_of=lambda parts: table({"any": listing(parts)}),
        all_of=lambda parts: table({"all": listing(parts)}) if parts else plain("any"),
        none_of=lambda parts: table({"not": table({"any": listing(parts)}) if len(parts) > 1 else parts[0]}),
    )


def _write_leaf(leaf: Leaf) -> Node:
    node = COMPARATORS[leaf.how].write(leaf)
    if not leaf.is_selective:
        return node
    compared = entries_of(node) if isinstance(node, Table) else {"text": node}
    patterns = {"only": leaf.only, "skip": leaf.skip, "part": leaf.part}
    return table({**compared, **{name: node_of(pattern) for name, pattern in patterns.items() if pattern}})
