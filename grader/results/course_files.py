"""The files of a course: `course.csv`, `course.json` and `course.html`, and its lines for the terminal.

All have names and grades, so they are for the course's staff only.
"""

import csv
import os
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from grader.core.model import VERSION
from grader.core.model.gradebook import Grade
from grader.core.report.html import fill_page, read_asset
from grader.core.report.view import NAME_LIMIT
from grader.core.text import count, count_points, listed, one_line, round_score, sentence
from grader.results.class_files import csv_cell
from grader.results.course_overview import (
    ABSENT,
    Assignment,
    Overview,
    Row,
    cell_in_words,
    help_groups,
)
from grader.results.view import grade_view, points_text

_FIRST = ("id", "name", "email", "section", "enrolled")
_NAMED = 12
"""names in a line of the terminal"""


def _percent(share: float | None) -> str:
    return "" if share is None else f"{round_score(share, 1)} %"


def _date(due: str) -> str:
    return due[:10]


# ---------------------------------------------------------------- CSV


def to_course_csv(overview: Overview, _folder: Path) -> bytes:
    """Render a line for each student, with four columns for each assignment."""
    file = StringIO()
    writer = csv.writer(file)
    labels = [one.label for one in overview.assignments]
    columns = [csv_cell(f"{label}{what}") for label in labels for what in ("", " max", " verdict", " late days")]
    has_bank = any(row.free for row in overview.rows)
    after = ("free days used", "free days left") if has_bank else ()
    writer.writerow([*_FIRST, *columns, "nothing handed in", "mean percent", "trend percent", *after])
    for row in overview.rows:
        student = row.student
        work = [_cells(one, grade) for one, grade in zip(overview.assignments, row.grades, strict=True)]
        cells = map(csv_cell, (student.id, student.name, student.email, student.section))
        free = [row.free[0], max(row.free[1] - row.free[0], 0)] if row.free else ["", ""]
        writer.writerow(
            [
                *cells,
                "yes" if row.is_enrolled else "no",
                *(cell for four in work for cell in four),
                row.missing,
                *("" if share is None else points_text(100 * share) for share in (row.mean, row.trend)),
                *(free if has_bank else ()),
            ]
        )
    return file.getvalue().encode()


def _cells(one: Assignment, grade: Grade | None) -> tuple[str, str, str, str]:
    if grade is None:
        return "", "", ABSENT, ""
    late = grade.entry.after.late
    days = "" if late is None or grade.entry.path is None else "not known" if not late.submitted else str(late.days)
    return points_text(grade.counted), points_text(one.book.max_score), grade_view(grade).outcome, days


# ---------------------------------------------------------------- JSON


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
        "needs_help": {reason: [row.student.id for row in rows] for reason, rows in help_groups(overview)},
        "habits": [
            {"meaning": habit.meaning, "students": habit.students, "assignments": habit.assignments}
            for habit in overview.habits
        ],
        "notes": overview.notes,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _student_of(overview: Overview, row: Row) -> dict[str, Any]:
    grades = zip(overview.assignments, row.grades, strict=True)
    return {
        "id": one_line(row.student.id),
        "name": one_line(row.student.name),
        "enrolled": row.is_enrolled,
        "mean": row.mean,
        "trend": row.trend,
        "nothing_handed_in": row.missing,
        "late_days": row.late_days,
        "free_days": {"used": row.free[0], "of": row.free[1]} if row.free else None,
        "grades": {
            one.label: {
                "verdict": grade_view(grade).outcome,
                "score": grade.counted,
                "late_days": grade.entry.after.late.days if grade.entry.after.late else 0,
                "free_days": (grade.entry.after.late and grade.entry.after.late.free) or 0,
            }
            for one, grade in grades
            if grade is not None
        },
    }


# ---------------------------------------------------------------- the page


_STYLE = read_asset("page.css") + read_asset("class.css") + read_asset("course.css")


def to_course_page(overview: Overview, folder: Path) -> bytes:
    """Render the page; `folder` is where it will lie, for links to the classes' pages beside it."""
    return fill_page(
        "course.html",
        _STYLE,
        title=_title(overview),
        helped=[(reason, [_shown_name(row) for row in rows]) for reason, rows in help_groups(overview)],
        lessons=[_shown_lessons(one, folder) for one in overview.assignments if one.lessons],
        habits=[
            {"students": one.students, "meaning": one.meaning, "where": ", ".join(map(one_line, one.assignments))}
            for one in overview.habits
        ],
        assignments=[_shown_assignment(one, folder) for one in overview.assignments],
        columns=[
            f"{one_line(one.label, NAME_LIMIT)} (of {points_text(one.book.max_score)})" for one in overview.assignments
        ],
        rows=[_shown_row(overview, row, folder) for row in overview.rows],
        has_bank=any(row.free for row in overview.rows),
        notes=[sentence(note) for note in overview.notes],
        version=VERSION,
    )


def _title(overview: Overview) -> str:
    return f"{count(len(overview.assignments), 'assignment')}, {count(len(overview.rows), 'student')}"


def _shown_name(row: Row) -> str:
    name = f"{row.student.id} ({row.student.name})" if row.student.name else row.student.id
    return one_line(name, 2 * NAME_LIMIT) or "(no name)"


def _link(folder: Path, path: Path) -> str:
    return quote(os.path.relpath(path, folder)) if path.is_file() else ""


def _shown_lessons(one: Assignment, folder: Path) -> dict[str, Any]:
    return {
        "label": one_line(one.label, NAME_LIMIT),
        "link": _link(folder, one.folder / "index.html"),
        "lessons": [
            {
                "students": lesson.students,
                "lost": count_points(lesson.lost),
                "where": ", ".join([lesson.cluster.where, *(other.where for other in lesson.cluster.also)]),
                "sentence": lesson.cluster.sentence,
            }
            for lesson in one.lessons
        ],
    }


def _shown_assignment(one: Assignment, folder: Path) -> dict[str, Any]:
    return {
        "label": one_line(one.label, NAME_LIMIT),
        "title": one_line(one.book.spec.title, NAME_LIMIT),
        "link": _link(folder, one.folder / "index.html"),
        "due": _date(one.due),
        "handed_in": one.handed_in,
        "of": len(one.book.grades),
        "mean": one.mean,
        "mean_text": _percent(one.mean),
        "median_text": _percent(one.median),
        "late": one.late,
        "without_score": one.without_score,
    }


def _shown_row(overview: Overview, row: Row, folder: Path) -> dict[str, Any]:
    return {
        "id": one_line(row.student.id, NAME_LIMIT) or "(no name)",
        "name": one_line(row.student.name, NAME_LIMIT),
        "is_enrolled": row.is_enrolled,
        "cells": [_shown_cell(one, grade, folder) for one, grade in zip(overview.assignments, row.grades, strict=True)],
        "mean": _percent(row.mean),
        "trend": "" if row.trend is None else f"{100 * row.trend:+.0f}".replace("+0", "0").replace("-0", "0"),
        "free": f"{max(row.free[1] - row.free[0], 0)} of {row.free[1]}" if row.free else "",
        "late_days": row.late_days or "",
    }


def _shown_cell(one: Assignment, grade: Grade | None, folder: Path) -> dict[str, Any]:
    if grade is None:
        return {"text": ABSENT, "is_score": False, "link": "", "late": ""}
    late = grade.entry.after.late
    days = late.days if late else 0
    free = f", {late.free} free" if late and late.free else ""
    is_score = grade_view(grade).share is not None
    has_page = grade.report is not None and bool(grade.folder)
    return {
        "text": points_text(grade.counted) if is_score else cell_in_words(grade),
        "is_score": is_score,
        "link": _link(folder, one.folder / grade.folder / "feedback.html") if has_page else "",
        "late": f"{count(days, 'day')} late{free}" if days else "",
    }


COURSE_FORMATS: dict[str, Callable[[Overview, Path], bytes]] = {
    "course.csv": to_course_csv,
    "course.json": to_course_json,
    "course.html": to_course_page,
}
"""the file's name -> what renders it"""


# ---------------------------------------------------------------- the terminal


def course_lines(overview: Overview) -> Iterator[str]:
    """Yield the overview for the terminal: who needs help first, then a line for each assignment."""
    yield f"{_title(overview)}."
    for reason, rows in help_groups(overview):
        yield f"{reason} ({len(rows)}): {listed(list(map(_shown_name, rows)), most=_NAMED)}"
    for one in overview.assignments:
        for lesson in one.lessons[:1]:
            yield f"To teach again, {one_line(one.label)}: {lesson.students} students, {lesson.cluster.sentence}"
    width = max((len(one_line(one.label, NAME_LIMIT)) for one in overview.assignments), default=0)
    for one in overview.assignments:
        parts = (
            f"due {_date(one.due)}" if one.due else "",
            f"{one.handed_in} of {len(one.book.grades)} handed in",
            f"mean {_percent(one.mean)}" if one.mean is not None else "nothing graded yet",
            f"{one.late} late" if one.late else "",
            f"{one.without_score} without a score" if one.without_score else "",
        )
        yield f"  {one_line(one.label, NAME_LIMIT):{width}}  {', '.join(filter(None, parts))}"
    if left := [row for row in overview.rows if not row.is_enrolled]:
        yield f"No longer in the class ({len(left)}): {listed(list(map(_shown_name, left)), most=_NAMED)}"
    if spent := [row for row in overview.rows if row.free and row.free[0] >= row.free[1]]:
        yield f"No free late days left ({len(spent)}): {listed(list(map(_shown_name, spent)), most=_NAMED)}"
    for note in overview.notes:
        yield f"note: {sentence(note)}"
