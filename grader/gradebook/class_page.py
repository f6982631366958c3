"""`index.html`: a class on one page, for the course's staff; it loads nothing, and its one script sorts and filters.

Without the script everything is there all the same. The page shows names, and hidden tests too: it says so at its head.
What a program wrote is read again for one example of each of the largest clusters, one report at a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from grader.classroom.store import ReportFile
from grader.gradebook.clusters import Cluster, clusters_of
from grader.gradebook.statistics import (
    FEW,
    LOW_DISCRIMINATION,
    NOTHING,
    Spread,
    TestFigures,
    names_of_tests,
    outcome_of,
    points_text,
    statistics_of,
    with_outcome,
)
from grader.model import VERSION, ReportedCase, Verdict
from grader.model.gradebook import Grade, Gradebook, Student
from grader.report.html import DIFF_CLASSES, DIGITS, fill_page, read_asset
from grader.report.json import from_json
from grader.report.view import NAME_LIMIT, drawings, evidence
from grader.text import listed, one_line, sentence

_CLUSTERS_SHOWN = 30

_MOST_CASES = 12
"""case names of a cluster that are written out"""

_COMMAND_LIMIT = 1000
"""bytes of a command"""

_CLASS_STYLE = read_asset("page.css") + read_asset("class.css")
_CLASS_SCRIPT = read_asset("class.js")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A submission by its name, with the address of its page; empty when it has none."""

    text: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _ExampleLines:
    title: str
    lines: Sequence[tuple[str, str]]
    """a line and its kind"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Example:
    name: _Name
    case: str
    command: str
    exhibits: Sequence[_ExampleLines]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShownCluster:
    """A cluster."""

    students: int
    where: str
    is_hidden: bool
    sentence: str
    cases: str
    names: Sequence[_Name]
    example: _Example | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _TestLine:
    name: str
    visibility: str
    mean: str
    passed: int
    count: int
    percent: str
    discrimination: str
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _StudentLine:
    """A student."""

    name: _Name
    person: str
    team: str
    section: str
    verdict: str
    badge: str
    score: str
    tests: Sequence[str]
    notes: str


def to_class_page(book: Gradebook, file: ReportFile) -> bytes:
    """Write the page."""
    figures, clusters, tests = statistics_of(book), clusters_of(book), names_of_tests(book)
    rows = [_student_line(grade, student, tests) for grade in book.grades for student in grade.entry.students]
    return fill_page(
        "class.html",
        _CLASS_STYLE,
        _CLASS_SCRIPT,
        title=sentence(book.spec.title or book.spec.id),
        shard=one_line(book.shard),
        parts=_page_parts(book, has_tests=bool(figures.tests), has_groups=bool(clusters)),
        counts=figures.counts,
        unbuilt=figures.unbuilt,
        spread=_spread_lines(figures.spread, book.max_score) if figures.spread else [],
        bins=[(f"{points_text(one.low)} to {points_text(one.high)}", one.count) for one in figures.bins],
        tallest=max((one.count for one in figures.bins), default=0),
        tests=[_test_line(test) for test in figures.tests],
        few=FEW,
        low=LOW_DISCRIMINATION,
        groups=[_shown_cluster(cluster, file) for cluster in clusters[:_CLUSTERS_SHOWN]],
        more=max(len(clusters) - _CLUSTERS_SHOWN, 0),
        ungraded=[(_name_with_link(grade), _why_ungraded(grade)) for grade in with_outcome(book, Verdict.UNGRADED)],
        nothing=[_name_with_link(grade) for grade in with_outcome(book, NOTHING)],
        unused=[sentence(text) for text in book.unused],
        columns=[one_line(name, NAME_LIMIT) for name in tests],
        rows=rows,
        has_teams=any(row.team for row in rows),
        has_sections=any(row.section for row in rows),
        digest=one_line(book.spec.digest[:DIGITS]),
        version=VERSION,
    )


def page_of(grade: Grade) -> str:
    """Return the address of a submission's own page, from the class's; empty when there is none."""
    return f"{quote(grade.folder, safe='')}/feedback.html" if grade.report and grade.folder else ""


def _page_parts(book: Gradebook, *, has_tests: bool, has_groups: bool) -> list[tuple[str, str]]:
    """List the parts that the page has, by their anchors."""
    parts = {
        ("scores", "Scores"): True,
        ("ungraded", "Ungraded"): bool(with_outcome(book, Verdict.UNGRADED)),
        ("tests", "Tests"): has_tests,
        ("groups", "The same wrong output"): has_groups,
        ("students", "Students"): True,
        ("nothing", "Nothing handed in"): bool(with_outcome(book, NOTHING)),
        ("unused", "Not graded"): bool(book.unused),
    }
    return [part for part, is_there in parts.items() if is_there]


def _name_with_link(grade: Grade) -> _Name:
    return _Name(text=one_line(grade.entry.id, NAME_LIMIT) or "(no name)", link=page_of(grade))


def _spread_lines(spread: Spread, most: float) -> list[tuple[str, str]]:
    return [
        ("Mean", f"{points_text(spread.mean)} of {points_text(most)}"),
        ("Median", points_text(spread.median)),
        ("Middle half", f"{points_text(spread.lower)} to {points_text(spread.upper)}"),
        ("Lowest, highest", f"{points_text(spread.lowest)}, {points_text(spread.highest)}"),
        ("Full marks", str(spread.full)),
    ]


def _test_line(test: TestFigures) -> _TestLine:
    return _TestLine(
        name=one_line(test.name, NAME_LIMIT),
        visibility="" if test.visibility == "visible" else test.visibility,
        mean=test.mean_points,
        passed=test.passed,
        count=test.count,
        percent=test.passed_percent,
        discrimination="" if test.discrimination is None else f"{test.discrimination:.2f}",
        remark=test.remark,
    )


def _why_ungraded(grade: Grade) -> str:
    """Why a submission is ungraded: what is said of the first case that is."""
    cases = (case for test in (grade.report.tests if grade.report else ()) for case in test.cases)
    told = (sentence(case.message) for case in cases if case.verdict is Verdict.UNGRADED)
    return next(filter(None, told), "")


def _shown_cluster(cluster: Cluster, file: ReportFile) -> _ShownCluster:
    return _ShownCluster(
        students=cluster.students,
        where=cluster.where,
        is_hidden=not cluster.is_visible,
        sentence=cluster.sentence,
        cases=listed([one_line(case, NAME_LIMIT) for case in cluster.cases], most=_MOST_CASES),
        names=[_name_with_link(grade) for grade in cluster.grades],
        example=_example_of(cluster, file),
    )


def _example_of(cluster: Cluster, file: ReportFile) -> _Example | None:
    data = file(cluster.example, "report.json") if cluster.cases else None
    tests = from_json(data).tests if data else ()
    cases = (case for test in tests if test.name == cluster.tests[0] for case in test.cases)
    case = next((case for case in cases if case.id == cluster.cases[0]), None)
    if case is None:
        return None
    return _Example(
        name=_name_with_link(cluster.example),
        case=one_line(case.id, NAME_LIMIT),
        command=one_line(case.command, _COMMAND_LIMIT),
        exhibits=_example_lines(case),
    )


def _example_lines(case: ReportedCase) -> list[_ExampleLines]:
    drawn = [(line, "") for line in drawings(case)]
    return [
        *([_ExampleLines(title="what is wrong, drawn", lines=drawn)] if drawn else []),
        *(
            _ExampleLines(
                title=part.title.replace("yours", "theirs"),
                lines=[(line, DIFF_CLASSES.get(line[:1], "")) for line in part.lines],
            )
            for part in evidence(case)
        ),
    ]


def _student_line(grade: Grade, student: Student, tests: Sequence[str]) -> _StudentLine:
    record, word = grade.report, outcome_of(grade)
    scores = {test.name: test.score for test in record.tests} if record else {}
    return _StudentLine(
        name=_Name(text=one_line(student.id, NAME_LIMIT) or "(no name)", link=page_of(grade)),
        person=one_line(student.name, NAME_LIMIT),
        team=one_line(grade.entry.team, NAME_LIMIT),
        section=one_line(student.section, NAME_LIMIT),
        verdict=word,
        badge=str(record.verdict) if record else "",
        score=points_text(record.score if record else None),
        tests=[points_text(scores.get(name)) for name in tests],
        notes=sentence("; ".join(grade.entry.notes)),
    )
