"""A table of inputs, outputs and points (`answers.csv`) -> a spec."""

import csv
from fractions import Fraction
from pathlib import Path

from grader.core.errors import UsageError
from grader.imports import Imported, identifier
from grader.imports.draft import Draft, DraftCase, DraftTest, Loss, OpenCheck
from grader.imports.folder import read_folder
from grader.imports.writer import to_imported

_TABLE = "answers.csv"


def import_answers(path: Path, name: str | None = None) -> Imported:
    """Convert a folder with a table and a program; UsageError for what is none."""
    folder = read_folder(path, _TABLE)
    rows = list(csv.DictReader(folder.text(_TABLE).splitlines()))
    if not rows or not {"input", "output", "points"} <= rows[0].keys():
        raise UsageError(f"{path / _TABLE} has no columns input, output, points")
    tests = []
    for number, row in enumerate(rows, 1):
        case = DraftCase(stdin=f"{row['input']}\n", expect={"stdout": f"{row['output']}\n"})
        left = OpenCheck(name=f"row {number}", reason="it has no output", source=row["input"])
        points = Fraction(row["points"])
        tests.append(DraftTest(name=f"row {number}", points=points, cases=[case] if row["output"] else left))
    return to_imported(
        Draft(
            id=identifier(name, folder.path.name),
            format="answers",
            origin=_TABLE,
            language="python",
            required=["main.py"],
            program=["python3", "main.py"],
            tests=tests,
            points=sum(Fraction(row["points"]) for row in rows),
            losses=[Loss(rule="crash")],
        )
    )
