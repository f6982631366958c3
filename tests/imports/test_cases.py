"""Courses of other graders as data: what each program gets for each test here, what is lost, what remains open.

A course is a folder of `cases` with a `course.yaml` and the files of the other grader in `given`; or it is an entry of
a file there, which is named for its importer and has the files under `given`. `Course` and `Program` say the rest.
"""

import ast
import shutil
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.check.runner import asking, examine
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import write_assignment
from grader.imports.registry import find_importer
from tests.support import other_graders, packages
from tests.support.packages import lay
from tests.support.rows import read_yaml

CASES = Path(__file__).parent / "cases"
Texts = Mapping[str, str]


class Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a student hands in, and what it gets."""

    files: Texts = {}
    like: str = ""  # a program above, whose files it has too
    replace: Texts = {}  # a text in these -> what stands there instead
    scores: Mapping[str, float | None] = {}  # of the tests, by the names before ` (`: null for an ungraded one
    verdicts: Sequence[str] = ()  # of all cases
    says: str = ""  # in the sentence of a case


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An assignment of another grader, what the import makes of it, and programs."""

    importer: str
    id: str = "given"  # of the spec, and the name of the folder
    path: str = ""  # what is imported, below the given files
    like: str = ""  # a sample of `tests.support`, whose files are given too; `NAME.KEY` for one of several
    given: Mapping[str, str | None] = {}  # null: not that one of the sample
    zip: bool = False
    slow: bool = False
    points: float | None = None  # there
    lost: float = 0
    language: str = ""
    required: tuple[str, ...] | None = None
    optional: tuple[str, ...] | None = None
    tests: Mapping[str, float | dict[str, Any]] = {}  # points, or also the visibility
    kinds: Sequence[str] = ()  # of all cases
    spec: Sequence[str] = ()  # what stands in it
    writes: str = ""  # all of it, behind the comment at its head
    files: Texts = {}  # which are written -> a part of each
    notes: Sequence[str] = ()  # a part of each that matters
    lacks: Sequence[str] = ()  # what stands in no note and in no file
    quiet: Sequence[str] = ()  # the rules of lint without a remark
    open: Texts = {}  # why each check is to be written
    programs: Mapping[str, Program] = {}


def courses() -> Iterator[Any]:
    """Iterate over the courses, each with its folder, if it has one."""
    for path in sorted(CASES.glob("*/course.yaml")):
        yield pytest.param(path.parent, read_yaml(path), id=path.parent.name, marks=pytest.mark.slow)
    for path in sorted(CASES.glob("*.yaml")):
        for name, data in read_yaml(path).items():
            marks = [pytest.mark.slow] if data.get("slow") else []
            yield pytest.param(None, {"importer": path.stem, **data}, id=f"{path.stem}: {name}", marks=marks)


def given_path(course: Course, folder: Path) -> Path:
    """Write what is given; return the path that is imported."""
    sample: Any = {**vars(other_graders), **vars(packages), "": {}}
    for part in course.like.split("."):
        sample = sample[part]
    files = {name: text for name, text in {**sample, **course.given}.items() if text is not None}
    given = lay(folder / course.id, files)
    return Path(shutil.make_archive(str(given), "zip", given)) if course.zip else given / course.path


@pytest.mark.parametrize(("folder", "data"), [*courses()])
def test_a_course_gives_each_program_its_points(folder: Path | None, data: Any, tmp_path: Path) -> None:
    course = msgspec.convert(data, Course)
    imported = find_importer(course.importer)(folder / "given" if folder else given_path(course, tmp_path), course.id)
    written = write_assignment(imported, tmp_path / "course")
    spec = load(written.spec)
    points = None if imported.points is None else round(float(imported.points), 4)
    assert (points, float(imported.lost)) == (course.points, course.lost)
    assert imported.points is None or abs(spec.max_score + imported.lost - Fraction(imported.points)) < Fraction(
        1, 1000
    )
    assert course.language in {"", spec.language}
    assert course.required in {None, spec.files.required_names}
    assert course.optional in {None, spec.files.optional}
    stated = {name: one if isinstance(one, dict) else {"points": one} for name, one in course.tests.items()}
    found = {
        test.name: {"points": round(float(test.points), 4), "visibility": str(test.visibility)} for test in spec.tests
    }
    assert not stated or found == {name: {"visibility": "visible", **one} for name, one in stated.items()}
    assert not course.kinds or {*course.kinds} == {case.kind for test in spec.tests for case in test.cases}
    text = written.spec.read_text()
    assert [part for part in course.spec if part not in text] == []
    assert course.writes in {"", text.partition("\n\n")[2]}
    contents = {name: (tmp_path / "course" / name).read_text(errors="replace") for name in written.files}
    assert [name for name, part in course.files.items() if part not in contents[name]] == []
    notes = "\n".join(imported.notes)
    assert [told for told in course.notes if told not in notes] == []
    assert [told for told in course.lacks if told in notes + "".join(contents.values())] == []
    _check_open(course.open, tmp_path / f"course/data/{course.id}/to_do.py")
    remarks = examine(written.spec, asking("none", 1) if course.quiet else None).remarks
    errors = [remark.message for remark in remarks if remark.level == "error"]
    assert [told for told in errors if "is still to be written" not in told] == []
    assert not {remark.rule for remark in remarks}.intersection(course.quiet)
    programs: dict[str, Texts] = {}
    for name, program in course.programs.items():
        programs[name] = files = _files(program, programs)
        work = Submission(id=name, path=lay(tmp_path / "work" / name, files))
        _check_report(name, program, grade(Job(spec=written.spec, submission=work)))


def _check_report(name: str, program: Program, report: Report) -> None:
    found: dict[str, float | None] = {}
    for test in report.tests:
        title = test.name.partition(" (")[0]
        before = found.get(title, 0.0)
        found[title] = None if test.score is None or before is None else round(before + float(test.score), 2)
    cases = [case for test in report.tests for case in test.cases]
    assert program.scores or program.verdicts
    assert found == (program.scores or found), name
    assert [case.verdict for case in cases] == [*(program.verdicts or (case.verdict for case in cases))], name
    assert not program.says or any(program.says in case.message for case in cases)


def _check_open(expected: Texts, to_do: Path) -> None:
    functions = ast.parse(to_do.read_text() if to_do.exists() else "").body[1:]
    found = {
        one.name.removeprefix("todo_"): " ".join((ast.get_docstring(one) or "").split())
        for one in functions
        if isinstance(one, ast.FunctionDef)
    }
    assert found.keys() == expected.keys()
    assert {name: told for name, told in found.items() if expected[name] not in told} == {}


def _files(program: Program, before: Mapping[str, Texts]) -> Texts:
    files = {**(before[program.like] if program.like else {}), **program.files}
    for old, new in program.replace.items():
        assert any(old in text for text in files.values()), old
        files = {name: text.replace(old, new) for name, text in files.items()}
    return files
