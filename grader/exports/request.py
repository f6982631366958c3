"""The input and the output of an export.

Platforms record a missing grade as zero. So `left_out` names every student who is ungraded by our fault, or whose grade
could not be placed; it is printed, and the exit code is 3.
"""

import io
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from msgspec import UNSET
from msgspec.structs import replace

from grader.core.errors import HostError, UsageError
from grader.core.model.generated_inputs import SECRET_FILE
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report
from grader.core.report.json import from_json
from grader.core.report.view import build_problem
from grader.core.text import listed, one_line
from grader.decisions.post_grading import is_open
from grader.results.view import ReportFile

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""the earliest time that a zip can store"""
_STUDENTS_NAMED = 5
"""students in one message"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A file that a platform exported, to be filled in."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The grades to export, and the options of the format."""

    book: Gradebook
    file: ReportFile
    after_due: bool = False
    """whether tests that are hidden until the due date are shown"""
    template: Template | None = None
    assignment: str = ""
    """the assignment's name on the platform"""
    scale: bool = False
    """whether grades are converted to the points that the platform has for the assignment"""
    columns: Mapping[str, str] = field(default_factory=dict)
    """`id`, `grade`, `feedback` -> a column's header, overriding the detected one"""
    fields: Mapping[str, str] = field(default_factory=dict)
    """values of the platform that no report contains"""
    secret: bytes = b""
    """the secret from which the names of students' pages are derived; empty for other formats"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """An export, with messages about it, a sentence each."""

    content: bytes
    left_out: tuple[str, ...] = ()
    """students who are not in it, though they have a grade or should have one"""
    notes: tuple[str, ...] = ()
    """other messages"""
    staff_files: Mapping[str, bytes] = field(default_factory=dict)
    """files for the course's staff alone, which are written to the results"""


def zip_of(files: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """Pack files; the same files give the same bytes."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = ZipInfo(name, _EARLIEST)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3  # Unix; otherwise the modes are ignored
            mode = 0o755 if name in executable else 0o600 if PurePosixPath(name).name == SECRET_FILE else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def is_after_due(request: Request, grade: Grade) -> bool:
    """Whether tests that are hidden until the due date are shown of this grade."""
    return request.after_due or is_open(grade.entry.after)


def single_grade(request: Request) -> Grade:
    """Return the only grade; raises UsageError when there are several."""
    grades = request.book.grades
    if len(grades) != 1:
        names = listed([one_line(grade.entry.id) for grade in grades], most=_STUDENTS_NAMED)
        raise UsageError(f"this format takes one student's report: name it with --student ({names})")
    return grades[0]


def read_report(request: Request, grade: Grade) -> Report:
    """Read the report of a grade; raises UsageError when there is none."""
    data = None if grade.report is None else request.file(grade, "report.json")
    if data is None:
        reason = reason_without_grade(grade) if grade.report else reason_without_report(grade)
        raise UsageError(f"there is no report of {one_line(grade.entry.id)}: {reason}")
    try:
        return from_json(data)
    except HostError as error:
        raise HostError(f"the report of {one_line(grade.entry.id)}: {error}") from error


def reason_without_grade(grade: Grade) -> str:
    """Return why there is no grade; empty when there is one."""
    if grade.is_excused:
        return "the student is excused"
    if grade.counted is not None:
        return ""
    if grade.report is None:
        return reason_without_report(grade)
    if not is_readable(grade):
        return f"what was handed in cannot be read ({build_problem(grade.report)})"
    return "ungraded, by a fault of the grader and not of the student" if is_ungraded(grade) else ""


def reason_without_report(grade: Grade) -> str:
    """Return why there is no report, where there is none."""
    if grade.entry.is_doubtful:
        return f"it is in doubt which submission counts ({grade.entry.notes[0]})"
    return "nothing was handed in" if grade.entry.path is None else "it is not graded yet"


def with_scores_by_hand(report: Report) -> Report:
    """Return the report with the scores that were given by hand to tests, in place of graded ones."""
    final = report.final or None
    given = {one.test: one.score for one in final.by_hand if one.test and one.score is not UNSET} if final else {}
    tests = tuple(replace(test, score=given.get(test.name, test.score)) for test in report.tests)
    return replace(report, tests=tests) if given else report


def is_readable(grade: Grade) -> bool:
    """Whether there is a report of work that was readable or was decided by hand.

    Unreadable work is treated like a missing submission.
    """
    return grade.report is not None and (grade.report.verdict is not Verdict.NOT_READABLE or grade.counted is not None)


def is_ungraded(grade: Grade) -> bool:
    """Whether the grader failed to grade it, and nobody has decided by hand what is missing."""
    if grade.report is None or grade.report.verdict is Verdict.NOT_READABLE or grade.is_excused:
        return False
    return grade.counted is None
