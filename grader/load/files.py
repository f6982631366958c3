"""The files behind a spec: its own bytes, and what it names as `{file: …}`, which must lie below the course root.

And plain data files of our own, which have no schema but are as strict as specs about duplicate keys.
"""

import re
from pathlib import Path
from typing import Any

from grader.errors import SpecError, UsageError
from grader.load.language import FILE_CONTENT
from grader.yaml import units
from grader.yaml.attached import attach, inner_name
from grader.yaml.nodes import MAX_BYTES, Listing, Scalar, Table, parse
from grader.yaml.value import Context, Value, entries, fields, items, text


def read_bytes(path: Path) -> bytes:
    """Read a spec or a data file; UsageError when there is none. One byte more than allowed is enough to refuse it."""
    try:
        if not path.is_file():
            raise UsageError(f"no such spec: {path}" + (" (it is no file)" if path.exists() else ""))
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read the spec {path}: {error.strerror}") from error


def read_content(value: Value) -> bytes:
    """Read what goes to a program: a text, as UTF-8, or `{file: NAME}`, as the file's bytes."""
    if not isinstance(value.node, Table):
        return text(value).encode()
    found = fields(value, FILE_CONTENT)
    return attach(found["file"], inner_name(found["file"])) if "file" in found else b""


# ---------------------------------------------------------------- data

_DATA_WORDS: dict[str, object] = {"": None, "~": None, "null": None, "true": True, "false": False}


def read_data(path: Path) -> Any:
    """Read a YAML file as plain Python values; numbers, true, false and null are those words without quotes.

    Raises SpecError for a file that is not YAML or has a key twice, UsageError when there is none.
    """
    context = Context(file=str(path), root=path.parent)
    data = _to_data(Value(node=parse(read_bytes(path), str(path)), path="", context=context))
    if context.problems:
        raise SpecError(tuple(context.problems.values()))
    return data


def _to_data(value: Value) -> object:
    match value.node:
        case Table():
            return {name: _to_data(entry) for name, (_, entry) in entries(value).items()}
        case Listing():
            return [_to_data(item) for item in items(value)]
        case Scalar(text=written, plain=False):
            return written
        case Scalar(text=written):
            if written in _DATA_WORDS:
                return _DATA_WORDS[written]
            if re.fullmatch("[+-]?[0-9]{1,18}", written):
                return int(written)
            number = units.parse_number(written)
            return written if number is None else number
