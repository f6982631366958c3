"""`grades.csv`: one line for each student, whether or not something was handed in.

RFC 4180 in UTF-8, without a byte order mark: programs would take it for a part of the first column's name. (Excel
reads such a file right through "Data, From Text/CSV".) A text that a spreadsheet could take for a formula gets an
apostrophe in front (OWASP, "CSV injection"), also behind a `;`, at which a spreadsheet of many countries parts cells.
"""

import csv
import re
from collections.abc import Iterator
from io import StringIO

from grader.model.gradebook import Grade, Gradebook, Student
from grader.text import one_line

NOTHING = "nothing handed in"
WAITING = "not graded yet"

_FORMULA = re.compile("(^|;)(?=\\s*[=+\\-@\uff1d\uff0b\uff0d\uff20])")
_HEAD = ("id", "name", "email", "login", "section", "team", "submission", "verdict", "score", "max_score")
_END = "notes"


def to_grades_csv(book: Gradebook) -> bytes:
    """Render the gradebook as CSV; a score is empty when there is none, of the whole and of each test."""
    names = tests_of(book)
    file = StringIO()
    writer = csv.writer(file)
    writer.writerow([*_HEAD, *map(_column, names), _END])
    for grade in book.grades:
        for student in grade.entry.students:
            writer.writerow(list(_row(book, grade, student, names)))
    return file.getvalue().encode()


def verdict(grade: Grade) -> str:
    """Say in a word or three what became of a submission."""
    if grade.report is not None:
        return grade.report.verdict
    return NOTHING if grade.entry.path is None else WAITING


def with_verdict(book: Gradebook, word: str) -> list[Grade]:
    """List the grades that came to this."""
    return [grade for grade in book.grades if verdict(grade) == word]


def number(value: float | None) -> str:
    """Write points as they are shown; nothing when they are not known."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def cell(text: str) -> str:
    """Show a text on one line, so that no spreadsheet takes it or a part of it for a formula."""
    return _FORMULA.sub(r"\1'", one_line(text))


def tests_of(book: Gradebook) -> list[str]:
    """List the names of all tests, in the order of the spec."""
    return list(dict.fromkeys(test.name for grade in book.grades if grade.report for test in grade.report.tests))


def _column(test: str) -> str:
    """Name the column of a test; one that is called like another column is told apart."""
    return cell(f"test {test}" if test in {*_HEAD, _END} else test)


def _row(book: Gradebook, grade: Grade, student: Student, names: list[str]) -> Iterator[str]:
    entry, record = grade.entry, grade.report
    yield from map(cell, (student.id, student.name, student.email, student.login, student.section, entry.team))
    yield cell(entry.path.name if entry.path else "")
    yield verdict(grade)
    yield number(record.score if record else None)
    yield number(record.max_score if record else book.max_score)
    scores = {test.name: test.score for test in record.tests} if record else {}
    yield from (number(scores.get(name)) for name in names)
    yield cell("; ".join(entry.notes))
