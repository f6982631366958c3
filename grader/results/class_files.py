"""The files of a class, one function and one entry in `CLASS_FORMATS` each: from a gradebook to bytes.

They are rendered at the end, from the store, in the order of the ids: the same grades give the same bytes.

`grades.csv` has a line for each student: RFC 4180 in UTF-8, without a byte order mark, which programs would read as a
part of a column's name. A text that a spreadsheet could take for a formula is prefixed with an apostrophe (OWASP, "CSV
injection"), also after a `;`, which separates cells in many countries.

`summary.md` is for the page of a CI job, which not only the staff can read. So a hidden test has only its name and its
mean, whatever the date, and no name has a grade next to it. GitHub accepts 1 MiB; lists are cut long before.

`junit.xml` has the suites of all submissions. GitLab shows only the first of two cases with the same class and name, so
suites and classes have unique names. It takes files below 30 MB: a class whose file is larger is graded in shards.

`index.html` is for the course's staff: it shows names and hidden tests, and says so at its head. It loads no other
file, and is complete without its script, which sorts and filters. For one example of each of the largest clusters, the
program's output is read from its report, one report at a time.
"""

import csv
import hashlib
import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote

from grader.core.model import VERSION
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.report import Verdict
from grader.core.report.document import inline
from grader.core.report.html import fill_in, read_asset, to_markup
from grader.core.report.json import from_json
from grader.core.report.junit import class_name, unique
from grader.core.report.view import DIGITS, EXCUSED, NAME_LIMIT, case_blocks
from grader.core.text import listed, one_line, sentence
from grader.decisions.post_grading import is_open
from grader.people.people import student_in_words
from grader.results import statistics, view
from grader.results.store import GradeStore, Results, results_of
from grader.results.unmatched import unmatched_of
from grader.results.view import ReportFile, grade_view, points_text

LISTED_NAMES = 100  # names in a list of the summary
_LISTS = {
    "ungraded": Verdict.UNGRADED,
    "decided": view.DECIDED,
    "doubtful": view.DOUBTFUL,
    "unreadable": Verdict.NOT_READABLE,
    "nothing": view.NOTHING,
    "excused": EXCUSED,
}  # a list of submissions in a template -> their outcome
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
    names = view.names_of_tests(book)
    after = _AFTER_COLUMNS if any(grade.final for grade in book.grades) else ()
    # A test with the name of another column gets a prefix.
    columns = [csv_cell(f"test {name}" if name in {*_FIRST_COLUMNS, *after, _LAST_COLUMN} else name) for name in names]
    rows = [[*_FIRST_COLUMNS, *columns, *after, _LAST_COLUMN]]
    for grade in book.grades:
        entry, path, record, own = grade.entry, grade.entry.path, grade.report, grade_view(grade)
        whole = (record.score, record.max_score) if record else (None, book.max_score)
        cells = [*map(points_text, (*whole, *map(own.scores.get, names)))]
        cells += map(points_text, (own.late_points, own.points_by_hand, grade.counted)) if after else ()
        notes = csv_cell("; ".join([*entry.notes, *(line.removesuffix(".") for line in own.changes)]))
        for student in entry.students:
            who = (student.id, student.name, student.email, student.login, student.section, entry.team)
            rows.append([*map(csv_cell, who), csv_cell(path.name if path else ""), own.outcome, *cells, notes])
    return to_csv(rows)


def csv_cell(text: str) -> str:
    """Render a text on one line so that no spreadsheet takes any part of it for a formula."""
    return _FORMULA.sub(r"\1'", one_line(text))


# ---------------------------------------------------------------- summary.md


def to_summary(book: Gradebook) -> str:
    """Render the summary."""
    return fill_in("summary.txt", **_facts_of(book), inline=inline, most_names=LISTED_NAMES).decode()


def _facts_of(book: Gradebook) -> dict[str, Any]:
    """Return what the summary and the page show of a class, and what they write it with."""
    return {
        **WRITERS,
        **{name: view.with_outcome(book, outcome) for name, outcome in _LISTS.items()},
        "book": book,
        "figures": statistics.statistics_of(book),
        "clusters": statistics.clusters_of(book),
        "changes": view.describe_changes(book),
        "unmatched": unmatched_of(book),
    }


# ---------------------------------------------------------------- junit.xml


def to_class_junit(book: Gradebook, file: ReportFile) -> bytes:
    """Render the class as JUnit XML; one suite is in memory as a tree at a time."""
    total: Counter[str] = Counter()
    written, seconds = [], 0.0
    for suite in _suites(book, file):
        seconds += float(suite.get("time", "0"))
        total.update({key: int(suite.get(key, "0")) for key in ("tests", "failures", "errors")})
        written.append(f"  {ET.tostring(suite, encoding='unicode')}\n".encode())
    counts = {key: str(number) for key, number in total.items()}
    head = {"name": one_line(book.spec.id) or "(no name)", **counts, "time": f"{seconds:.3f}"}
    opened = ET.tostring(ET.Element("testsuites", head), encoding="unicode", short_empty_elements=False)
    opened = opened.removesuffix("</testsuites>")
    return b"".join([f"<?xml version='1.0' encoding='utf-8'?>\n{opened}\n".encode(), *written, b"</testsuites>\n"])


def _suites(book: Gradebook, file: ReportFile) -> Iterator[ET.Element]:
    names = unique([one_line(grade.entry.id) or "(no name)" for grade in book.grades])
    classes = unique([class_name(book.spec.id, grade.entry.id) for grade in book.grades])
    for grade, name, class_ in zip(book.grades, names, classes, strict=True):
        data = file(grade, "junit.xml") if grade.report else None
        suite = ET.fromstring(data)[0] if data else _suite_without_cases(grade)  # noqa: S314  our own, without a document type
        suite.set("name", name)
        suite.tail = None
        for case in suite.iter("testcase"):
            case.set("classname", class_)
        yield suite


def _suite_without_cases(grade: Grade) -> ET.Element:
    """Make a suite of one skipped case, for a submission without a report."""
    suite = ET.Element("testsuite", name="", tests="1", failures="0", errors="0", skipped="1", time="0.000")
    case = ET.SubElement(suite, "testcase", name="submission", classname="", time="0.000")
    outcome = grade_view(grade).outcome
    message = sentence("; ".join((outcome, *grade.entry.notes)))
    ET.SubElement(case, "skipped", type=outcome, message=message).text = message
    ET.indent(suite, level=1)
    return suite


# ---------------------------------------------------------------- index.html

_MAX_SHOWN = 30  # clusters, and tests with their times
_CASES_NAMED = 12  # case names of a cluster that are written out
_MIN_VALUES = 2


class Growth(NamedTuple):
    """The times of a test, by the values of its variable, the smallest first."""

    test: str
    variable: str
    times: Mapping[int, Sequence[float | None]]  # of each run, seconds of processor time; None where a limit ended it


def growths_of(book: Gradebook) -> list[Growth]:
    """Return the times of all tests with a numeric variable, in the order of the spec."""
    by_variable = defaultdict[tuple[str, str], defaultdict[int, list[float | None]]](lambda: defaultdict(list))
    for own in map(grade_view, book.grades):
        for name, case in ((test.name, case) for test in own.tests for case in test.cases):
            numbered = re.fullmatch(r"\[(\w+)=([0-9]{1,9})\]", case.id.removeprefix(name))
            if numbered and case.cpu is not None:
                by_variable[name, numbered[1]][int(numbered[2])].append(None if case.limit else case.cpu)
    charts = ((*place, dict(sorted(times.items()))) for place, times in by_variable.items())
    return [Growth(*chart) for chart in charts if len(chart[-1]) >= _MIN_VALUES]


def to_class_page(book: Gradebook, file: ReportFile) -> bytes:
    """Render the page."""
    return fill_in(
        "class.html",
        read_asset("page.css") + read_asset("class.css"),
        read_asset("class.js"),
        **_facts_of(book),
        has_sections=any(student.section for grade in book.grades for student in grade.entry.students),
        statistics=statistics,
        median=median,
        times=growths_of(book)[:_MAX_SHOWN],
        most_shown=_MAX_SHOWN,
        example_of=partial(_example_of, file=file),
        names=view.names_of_tests(book),
        digest=one_line(book.spec.digest[:DIGITS]),
    )


def _example_of(cluster: statistics.Cluster, file: ReportFile) -> tuple[str, Any] | None:
    """Return the first case of a cluster in its example, and how it is shown; its report is read for that."""
    data = file(cluster.example, "report.json") if cluster.cases else None
    tests = (test for test in (from_json(data).tests if data else ()) if test.name == cluster.tests[0])
    case = next((case for test in tests for case in test.cases if case.id == cluster.cases[0]), None)
    return (case.id, to_markup(case_blocks(case))) if case else None


WRITERS: dict[str, Any] = {
    "short": partial(one_line, limit=NAME_LIMIT),
    "in_points": points_text,
    "in_percent": statistics.whole_percent,
    "person": student_in_words,
    "names_of": lambda names: listed([one_line(name, NAME_LIMIT) for name in names], most=_CASES_NAMED),
    "page_of": lambda grade: f"{quote(grade.folder, safe='')}/feedback.html" if grade.report and grade.folder else "",
    "view_of": grade_view,
    "why_not": view.why_not_graded,
    "version": VERSION,
}  # what the templates write with; every text of a student or a course goes through one that makes it printable


# ---------------------------------------------------------------- all of them

CLASS_FORMATS: dict[str, Callable[[Gradebook, ReportFile], bytes]] = {
    "grades.csv": lambda book, file: to_grades_csv(book),  # noqa: ARG005 - the gradebook has it all
    "summary.md": lambda book, file: to_summary(book).encode(),  # noqa: ARG005 - the same
    "index.html": to_class_page,
    "junit.xml": to_class_junit,
}  # the file's name -> what renders it


def update_class_files(store: GradeStore, out: Path, *, is_brief: bool = False) -> Results:
    """Write the files of a class, unless they are unchanged and were rendered from the current store.

    Returns the results, `is_brief` if nothing is written. Raises HostError when that fails; older files stay then.
    """
    after_due, read = bool(store.about().get("after_due")), list[Results]()
    shown = [after_due or is_open(entry.after) for entry in store.entries()]
    made_of = hashlib.sha256(repr((VERSION, store.state(), shown)).encode()).hexdigest()

    def files() -> dict[str, bytes]:
        read.append(results_of(store, after_due=after_due))
        return {name: render(read[0].book, read[0].file) for name, render in CLASS_FORMATS.items()}

    store.update_files("", out, files, made_of)  # no entry has an empty id
    return read[0] if read else results_of(store, after_due=after_due, is_brief=is_brief)
