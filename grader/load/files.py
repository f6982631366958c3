"""The files behind a spec: its own bytes, and what it names as `{file: …}`, which must lie below the course root.

And plain data files of our own, which have no schema but are as strict as specs about duplicate keys.
"""

import re
from pathlib import Path, PurePosixPath
from typing import Any

from grader.errors import SpecError, UsageError
from grader.load.language import FILE_CONTENT
from grader.yaml import units
from grader.yaml.nodes import MAX_BYTES, Listing, Scalar, Table, parse
from grader.yaml.value import Context, Value, entries, fields, in_quotes, items, text, unwanted, wrong

MAX_ATTACHED = 64 * 2**20


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
    return attached(found["file"], read_inner_name(found["file"])) if "file" in found else b""


def read_inner_name(value: Value) -> str:
    """Read a name or glob that stays inside its folder: relative, without `..`."""
    return inner(value, text(value))


def inner(value: Value, name: str) -> str:
    """Return `name`, which the value's text has in it, if it stays inside its folder, and else ""."""
    path = PurePosixPath(name)
    if "\0" in name or path.is_absolute() or ".." in path.parts or not path.parts:
        unwanted(value, "a relative path without ..")
        return ""
    return name


def attached(value: Value, name: str) -> bytes:
    """Return the content of a file below the course root, which counts in the spec's digest from now on.

    Notes a problem and returns nothing when the file is not one, or when all files together are too large.
    """
    context, known = value.context, value.context.attached
    if not name or name in known:
        return known.get(name, b"")
    known[name] = b""
    left = MAX_ATTACHED - sum(len(data) for data in known.values())
    try:
        path = (context.root / name).resolve()
        if not path.is_relative_to(context.root):
            wrong(value, f"{in_quotes(name)} is a link out of {context.root}: put the file itself there")
        elif not path.is_file():
            wrong(value, f"there is no file {in_quotes(name)} in {context.root}")
        elif path.stat().st_size > left:
            most = f"the files of a spec may have {MAX_ATTACHED // 2**20} MiB together"
            wrong(value, f"{in_quotes(name)} is too large: {most}")
        else:
            known[name] = path.read_bytes()
    except OSError as error:
        wrong(value, f"cannot read {in_quotes(name)}: {error.strerror}")
    return known[name]


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
