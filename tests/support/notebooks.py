"""Notebooks for tests: their code cells as texts, or as the whole of a cell."""

import json
from collections.abc import Mapping
from typing import Any


def notebook(*cells: str | Mapping[str, Any], language: str = "python", minor: int = 5) -> bytes:
    """Return a notebook of format 4; a text is a code cell."""
    every = [
        {"cell_type": "code", "source": one.splitlines(keepends=True)} if isinstance(one, str) else one for one in cells
    ]
    metadata = {"kernelspec": {"name": "python3", "language": language}}
    return json.dumps({"cells": every, "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}).encode()


def older_notebook(*cells: str, language: str = "python") -> bytes:
    """Return a notebook of format 3, which has its cells in worksheets."""
    every = [{"cell_type": "code", "input": one, "language": language, "outputs": []} for one in cells]
    return json.dumps({"worksheets": [{"cells": every}], "metadata": {"name": ""}, "nbformat": 3}).encode()


INIT = "# Initialize Otter\nimport otter\ngrader = otter.Notebook('hw.ipynb')"
SOLVED = {"tags": ["otter_assign_solution_cell"]}
OK_TESTS: Mapping[str, Any] = {
    "q1": {
        "name": "q1",
        "points": None,
        "suites": [
            {
                "type": "doctest",
                "cases": [
                    {"code": ">>> isinstance(x, int)\nTrue", "failure_message": "x is no number.", "points": 2},
                    {"code": ">>> def same(x):\n...     return x\n>>> same(x)\n2", "hidden": True, "points": 3},
                    {"code": ">>> str(print(x))\n2\n'None'", "hidden": True},
                ],
            }
        ],
    },
    "q2": {
        "name": "q2",
        "points": [1, 2, 1],
        "suites": [
            {
                "cases": [
                    {"code": ">>> for i in range(2):\n...     print(square(i) == 1)\nFalse\nTrue"},
                    {"code": ">>> square(16) == 256\n1"},
                    {"code": ">>> try:\n...     square('a')\n... except TypeError:\n...     print('no')\nno"},
                ]
            }
        ],
    },
}
FUNCTION_TEST = """\
from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4
LIMIT = 100


@test_case(
    points=1,
    hidden=False,
)
def test_public(x, square):
    assert x < LIMIT
    assert square(16) == 256


@test_case(hidden=True, failure_message="Look at 1.")
def test_hidden(env, absent):
    assert env["square"](1) == 1 and absent is None
"""


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
