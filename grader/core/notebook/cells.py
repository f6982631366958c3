"""A code cell as Python reads it: what only IPython reads is taken out, and noted, and every line stays on its number.

Nothing that a cell asks of the machine (`!pip install`) is ever run. As in IPython, the indentation of a whole
cell and pasted prompts are taken away, and a magic that is alone in its cell needs no `%`.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from grader.core.lazy import lazy_regex

NoteKind = Literal["dropped", "shell", "left-out"]  # without effect on the program, a command, a whole cell


class Note(Struct, frozen=True, kw_only=True):
    """What was taken out of a cell."""

    cell: int
    line: int
    kind: NoteKind
    text: str  # what stands there


class Cell(Struct, frozen=True, kw_only=True):
    """A code cell that is run."""

    number: int  # as Jupyter counts after "Restart Kernel and Run All Cells": from 1, empty cells not counted
    source: str  # as Python reads it
    notes: tuple[Note, ...] = ()


_PYTHON_MAGICS = ("time", "timeit", "capture", "prun")  # cell magics below which Python stands
_CELL_MAGIC = lazy_regex(r"\s*%%(?P<name>\w[\w.-]*)")
_TIMED = lazy_regex(r"(?P<indent>\s*)%time\s+(?P<statement>\S.*)")
_ASSIGNED = lazy_regex(
    r"(?P<indent>\s*)(?P<names>[A-Za-z_][\w., ]*?)\s*=\s*(?P<kind>!|%)(?:time\s+(?P<timed>\S.*)|(?![=\s]).+)"
)
_LINE = lazy_regex(
    r"(?P<indent>\s*)(?P<magic>[%!]|\?{1,2}(?=[\w%.])|[\w.%*]+\?{1,2}\s*;?\s*$|(?:pip3?|conda)\s+install\b).*"
)
_SHELL_MAGIC = lazy_regex(
    r"\s*(?:!|%?(?:pip3?|conda)\b"
    r"|%(?:system|sx|run|load|cd|bash|sh|pylab|env|store|mamba|uv|cat|cp|ls|mkdir|mv|rm|rmdir)\b)"
)
# A magic or an alias of IPython that a cell of one line may name without `%`, and nothing that is Python behind it.
_AUTOMAGIC = lazy_regex(
    r"(?:cat|cd|conda|cp|debug|env|hist|history|ldir|lf|lk|ll|load|load_ext|ls|lsmagic|lx|mamba|matplotlib|mkdir|mv|pdb"
    r"|pip|popd|precision|prun|pushd|pwd|pylab|reload_ext|reset|rm|rmdir|run|save|set_env|sx|system|time|timeit|uv|who|whos"
    r"|xmode)(?:\s*[;#].*|\s+(?!(?:and|else|for|if|in|is|not|or)\b)(?:-?[\w~$\"']|\.{0,2}/|\.\.?$).*|\s*)"
)
_PROMPT = lazy_regex(r"(?:>>>|\.\.\.)(?: |$)")
_MAX_LINE_LENGTH = 2_000  # characters of a line that is looked at with patterns
_TOKEN = lazy_regex(r"""#.*|(?P<quote>'{3}|"{3}|'|")|[\[\](){}]""")
_ENDS = {quote: lazy_regex(rf"\\|{quote}") for quote in ("'''", '"""', "'", '"')}


def to_cell(number: int, source: str) -> Cell:
    """Return a cell with what only IPython reads taken out."""
    lines = source.split("\n")
    first = next(place for place, line in enumerate(lines) if line.strip())
    _take_away_margin(first, lines)
    line, kind = lines[first], None
    is_alone = len(line) <= _MAX_LINE_LENGTH and not any(map(str.strip, lines[first + 1 :]))
    if is_magic := is_alone and bool(_AUTOMAGIC.fullmatch(line)):
        kind, lines[first] = _kind(f"%{line}"), _replacement(f"%{line}") or ""
    elif found := _CELL_MAGIC.match(line):
        kind, lines[first] = "dropped" if found["name"] in _PYTHON_MAGICS else "left-out", ""
    notes = [Note(cell=number, line=first + 1, kind=kind, text=line.strip())] if kind else []
    if kind == "left-out":
        lines = []
    elif not is_magic and (any(sign in source for sign in "%!?") or "install" in source):
        notes += _take_out(number, lines)
    return Cell(number=number, source="\n".join(lines), notes=tuple(notes))


def _take_away_margin(first: int, lines: list[str]) -> None:
    """Take away, in place, the indentation of the first line from all lines, and the prompts of examples."""
    start = next((place for place, line in enumerate(lines) if line), first)
    indent = lines[start][: -len(lines[start].lstrip(" \t")) or None]
    lines[start:] = [line.removeprefix(indent) for line in lines[start:]]
    if lines[first].startswith(">>>") or (len(lines) > first + 1 and _PROMPT.match(lines[first + 1])):
        lines[first:] = [_PROMPT.sub("", line, count=1) if _PROMPT.match(line) else line for line in lines[first:]]


def _take_out(number: int, lines: list[str]) -> Iterator[Note]:
    """Replace the lines that only IPython reads, in place, and yield what was there."""
    starts = _Statements()
    goes_on = False
    for place, line in enumerate(lines):
        if goes_on:
            goes_on, lines[place] = line.endswith("\\"), ""
            continue
        if starts.begins_statement and (replacement := _replacement(line)) is not None:
            yield Note(cell=number, line=place + 1, kind=_kind(line), text=line.strip())
            lines[place] = replacement
            goes_on = line.endswith("\\")
            continue
        starts.read(line)


def _replacement(line: str) -> str | None:
    """Return what stands for a line that only IPython reads; None for any other."""
    if len(line) > _MAX_LINE_LENGTH:
        return "" if line.startswith(("%", "!")) else None
    if found := _TIMED.fullmatch(line):
        return f"{found['indent']}{found['statement']}"
    if found := _ASSIGNED.fullmatch(line):
        value = "[]" if found["kind"] == "!" else found["timed"] or "None"
        return f"{found['indent']}{found['names']} = {value}"
    if found := _LINE.fullmatch(line):
        return f"{found['indent']}pass" if found["indent"] else ""
    return None


def _kind(line: str) -> NoteKind:
    assigned = _ASSIGNED.fullmatch(line)
    return "shell" if (assigned and assigned["kind"] == "!") or _SHELL_MAGIC.match(line) else "dropped"


class _Statements:
    """Whether the next line begins a statement: it is in no text, in no brackets, and no backslash is before it."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._is_continued = False

    @property
    def begins_statement(self) -> bool:
        return not (self._quote or self._depth or self._is_continued)

    def read(self, line: str) -> None:
        place = 0
        while found := (_ENDS[self._quote] if self._quote else _TOKEN).search(line, place):
            place, sign = found.end(), found[0]
            if self._quote:
                place += sign == "\\"  # what follows a backslash ends nothing
                self._quote = self._quote if sign == "\\" else ""
            elif found["quote"]:
                self._quote = sign
            elif sign[0] == "#":
                self._is_continued = False  # no backslash continues a comment
                return
            else:
                self._depth = max(0, self._depth + (1 if sign in "[({" else -1))
        self._is_continued = line.endswith("\\")
        if len(self._quote) == 1 and not self._is_continued:
            self._quote = ""
