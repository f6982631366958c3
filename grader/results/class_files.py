"""The files of a class, one function and one entry in `CLASS_FORMATS` each: from a gradebook to bytes.

They are rendered at the end, from the store, in the order of the ids: the same grades give the same bytes.

`grades.csv` has a line for each student, with or without a submission: RFC 4180 in UTF-8, without a byte order mark,
which programs would read as part of the first column's name. (Excel reads such a file correctly through "Data, From
Text/CSV".) A text that a spreadsheet could take for a formula is prefixed with an apostrophe (OWASP, "CSV injection"),
also after a `;`, which separates cells in many countries.

`summary.md` is the class at a glance, for the page of a CI job: `cat summary.md >> "$GITHUB_STEP_SUMMARY"`. Not only
the course's staff can read such a page. So a hidden test has only its name and its mean, whatever the date, and no
name has a grade next to it. GitHub accepts 1 MiB; lists are cut long before.
"""

import csv
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path

from grader.core.model import VERSION
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.judgement import Verdict
from grader.core.report.feedback import inline
from grader.core.report.files import tidy, write_files
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
    GradeView,
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
_AFTER_COLUMNS = ("late", "by_hand", "final_score")
"""columns of the post-grading, present only if any grade has one"""

_LAST_COLUMN = "notes"


def to_grades_csv(book: Gradebook) -> bytes:
    """Render the gradebook as CSV; a score is empty when there is none, of the whole and of each test."""
    names = names_of_tests(book)
    file = StringIO()
    writer = csv.writer(file)
    after = _AFTER_COLUMNS if any(grade.final for grade in book.grades) else ()
    # A test with the name of another column gets a prefix.
    columns = [csv_cell(f"test {name}" if name in {*_FIRST_COLUMNS, *after, _LAST_COLUMN} else name) for name in names]
    writer.writerow([*_FIRST_COLUMNS, *columns, *after, _LAST_COLUMN])
    for grade in book.grades:
        entry, record, view = grade.entry, grade.report, grade_view(grade)
        scores = {test.name: test.score for test in record.tests} if record else {}
        of_all = [
            csv_cell(entry.path.name if entry.path else ""),
            view.outcome,
            points_text(record.score if record else None),
            points_text(record.max_score if record else book.max_score),
            *(points_text(scores.get(name)) for name in names),
            *(_after_cells(view) if after else ()),
            csv_cell("; ".join([*entry.notes, *(line.removesuffix(".") for line in view.changes)])),
        ]
        for one in entry.students:
            who = (one.id, one.name, one.email, one.login, one.section, entry.team)
            writer.writerow([*map(csv_cell, who), *of_all])
    return file.getvalue().encode()


def _after_cells(view: GradeView) -> tuple[str, ...]:
    """Return the deduction for lateness, the points by hand, and the final score; numbers, no text."""
    return points_text(view.late_points), points_text(view.points_by_hand), points_text(view.grade.counted)


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
        for test in figures.tests[:_MAX_TESTS]:
            passed = f"{test.passed} of {test.count} ({test.passed_percent})"
            cells = (
                inline(test.test.name),
                passed if test.test.visibility == "visible" else "hidden",
                test.mean_points,
            )
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    # Mistakes in hidden tests are not shown here.
    if clusters := [cluster for cluster in clusters_of(book) if cluster.is_visible]:
        lines += ["## The same wrong output", ""]
        for cluster in clusters[:_MAX_CLUSTERS]:
            lines.append(f"- **{cluster.students} students**, {inline(cluster.where)}: {inline(cluster.sentence)}")
            lines += [f"  - the same students, {inline(one.where)}: {inline(one.sentence)}" for one in cluster.also]
        if (more := len(clusters) - _MAX_CLUSTERS) > 0:
            lines.append(f"- and {more} more group{'s' if more > 1 else ''}")
        lines.append("")
    lines += _names_under("Not readable: to be handed in again", with_outcome(book, Verdict.NOT_READABLE))
    lines += _names_under("Nothing handed in", with_outcome(book, NOTHING))
    lines += _names_under("Excused", with_outcome(book, EXCUSED))
    lines += _unmatched_table(unmatched_of(book))
    return "\n".join(lines) + "\n"


def _unmatched_table(found: Unmatched) -> Iterator[str]:
    """Yield whom nobody knows: likely pairs side by side, then the other submissions and students."""
    if not found.summary:
        return
    yield from ("## Not matched", "", found.summary, "")
    sides = [(name, student.id if student else "") for name, student in found.rows]
    yield from ("| submission | may be of |", "|:--|:--|")
    for pair in sides[:LISTED_NAMES]:
        yield f"| {' | '.join(inline(one_line(name, NAME_LIMIT)) for name in pair)} |"
    if len(sides) > LISTED_NAMES:
        yield from ("", f"And {len(sides) - LISTED_NAMES} more.")
    yield from ("", *([WHAT_TO_DO, ""] if found.pairs else []))


def _names_under(title: str, grades: Sequence[Grade]) -> Iterator[str]:
    if grades:
        names = [inline(one_line(grade.entry.id, NAME_LIMIT)) for grade in grades[:LISTED_NAMES]]
        more = [f"and {len(grades) - LISTED_NAMES} more"] if len(grades) > LISTED_NAMES else []
        yield from (f"## {title}", "", "- " + ", ".join([*names, *more]), "")


# ---------------------------------------------------------------- all of them

CLASS_FORMATS: dict[str, Callable[[Gradebook, ReportFile], bytes]] = {
    "grades.csv": lambda book, file: to_grades_csv(book),  # noqa: ARG005 - the gradebook has it all
    "summary.md": lambda book, file: to_summary(book).encode(),  # noqa: ARG005 - the same
    "index.html": to_class_page,
    "junit.xml": to_class_junit,
}
"""the file's name -> what renders it"""


_OF_THE_CLASS = ""  # the id under which the digests of these files are stored; no entry has it

_MADE_OF = "made of"  # not a file: the digest of the inputs that the files were rendered from


def update_class_files(store: GradeStore, out: Path, *, after_due: bool) -> Results:
    """Write the files of a class, unless they are unchanged and were rendered from the current store.

    Returns the results in them. Raises HostError as `write_class` does.
    """
    results = results_of(store, after_due=after_due)
    shown = [after_due or is_open(grade.entry.after) for grade in results.book.grades]
    made_of = hashlib.sha256(repr((VERSION, store.state(), shown)).encode()).hexdigest()
    digests = store.digests(_OF_THE_CLASS, after_due=after_due)
    if digests.get(_MADE_OF) == made_of and all(
        _file_digest(out / name) == digests.get(name) for name in CLASS_FORMATS
    ):
        tidy(out, CLASS_FORMATS)
        return results
    write_class(results.book, results.file, out)
    written = {name: _file_digest(out / name) for name in CLASS_FORMATS}
    store.store_digests(_OF_THE_CLASS, {**written, _MADE_OF: made_of}, after_due=after_due)
    return results


def _file_digest(path: Path) -> str:
    """Return the digest of a file; empty when there is none that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def write_class(book: Gradebook, file: ReportFile, out: Path) -> None:
    """Write the files of a class into `out`; raises `HostError` when that fails, and older files stay.

    They are rendered one after another, since those of a large class need much memory. Temporary files of an
    interrupted run are removed.
    """
    tidy(out, CLASS_FORMATS)
    for name, render in CLASS_FORMATS.items():
        write_files({name: render(book, file)}, out)
