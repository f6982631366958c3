"""Notebooks of Jupyter: their cells, as Python reads them, and where each line is in its cell.

A notebook is JSON that a student decides. It is only parsed here, never run, and what is read of it is bounded.
"""

from grader.core.notebook.cells import Cell, Note
from grader.core.notebook.linear import (
    cell_file,
    describe_place,
    file_of,
    find_cell_line,
    is_notebook,
    module_name,
    place_text,
    to_linear_source,
    to_notebook,
    to_place,
    written_source,
)
from grader.core.notebook.reading import NotebookError, read_cells

__all__ = [
    "Cell",
    "Note",
    "NotebookError",
    "cell_file",
    "describe_place",
    "file_of",
    "find_cell_line",
    "is_notebook",
    "module_name",
    "place_text",
    "read_cells",
    "to_linear_source",
    "to_notebook",
    "to_place",
    "written_source",
]
