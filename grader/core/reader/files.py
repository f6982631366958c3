"""The files of specs, with the place of each value; and plain data files of our own, as strict about duplicate keys."""

import re
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from grader.core.errors import SpecError
from grader.core.reader.paths import read_bytes
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, entries_of, items_of
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import Type, key, keys_of
from grader.core.yaml.value import Keys, Value, each_of, entries, fields, items, key_path, text

_Read = TypeVar("_Read")
CONFIGURATION: Keys = keys_of(
    key("spec", "text", "The spec of the submissions below, a path or an id."),
    key("due", "due-date", "When work is due: one time for the spec that this file names, or a time for each id."),
    ("2026-11-20 23:59 Europe/Zurich", {"queens": "2026-11-20 23:59 Europe/Zurich"}),
    key("late", "late-rule", "What late work costs. Without it, nothing.", beside="due"),
    key("courses", "paths", "Folders below that are your own courses.", examples=(["examples/*"],)),
)
"""the keys of `grader.yaml`"""


def read_top(path: Path, types: Mapping[str, Type] | None = None) -> Value:
    """Read a YAML file for readers of values; UsageError when there is none, SpecError when it is not YAML."""
    context = yaml.Context(file=str(path), root=path.parent, types=types or {})
    return Value(node=parse(read_bytes(path), str(path)), path="", context=context)


def unless_wrong(top: Value, read: _Read) -> _Read:
    """Return what was read from a file; SpecError with all that is wrong in it."""
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return read


def read_data(path: Path) -> Any:
    """Read a YAML file as plain values; SpecError for one that is not YAML or has a key twice, UsageError for none."""
    return unless_wrong(top := read_top(path), to_data(top))


def to_data(value: Value) -> Any:
    """Return a node as plain Python values; notes a key that is there twice."""
    match value.node:
        case Table():
            return {name: to_data(one) for name, (_, one) in entries(value).items()}
        case Listing():
            return [to_data(item) for item in items(value)]
        case Scalar(text=written, plain=is_plain):
            return (None if written in ("", "~") else yaml.plain_value(written)) if is_plain else written


def read_configuration(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the spec that a `grader.yaml` names, and the patterns of paths of the own courses below it."""
    found = fields(top := read_top(path), CONFIGURATION)
    courses = yaml.get(found, "courses", each_of(text), tuple[str, ...]())
    return unless_wrong(top, (yaml.get(found, "spec", text, ""), courses))


def read_key(spec: Path, name: str) -> Any:
    """Read one key of a spec, and nothing of the others; None without it, and where there are mistakes."""
    types: Mapping[str, Type] = import_module("grader.core.reader.language").TYPES  # which no other file needs whole
    with suppress(SpecError):
        found = entries(top := read_top(spec, types))
        return unless_wrong(top, types[types["spec"].keys[name].kind].read(found[name][1]) if name in found else None)
    return None


def nodes_by_path(data: bytes, file: str) -> Mapping[str, Node]:
    """Return everything that is written in a file, by its path (`tests[2].args`); SpecError when it is not YAML."""
    found: dict[str, Node] = {}

    def walk(node: Node, path: str) -> None:
        found[path] = node
        for index, item in enumerate(items_of(node)):
            walk(item, f"{path}[{index}]")
        for name, value in entries_of(node).items():
            walk(value, key_path(path, name))

    walk(parse(data, file), "")
    return found


def needs(data: bytes, file: str) -> Mapping[str, Mapping[str, str]]:
    """Return the needs of each test of a spec, right or not: its name -> the needed test -> the path of that entry."""
    texts = {path: node.text for path, node in nodes_by_path(data, file).items() if isinstance(node, Scalar)}
    names = {path[:-5]: name for path, name in texts.items() if re.fullmatch(r"tests\[\d+]\.name", path)}
    found = [(path, match[1]) for path in texts if (match := re.fullmatch(r"(tests\[\d+])\.needs\[\d+]", path))]
    return {name: {texts[path]: path for path, holder in found if holder == test} for test, name in names.items()}
