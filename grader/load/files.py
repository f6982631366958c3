"""The files behind a spec: its own bytes, and what it names as `{file: …}`, which must lie below the course root."""

from pathlib import Path, PurePosixPath

from grader.errors import UsageError
from grader.load.language import FILE_CONTENT
from grader.yaml.nodes import MAX_BYTES, Table
from grader.yaml.value import Value, fields, in_quotes, text, unwanted, wrong

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


def content(value: Value) -> bytes:
    """Read what goes to a program: a text, as UTF-8, or `{file: NAME}`, as the file's bytes."""
    if not isinstance(value.node, Table):
        return text(value).encode()
    found = fields(value, FILE_CONTENT)
    return attached(found["file"], inner_name(found["file"])) if "file" in found else b""


def inner_name(value: Value) -> str:
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
    """Return the content of a file below the course root, which counts in the spec's digest from now on."""
    known = value.context.attached
    if name and name not in known:
        known[name] = _read(value, name)
    return known.get(name, b"")


def _read(value: Value, name: str) -> bytes:
    """Note a problem and return nothing when the file is not one, or when all files together are too large."""
    context = value.context
    left = MAX_ATTACHED - sum(len(data) for data in context.attached.values())
    try:
        path = (context.root / name).resolve()
        if not path.is_relative_to(context.root):
            wrong(value, f"{in_quotes(name)} is a link out of {context.root}: put the file itself there")
        elif not path.is_file():
            wrong(value, f"there is no file {in_quotes(name)} in {context.root}")
        elif path.stat().st_size > left:
            wrong(
                value,
                f"{in_quotes(name)} is too large: the files of a spec may have {MAX_ATTACHED // 2**20} MiB together",
            )
        else:
            return path.read_bytes()
    except OSError as error:
        wrong(value, f"cannot read {in_quotes(name)}: {error.strerror}")
    return b""
