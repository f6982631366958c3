"""Notebooks for tests: their code cells as texts, or as the whole of a cell."""

import json
from collections.abc import Mapping
from typing import Any

from tests.support.rows import read_data


def notebook(*cells: str | Mapping[str, Any], language: str = "python", minor: int = 5) -> bytes:
    """Return a notebook of format 4; a text is a code cell."""
    every = [
        {"cell_type": "code", "source": one.splitlines(keepends=True)} if isinstance(one, str) else one for one in cells
    ]
    metadata = {"kernelspec": {"name": "python3", "language": language}}
    return json.dumps({"cells": every, "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}).encode()


INIT = "# Initialize Otter\nimport otter\ngrader = otter.Notebook('hw.ipynb')"
SOLVED = {"tags": ["otter_assign_solution_cell"]}
_DATA = read_data(__file__)
OK_TESTS: Mapping[str, Any] = _DATA["OK_TESTS"]
FUNCTION_TEST: str = _DATA["FUNCTION_TEST"]


def otter_notebook(x: str, square: str, *, solved: bool, tests: Mapping[str, Any] | None = None) -> bytes:
    """Return a notebook as `otter assign` makes it, with the answers in two cells."""
    metadata = SOLVED if solved else {}
    answers: list[Mapping[str, Any]] = [
        {"cell_type": "code", "source": one, "metadata": metadata} for one in (x, square)
    ]
    cells: list[str | Mapping[str, Any]] = [
        INIT,
        answers[0],
        'grader.check("q1")',
        answers[1],
        "grader.check_all()",
        "grader.export()",
    ]
    found = json.loads(notebook(*cells))
    found["metadata"]["otter"] = {"OK_FORMAT": True, "tests": tests} if tests else {}
    return json.dumps(found).encode()


def otter_assignment() -> dict[str, str]:
    """Return the folder `autograder` of an assignment, with a test of each format."""
    return {
        "hw/autograder/hw.ipynb": otter_notebook("x = 2", "def square(x):\n    return x * x", solved=True).decode(),
        "hw/autograder/otter_config.json": '{"lang": "python", "points_possible": 99, "seed": 42}',
        "hw/autograder/tests/q1.py": f"OK_FORMAT = True\n\ntest = {OK_TESTS['q1']!r}\n",
        "hw/autograder/tests/q2.py": f"OK_FORMAT = True\n\ntest = {OK_TESTS['q2']!r}\n",
        "hw/autograder/tests/q3.py": FUNCTION_TEST,
        "hw/autograder/data.csv": "a,b\n",
        "hw/student/hw.ipynb": "{}",
    }
