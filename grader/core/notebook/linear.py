"""All cells of a notebook as one text, for what reads sources; and a line of that text -> the line of its cell."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

import msgspec

from grader.core.lazy import lazy_regex
from grader.core.notebook.cells import Cell
from grader.core.text import quote

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
    """Return a line of the cell that Python calls `file`; None where that is no cell, "" where it has no such line."""
    found = _FILE.fullmatch(file)
    if not found:
        return None
    cell = next((one for one in read(found["file"]) if one.number == int(found["number"])), None)
    lines = cell.source.split("\n") if cell else []
    return lines[line - 1] if 0 < line <= len(lines) else ""


def file_of(file: str) -> str:
    """Return the notebook of what Python takes for the file of a cell, and any other file as it is."""
    found = _FILE.fullmatch(file)
    return found["file"] if found else file


def place_text(file: str, line: int) -> str:
    """Return a place as people read it: `cell 7, line 3` of a notebook, `hw1.py:3` of any other file."""
    found = _FILE.fullmatch(file)
    return f"cell {found['number']}, line {line}" if found else f"{file}:{line}"


def describe_place(file: str, line: str, most: int) -> str:
    """Return a place as it stands in a sentence: `cell 7, line 3`, or `line 3 of hw1.py`; `most` is for its name."""
    found = _FILE.fullmatch(file)
    return f"cell {found['number']}, line {line}" if found else f"line {line} of {quote(file, most=most)}"


def to_notebook(cells: Iterable[Cell]) -> bytes:
    """Return a notebook of these cells, each under its number."""
    sources = {cell.number: cell.source for cell in cells}
    every = [sources.get(number, "# left out") for number in range(1, max(sources, default=0) + 1)]
    code = [{"cell_type": "code", "source": source if source.strip() else "# left out"} for source in every]
    return msgspec.json.encode({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": code})


def to_linear_source(cells: Iterable[Cell]) -> bytes:
    """Return all cells as one text, each below a line with its number, two empty lines apart."""
    texts = (
        (cell.number, _MARK.sub(lambda found: f"{found[0]} ", cell.source.rstrip())) for cell in cells if cell.source
    )
    return "\n\n".join(f"# %% cell {number}\n{text}\n" for number, text in texts).encode("utf-8", "replace")


def to_place(name: str, source: bytes, line: int) -> tuple[str, int]:
    """Return file and line as people count them; of a notebook, `source` is the text of `to_linear_source`."""
    if not is_notebook(name):
        return name, line
    above = source.split(b"\n")[:line]
    for back, text in enumerate(reversed(above)):
        if found := re.fullmatch(rb"# %% cell (\d{1,9})", text):
            return cell_file(name, int(found[1])), max(back, 1)
    return name, line
