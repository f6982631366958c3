"""A small course in a temporary folder, for tests that need a whole assignment but not a compiler."""

from collections.abc import Sequence
from pathlib import Path

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.model.spec import Spec
from grader.core.pipeline import Course, grade
from grader.core.reader.spec import load
from tests.support.packages import Texts, lay
from tests.support.rows import read_data

ECHO = "import sys\nprint(*sys.argv[1:])\n"
DATA = read_data(__file__)
SPEC = DATA["SPEC"]


def course(folder: Path, spec: str = SPEC, reference: str = ECHO) -> Path:
    """Lay out a course root with one spec and one reference; return the spec's path."""
    return lay(folder, {"specs/echo.yaml": spec, "reference/echo.py": reference}) / "specs" / "echo.yaml"


def submission(folder: Path, name: str | bytes = "alice", program: str = ECHO) -> Path:
    """Hand in a program under a name; return the submission's path."""
    where = folder / "echo" / (name if isinstance(name, str) else name.decode("utf-8", "surrogateescape"))
    return lay(where, {"echo.py": program})


def grade_files(
    spec: Path, folder: Path, files: Texts, prepared: Course | None = None, *, only: Sequence[str] = ()
) -> Report:
    """Lay files into a folder and grade them, as the submission of the folder's name."""
    work = Submission(id=folder.name, path=lay(folder, files))
    return grade(Job(spec=spec, submission=work, only=tuple(only)), prepared)


def load_text(folder: Path, text: str, files: Texts | None = None) -> Spec:
    """Write a spec, and what lies beside it, into a folder, and load it."""
    return load(lay(folder, {**(files or {}), "x.yaml": text}) / "x.yaml")
