"""Jupyter notebooks: the bytes -> code cells as plain Python reads them -> one text for what reads sources.

Formats 3 and 4 (nbformat), whoever saved it. The library `nbformat` brings a dozen packages and refuses notebooks that
Jupyter opens; only six fields matter here. What only IPython reads is taken out of a cell, and noted, and every
line stays on its number. Nothing that a cell asks of the machine (`!pip install`) is ever run. As in IPython, the
indentation of a whole cell and pasted prompts are taken away, and a magic that is alone in its cell needs no `%`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct, field

from grader.core.lazy import lazy_regex
from grader.core.model.values import decode_json
from grader.core.text import quote, size

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
    elif magic := _CELL_MAGIC.match(line):
        kind, lines[first] = "dropped" if magic["name"] in _PYTHON_MAGICS else "left-out", ""
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
    if match := _TIMED.fullmatch(line):
        return f"{match['indent']}{match['statement']}"
    if match := _ASSIGNED.fullmatch(line):
        value = "[]" if match["kind"] == "!" else match["timed"] or "None"
        return f"{match['indent']}{match['names']} = {value}"
    if match := _LINE.fullmatch(line):
        return f"{match['indent']}pass" if match["indent"] else ""
    return None


def _kind(line: str) -> NoteKind:
    assigned = _ASSIGNED.fullmatch(line)
    return "shell" if (assigned and assigned["kind"] == "!") or _SHELL_MAGIC.match(line) else "dropped"


class _Statements:
    """Whether the next line begins a statement: outside of texts and brackets, and not after a backslash."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._is_continued = False

    @property
    def begins_statement(self) -> bool:
        return not (self._quote or self._depth or self._is_continued)

    def read(self, line: str) -> None:
        place = 0
        while token := (_ENDS[self._quote] if self._quote else _TOKEN).search(line, place):
            place, sign = token.end(), token[0]
            if self._quote:
                place += sign == "\\"  # what follows a backslash ends nothing
                self._quote = self._quote if sign == "\\" else ""
            elif token["quote"]:
                self._quote = sign
            elif sign[0] == "#":
                self._is_continued = False  # no backslash continues a comment
                return
            else:
                self._depth = max(0, self._depth + (1 if sign in "[({" else -1))
        self._is_continued = line.endswith("\\")
        if len(self._quote) == 1 and not self._is_continued:
            self._quote = ""


_MAX_CELLS = 10_000
_MAX_CODE_BYTES = 2**21  # of all cells: assignments have a hundredth of it
_MAX_METADATA_BYTES = 2**16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_SKIPPED_TAGS = frozenset({"skip-execution", "otter_ignore"})  # cells not to be run: of Jupyter Book, of otter
# How names of kernels for other languages begin, where a notebook states no language.
_FOREIGN_KERNELS = ("ir", "julia", "xcpp", "java", "rust", "deno", "octave", "bash", "sagemath", "javascript")


class NotebookError(Exception):
    """A notebook that is not read; its text is the sentence for the student."""

    def __init__(self, sentence: str, *, is_damaged: bool = False) -> None:
        """Note the sentence, and whether the file is damaged, so that it has to be handed in again."""
        super().__init__(sentence)
        self.is_damaged = is_damaged


class _Cell(Struct, frozen=True):
    """A cell of format 4, or of format 3, where its code is `input`."""

    cell_type: str
    source: Raw = Raw()
    input: Raw = Raw()
    language: Raw = Raw()
    metadata: Raw = Raw()


class _Worksheet(Struct, frozen=True):
    cells: list[_Cell] = field(default_factory=list)


class _Notebook(Struct, frozen=True):
    nbformat: int
    cells: list[_Cell] | None = None
    worksheets: list[_Worksheet] | None = None
    metadata: Raw = Raw()


def read_cells(data: bytes) -> tuple[Cell, ...]:
    """Read the code cells of a notebook that are run, in their order. Raises NotebookError."""
    notebook = _parse(data)
    if notebook.nbformat == 4:  # noqa: PLR2004 - the formats are numbered
        cells = notebook.cells
    elif notebook.nbformat == 3:  # noqa: PLR2004
        cells = [cell for sheet in notebook.worksheets or () for cell in sheet.cells]
    else:
        raise NotebookError(
            f"it is a notebook of format {notebook.nbformat}, and formats 3 and 4 are read: open it in Jupyter, save "
            "it, and hand it in again"
        )
    if cells is None:
        raise NotebookError("it has no list of cells, so it is no notebook", is_damaged=True)
    _refuse_language(notebook, cells)
    return tuple(_code_cells(cells))


def _parse(data: bytes) -> _Notebook:
    data = data.removeprefix(_BYTE_ORDER_MARK)
    if not data.strip():
        raise NotebookError("it is empty", is_damaged=True)
    if data.startswith(_UTF_16):
        raise NotebookError("it was saved as UTF-16; save it as UTF-8", is_damaged=True)
    if not data.lstrip().startswith(b"{"):
        start = data.lstrip()[:40].splitlines()[0].decode(errors="replace")
        raise NotebookError(
            f"it is no notebook: Jupyter saves one as JSON, and this file begins with {quote(start)}", is_damaged=True
        )
    if data.count(b'"cell_type"') > _MAX_CELLS:
        raise NotebookError(f"it has more than {_MAX_CELLS:,} cells")
    try:
        return decode_json(data, _Notebook)
    except msgspec.ValidationError as error:
        raise NotebookError(f"it is no notebook that Jupyter could open: {error}", is_damaged=True) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotebookError(f"it is damaged or cut off: {error}", is_damaged=True) from error
    except RecursionError as error:
        raise NotebookError("it is nested too deeply", is_damaged=True) from error


def _code_cells(cells: list[_Cell]) -> list[Cell]:
    runnable: list[Cell] = []
    number = total = 0
    for cell in cells:
        if cell.cell_type != "code":
            continue
        written = cell.source if len(cell.source) else cell.input
        total += len(written)
        if total > _MAX_CODE_BYTES:
            raise NotebookError(f"its cells have more than {size(_MAX_CODE_BYTES)} of code; far less is expected")
        source = _read_text(written, number + 1)
        if not source.strip():
            continue
        number += 1
        if number > _MAX_CELLS:  # their names are written with escapes
            raise NotebookError(f"it has more than {_MAX_CELLS:,} cells")
        tags = _member(_value_of(cell.metadata), "tags")
        if not isinstance(tags, list) or _SKIPPED_TAGS.isdisjoint(tag for tag in tags if isinstance(tag, str)):
            runnable.append(to_cell(number, source))
    return runnable


def _read_text(written: Raw, number: int) -> str:
    """Read the source of a cell: a text, or the list of its lines."""
    try:
        lines = msgspec.json.decode(written, type=str | list[str]) if len(written) else ""
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotebookError(f"the source of cell {number} is no text: {error}", is_damaged=True) from error
    return "".join(lines).replace("\r\n", "\n").replace("\r", "\n")


def _value_of(written: Raw) -> Any:
    """Return what is written beside the cells; None for what is damaged or far too large."""
    try:
        return msgspec.json.decode(written) if 0 < len(written) <= _MAX_METADATA_BYTES else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _member(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _refuse_language(notebook: _Notebook, cells: list[_Cell]) -> None:
    """Raise NotebookError for a notebook that another language than Python runs."""
    known = _value_of(notebook.metadata)
    kernel, info = _member(known, "kernelspec"), _member(known, "language_info")
    first = next((cell.language for cell in cells if cell.cell_type == "code"), Raw())  # stated in format 3
    language = _member(kernel, "language") or _member(info, "name") or _value_of(first)
    name = str(_member(kernel, "name") or "").lower()
    if not language and name.startswith(_FOREIGN_KERNELS):
        language = _member(kernel, "display_name") or name
    if language and not str(language).lower().startswith(("python", "ipython")):
        raise NotebookError(
            f"its kernel is {quote(str(language))}, and the assignment is graded in Python: choose a kernel of Python, "
            "run all cells, and hand it in again"
        )


ENDING = ".ipynb"
_MARK = lazy_regex(r"(?m)^# %% cell (?P<number>\d{1,9})$")
_FILE = lazy_regex(r"(?P<file>[^\n]*\.ipynb), cell (?P<number>\d{1,9})")


def is_notebook(name: str) -> bool:
    """Whether a file is a notebook, by its name."""
    return name.endswith(ENDING)


def module_name(name: str) -> str:
    """Return the file of the module that is made of a notebook: `hw1.py` of `hw1.ipynb`."""
    return f"{name.removesuffix(ENDING)}.py"


def written_source(path: Path) -> Path:
    """Return the notebook of which a module is made, where only that is there; else the path itself."""
    book = path.with_suffix(ENDING)
    return book if path.suffix == ".py" and not path.exists() and book.is_file() else path


def cell_file(notebook: str, number: int) -> str:
    """Return what Python takes for the file of a cell: `hw1.ipynb, cell 7`."""
    return f"{PurePosixPath(notebook).name}, cell {number}"


def find_cell_line(file: str, line: int, read: Callable[[str], Iterable[Cell]]) -> str | None:
    """Return a line of the cell that Python calls `file`; None for no cell, "" for a line that it lacks."""
    match = _FILE.fullmatch(file)
    if not match:
        return None
    cell = next((cell for cell in read(match["file"]) if cell.number == int(match["number"])), None)
    lines = cell.source.split("\n") if cell else []
    return lines[line - 1] if 0 < line <= len(lines) else ""


def file_of(file: str) -> str:
    """Return the notebook of what Python takes for the file of a cell, and any other file as it is."""
    match = _FILE.fullmatch(file)
    return match["file"] if match else file


def place_text(file: str, line: int) -> str:
    """Return a place as people read it: `cell 7, line 3` of a notebook, `hw1.py:3` of any other file."""
    match = _FILE.fullmatch(file)
    return f"cell {match['number']}, line {line}" if match else f"{file}:{line}"


def describe_place(file: str, line: str, most: int) -> str:
    """Return a place within a sentence: `cell 7, line 3`, or `line 3 of hw1.py`; `most` limits the file's name."""
    match = _FILE.fullmatch(file)
    return f"cell {match['number']}, line {line}" if match else f"line {line} of {quote(file, most=most)}"


def to_notebook(cells: Iterable[Cell]) -> bytes:
    """Return a notebook of these cells, each under its number."""
    sources = {cell.number: cell.source for cell in cells}
    texts = [sources.get(number, "# left out") for number in range(1, max(sources, default=0) + 1)]
    code = [{"cell_type": "code", "source": source if source.strip() else "# left out"} for source in texts]
    return msgspec.json.encode({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": code})


def to_linear_source(cells: Iterable[Cell]) -> bytes:
    """Return all cells as one text, each below a line with its number, two empty lines apart."""
    texts = (
        (cell.number, _MARK.sub(lambda mark: f"{mark[0]} ", cell.source.rstrip())) for cell in cells if cell.source
    )
    return "\n\n".join(f"# %% cell {number}\n{text}\n" for number, text in texts).encode("utf-8", "replace")


def to_place(name: str, source: bytes, line: int) -> tuple[str, int]:
    """Return file and line as people count them; of a notebook, `source` is the text of `to_linear_source`."""
    if not is_notebook(name):
        return name, line
    for back, text in enumerate(reversed(source.split(b"\n")[:line])):
        if match := re.fullmatch(rb"# %% cell (\d{1,9})", text):
            return cell_file(name, int(match[1])), max(back, 1)
    return name, line
