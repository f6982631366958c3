"""What an export is given and what it gives back.

Platforms take a grade where there is one and make a zero where there is none, so whoever has no grade by our fault, and
whoever has one that found no place, is named: `left_out` is told, and ends in exit code 3.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from grader.errors import HostError, UsageError
from grader.gradebook.classes import File
from grader.model import Report, Verdict
from grader.model.gradebook import Entry, Grade, Gradebook
from grader.report import from_json
from grader.text import one_line, show

NAMES = 5
"""students that are named in a message before "and 4 more\""""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A file that a platform exported, and that is to be filled in."""

    name: str
    content: bytes


def _no_number(entry: Entry, platform: str) -> str:  # noqa: ARG001 - what the type says
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Which grades are wanted, and what the format needs beside them."""

    book: Gradebook
    file: File
    after_due: bool = False
    """whether tests that are hidden until the due date are shown"""
    template: Template | None = None
    assignment: str = ""
    """the assignment's name on the platform"""
    scale: bool = False
    """whether grades are converted to the points that the platform has for the assignment"""
    columns: Mapping[str, str] = field(default_factory=dict)
    """`id`, `grade`, `feedback` -> a column's header, where it is not to be guessed"""
    fields: Mapping[str, str] = field(default_factory=dict)
    """values of the platform's own that no report knows"""
    number: Callable[[Entry, str], str] = _no_number
    """the number that a platform has for the student, out of the name of what it was downloaded as; may be empty"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """An export, and what has to be said about it, a sentence each."""

    content: bytes
    left_out: tuple[str, ...] = ()
    """who is not in it, though there is a grade or should be one"""
    notes: tuple[str, ...] = ()
    """what else there is to know"""


def the_grade(request: Request) -> Grade:
    """Return the one grade that there is; UsageError when there are several."""
    grades = request.book.grades
    if len(grades) != 1:
        names = ", ".join(one_line(grade.entry.id) for grade in grades[:NAMES])
        more = f" and {len(grades) - NAMES} more" if len(grades) > NAMES else ""
        raise UsageError(f"this format takes one student's report: name it with --student ({names}{more})")
    return grades[0]


def report_of(request: Request, grade: Grade) -> Report:
    """Read the report behind a grade; UsageError when there is none."""
    data = None if grade.report is None else request.file(grade, "report.json")
    if data is None:
        raise UsageError(f"there is no report of {one_line(grade.entry.id)}: {standing(grade)}")
    try:
        return from_json(data)
    except HostError as error:
        raise HostError(f"the report of {one_line(grade.entry.id)}: {error}") from error


def standing(grade: Grade) -> str:
    """Say why there is no grade; empty when there is one."""
    if grade.report is None:
        return "nothing was handed in" if grade.entry.path is None else "it is not graded yet"
    return "ungraded, by a fault of the grader's and not the student's" if is_ungraded(grade) else ""


def is_ungraded(grade: Grade) -> bool:
    """Whether we failed."""
    return grade.report is not None and (grade.report.verdict is Verdict.UNGRADED or grade.report.score is None)


def to_json_file(value: Mapping[str, Any]) -> bytes:
    """Write JSON in lines, in which no CI system finds a command of its own."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).replace(b"##", rb"#\u0023") + b"\n"


def cut(text: str, most: int) -> str:
    """Cut a text after so many bytes; it says so at its end."""
    return show(text, most)
