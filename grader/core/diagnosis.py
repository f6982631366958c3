"""Find the cause of a failed command in its output: a compiler's errors before those of make, a shell or a file tool.

Each pattern begins with a line, and reads a few lines a fixed number of times: a hostile log costs linear time.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from grader.core.lazy import lazy_regex
from grader.core.notebook import Cell, NotebookError, find_cell_line, read_cells
from grader.core.text import closing_line, quote

MAX_ERROR_LENGTH = 100  # characters of a log's line that fit into a sentence with a command and a place
_MAX_PLACE_LENGTH, _MAX_COMMAND_LENGTH, _MAX_FILE = 28, 40, 2**20

_COMPILER_ERRORS = (  # javac, gcc and clang, javac about its arguments, Python, the linker, SWI-Prolog
    rb"(?m)^(.*\.java:\d+: error: .*)(?:\n.*\n.*\n  symbol: +(.*))?",
    rb"(?m)^(?!/)([^\s:]+:\d+):\d+: +required from here\n/\S+ (error: .*)",  # in a template of the library
    rb"(?m)^(\S.*: (?:fatal |internal compiler )?error: .*)",
    rb'(?m)^[^"\n]*(File "[^"\n]*", line \d+).*\n(?:.*\n){0,3}?((?:Syntax|Indentation|Tab)Error: .*)',
    rb"(?m)^(.*: undefined reference to .*|.*: multiple definition of .*)",
    rb"(?m)^((?:ERROR|error): .*)",
)
_COMMAND_ERRORS = (  # make about rules and missing programs, the shell, file tools, usage messages, jar, a JVM
    rb"(?m)^make(?:\[\d+\])?: \*\*\* (?!\[)(.*)",
    rb"(?m)^(make(?:\[\d+\])?: (?!\*\*\*).*: (?:No such file or directory|Permission denied))$",
    rb"(?m)^(make(?:\[\d+\])?: (?!\*\*\*)(?=.*ommand not found$).*?: .*)$",
    rb"(?m)^\S+:\d+: \*\*\* (.*)",
    rb"(?m)^(\S*sh: (?:line )?\d+: .*)",
    rb"(?m)^((?:rm|cp|mv|cat|chmod|mkdir|ln|touch|jar|java|tar): .*)(?!\n.*\(ignored\))$",
    rb"(?m)^(Usage: (?:jar|javac|java) .*|\S+ : no such file or directory|Unrecognized option: .*)$",
    rb"(?m)^(java\.\S+(?:Exception|Error): .*|Exception in thread .*|Error: .*)",
)
_ERROR_RANKS = tuple(tuple(lazy_regex(pattern) for pattern in rank) for rank in (_COMPILER_ERRORS, _COMMAND_ERRORS))
_FAILED_RECIPE = lazy_regex(rb"(?m)^make(?:\[\d+\])?: \*\*\* \[([^\s:\[\]]+:\d+): .*\] (?:Error (\d+)|(\S.*))$")
_FAULT_OF_MAKEFILE = lazy_regex(rb"(?m)^([^\s:]+:\d+): \*\*\* ")
_SOURCE = lazy_regex(r"(?!/|\.\./)[\w./-]+\.(?:c|cc|cpp|cxx)")
_SOURCE_PLACE = lazy_regex(r"(?:\./)?(?P<file>[^\s:]+\.\w+):(?P<line>\d{1,9}):")
_INCLUDE = lazy_regex(rb"(?m)^[^\n]*(?:did you forget to .{1,4}#include |: include .{0,4})(<[\w./]{1,60}>)")
_UNKNOWN_CLASS = lazy_regex(r"cannot find symbol: class (\w+)$")
_JAVA_PACKAGES = {  # a package of Java -> its classes that beginners use
    "java.util": "Scanner ArrayList List LinkedList Map HashMap TreeMap Set HashSet TreeSet Arrays Collections Random "
    "Iterator Stack Queue Deque ArrayDeque PriorityQueue Objects Optional Locale",
    "java.io": "File FileReader FileWriter BufferedReader BufferedWriter InputStreamReader PrintWriter PrintStream "
    "IOException FileNotFoundException",
}
_OTHER_CLASS = lazy_regex(
    r"^(?P<file>(?:\S*/)?(?P<own>\w+)\.java):\d+: error: class (?P<other>\w+) is public, should be declared"
)
_NO_MAIN = lazy_regex(r"undefined reference to .main\W")
_MAIN_ELSEWHERE = lazy_regex(rb"(?m)multiple definition of|^\S+\.[ch](?:pp|c|xx)?:\d+:\d+: error: ")
_STOP = lazy_regex(r"\.\s+Stop\.$")
_SAME_FOLDERS = lazy_regex(rb"(?:\./){3,}")
ReadLine = Callable[[str, int], str]  # reads a line of a submitted file, such as a Makefile; "" where there is none


@lru_cache(maxsize=64)
def line_reader(folder: Path) -> ReadLine:
    """Return a reader of lines inside a folder; files elsewhere, which a hostile log may name, are refused."""

    def cells_of(name: str) -> Sequence[Cell]:  # a cell is known by the name of its file alone
        path = next((path for path in sorted(folder.rglob("*.ipynb")) if path.name == name and path.is_file()), None)
        try:
            return read_cells(path.read_bytes()) if path else ()
        except (NotebookError, OSError):
            return ()

    def read_line(name: str, number: int) -> str:
        if (line := find_cell_line(name, number, cells_of)) is not None:
            return line
        path = (folder / name).resolve()
        is_made = name.endswith(".py") and (folder / name).with_suffix(".ipynb").is_file()  # of a notebook: nobody's
        if is_made or not path.is_relative_to(folder.resolve()) or not path.is_file():
            return ""
        with path.open("rb") as file:
            lines = file.read(_MAX_FILE).split(b"\n", number)
        return lines[number - 1].decode(errors="backslashreplace") if 0 < number <= len(lines) else ""

    return read_line


def no_lines(_name: str, _number: int) -> str:
    """Return no line: the reader where there is no submission."""
    return ""


class Diagnosis(NamedTuple):
    """The cause of a failure found in a log; fields that are not known are empty."""

    error: str  # the first error, or else the last line, shortened
    known: bool  # whether the error matches a pattern
    place: str  # the line of the Makefile that failed: `Makefile:9`
    end: str  # how the command on that line ended


def find_cause(log: bytes, patterns: Sequence[str] = ()) -> Diagnosis:
    """Find the first failure in a log; `patterns` are those of the language's own compiler."""
    ranks = ((*(re.compile(pattern.encode()) for pattern in patterns), *_ERROR_RANKS[0]), *_ERROR_RANKS[1:])
    matches = ([match for pattern in rank if (match := pattern.search(log))] for rank in ranks)
    failure = min(next(filter(None, matches), []), key=lambda match: match.start(), default=None)
    recipe = _FAILED_RECIPE.search(log, failure.start() if failure else 0)
    place, end = b"", ""
    if failure and (fault := _FAULT_OF_MAKEFILE.match(log, failure.start())):
        place = fault[1]
    elif recipe:
        place = recipe[1]
        end = f"ended with status {recipe[2].decode()}" if recipe[2] else f"was ended: {_shorten_error(recipe[3])}"
    error = _error_text(failure) if failure else closing_line(log[: recipe.start()] if recipe else log)
    shown = _shorten_error(place) if len(place) <= _MAX_PLACE_LENGTH else ""
    return Diagnosis(_shorten_error(error), failure is not None, shown, end)


def _error_text(match: re.Match[bytes]) -> bytes:
    """Return the text of an error: `main.rs:3: cannot find value`, or the groups of its pattern."""
    named = match.groupdict()
    if "error" in named:
        place = b":".join(filter(None, (named.get("file"), named.get("line"))))
        return b": ".join(filter(None, (place, named["error"])))
    return b": ".join(filter(None, match.groups()))


def describe_failure(
    argv: Sequence[str], status: int, log: bytes, read_line: ReadLine, patterns: Sequence[str] = ()
) -> str:
    """Describe in one sentence why a command failed, with the failed line of the Makefile."""
    name, cause = name_command(argv), find_cause(log, patterns)
    source = _SOURCE_PLACE.match(cause.error)
    if source and (encoding := describe_encoding(source["file"], int(source["line"]), cause.error, read_line)):
        return encoding
    if known := _OTHER_CLASS.match(cause.error):  # where javac advises another name for the file
        return f"The class in {quote(known['file'])} is called {quote(known['other'])}; call it {quote(known['own'])}"
    if _NO_MAIN.search(cause.error) and not _MAIN_ELSEWHERE.search(log):
        sources = (word for word in argv if read_line is not no_lines and _SOURCE.fullmatch(word))
        empty = next((word for word in sources if not any(read_line(word, line) for line in range(1, 200))), "")
        none = f"{quote(empty, most=_MAX_COMMAND_LENGTH)} is empty, so there is no" if empty else "there is no function"
        return f"{none} `main` to start the program with"
    path, _, number = cause.place.rpartition(":")
    recipe = read_line(path, int(number)).strip().lstrip("@-+").strip() if cause.place else ""
    place, shown = f" ({cause.place})" if cause.place else "", quote(recipe, most=_MAX_COMMAND_LENGTH)
    if cause.known:
        lacking = _describe_missing_import(cause.error, log)
        own = read_line(source["file"], int(source["line"])).strip() if source else ""
        lacking += f" ({quote(own, most=_MAX_COMMAND_LENGTH)})" if own and own not in cause.error else ""
        return f"{shown}{place}: {cause.error}{lacking}" if recipe else f"{name} failed: {cause.error}{place}{lacking}"
    ended = f"{shown}{place} {cause.end}" if recipe else f"{name} failed with status {status}{place}"
    echoed = "", _shorten_error(recipe.replace("$$", "$").encode())
    return f"{ended} and printed nothing" if cause.error in echoed else f"{ended}: {cause.error}"


def _describe_missing_import(error: str, log: bytes) -> str:
    """Say which line the compiler misses for a name that it does not know; "" when it names none."""
    if match := _INCLUDE.search(log):
        return f"; `#include {match[1].decode()}` is missing"
    name = (_UNKNOWN_CLASS.findall(error) or [""])[0]
    packages = (package for package, classes in _JAVA_PACKAGES.items() if name in classes.split())
    return next((f"; `import {package}.{name};` is missing" for package in packages), "")


def name_command(argv: Sequence[str]) -> str:
    """Name a command for a message; a shell script is just "the command"."""
    return "the command" if "-c" in argv[1:2] else quote(shlex.join(argv), most=_MAX_COMMAND_LENGTH)


def _shorten_error(error: bytes) -> str:
    """Shorten an error: remove make's `Stop.`, repeated `./`, and everything beyond the longest length."""
    line = _STOP.sub("", _SAME_FOLDERS.sub(b"./", error).decode(errors="backslashreplace").strip())
    line = f"n{line[1:]}" if line.startswith(("No rule ", "No targets ")) else line
    return line if len(line) <= MAX_ERROR_LENGTH else line[:MAX_ERROR_LENGTH] + "…"


_MAX_NAME_LENGTH, _MAX_SOURCE_LENGTH, _MAX_HEAD = 24, 40, 200
# How documents, archives, compiled programs and pages begin.
_NO_TEXT = ("PK\x03", "%PDF-", r"{\rtf", r"\xd0\xcf\x11\xe0", "\x7fELF", r"\xca\xfe\xba\xbe", "<!DOCTYPE", "<html")
_MANY_ZEROS = 0.3  # the share of zero bytes in a line that is in UTF-16, without the mark that says so
_BYTE_ORDER_MARK = "\ufeff"
_MARK_REFUSED = lazy_regex(r"(?i)illegal character: '\\ufeff'|U\+FEFF|stray .\\357")
_ENCODING_REFUSED = lazy_regex(
    r"(?i)Non-UTF-8 code|unmappable character|can't decode byte|invalid (?:multibyte|byte sequence)"
    r"|(?:invalid|not valid|illegal|malformed) UTF-8"
)
_NO_ASCII = lazy_regex(r"\\x[89a-f][0-9a-f]")


def describe_encoding(file: str, line: int, error: str, read_line: Callable[[str, int], str]) -> str:
    """Say, without a full stop, how a file was saved that was refused with `error`; "" where it is in UTF-8."""
    name, head = quote(file.rpartition("/")[2], most=_MAX_NAME_LENGTH), read_line(file, 1)[:_MAX_HEAD]
    if head.startswith(_NO_TEXT):
        return f"{name} is a document or a compiled program, not the text of a program; save it as plain text"
    if head.startswith((r"\xff\xfe", r"\xfe\xff")) or (head and head.count("\0") >= _MANY_ZEROS * len(head)):
        return f"{name} is saved as UTF-16; save it as UTF-8"
    if head.startswith(_BYTE_ORDER_MARK) and _MARK_REFUSED.search(error):
        return f"{name} begins with an invisible byte order mark (BOM), which is refused; save it as UTF-8 without BOM"
    if _ENCODING_REFUSED.search(error):
        source = read_line(file, line).strip()
        byte = _NO_ASCII.search(source)
        start = max(0, byte.start() - _MAX_SOURCE_LENGTH // 2) if byte and len(source) > _MAX_SOURCE_LENGTH else 0
        shown = f": {quote(source, start, most=_MAX_SOURCE_LENGTH)} in line {line}" if byte else ""
        return f"{name} is not saved as UTF-8{shown}; save it as UTF-8"
    return ""
