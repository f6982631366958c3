"""The files of a class, one function and one entry in `CLASS_FORMATS` each: from a gradebook to bytes.

They are rendered at the end, from the store, in the order of the ids: the same grades give the same bytes.

`grades.csv` has a line for each student: RFC 4180 in UTF-8, without a byte order mark, which programs would read as a
part of a column's name. A text that a spreadsheet could take for a formula is prefixed with an apostrophe (OWASP, "CSV
injection"), also after a `;`, which separates cells in many countries.

`summary.md` is for the page of a CI job, which not only the staff can read. So a hidden test has only its name and its
mean, whatever the date, and no name has a grade next to it. GitHub accepts 1 MiB; lists are cut long before.
"""

import csv
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from pathlib import Path

from grader.core.model import VERSION
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.report import Verdict
from grader.core.report.document import inline
from grader.core.report.view import EXCUSED, NAME_LIMIT
from grader.core.text import one_line, points
from grader.decisions.post_grading import is_open
from grader.results.class_junit import to_class_junit
from grader.results.class_page import to_class_page
from grader.results.statistics import clusters_of, statistics_of
from grader.results.store import GradeStore, Results, results_of
from grader.results.unmatched import WHAT_TO_DO, Unmatched, unmatched_of
from grader.results.view import (
    DECIDED,
    DOUBTFUL,
    NOTHING,
    ReportFile,
    describe_changes,
    grade_view,
    names_of_tests,
    points_text,
    with_outcome,
)

LISTED_NAMES = 100  # names in a list of the summary
_MAX_CLUSTERS = 10  # visible clusters in the summary
_MAX_TESTS = 200
_FORMULA = re.compile("(^|;)(?=\\s*[=+\\-@\uff1d\uff0b\uff0d\uff20])")
_FIRST_COLUMNS = ("id", "name", "email", "login", "section", "team", "submission", "verdict", "score", "max_score")
_AFTER_COLUMNS = ("late", "by_hand", "final_score")  # columns of the post-grading, present only if any grade has one
_LAST_COLUMN = "notes"


def to_csv(rows: Iterable[Sequence[object]], end: str = "\r\n") -> bytes:
    """Render rows as CSV; `csv_cell` has made the texts in them harmless."""
    file = StringIO()
    csv.writer(file, lineterminator=end).writerows(rows)
    return file.getvalue().encode()


def to_grades_csv(book: Gradebook) -> bytes:
    """Render the gradebook as CSV; a score is empty when there is none, of the whole and of each test."""
    names = names_of_tests(book)
    after = _AFTER_COLUMNS if any(grade.final for grade in book.grades) else ()
    # A test with the name of another column gets a prefix.
    columns = [csv_cell(f"test {name}" if name in {*_FIRST_COLUMNS, *after, _LAST_COLUMN} else name) for name in names]
    rows = [[*_FIRST_COLUMNS, *columns, *after, _LAST_COLUMN]]
    for grade in book.grades:
        entry, path, record, view = grade.entry, grade.entry.path, grade.report, grade_view(grade)
        scores = {test.name: test.score for test in record.tests} if record else {}
        whole = (record.score, record.max_score) if record else (None, book.max_score)
        cells = [*map(points_text, (*whole, *map(scores.get, names)))]
        cells += map(points_text, (view.late_points, view.points_by_hand, grade.counted)) if after else ()
        notes = csv_cell("; ".join([*entry.notes, *(line.removesuffix(".") for line in view.changes)]))
        for one in entry.students:
            who = (one.id, one.name, one.email, one.login, one.section, entry.team, path.name if path else "")
            rows.append([*map(csv_cell, who), view.outcome, *cells, notes])
    return to_csv(rows)


def csv_cell(text: str) -> str:
    """Render a text on one line so that no spreadsheet takes any part of it for a formula."""
    return _FORMULA.sub(r"\1'", one_line(text))


# ---------------------------------------------------------------- summary.md


def to_summary(book: Gradebook) -> str:
    """Render the summary."""
    figures = statistics_of(book)
    part = f", part {inline(book.shard)} of the class" if book.shard else ""
    lines = [f"# {inline(book.spec.title or book.spec.id)}{part}", "", f"**{', '.join(figures.counts)}.**", ""]
    if spread := figures.spread:
        most, median = book.max_score, points_text(spread.median)
        mean = f"Mean {points(spread.mean, most)} of {points(most)}, median {median}"
        middle = f"the middle half from {points_text(spread.lower)} to {points_text(spread.upper)}"
        lines += [f"{mean}, {middle}; {spread.full} with full marks.", ""]
    if after := describe_changes(book):
        lines += [f"After the grading: {after}.", ""]
    lines += _names_under("Ungraded: the grader failed, grade these again", with_outcome(book, Verdict.UNGRADED))
    lines += _names_under("Decided by hand, where the grading gave no score", with_outcome(book, DECIDED))
    lines += _names_under("In doubt: say which submission counts, and grade these again", with_outcome(book, DOUBTFUL))
    if figures.tests:
        lines += ["## Tests", "", "| test | full marks | mean points |", "|:--|--:|--:|"]
        for one in figures.tests[:_MAX_TESTS]:
            passed = f"{one.passed} of {one.count} ({one.passed_percent})"
            passed = passed if one.test.visibility == "visible" else "hidden"
            lines.append(f"| {inline(one.test.name, is_cell=True)} | {passed} | {one.mean_points} |")
        lines.append("")
    # Mistakes in hidden tests are not shown here.
    if clusters := [cluster for cluster in clusters_of(book) if cluster.is_visible]:
        lines += ["## The same wrong output", ""]
        for cluster in clusters[:_MAX_CLUSTERS]:
            lines.append(f"- **{cluster.students} students**, {inline(cluster.where)}: {inline(cluster.sentence)}")
            lines += [f"  - the same students, {inline(one.where)}: {inline(one.sentence)}" for one in cluster.also]
        more = len(clusters) - _MAX_CLUSTERS
        lines += [*([f"- and {more} more group{'s' if more > 1 else ''}"] if more > 0 else []), ""]
    lines += _names_under("Not readable: to be handed in again", with_outcome(book, Verdict.NOT_READABLE))
    lines += _names_under("Nothing handed in", with_outcome(book, NOTHING))
    lines += _names_under("Excused", with_outcome(book, EXCUSED))
    return "\n".join([*lines, *_not_matched(unmatched_of(book))]) + "\n"


def _not_matched(found: Unmatched) -> list[str]:
    """Return likely pairs side by side, then the other submissions and students."""
    if not found.summary:
        return []
    lines = ["## Not matched", "", found.summary, "", "| submission | may be of |", "|:--|:--|"]
    pairs = ((name, student.id if student else "") for name, student in found.rows[:LISTED_NAMES])
    lines += [f"| {' | '.join(inline(one_line(name, NAME_LIMIT), is_cell=True) for name in pair)} |" for pair in pairs]
    more = len(found.rows) - LISTED_NAMES
    return [*lines, *(["", f"And {more} more."] if more > 0 else []), "", *([WHAT_TO_DO, ""] if found.pairs else [])]


def _names_under(title: str, grades: Sequence[Grade]) -> list[str]:
    names = [inline(one_line(grade.entry.id, NAME_LIMIT)) for grade in grades[:LISTED_NAMES]]
    more = [f"and {len(grades) - LISTED_NAMES} more"] if len(grades) > LISTED_NAMES else []
    return [f"## {title}", "", "- " + ", ".join([*names, *more]), ""] if grades else []


# ---------------------------------------------------------------- all of them

CLASS_FORMATS: dict[str, Callable[[Gradebook, ReportFile], bytes]] = {
    "grades.csv": lambda book, file: to_grades_csv(book),  # noqa: ARG005 - the gradebook has it all
    "summary.md": lambda book, file: to_summary(book).encode(),  # noqa: ARG005 - the same
    "index.html": to_class_page,
    "junit.xml": to_class_junit,
}  # the file's name -> what renders it


def update_class_files(store: GradeStore, out: Path, *, after_due: bool) -> Results:
    """Write the files of a class, unless they are unchanged and were rendered from the current store.

    Returns the results in them. Raises HostError when they cannot be written; older files stay then.
    """
    results = results_of(store, after_due=after_due)
    shown = [after_due or is_open(grade.entry.after) for grade in results.book.grades]
    made_of = hashlib.sha256(repr((VERSION, store.state(), shown)).encode()).hexdigest()

    def files() -> dict[str, bytes]:
        return {name: render(results.book, results.file) for name, render in CLASS_FORMATS.items()}

    store.update_files("", out, CLASS_FORMATS, files, made_of, after_due=after_due)  # no entry has an empty id
    return results
