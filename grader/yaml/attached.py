"""The files that a spec names: each lies below the course root, is kept with the spec, and counts in its digest."""

import keyword
import stat
from pathlib import PurePosixPath

from grader.yaml.value import Value, in_quotes, text, unwanted, wrong

MAX_ATTACHED = 64 * 2**20

_FUNCTION = "a function of the course's own, such as reference/checks.py:boards"


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


def attach(value: Value, name: str) -> bytes:
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


def named_function(value: Value) -> str:
    """Read `FILE.py:FUNCTION`; attaches the file, and all that lies in its folder for it to import."""
    written = text(value)
    file, _, function = written.rpartition(":")
    if not file.endswith(".py") or not (function.isidentifier() and not keyword.iskeyword(function)):
        unwanted(value, _FUNCTION)
        return ""
    path = inner(value, file)
    if path and attach(value, path):
        _attach_neighbours(value, path)
    return written


def _attach_neighbours(value: Value, name: str) -> None:
    """Attach what the file can import: its folder; of the course root itself, the Python files only."""
    context = value.context
    folder, _, _ = name.rpartition("/")
    if folder in context.folders:  # once for a folder, however many cases ask for it
        return
    context.folders.add(folder)
    where = context.root / folder
    for path in sorted(where.rglob("*") if folder else where.glob("*.py")):
        if stat.S_ISREG(path.lstat().st_mode) and "__pycache__" not in path.parts:
            attach(value, path.relative_to(context.root).as_posix())
