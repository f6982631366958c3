"""What is read of a notebook, and what is refused of one that somebody damaged or made to do harm."""

import json

import pytest

from grader.core.notebook import NotebookError, read_cells
from tests.support.notebooks import notebook, older_notebook
from tests.support.rows import each_row


@each_row
def test_the_cells_with_code_are_numbered_as_jupyter_does(data: bytes) -> None:
    assert [(cell.number, cell.source) for cell in read_cells(data)] == [(1, "a = 1"), (2, "b = 2\nc = 3")]


@pytest.mark.parametrize("tag", ["skip-execution", "otter_ignore"])
def test_a_cell_that_is_not_to_be_run_counts_all_the_same(tag: str) -> None:
    skipped = {"cell_type": "code", "source": "exit()", "metadata": {"tags": ["other", tag]}}
    assert [cell.number for cell in read_cells(notebook("a = 1", skipped, "b = 2"))] == [1, 3]


def test_the_last_of_two_keys_counts_as_in_jupyter() -> None:
    data = b'{"cells": [{"cell_type": "code", "source": "a", "source": "b"}], "nbformat": 4}'
    assert [cell.source for cell in read_cells(data)] == ["b"]


@pytest.mark.parametrize(
    ("data", "told", "is_damaged"),
    [
        (b"", "it is empty", True),
        (b" \n", "it is empty", True),
        (b"def area(a):\n    return a\n", "this file begins with `def area(a):`", True),
        (b"<html>", "this file begins with `<html>`", True),
        (notebook("a").decode().encode("utf-16"), "UTF-16", True),
        (notebook("a = 1")[:-9], "damaged or cut off", True),
        (b'{"cells": [{"cell_type": "code", "source": "\xff"}], "nbformat": 4}', "is no text", True),
        (b'{"cells": ' + b"[" * 200_000, "no notebook that Jupyter could open", True),
        (b'{"metadata": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", "nested too deeply", True),
        (b'{"cells": 7, "nbformat": 4}', "Expected `array | null`, got `int`", True),
        (b'{"cells": [{"source": "a"}], "nbformat": 4}', "missing required field `cell_type`", True),
        (b'{"cells": [{"cell_type": "code", "source": 7}], "nbformat": 4}', "source of cell 1 is no text", True),
        (b'{"cells": [{"cell_type": "code", "source": [7]}], "nbformat": 4}', "source of cell 1 is no text", True),
        (b'{"nbformat": 4}', "no list of cells", True),
        (b'{"cells": [], "nbformat": 2}', "format 2", False),
        (b'{"cells": [], "nbformat": 5}', "format 5", False),
        (notebook(*["1"] * 10_001), "more than 10,000 cells", False),
        (notebook("a = 1\n" * 400_000), "more than 2 MiB of code", False),
        (notebook("x <- 1", language="R"), "its kernel is `R`", False),
        (notebook("x = 1", language="julia"), "its kernel is `julia`", False),
        (older_notebook("x = 1", language="haskell"), "its kernel is `haskell`", False),
        (
            b'{"cells": [], "metadata": {"kernelspec": {"name": "ir", "display_name": "R"}}, "nbformat": 4}',
            "`R`",
            False,
        ),
    ],
)
def test_what_is_no_notebook_is_told(data: bytes, told: str, is_damaged: bool) -> None:  # noqa: FBT001
    with pytest.raises(NotebookError) as raised:
        read_cells(data)
    assert told in str(raised.value)
    assert raised.value.is_damaged == is_damaged


def test_outputs_of_any_size_and_kind_are_ignored() -> None:
    output = {"output_type": "display_data", "data": {"image/png": "A" * 5_000_000, "x": [[[{}]]] * 1000}}
    cell = {"cell_type": "code", "source": "a = 1", "outputs": [output], "execution_count": "many"}
    assert [one.source for one in read_cells(notebook(cell))] == ["a = 1"]


def test_metadata_of_no_sense_is_no_reason_to_refuse() -> None:
    data = json.dumps({"cells": [], "metadata": [1, 2], "nbformat": 4}).encode()
    assert read_cells(data) == ()
