"""The files of a course: `course.csv`, `course.json` and `course.html`, and its lines for the terminal.

All have names and grades, so they are for the course's staff only.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from grader.core.model import VERSION
from grader.core.model.gradebook import Grade
from grader.core.report.html import fill_page, read_asset
from grader.core.report.view import NAME_LIMIT
from grader.core.text import count, count_points, listed, one_line, round_score, sentence
from grader.results.class_files import csv_cell, to_csv
from grader.results.course_overview import Assignment, Overview, Row, help_groups
from grader.results.unmatched import student_in_words
from grader.results.view import grade_view, points_text

_FIRST = ("id", "name", "email", "section", "enrolled")
_NAMED = 12  # names in a line of the terminal
_ABSENT = "not in the class"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{round_score(share, 1)} %"


def to_course_csv(overview: Overview, _folder: Path) -> bytes:
    """Render a line for each student, with four columns for each assignment."""
    labels = [one.label for one in overview.assignments]
    columns = [csv_cell(f"{label}{what}") for label in labels for what in ("", " max", " verdict", " late days")]
    has_bank = any(row.free for row in overview.rows)
    after = ("free days used", "free days left") if has_bank else ()
    rows: list[list[object]] = [[*_FIRST, *columns, "nothing handed in", "mean percent", "trend percent", *after]]
    for row in overview.rows:
        student = row.student
        free = [row.free[0], max(row.free[1] - row.free[0], 0)] if row.free else ["", ""]
        rows.append(
            [
                *map(csv_cell, (student.id, student.name, student.email, student.section)),
                "yes" if row.is_enrolled else "no",
                *(cell for pair in zip(overview.assignments, row.grades, strict=True) for cell in _cells(*pair)),
                row.missing,
                *("" if share is None else points_text(100 * share) for share in (row.mean, row.trend)),
                *(free if has_bank else ()),
            ]
        )
    return to_csv(rows)


def _cells(one: Assignment, grade: Grade | None) -> tuple[str, str, str, str]:
    if grade is None:
        return "", "", _ABSENT, ""
    late = grade.entry.after.late
    days = "" if late is None or grade.entry.path is None else "not known" if not late.submitted else str(late.days)
    return points_text(grade.counted), points_text(one.book.max_score), grade_view(grade).outcome, days


def to_course_json(overview: Overview, _folder: Path) -> bytes:
    """Render everything for programs; a score that is not known is null."""
    document = {
        "format": 1,
        "grader": VERSION,
        "assignments": [
            {
                "label": one.label,
                "spec": one.book.spec.id,
                "title": one.book.spec.title,
                "due": one.due or None,
                "max_score": one.book.max_score,
                "handed_in": one.handed_in,
                "students": sum(len(grade.entry.students) for grade in one.book.grades),
                "without_score": one.without_score,
                "late": one.late,
                "mean": one.mean,
                "median": one.median,
            }
            for one in overview.assignments
        ],
        "students": [_student_of(overview, row) for row in overview.rows],
        "needs_help": {
            reason: [one_line(row.student.id) for row in rows] for reason, rows in help_groups(overview).items()
        },
        "habits": [
            {"meaning": habit.meaning, "students": habit.students, "assignments": habit.assignments}
            for habit in overview.habits
        ],
        "notes": [one_line(note) for note in overview.notes],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _student_of(overview: Overview, row: Row) -> dict[str, Any]:
    grades = {}
    for one, grade in zip(overview.assignments, row.grades, strict=True):
        if grade:
            late = grade.entry.after.late
            grades[one.label] = {
                "verdict": grade_view(grade).outcome,
                "score": grade.counted,
                "late_days": late.days if late else 0,
                "free_days": (late and late.free) or 0,
            }
    return {
        "id": one_line(row.student.id),
        "name": one_line(row.student.name),
        "enrolled": row.is_enrolled,
        "mean": row.mean,
        "trend": row.trend,
        "nothing_handed_in": row.missing,
        "late_days": row.late_days,
        "free_days": {"used": row.free[0], "of": row.free[1]} if row.free else None,
        "grades": grades,
    }


def to_course_page(overview: Overview, folder: Path) -> bytes:
    """Render the page; `folder` is where it will lie, for links to the classes' pages beside it."""

    def link_of(one: Assignment, grade: Grade | None = None) -> str:
        path = one.folder / (f"{grade.folder}/feedback.html" if grade else "index.html")
        return quote(os.path.relpath(path, folder)) if path.is_file() else ""

    return fill_page(
        "course.html",
        "".join(map(read_asset, ("page.css", "class.css", "course.css"))),
        title=_title(overview),
        overview=overview,
        help=help_groups(overview),
        has_lessons=any(one.lessons for one in overview.assignments),
        has_bank=any(row.free for row in overview.rows),
        absent=_ABSENT,
        version=VERSION,
        link_of=link_of,
        view_of=grade_view,
        name_of=_name_of,
        short=partial(one_line, limit=NAME_LIMIT),
        in_percent=_percent,
        in_points=points_text,
        in_words=sentence,
        lost_points=count_points,
        days_late=partial(count, noun="day"),
    )


def _title(overview: Overview) -> str:
    return f"{count(len(overview.assignments), 'assignment')}, {count(len(overview.rows), 'student')}"


def _name_of(row: Row) -> str:
    return student_in_words(row.student) or "(no name)"


COURSE_FORMATS: dict[str, Callable[[Overview, Path], bytes]] = {
    "course.csv": to_course_csv,
    "course.json": to_course_json,
    "course.html": to_course_page,
}  # the file's name -> what renders it


def course_lines(overview: Overview) -> Iterator[str]:
    """Yield the overview for the terminal: who needs help first, then a line for each assignment."""
    yield f"{_title(overview)}."
    for reason, rows in help_groups(overview).items():
        yield _people_line(reason, rows)
    for one in overview.assignments:
        for lesson in one.lessons[:1]:
            yield f"To teach again, {one_line(one.label)}: {lesson.students} students, {lesson.cluster.sentence}"
    width = max((len(one_line(one.label, NAME_LIMIT)) for one in overview.assignments), default=0)
    for one in overview.assignments:
        parts = (
            f"due {one.due[:10]}" if one.due else "",
            f"{one.handed_in} of {len(one.book.grades)} handed in",
            f"mean {_percent(one.mean)}" if one.mean is not None else "nothing graded yet",
            f"{one.late} late" if one.late else "",
            f"{one.without_score} without a score" if one.without_score else "",
        )
        yield f"  {one_line(one.label, NAME_LIMIT):{width}}  {', '.join(filter(None, parts))}"
    if left := [row for row in overview.rows if not row.is_enrolled]:
        yield _people_line("No longer in the class", left)
    if spent := [row for row in overview.rows if row.free and row.free[0] >= row.free[1]]:
        yield _people_line("No free late days left", spent)
    for note in overview.notes:
        yield f"note: {sentence(note)}"


def _people_line(reason: str, rows: list[Row]) -> str:
    return f"{reason} ({len(rows)}): {listed(list(map(_name_of, rows)), most=_NAMED)}"
