"""`{check: FILE.py:FUNCTION, …}`: a function of the instructor, whose whole folder counts in the spec's digest."""

import keyword as python
import stat

from grader.load.files import attached, inner
from grader.model import Expected
from grader.yaml.value import Value, entries, text, unwanted

_FUNCTION = "a function of the course's own, such as reference/checks.py:boards"


def check(value: Value) -> Expected:
    """Read a mapping with the key `check`; its other keys are the options that the function is called with."""
    options = {}
    for name, (key, entry) in entries(value).items():
        if name == "check":
            continue
        if not _is_name(name):
            unwanted(key, "the name of an option of the function, one word such as n")
        options[name] = text(entry)
    return Expected(how="check", want=(), function=named_function(entries(value)["check"][1]), options=options)


def named_function(value: Value) -> str:
    """Read `FILE.py:FUNCTION`; attaches the file, and all that lies in its folder for it to import."""
    written = text(value)
    file, _, function = written.rpartition(":")
    if not file.endswith(".py") or not _is_name(function):
        unwanted(value, _FUNCTION)
        return ""
    path = inner(value, file)
    if path and attached(value, path):
        _attach_neighbours(value, path)
    return written


def _is_name(word: str) -> bool:
    return word.isidentifier() and not python.iskeyword(word)


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
            attached(value, path.relative_to(context.root).as_posix())
