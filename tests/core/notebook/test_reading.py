"""What is read of a notebook, and what is refused of one that somebody damaged or made to do harm."""

import json

import pytest

from grader.core.notebook import NotebookError, read_cells
from tests.support.notebooks import notebook
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


@each_row
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
