"""Courses of other graders as folders: what each program gets for each test here, what is lost, what remains open.

A folder of `cases` has the files of the other grader in `given`, and in `course.yaml`: the `importer`; the `points`
there, and how many are `lost`; a part of each note that matters; `open`, why each check is to be written; and the
`programs`, each with its `files`, or `like` another with some texts replaced, and the `scores` of the tests, by
the names before ` (`: null for an ungraded one.
"""

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.check.runner import examine
from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import write_assignment
from grader.imports.registry import find_importer
from tests.support.packages import lay
from tests.support.rows import Loader

pytestmark = pytest.mark.usefixtures("shared_cache")

COURSES = sorted((Path(__file__).parent / "cases").glob("*/course.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("path", COURSES, ids=lambda path: path.parent.name)
def test_a_course_gives_each_program_its_points(path: Path, tmp_path: Path) -> None:
    course = yaml.load(path.read_text(), Loader)  # noqa: S506
    assert course.keys() <= {"importer", "points", "lost", "notes", "open", "programs"}
    imported = find_importer(course["importer"])(path.parent / "given", "given")
    spec = write_assignment(imported, tmp_path / "course").spec
    worth = load(spec).max_score
    assert (imported.points, imported.lost) == (course.get("points"), course.get("lost", 0))
    assert imported.points is None or abs(worth + imported.lost - Fraction(imported.points)) < Fraction(1, 1000)
    notes = "\n".join(imported.notes)
    assert [told for told in course.get("notes", []) if told not in notes] == []
    _check_open(course.get("open", {}), tmp_path / "course/data/given/to_do.py")
    errors = [remark.message for remark in examine(spec, None).remarks if remark.level == "error"]
    assert [told for told in errors if "is still to be written" not in told] == []
    programs: dict[str, Any] = {}
    for name, program in course.get("programs", {}).items():
        assert program.keys() <= {"files", "like", "replace", "scores"}
        programs[name] = files = _files(program, programs)
        report = grade(Job(spec=spec, submission=Submission(id=name, path=lay(tmp_path / name, files))))
        found: dict[str, float | None] = {}
        for test in report.tests:
            title = test.name.partition(" (")[0]
            before = found.get(title, 0.0)
            found[title] = None if test.score is None or before is None else round(before + float(test.score), 2)
        assert found == program["scores"], name


def _check_open(expected: dict[str, str], to_do: Path) -> None:
    functions = ast.parse(to_do.read_text() if to_do.exists() else "").body[1:]
    found = {
        one.name.removeprefix("todo_"): " ".join((ast.get_docstring(one) or "").split())
        for one in functions
        if isinstance(one, ast.FunctionDef)
    }
    assert found.keys() == expected.keys()
    assert {name: told for name, told in found.items() if expected[name] not in told} == {}


def _files(program: dict[str, Any], before: dict[str, dict[str, str]]) -> dict[str, str]:
    files = {**(before[program["like"]] if "like" in program else {}), **program.get("files", {})}
    for old, new in program.get("replace", {}).items():
        assert any(old in text for text in files.values()), old
        files = {name: text.replace(old, new) for name, text in files.items()}
    return files
