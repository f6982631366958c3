"""Find the cause of a failed command in its output, as a student would.

Patterns of errors are data, in two ranks: a compiler's errors come before those of make, a shell or a file tool, which
mostly follow from them. Each pattern's groups are the words to quote. Each pattern begins with a line, looks at a few
lines only, and reads each of them a fixed number of times, so a hostile log costs time linear in its length.

If make names the line of the Makefile, that line is quoted instead of the command `make`.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from grader.core.lazy import lazy_regex
from grader.core.notebook.cells import Cell
from grader.core.notebook.linear import find_cell_line
from grader.core.notebook.reading import NotebookError, read_cells
from grader.core.source_encoding import describe_encoding
from grader.core.text import closing_line, quote

MAX_ERROR_LENGTH = 100
"""characters of a log's line that fit into a sentence with a command and a place"""
_MAX_PLACE_LENGTH = 28
_MAX_COMMAND_LENGTH = 40

_COMPILER_ERRORS = (
    rb"(?m)^(.*\.java:\d+: error: .*)(?:\n.*\n.*\n  symbol: +(.*))?",
    rb"(?m)^(\S.*: (?:fatal |internal compiler )?error: .*)",
    rb"(?m)^(error: .*)",
    rb'(?m)^[^"\n]*(File "[^"\n]*", line \d+).*\n(?:.*\n){0,3}?((?:Syntax|Indentation|Tab)Error: .*)',
    rb"(?m)^(.*: undefined reference to .*|.*: multiple definition of .*)",
    rb"(?m)^(ERROR: .*)",
)
"""javac, gcc and clang, javac about its arguments, Python, the linker, SWI-Prolog."""

_COMMAND_ERRORS = (
    rb"(?m)^make(?:\[\d+\])?: \*\*\* (?!\[)(.*)",
    rb"(?m)^(make(?:\[\d+\])?: (?!\*\*\*).*: (?:No such file or directory|Permission denied))$",
    rb"(?m)^(make(?:\[\d+\])?: (?!\*\*\*)(?=.*ommand not found$).*?: .*)$",
    rb"(?m)^\S+:\d+: \*\*\* (.*)",
    rb"(?m)^(\S*sh: (?:line )?\d+: .*)",
    rb"(?m)^((?:rm|cp|mv|cat|chmod|mkdir|ln|touch|jar|java|tar): .*)(?!\n.*\(ignored\))$",
    rb"(?m)^(Usage: (?:jar|javac|java) .*)",
    rb"(?m)^(\S+ : no such file or directory)$",
    rb"(?m)^(Unrecognized option: .*)",
    rb"(?m)^(java\.\S+(?:Exception|Error): .*|Exception in thread .*|Error: .*)",
)
"""make about its rules and about programs that are not there, the shell, file tools, usage messages, jar, a JVM."""

_ERROR_RANKS = tuple(tuple(lazy_regex(pattern) for pattern in rank) for rank in (_COMPILER_ERRORS, _COMMAND_ERRORS))

_FILES_TOO_LARGE = lazy_regex(
    rb"(?m)^(?! *\d+ \|).*(?:File size limit exceeded(?: signal terminated program \w+|\]| \(core dumped\))?"
    rb"|(?:File too large|No space left on device)'?)$"
)
"""the kernel, by way of a compiler, an assembler, a linker or make; not a line of source that is quoted"""
_TOO_LARGE = "it makes larger files than a build may; is an array with initial values too large?"
_FAILED_RECIPE = lazy_regex(rb"(?m)^make(?:\[\d+\])?: \*\*\* \[([^\s:\[\]]+:\d+): .*\] (?:Error (\d+)|(\S.*))$")
_FAULT_OF_MAKEFILE = lazy_regex(rb"(?m)^([^\s:]+:\d+): \*\*\* ")
_SOURCE_PLACE = lazy_regex(r"(?:\./)?(?P<file>[^\s:]+\.\w+):(?P<line>\d{1,9}):")
_SOURCE = lazy_regex(r"[\w./-]+\.(?:c|cc|cpp|cxx)")
_EMPTY_LINES = 20
_INCLUDE = lazy_regex(rb"(?m)^[^\n]*(?:did you forget to .{1,4}#include |: include .{0,4})(<[\w./]{1,60}>)")
_UNKNOWN_CLASS = lazy_regex(r"cannot find symbol: class (\w+)$")
_UTILITIES = (
    "Scanner ArrayList List LinkedList Map HashMap TreeMap Set HashSet TreeSet Arrays Collections Random Iterator "
    "Stack Queue Deque ArrayDeque PriorityQueue Objects Optional Locale NoSuchElementException "
    "InputMismatchException"
)
_STREAMS = (
    "File FileReader FileWriter FileInputStream BufferedReader BufferedWriter InputStreamReader PrintWriter "
    "PrintStream IOException FileNotFoundException UncheckedIOException InputStream OutputStream"
)
_JAVA_PACKAGES = dict.fromkeys(_UTILITIES.split(), "java.util") | dict.fromkeys(_STREAMS.split(), "java.io")
"""classes of Java that beginners use -> their package"""
_NO_MAIN = lazy_regex(r"undefined reference to .main\W")
_MAIN_ELSEWHERE = lazy_regex(rb"(?m)multiple definition of|^\S+\.[ch](?:pp|c|xx)?:\d+:\d+: error: ")
_STOP = lazy_regex(r"\.\s+Stop\.$")
_SAME_FOLDERS = lazy_regex(rb"(?:\./){3,}")
_MANIFEST = lazy_regex(r"(?i)manifest|.*\.(?:mf|txt)")

ReadLine = Callable[[str, int], str]
"""reads a line of a submitted file, such as a Makefile; "" where there is none"""
_MAX_FILE = 2**20


def line_reader(folder: Path) -> ReadLine:
    """Return a reader of lines inside a folder; files elsewhere, which a hostile log may name, are refused."""

    def read_line(name: str, number: int) -> str:
        line = find_cell_line(name, number, lambda notebook: _cells_of(folder, notebook))
        if line is not None:
            return line
        if name.endswith(".py") and (folder / name).with_suffix(".ipynb").is_file():
            return ""  # the module made of a notebook, which nobody wrote
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            return ""
        with path.open("rb") as file:
            lines = file.read(_MAX_FILE).split(b"\n", number)
        return lines[number - 1].decode(errors="backslashreplace") if 0 < number <= len(lines) else ""

    return read_line


def _cells_of(folder: Path, name: str) -> Sequence[Cell]:
    """Return the cells of a notebook anywhere in a folder; a cell is known by the name of its file alone."""
    path = next((path for path in sorted(folder.rglob("*.ipynb")) if path.name == name and path.is_file()), None)
    try:
        return read_cells(path.read_bytes()) if path else ()
    except (NotebookError, OSError):
        return ()


def no_lines(_name: str, _number: int) -> str:
    """Return no line: the reader where there is no submission."""
    return ""


class Diagnosis(Struct, frozen=True, kw_only=True):
    """The cause of a failure found in a log; fields that are not known are empty."""

    error: str = ""
    """the first error, or else the last line, shortened"""
    known: bool = False
    """whether the error matches a pattern"""
    place: str = ""
    """the line of the Makefile that failed: `Makefile:9`"""
    end: str = ""
    """how the command on that line ended"""


def find_cause(log: bytes, patterns: Sequence[str] = ()) -> Diagnosis:
    """Find the first failure in a log; `patterns` are those of the language's own compiler."""
    found, error, known, start = None, b"", False, 0
    own = tuple(re.compile(pattern.encode()) for pattern in patterns)
    for rank in ((*own, *_ERROR_RANKS[0]), *_ERROR_RANKS[1:]):
        matches = [match for pattern in rank if (match := pattern.search(log))]
        if matches:
            found = min(matches, key=lambda match: match.start())
            error, known, start = _error_text(found), True, found.start()
            break
    large = _FILES_TOO_LARGE.search(log)
    is_too_large = large is not None and (found is None or large.start() <= found.start())
    recipe = _FAILED_RECIPE.search(log, 0 if is_too_large else start)
    place, end = b"", ""
    if found and (fault := _FAULT_OF_MAKEFILE.match(log, start)):
        place = fault[1]
    elif recipe:
        place = recipe[1]
        end = f"ended with status {recipe[2].decode()}" if recipe[2] else f"was ended: {_shorten_error(recipe[3])}"
    if is_too_large:
        known, error = True, _TOO_LARGE.encode()
    if not known:
        output = log[: recipe.start()] if recipe else log
        error = closing_line(output)
    return Diagnosis(
        error=_shorten_error(error),
        known=known,
        place=_shorten_error(place) if len(place) <= _MAX_PLACE_LENGTH else "",
        end=end,
    )


def _error_text(found: re.Match[bytes]) -> bytes:
    """Return the text of an error: `main.rs:3: cannot find value`, or the groups of its pattern."""
    named = {name: words or b"" for name, words in found.groupdict().items()}
    if "error" in named:
        place = b":".join(filter(None, (named.get("file", b""), named.get("line", b""))))
        return b": ".join(filter(None, (place, named["error"])))
    return b": ".join(group for group in found.groups() if group)


def first_error(log: bytes, patterns: Sequence[str] = ()) -> str:
    """Return the first error in a log, else its last line; "" when it is empty."""
    return find_cause(log, patterns).error


def describe_failure(
    argv: Sequence[str], status: int, log: bytes, read_line: ReadLine, patterns: Sequence[str] = ()
) -> str:
    """Describe in one sentence why a command failed, with the failed line of the Makefile."""
    name, found = name_command(argv), find_cause(log, patterns)
    path, _, number = found.place.rpartition(":")
    recipe = _command_on(read_line(path, int(number))) if found.place else ""
    place = f" ({found.place})" if found.place else ""
    shown = quote(recipe, most=_MAX_COMMAND_LENGTH)
    if cause := _describe_source(found.error, log, read_line, argv):
        return cause
    if slip := _find_jar_mistake(recipe):
        return f"{name} failed: {slip} in {shown}{place}"
    hint = "; did you mean javac?" if _starts_a_source(recipe) else ""
    lacking = _describe_missing_include(found.error, log)
    if found.known:
        return (
            f"{shown}{place}: {found.error}{lacking or hint}"
            if recipe
            else f"{name} failed: {found.error}{place}{lacking}"
        )
    ended = f"{shown}{place} {found.end}" if recipe else f"{name} failed with status {status}{place}"
    if hint:
        return ended + hint
    echo = _shorten_error(recipe.replace("$$", "$").encode())
    silent = found.error in ("", echo)
    return ended + (" and printed nothing" if silent else f": {found.error}")


def _is_empty(name: str, read_line: ReadLine) -> bool:
    return not any(read_line(name, line) for line in range(1, _EMPTY_LINES))


def _describe_missing_include(error: str, log: bytes) -> str:
    """Say which line the compiler misses for a name that it does not know; "" when it names none."""
    if found := _INCLUDE.search(log):
        return f"; `#include {found[1].decode()}` is missing"
    known = _UNKNOWN_CLASS.search(error)
    package = _JAVA_PACKAGES.get(known[1], "") if known else ""
    return f"; `import {package}.{known[1]};` is missing" if known and package else ""


def _describe_source(error: str, log: bytes, read_line: ReadLine, argv: Sequence[str]) -> str:
    """Say what is wrong where that is no mistake in a line: how a file was saved, or that there is no `main`."""
    if place := _SOURCE_PLACE.match(error):
        encoding = describe_encoding(place["file"], int(place["line"]), error, read_line)
        if encoding:
            return encoding
    if _NO_MAIN.search(error) and not _MAIN_ELSEWHERE.search(log):
        empty = [word for word in argv if _SOURCE.fullmatch(word) and _is_empty(word, read_line)]
        if empty:
            return (
                f"{quote(empty[0], most=_MAX_COMMAND_LENGTH)} is empty, so there is no `main` to start the program with"
            )
        return "there is no function `main` to start the program with"
    return ""


def name_command(argv: Sequence[str]) -> str:
    """Name a command for a message; a shell script is just "the command"."""
    return "the command" if "-c" in argv[1:2] else quote(shlex.join(argv), most=_MAX_COMMAND_LENGTH)


def _shorten_error(error: bytes) -> str:
    """Shorten an error: remove make's `Stop.`, repeated `./`, and everything beyond the longest length."""
    line = _STOP.sub("", _SAME_FOLDERS.sub(b"./", error).decode(errors="backslashreplace").strip())
    if line.startswith("No "):
        line = line[0].lower() + line[1:]
    return line if len(line) <= MAX_ERROR_LENGTH else line[:MAX_ERROR_LENGTH] + "…"


def _command_on(line: str) -> str:
    """Return the command of a recipe's line, without make's prefixes `@`, `-` and `+`."""
    return line.strip().lstrip("@-+").strip()


def _starts_a_source(recipe: str) -> bool:
    """Whether `java` is called with a source file, which it then runs instead of compiling it."""
    program, *words = recipe.split() or [""]
    return program == "java" and any(word.endswith(".java") for word in words)


def _find_jar_mistake(recipe: str) -> str:
    """Return which name is missing in a `jar` command that creates an archive; "" when none is.

    Each of the letters f, m and e takes one name, in their order. None of these is a class file's.
    """
    program, letters, *words = (*recipe.split(), "", "")
    if program != "jar" or "c" not in letters or letters.startswith("--"):
        return ""
    takers = [letter for letter in letters if letter in "fme"]
    names = dict(zip(takers, words, strict=False))
    if names.get("f", "").endswith(".class") or (
        names.get("m", "").endswith(".class") and _MANIFEST.fullmatch(names.get("f", ""))
    ):
        return "the archive's name is missing"
    return "the manifest's name is missing" if names.get("m", "").endswith(".class") else ""
