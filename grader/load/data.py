"""Plain YAML data files of our own: no schema, but as strict as specs about duplicate keys."""

import re
from pathlib import Path
from typing import Any

from grader.errors import SpecError
from grader.load.files import read_bytes
from grader.yaml import units
from grader.yaml.nodes import Listing, Scalar, Table, parse
from grader.yaml.value import Context, Value, entries, items

_WORDS: dict[str, object] = {"": None, "~": None, "null": None, "true": True, "false": False}


def read_data(path: Path) -> Any:
    """Read a YAML file as plain Python values; numbers, true, false and null are those words without quotes.

    Raises SpecError for a file that is not YAML or has a key twice, UsageError when there is none.
    """
    context = Context(file=str(path), root=path.parent)
    data = _plain(Value(node=parse(read_bytes(path), str(path)), path="", context=context))
    if context.problems:
        raise SpecError(tuple(context.problems.values()))
    return data


def _plain(value: Value) -> object:
    match value.node:
        case Table():
            return {name: _plain(entry) for name, (_, entry) in entries(value).items()}
        case Listing():
            return [_plain(item) for item in items(value)]
        case Scalar(text=written, plain=plain):
            return _typed(written) if plain else written


def _typed(written: str) -> object:
    if written in _WORDS:
        return _WORDS[written]
    if re.fullmatch("[+-]?[0-9]{1,18}", written):
        return int(written)
    number = units.parse_number(written)
    return written if number is None else number
