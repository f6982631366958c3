"""The bytes of a notebook -> its code cells: formats 3 and 4 of Jupyter (nbformat), whoever saved it.

The library `nbformat` brings a dozen packages and refuses notebooks that Jupyter opens; only six fields matter here.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from grader.core.model.values import decode_json
from grader.core.notebook.cells import Cell, to_cell
from grader.core.text import quote, size

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
    found = _parse(data)
    if found.nbformat == 4:  # noqa: PLR2004 - the formats are numbered
        cells = found.cells
    elif found.nbformat == 3:  # noqa: PLR2004
        cells = [cell for sheet in found.worksheets or () for cell in sheet.cells]
    else:
        raise NotebookError(
            f"it is a notebook of format {found.nbformat}, and formats 3 and 4 are read: open it in Jupyter, save it, "
            "and hand it in again"
        )
    if cells is None:
        raise NotebookError("it has no list of cells, so it is no notebook", is_damaged=True)
    _refuse_language(found, cells)
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
    found: list[Cell] = []
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
        if number > _MAX_CELLS:  # of which the names are written with escapes
            raise NotebookError(f"it has more than {_MAX_CELLS:,} cells")
        tags = _member(_value_of(cell.metadata), "tags")
        if not isinstance(tags, list) or _SKIPPED_TAGS.isdisjoint(one for one in tags if isinstance(one, str)):
            found.append(to_cell(number, source))
    return found


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
