"""A node with the way to it, and the elementary readers that every key is made of.

A reader that meets a mistake notes it and returns a harmless stand-in, so that one pass finds all mistakes. Nobody
outside sees a stand-in: one noted problem, and `load` raises `SpecError`.
"""

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from grader.errors import Problem
from grader.yaml.nodes import Listing, Node, Scalar, Table
from grader.yaml.template import fill

_Read = TypeVar("_Read")
MAX_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What all values of one file share. `problems`, `attached` and `folders` grow while it is read."""

    file: str
    root: Path
    """the folder that the names of attached files are relative to"""
    spec: str = ""
    """its id"""
    language: str = ""
    has_reference: bool = False
    variables: Mapping[str, str] | None = None
    """what `{n}` stands for; None where braces mean nothing"""
    problems: dict[tuple[int, int, str], Problem] = field(default_factory=dict)
    """at most one for a line, a column and a path: what follows from a mistake is no other mistake"""
    attached: dict[str, bytes] = field(default_factory=dict)
    """name -> content of every file that the spec names"""
    folders: set[str] = field(default_factory=set)
    """the folders of which every file is attached"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A node, its path as people write it (`tests[2].args`), and its file's context."""

    node: Node
    path: str
    context: Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key of a mapping, as people are told of it."""

    about: str
    """one sentence or two, for somebody who writes a spec"""
    kind: str
    """what it takes: a name in `TABLES`, or of a kind that the schema knows"""
    required: bool = False
    default: Any = None
    """what holds when the key is not there; None when that cannot be said in one value"""
    examples: tuple[Any, ...] = ()
    beside: str = ""
    """the key that this one belongs to; without that it means nothing"""
    alternative: bool = False
    """whether a mapping has exactly one of the keys that are alternatives"""
    others: str = ""
    """the kind of all other keys beside this one, where their names are free: options of a function"""


Keys = Mapping[str, Key]


def with_variables(value: Value, variables: Mapping[str, str] | None) -> Value:
    """Return the same value, with `variables` to fill its texts, or with None to leave its braces alone."""
    return replace(value, context=replace(value.context, variables=variables))


def wrong(value: Value, message: str) -> None:
    """Note a mistake at this value, unless one is noted already."""
    line, column, path = value.node.line, value.node.column, value.path
    problem = Problem(file=value.context.file, line=line, column=column, path=path, message=message)
    value.context.problems.setdefault((line, column, path), problem)


def unwanted(value: Value, wanted: str) -> None:
    """Note that the value is not what is wanted here, and what it is."""
    wrong(value, f"wanted {wanted}, found {_describe_node(value.node)}")


def unsupported(key: Value) -> None:
    """Note that a key is part of the language, but that this version cannot do it."""
    wrong(key, f"{in_quotes(text(key))} is not supported yet")


def _shortened(text: str) -> str:
    """Return a text for a message: on one line, not too long."""
    start = text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in start)


def in_quotes(text: str) -> str:
    """Return a text for a message, in quotes."""
    return f'"{_shortened(text)}"'


def suggestion(word: str, known: Collection[str]) -> str:
    """Return, for the end of a message, what the word was meant to be, or else what there is to choose from."""
    near = difflib.get_close_matches(word[:MAX_SHOWN], known, 1)
    return f"; did you mean {in_quotes(near[0])}?" if near else f"; there are: {', '.join(known)}"


def keyword(value: Value) -> str | None:
    """Return the word when it is without quotes: only such can be keywords, numbers and booleans."""
    return value.node.text if isinstance(value.node, Scalar) and value.node.plain else None


def is_reference(value: Value) -> bool:
    """Whether a value is the keyword `reference`, which needs a reference in the spec."""
    if keyword(value) != "reference":
        return False
    if not value.context.has_reference:
        wrong(value, 'there is no reference: add its command to the spec, under the key "reference"')
    return True


def text(value: Value) -> str:
    """Read a text: the characters that were written, the variables filled in."""
    node = value.node
    if isinstance(node, Scalar) and (node.text or not node.plain):
        return filled(value, node.text)
    unwanted(value, 'text, or "" for an empty one' if isinstance(node, Scalar) else "text")
    return ""


def filled(value: Value, written: str) -> str:
    """Put the variables into `written`, which is the value's text or a part of it."""
    variables = value.context.variables
    if variables is None:
        return written
    try:
        return fill(written, variables)
    except KeyError as error:
        word = error.args[0]
        hint = suggestion(word, variables) if variables else ""
        wrong(
            value,
            f"{{{word}}} is no variable of this test{hint or ''} (write {{{{{word}}}}} for the braces themselves)",
        )
        return ""


def parsed(parse: Callable[[str], _Read | None], wanted: str, stand_in: _Read) -> Callable[[Value], _Read]:
    """Make a reader of texts without quotes that `parse` understands."""

    def reader(value: Value) -> _Read:
        word = keyword(value)
        result = None if word is None else parse(word)
        if result is not None:
            return result
        unwanted(value, wanted)
        return stand_in

    return reader


boolean = parsed({"true": True, "false": False}.get, "true or false", stand_in=False)


def choice(options: Sequence[_Read], what: str) -> Callable[[Value], _Read]:
    """Make a reader of one of the names; `what` they are is for the message."""

    def reader(value: Value) -> _Read:
        name = text(value)
        for option in options:
            if name == option:
                return option
        wrong(value, f"unknown {what} {in_quotes(name)}{suggestion(name, [str(option) for option in options])}")
        return options[0]

    return reader


def items(value: Value) -> list[Value]:
    """Return the values in a list."""
    if isinstance(value.node, Listing):
        nodes = enumerate(value.node.items)
        return [Value(node=node, path=f"{value.path}[{index}]", context=value.context) for index, node in nodes]
    unwanted(value, "a list")
    return []


def each_of(reader: Callable[[Value], _Read]) -> Callable[[Value], tuple[_Read, ...]]:
    """Make a reader of a list from the reader of its items."""
    return lambda value: tuple(reader(item) for item in items(value))


def entries(value: Value) -> dict[str, tuple[Value, Value]]:
    """Return name -> key and value of a mapping; a name that is there twice is a mistake."""
    if not isinstance(value.node, Table):
        unwanted(value, "a mapping")
        return {}
    found: dict[str, tuple[Value, Value]] = {}
    for key_node, node in value.node.pairs:
        path = key_path(value.path, key_node.text)
        key = Value(node=key_node, path=path, context=value.context)
        name = text(key)
        if name in found:
            wrong(key, f"this key is here twice, first in line {found[name][0].node.line}: keep one")
        else:
            found[name] = (key, Value(node=node, path=path, context=value.context))
    return found


def fields(value: Value, known: Keys) -> dict[str, Value]:
    """Return the values of the known keys; another key is a mistake, and so is a required one that is missing."""
    found = entries(value)
    hints = ""
    for name, (key, _) in found.items():
        if name not in known:
            hint = suggestion(name, known)
            hints += hint
            wrong(key, f"unknown key{hint}")
    required = [name for name, key in known.items() if key.required]
    for name in required if isinstance(value.node, Table) else ():
        # A required key that is misspelt is one mistake, not two.
        if name not in found and f"did you mean {in_quotes(name)}" not in hints:
            wrong(replace(value, path=key_path(value.path, name)), "this key is missing")
    return {name: entry for name, (_, entry) in found.items() if name in known}


def is_understood(value: Value, found: Mapping[str, Value]) -> bool:
    """Whether every key of a mapping was known: one that was not may have been meant for the one that is missing."""
    return entries(value).keys() <= found.keys()


def get(found: Mapping[str, Value], key: str, reader: Callable[[Value], _Read], default: _Read) -> _Read:
    """Read the value of a key, or return the default when the key is not there."""
    return reader(found[key]) if key in found else default


def key_path(path: str, key: str) -> str:
    """Return the path of a key of the mapping at `path`."""
    return f"{path}.{_shortened(key)}" if path else _shortened(key)


def _describe_node(node: Node) -> str:
    match node:
        case Scalar(text=written, plain=True):
            return in_quotes(written) if written else "nothing"
        case Scalar(text=written):
            return f"the text {in_quotes(written)}"
        case Listing(items=found):
            return "a list" if found else "an empty list"
        case Table(pairs=((Scalar(text=word), Scalar(text="", plain=True)),)):
            return f'a mapping (write "{{{word}}}" for a variable)'
        case Table(pairs=pairs):
            return "a mapping" if pairs else "an empty mapping"
