"""The input and the output of an export.

Platforms record a missing grade as zero. So `left_out` names every student who is ungraded by our fault, or whose grade
could not be placed; it is printed, and the exit code is 3.
"""

import io
import stat
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from grader.core.errors import UsageError
from grader.core.model.gradebook import Gradebook
from grader.core.model.spec import SECRET_FILE
from grader.core.text import listed
from grader.results.class_files import CLASS_FORMATS
from grader.results.view import GradeView, ReportFile, grade_view


class Template(NamedTuple):
    """A file that a platform exported, to be filled in."""

    name: str
    content: bytes


@dataclass(frozen=True, kw_only=True)
class Request:
    """The grades to export, and the options of the format."""

    book: Gradebook
    file: ReportFile
    after_due: bool = False  # whether tests that are hidden until the due date are shown
    template: Template | None = None
    assignment: str = ""  # the assignment's name on the platform
    scale: bool = False  # whether grades are converted to the points that the platform has for the assignment
    columns: Mapping[str, str] = field(default_factory=dict)  # `id`, `grade` -> the header of its column
    fields: Mapping[str, str] = field(default_factory=dict)  # values of the platform that no report contains
    secret: bytes = b""  # the secret from which the names of students' pages are derived; empty for other formats

    @cached_property
    def views(self) -> list[GradeView]:
        """What each grade came to; its report is read when something of it is asked for."""
        return [grade_view(grade, self.file, after_due=self.after_due) for grade in self.book.grades]

    @property
    def single(self) -> GradeView:
        """The only grade; raises UsageError when there are several."""
        if len(self.views) == 1:
            return self.views[0]
        names = listed([view.name for view in self.views], most=5)
        raise UsageError(f"this format takes one student's report: name it with --student ({names})")


@dataclass(frozen=True, kw_only=True)
class Exported:
    """An export, with messages about it, a sentence each."""

    content: bytes
    left_out: tuple[str, ...] = ()  # students who are not in it, though they have a grade or should have one
    notes: tuple[str, ...] = ()  # other messages
    staff_files: Mapping[str, bytes] = field(default_factory=dict)  # of the staff alone: into the results


def to_class_file(name: str, request: Request) -> Exported:
    """Export a file of a class as it is."""
    return Exported(content=CLASS_FORMATS[name](request.book, request.file))


def tell_left_out(left_out: Iterable[tuple[str, str]], most: int | None = None) -> tuple[str, ...]:
    """Return a sentence for each reason why somebody is left out, with the names of all, or of so many."""
    names = defaultdict[str, list[str]](list)
    for name, reason in left_out:
        names[reason].append(name)
    return tuple(
        f"{len(own)} are left out: {why}: {listed(own, most=most)}" if own[1:] else f"{own[0]} is left out: {why}"
        for why, own in names.items()
    )


def zip_of(files: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """Pack files; the same files give the same bytes."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the earliest time that a zip can store
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3  # Unix; otherwise the modes are ignored
            mode = 0o755 if name in executable else 0o600 if PurePosixPath(name).name == SECRET_FILE else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()
