"""What the source of a wrong program shows at a glance, line by line, and its output does not: why it is wrong."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.spec import Case
from grader.core.model.stored_file import first_bytes, unread
from grader.core.notebook.linear import is_notebook, module_name, to_linear_source
from grader.core.notebook.reading import NotebookError, read_cells
from grader.core.text import quote

_MAX_SOURCE_BYTES, _MAX_SOURCES, _MAX_NAME_LENGTH, _MAX_LINE_LENGTH = 2**18, 20, 32, 48
_SUFFIXES = frozenset({".java", ".py", ".ipynb"})
_DEFINED = lazy_regex(r"def\s+(\w+)\s*\(")
_NO_STATEMENT = lazy_regex(r"\s|#|import\b|from\b|(?:async\s+)?def\b|class\b|@|[\])}]|[A-Z_]+\s*=[^=]|$")
"""what a line of Python begins with that does nothing when the file is run, or belongs to a line above it"""
_TOKEN = lazy_regex(r"""'(?:[^'\\]|\\.)+'|"(?P<text>(?:[^"\\]|\\.)*)"|//.*""")
"""of Java, what holds letters that are no code"""
_COMPARED = lazy_regex(r"(?P<other>\w+|\W)\s*[=!]=\s*$")
_COMPARED_BEFORE = lazy_regex(r"\s*[=!]=\s*(?P<other>\w+|\W)")
_WORD = lazy_regex(r"\w+")
_COMMENT = lazy_regex(r"\s*(?://|\*|/\*)")


class SourceHint(NamedTuple):
    """What a source shows: in front of what is wrong where that follows from it, or behind it."""

    before: str = ""
    after: str = ""


def hint_in_source(case: Case, folder: Path | None, execution: Execution, argv: Sequence[str] = ()) -> SourceHint:
    """Return what the sources of a wrong program, which `argv` started, show of the reason, if anything."""
    sources, words = dict(_read_sources(folder)) if folder else {}, set(_WORD.findall(" ".join(argv)))
    reached = [name for name in sources if name.partition(".")[0] in words] or list(sources)
    if not (execution.stdout.strip() or execution.stderr.strip()) and execution.status == 0:
        idle = (_describe_nothing_done(name, sources[name]) for name in reached if not name.endswith(".java"))
        if found := next(filter(None, idle), ""):
            return SourceHint(before=found)
    for name in reached:
        words = set(_WORD.findall("\n".join(sources[name])))
        reached += [one for one in sources if one.partition(".")[0] in words and one not in reached]
    for name in (name for name in sources if name in reached and name.endswith(".java")):
        if number := _compared_by_identity(case, sources[name]):
            line = quote(sources[name][number - 1].strip(), most=_MAX_LINE_LENGTH)
            what = "compares texts by `==`, which asks for the same object; use `equals`."
            return SourceHint(after=f"Line {number} of {quote(name, most=_MAX_NAME_LENGTH)}, {line}, {what}")
    return SourceHint()


def _read_sources(folder: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the names of sources and the lines that they begin with; of a notebook, those of its cells."""
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in _SUFFIXES]
    made = {module_name(path.name) for path in paths if is_notebook(path.name)}
    for path in paths[:_MAX_SOURCES]:
        if not path.is_file() or path.is_symlink() or path.name in made:
            continue
        with path.open("rb") as file:
            data = file.read(-1 if is_notebook(path.name) else _MAX_SOURCE_BYTES)
        try:
            text = to_linear_source(read_cells(data)) if is_notebook(path.name) else data
        except NotebookError:
            text = b""
        yield path.name, text[:_MAX_SOURCE_BYTES].decode(errors="replace").splitlines()


def _describe_nothing_done(name: str, lines: Sequence[str]) -> str:
    """Say that a file of Python does nothing: it is empty, or only defines functions; "" where it may do something."""
    shown = quote(name, most=_MAX_NAME_LENGTH)
    if not any(map(str.strip, lines)):
        return f"{shown} has no cell with code." if is_notebook(name) else f"{shown} is empty."
    defined = [found[1] for line in lines if (found := _DEFINED.match(line))]
    if not defined or not all(map(_NO_STATEMENT.match, lines)):
        return ""
    if "main" in defined:
        return f"{shown} defines `main` and never calls it."
    return f"{shown} only defines functions, such as {quote(defined[-1], most=_MAX_NAME_LENGTH)}, and calls none."


def _compared_by_identity(case: Case, lines: Sequence[str]) -> int:
    """Return the first line of Java that compares a text by `==` which the input has, as others differ anyway; or 0."""
    stdin = first_bytes(unread(case, "stdin"), _MAX_SOURCE_BYTES)
    given = [*(arg.encode() for arg in case.args), stdin, *case.files.values()]
    for number, line in enumerate(lines, 1):
        for token in () if _COMMENT.match(line) else _TOKEN.finditer(line):
            text, end = token["text"], token.end()
            other = _COMPARED.search(line, 0, token.start()) or _COMPARED_BEFORE.match(line, end)
            if text is None or other is None or other["other"] == "null" or line[end:].lstrip().startswith("."):
                continue
            if any(text.encode() in one for one in given):
                return number
    return 0
