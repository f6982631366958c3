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

from grader.core.errors import UsageError
from grader.core.model.gradebook import Gradebook
from grader.core.model.spec import SECRET_FILE
from grader.core.text import listed
from grader.results.view import GradeView, ReportFile, grade_view

_EARLIEST = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can store


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
    after_due: bool = False  # whether tests that are hidden until the due date are shown
    template: Template | None = None
    assignment: str = ""  # the assignment's name on the platform
    scale: bool = False  # whether grades are converted to the points that the platform has for the assignment
    columns: Mapping[str, str] = field(default_factory=dict)
    """`id`, `grade`, `feedback` -> a column's header, overriding the detected one"""
    fields: Mapping[str, str] = field(default_factory=dict)  # values of the platform that no report contains
    secret: bytes = b""  # the secret from which the names of students' pages are derived; empty for other formats

    @property
    def views(self) -> list[GradeView]:
        """What each grade came to; its report is read when something of it is asked for."""
        return [grade_view(grade, self.file, after_due=self.after_due) for grade in self.book.grades]

    @property
    def single(self) -> GradeView:
        """The only grade; raises UsageError when there are several."""
        views = self.views
        if len(views) != 1:
            names = listed([view.name for view in views], most=5)
            raise UsageError(f"this format takes one student's report: name it with --student ({names})")
        return views[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """An export, with messages about it, a sentence each."""

    content: bytes
    left_out: tuple[str, ...] = ()  # students who are not in it, though they have a grade or should have one
    notes: tuple[str, ...] = ()  # other messages
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
