"""The expectation of a case: `expect:`, as parts of an `Expectation`, merged into those of its test by key."""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from typing import Any, cast

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS, StoredWant
from grader.core.comparators.regex import read_line_pattern, read_part_pattern, read_pattern
from grader.core.comparators.text import TEXT, exactly
from grader.core.model import spec as model
from grader.core.model.layout import StoredFile, content_of, first_bytes
from grader.core.model.spec import ANYTHING, AnyOf, Expected, ExpectedFiles, Leaf
from grader.core.reader.validators import read_validator
from grader.core.yaml import types as of
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, entries_of, listing, plain, table
from grader.core.yaml.types import Type, node_of, read_given
from grader.core.yaml.value import Value, entries, fields, in_quotes, inner_name, is_reference, keyword, text, wrong

_Read = Callable[[Value], tuple[Any, ...]]
MAX_ALTERNATIVES = 16  # each is compared, and with two such streams every pair of them
_STREAMS = ("stdout", "stderr")
_FROM_FILES = ("lines", "tokens", "numbers")  # take what they want from a file too; `json` takes that for a value
_CHOICES = {"only": read_line_pattern, "skip": read_line_pattern, "part": read_part_pattern}  # of what is compared
_STATUS = yaml.parsed(yaml.parse_exit_status, "0 to 255, a list of such numbers, success, failure, reference or any", 0)


def _read_expectation(value: Value) -> dict[str, Any]:
    """Read `expect` as keyword arguments of `Expectation`. Only what checks nothing at all gives none."""
    if not isinstance(value.node, Table):
        if not is_reference(value):
            yaml.unwanted(value, "reference or a mapping such as {stdout: …}")
        return dict.fromkeys((*_STREAMS, "screen"), exactly(None))
    keys = fields(value, "expectation-of-streams")
    unchecked = _STREAMS if "screen" in keys else () if keys.keys().isdisjoint(_STREAMS) else ("screen",)
    read = {**dict.fromkeys(unchecked), **read_given(keys)}
    return read or dict.fromkeys(_STREAMS if value.node.pairs else (), ANYTHING)


def exact(value: Value) -> Leaf:
    """Read a text that must be written as it is, or `reference`."""
    return exactly(None if is_reference(value) else text(value))


def stream(value: Value) -> Expected:
    """Read what a stream must be: a text, `reference`, `any`, or a mapping with a comparator in it."""
    if not isinstance(value.node, Table):
        if isinstance(value.node, Listing):
            yaml.unwanted(value, "a text, reference, any or a mapping such as {lines: [...]}")
        return exact(value) if isinstance(value.node, Scalar) and keyword(value) != "any" else ANYTHING
    beside, known = entries(value), value.context.types["compared"].keys
    if free := next((name for name, key in known.items() if key.others and name in beside), ""):
        _, entry = beside.pop(free)
        return (read_validator if isinstance(entry.node, Table) else COMPARATORS[free].read)(entry, beside)
    keys = fields(value, known)
    chosen = {name: reader(keys[name]) for name, reader in _CHOICES.items() if name in keys}
    if not (how := keys.chosen):
        return ANYTHING
    entry, part = keys[how], chosen.get("part", "")
    if how in _COMBINED:
        return _COMBINED[how][0](parts=tuple(_choosing(entry, branch, chosen) for branch in _read_parts(how, entry)))
    comparator = COMPARATORS.get(how, TEXT)
    options = {name: beside[name] for name in comparator.options if name in beside}
    if how == "file":
        read: Expected = expect_file(entry, part=part)
    elif how not in _FROM_FILES or not isinstance(entry.node, Table):
        read = comparator.read(entry, options)
    else:  # of `{file: NAME}`, what the comparator would make of it as the reference's output
        named, context = fields(entry, "file-content"), replace(value.context, has_reference=True)
        asked = comparator.read(replace(entry, node=plain("reference"), context=context), options)
        read = replace(asked, want=())
        try:
            if file := named.get("file"):
                read = expect_file(file, "", lambda data: replace(asked, want=comparator.freeze(data.encode())), part)
        except ValueError as error:
            wrong(entry, f"the file holds what is not wanted here: {error}")
    return _choosing(value, read, chosen)


def expect_file(value: Value, name: str = "", make: Callable[[str], Leaf] = exactly, part: str = "") -> Expected:
    """Return the expectation of a file's text, or of what is in the part of its lines that is compared."""
    content, text = yaml.attach_unread(value, name := name or inner_name(value)), ""
    try:
        text = content_of(content).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        wrong(value, f"byte {error.start + 1} of {in_quotes(name)} is no UTF-8, and a text is compared: write a check")
    if part:
        matches = [parts for line in text.splitlines() if (parts := re.search(part, line))]
        if not matches:
            wrong(value, "part matches in no line of the file: choose another")
        pieces = [match[1] if match.re.groups else match.string[match.end() :].strip(" \t") for match in matches]
        return make("".join(f"{piece}\n" for piece in pieces if piece is not None))
    # CR LF is right as well, and not overlooked: a program may have to write it, as Python's `csv` does.
    unix, written = make(text.replace("\r\n", "\n")), make(text)
    if unix != written:
        return AnyOf(parts=(unix, written))
    if isinstance(content, StoredFile) and first_bytes(content, len(BOM_UTF8)) != BOM_UTF8:
        return replace(written, want=StoredWant(how=written.how, file=content))
    return written


def _choosing(value: Value, expected: Expected, chosen: Mapping[str, str]) -> Expected:
    """Compare only some lines, unless an inner expectation selects others; a text without such lines is an error."""
    is_file = any(name == "file" or isinstance(node, Table) for name, node in entries_of(value.node).items())

    def choose(leaf: Leaf) -> Leaf:
        leaf = replace(leaf, **{name: getattr(leaf, name) or pattern for name, pattern in chosen.items()})
        wanted = [line for text in leaf.want or () for line in text.splitlines()]
        if COMPARATORS[leaf.how].prescribes != "lines" or not wanted:
            return leaf
        if not leaf.part:
            if not any(re.search(leaf.only, line) and not re.search(leaf.skip or "(?!)", line) for line in wanted):
                wrong(value, "by only and skip none of the wanted lines is compared: choose others")
            return leaf
        if not is_file and any(re.search(leaf.part, line) for line in wanted):
            wrong(value, "what is wanted is compared with the part alone: write it without what part matches")
        text = (leaf.want or ("",))[0]  # a text of the spec is the part already, and each part is a line
        return replace(leaf, want=(f"{text}\n",)) if leaf.how == TEXT.name and text[-1:] not in ("", "\n") else leaf

    return expected.map_leaves(choose)


_FEW = "`all` needs at least two parts: name two or more, or leave all out"
_COMBINED: Mapping[str, tuple[type[Expected], str, str, str]] = {
    "any": (AnyOf, "with any among them, whatever is written is right: take it out", "", "choose from"),
    "all": (model.AllOf, "any asks for nothing: take it out", _FEW, "hold together"),
    "not": (model.NoneOf, "then nothing at all is right: say what must not be written", "", ""),
}
"""a key -> what it makes of its parts; why none may be the word any; what is wrong with few parts, and with too many"""


def _read_parts(how: str, value: Value) -> tuple[Expected, ...]:
    _, if_any, few, use = _COMBINED[how]

    def read_part(item: Value) -> tuple[Expected, ...]:
        if keyword(item) == "any":
            wrong(item, if_any)
        expected = stream(item)
        if how == "not":
            _check_denied(item, expected)
        return expected.parts if how != "all" and isinstance(expected, AnyOf) else (expected,)

    return read_part(value) if how == "not" else read_alternatives(value, read_part, few, use)


def _check_denied(value: Value, expected: Expected) -> None:
    """Check what must not hold: neither the reference's output nor a check, which reports its own mistakes."""
    if expected.denied:
        wrong(value, "`not` inside `not`: remove both")
    elif expected.asks_reference:
        wrong(value, "the reference itself would be wrong: say what must not be written")
    for why in filter(None, (COMPARATORS[leaf.how].why_not_denied(leaf) for leaf in expected.leaves)):
        wrong(value, why)


def read_alternatives(value: Value, reader: _Read, few: str = "", use: str = "choose from") -> tuple[Any, ...]:
    """Read a list of right alternatives; an item that is itself such a list is replaced by its items."""
    read: list[Any] = []
    for item in yaml.items(value):
        alternatives = reader(item)
        if len(alternatives) == 1 and alternatives[0] in read:
            wrong(item, "this is in the list already: keep one")
        read += alternatives
    if isinstance(value.node, Listing) and len(read) <= 1:
        wrong(value, few or f"{len(read) or 'nothing'} to choose from: name two or more that are right")
    elif len(read) > MAX_ALTERNATIVES:
        wrong(value, f"more than {MAX_ALTERNATIVES} to {use}: write a check")
    return tuple(read)


def _read_exit(value: Value) -> model.ExpectedExit:
    word = keyword(value)
    if word in ("any", "success", "failure") or is_reference(value):
        return cast("model.ExpectedExit", word)
    return yaml.each_of(_STATUS, "at least one number")(value) if isinstance(value.node, Listing) else (_STATUS(value),)


def _read_expected_files(value: Value) -> ExpectedFiles:
    known = value.context.types["expected-files"].keys
    keys, compared = yaml.Fields(entries(value), known, value.context), dict[str, Expected]()
    for written, (key, entry) in ((name, pair) for name, pair in entries(value).items() if name not in known):
        name, is_list = inner_name(key), isinstance(entry.node, Listing)
        if is_list:  # which is meant for one of the keys
            wrong(key, f"unknown key{yaml.suggestion(written, known)}")
        elif re.search(r"[*?]", written):
            wrong(key, "one file is looked into, by its name: write it without * and ?")
        if keyword(entry) == "any":
            wrong(entry, "whatever it holds is right: name it under present")
        compared[name] = ANYTHING if is_list else stream(entry)
    lists = read_given(keys)
    same = lists.pop("same", {})
    if not (any(lists.values()) or same or compared) and isinstance(value.node, Table):
        wrong(value, "this names no file: name some under present, absent or same")
    for name in same.keys() & compared.keys():
        wrong(value, f"{in_quotes(name)} is here under same as well: say in one place what it must hold")
    return ExpectedFiles(**lists, contents={**same, **compared})


def _write_expected_files(files: ExpectedFiles) -> Node:
    """Write `files` of an expectation; under `same` what would be a key or a pattern outside it."""
    nodes = {name: write_expected(content) for name, content in files.contents.items()}
    lists: dict[str, Any] = {"present": files.present, "absent": files.absent, "same": {}}
    lists["same"] = {name: nodes.pop(name) for name in [*nodes] if name in lists or set(name) & {"*", "?"}}
    return node_of({**{name: listed for name, listed in lists.items() if listed}, **nodes})


def write_expected(expected: Expected) -> Node:
    """Write what a text is compared with; `reference` where the reference is asked."""

    def write(leaf: Leaf) -> Node:
        node = COMPARATORS[leaf.how].write(leaf)
        patterns = {name: node_of(pattern) for name in _CHOICES if (pattern := getattr(leaf, name))}
        return table({**(entries_of(node) or {"text": node}), **patterns}) if patterns else node

    return expected.fold(
        write,
        any_of=lambda parts: table({"any": listing(parts)}),
        all_of=lambda parts: table({"all": listing(parts)}) if parts else plain("any"),
        none_of=lambda parts: table({"not": table({"any": listing(parts)}) if len(parts) > 1 else parts[0]}),
    )


_OUTPUTS = {"reference": "What the reference writes.", "any": "Anything."}
EXITS = {"success": "0.", "failure": "Any but 0.", "reference": "That of the reference.", "any": "Any."}
EXPECTED_TYPES: Mapping[str, Type] = {  # of what is compared
    "pattern": Type(of.any_text(), "a regular expression of Python's", read_pattern),
    **{name: Type(it, it.get("description", "")) for one in COMPARATORS.values() for name, it in one.kinds.items()},
    "expectation": Type(of.any_of(of.REFERENCE, "expectation-of-streams"), read=_read_expectation),
    "stream": Type(of.any_of(of.one_word_of(_OUTPUTS), "text", "compared"), read=stream, write=write_expected),
    "alternatives": of.list_of("expected-value", 2, read=None),
    "parts": of.list_of("stream", 2, read=None),
    "exit": Type(
        of.any_of(of.one_word_of(EXITS), "status", of.list_of("status", 1)),
        read=_read_exit,
        write=lambda asked: plain(asked) if isinstance(asked, str) else node_of(asked[0] if len(asked) == 1 else asked),
    ),
    "status": Type({"type": "integer", "minimum": 0, "maximum": 255}, "a whole number, 0 to 255"),
    "crash": of.word(
        "way to treat a crash",
        fails="An uncaught exception fails the case.",
        allowed="An uncaught exception is an exit with its status.",
    ),
    "expected-files": Type(read=_read_expected_files, write=_write_expected_files),
    "same-files": of.mapping_of("same-file", of.INNER_PATH, name=inner_name),
    "same-file": Type(of.any_of(of.REFERENCE, "text"), read=exact),
    "function": Type({"type": "string", "pattern": r"\.py:[^:]+$"}, "a course's `FILE.py:NAME`", yaml.named_function),
}
