"""What the source of a wrong program shows at a glance, and its output does not: why it is wrong.

A file that only defines functions, one that is opened by a name of its author's, texts of Java compared by `==`, a
`break` that is missing: sources are read line by line, as people do. What is not found costs a sentence.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.spec import Case
from grader.core.model.stored_file import first_bytes, unread
from grader.core.notebook.linear import describe_place, is_notebook, module_name, to_linear_source, to_place
from grader.core.notebook.reading import NotebookError, read_cells
from grader.core.text import quote

_MAX_SOURCE_BYTES, _MAX_SOURCES, _MAX_NAME_LENGTH, _MAX_LINE_LENGTH = 2**18, 20, 32, 48
_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".java", ".py", ".ipynb"})
_DEFINED = lazy_regex(r"def\s+(\w+)\s*\(")
_NO_STATEMENT = lazy_regex(r"\s|#|import\b|from\b|(?:async\s+)?def\b|class\b|@|[\])}]|[A-Z_]+\s*=[^=]|$")
"""what a line of Python begins with that does nothing when the file is run, or belongs to a line above it"""
_TOKEN = lazy_regex(r"""'(?:[^'\\]|\\.)+'|"(?P<text>(?:[^"\\]|\\.)*)"|//.*""")
"""of Java, what holds letters that are no code"""
_COMPARED = lazy_regex(r"(?P<other>\w+|\W)\s*[=!]=\s*$")
_COMPARED_BEFORE = lazy_regex(r"\s*[=!]=\s*(?P<other>\w+|\W)")
_CASE = lazy_regex(r"\s*(?:case\b[^>]*|default\s*):(?!:)")
_JUMPS = lazy_regex(r"(?:.*\W)?(?:break|return|throw|continue|yield|exit)\b")
"""what ends a `case`; the line above may also be a comment, which then says that it is meant"""
_WORD = lazy_regex(r"\w+")
_COMMENT = lazy_regex(r"\s*(?://|\*|/\*|#(?!include))")
_OPENED = lazy_regex(
    r"(?<![\w.])(?:fopen|open|ifstream(?:\s+\w+)?|File|FileReader|FileInputStream|Path|Path\.of|Paths\.get)\s*\(\s*"
    r"(?P<name>[^,()]*)(?P<rest>[^()\n]*)"
)
_LITERAL = lazy_regex(r"""r?(["'])(?P<text>[^"']+)\1\s*""")
_WRITES = lazy_regex(r"""["'][wax]""")


class SourceHint(NamedTuple):
    """What a source shows: in front of what is wrong where that follows from it, or behind it."""

    before: str = ""
    after: str = ""


def hint_in_source(case: Case, folder: Path | None, execution: Execution, argv: Sequence[str] = ()) -> SourceHint:
    """Return what the sources of a wrong program, which `argv` started, show of the reason, if anything."""
    sources = dict(_read_sources(folder)) if folder else {}
    started = [name for name in sources if _stem(name) in _WORD.findall(" ".join(argv))] or list(sources)
    is_silent = not (execution.stdout.strip() or execution.stderr.strip()) and execution.status == 0
    idle = (_describe_nothing_done(name, sources[name]) for name in started if name.endswith((".py", ".ipynb")))
    reached = _reached_from(started, sources)
    if found := (next(filter(None, idle), "") if is_silent else "") or _describe_own_file(case, reached):
        return SourceHint(before=found)
    for name, lines in reached.items():
        shown = quote(name, most=_MAX_NAME_LENGTH)
        for find, what in _FINDERS if name.endswith(".java") else ():
            if number := next(find(case, lines), 0):
                line = quote(lines[number - 1].strip(), most=_MAX_LINE_LENGTH)
                return SourceHint(after=f"Line {number} of {shown}, {line}, {what}")
    return SourceHint()


def _stem(name: str) -> str:
    return name.partition(".")[0]


def _reached_from(started: Sequence[str], sources: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return the sources that were started, and those of Java and Python that they name; all of other languages."""
    reached = [*started, *(name for name in sources if not name.endswith((".java", ".py")) and name not in started)]
    for one in reached:
        words = set(_WORD.findall("\n".join(sources[one])))
        reached += [name for name in sources if _stem(name) in words and name not in reached]
    return {name: lines for name, lines in sources.items() if name in reached}


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


def _describe_own_file(case: Case, sources: Mapping[str, Sequence[str]]) -> str:
    """Say that a program opens a file by a name in its source, where an argument names the file that it has to read."""
    given = [arg for arg in case.args if arg in case.files]
    numbered = ((name, *one) for name, lines in sources.items() for one in enumerate(lines, 1))
    own = ""
    for name, number, line in numbered if given else ():
        for found in () if _COMMENT.match(line) else _OPENED.finditer(line):
            literal = _LITERAL.fullmatch(found["name"])
            if not found["name"].strip() or _WRITES.search(found["rest"]):
                continue
            if literal is None or literal["text"] in case.args:
                return ""
            file, own_number = to_place(name, "\n".join(sources[name]).encode(), number)
            place = describe_place(file, str(own_number), _MAX_NAME_LENGTH)
            opened, given_name = quote(literal["text"]), quote(given[0], most=_MAX_NAME_LENGTH)
            own = own or f"Your program opens {opened} in {place}, whatever its argument is, such as {given_name}."
    return own


def _compared_by_identity(case: Case, lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of Java that compare a text of the case's input by `==`; any other differs by `equals` too."""
    stdin = first_bytes(unread(case, "stdin"), _MAX_SOURCE_BYTES)
    given = [*(arg.encode() for arg in case.args), stdin, *case.files.values()]
    for number, line in enumerate(lines, 1):
        for token in () if _COMMENT.match(line) else _TOKEN.finditer(line):
            text, end = token["text"], token.end()
            other = _COMPARED.search(line, 0, token.start()) or _COMPARED_BEFORE.match(line, end)
            if text is None or other is None or other["other"] == "null" or line[end:].lstrip().startswith("."):
                continue
            if any(text.encode() in one for one in given):
                yield number


def _fallen_into(_case: Case, lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines with a `case` of Java that a statement of the one above runs into."""
    above = ""
    for number, line in enumerate(lines, 1):
        if _CASE.match(line) and above.endswith(";") and not _JUMPS.match(above):
            yield number
        above = line.strip() or above


_FINDERS = (
    (_compared_by_identity, "compares texts by `==`, which asks for the same object; use `equals`."),
    (_fallen_into, "is also reached from the `case` above it: a `break` may be missing."),
)
