"""What only IPython reads is taken out of a cell; whatever Python reads stays as it is, on its line."""

import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from grader.core.model.layout import FileRules
from grader.core.model.spec import Spec
from grader.core.notebook import read_cells, to_linear_source, to_place
from grader.review.sources import read_source
from tests.support.notebooks import notebook
from tests.support.rows import each_row


@each_row
def test_what_only_ipython_reads_is_taken_out(source: str, read: str, kinds: list[str]) -> None:
    (cell,) = read_cells(notebook(source))
    assert (cell.source, [note.kind for note in cell.notes]) == (read, kinds)


@each_row
def test_python_stays_as_it_is(source: str) -> None:
    (cell,) = read_cells(notebook(source))
    assert (cell.source, cell.notes) == (source, ())


@each_row
def test_indentation_of_a_whole_cell_and_prompts_are_taken_away_as_jupyter_does(source: str, read: str) -> None:
    (cell,) = read_cells(notebook(source))
    assert cell.source == read


@pytest.mark.parametrize("piece", ["'", '"""', "(", "a ", " " * 9, "\\", "%", "x=", "a?", "!\n", "%a\n", "'''\n"])
def test_reading_is_linear_whatever_stands_there(piece: str) -> None:
    source = "%x\n" + piece * (300_000 // len(piece))
    started = time.process_time()
    read_cells(notebook(source))
    assert time.process_time() - started < 20


def test_a_line_of_all_cells_is_known_by_its_cell() -> None:
    cells = read_cells(notebook("a = 1\nb = 2\n\n\n", {"cell_type": "markdown", "source": "x"}, "# %% cell 9\nc = 3"))
    source = to_linear_source(cells)
    lines = source.decode().split("\n")
    found = {text: to_place("w.ipynb", source, number) for number, text in enumerate(lines, 1)}
    assert found["b = 2"] == ("w.ipynb, cell 1", 2)
    assert found["c = 3"] == ("w.ipynb, cell 2", 2)
    assert to_place("w.py", source, 3) == ("w.py", 3)


def test_who_reviews_a_notebook_reads_its_cells(tmp_path: Path) -> None:
    (tmp_path / "hw.ipynb").write_bytes(notebook("a = 1", {"cell_type": "markdown", "source": "x"}, "b = 2\nc = 3"))
    (tmp_path / "odd.ipynb").write_bytes(b"{")
    spec = SimpleNamespace(files=FileRules(), build=None)
    found = read_source(tmp_path, cast("Spec", spec), "")
    assert [(one.name, one.lines) for one in found.files] == [
        ("hw.ipynb, cell 1", ("a = 1",)),
        ("hw.ipynb, cell 2", ("b = 2", "c = 3")),
        ("odd.ipynb", ("{",)),
    ]
