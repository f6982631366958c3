"""`index.html`: a class on one page, for the course's staff; it loads nothing, and its one script sorts and filters.

Without the script everything is there all the same. The page shows names, and hidden tests too: it says so at its head.
What a program wrote is read again for one example of each of the largest clusters, one report at a time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from grader.gradebook.clusters import Cluster, clusters_of
from grader.gradebook.grades_csv import NOTHING, number, tests_of, verdict, with_verdict
from grader.gradebook.statistics import FEW, LOW, Spread, TestFigures, statistics_of
from grader.gradebook.summary import counts, mean_points, where
from grader.model import VERSION, ReportedCase, Verdict
from grader.model.gradebook import Grade, Gradebook, Student
from grader.report.html import COMMAND_LIMIT, DIFF_CLASSES, DIGITS, fill_page, read_asset
from grader.report.json import from_json
from grader.report.view import NAME_LIMIT, drawings, evidence
from grader.text import one_line, sentence

CLUSTERS = 30
"""clusters that are shown"""

CASES = 12
"""case names of a cluster that are written out"""

_File = Callable[[Grade, str], bytes | None]
_STYLE = read_asset("page.css") + read_asset("class.css")
_SCRIPT = read_asset("class.js")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A submission by its name, with the address of its page; empty when it has none."""

    text: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Exhibit:
    title: str
    lines: Sequence[tuple[str, str]]
    """a line and its kind"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Example:
    name: _Name
    case: str
    command: str
    exhibits: Sequence[_Exhibit]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A cluster."""

    students: int
    where: str
    is_hidden: bool
    sentence: str
    cases: str
    names: Sequence[_Name]
    example: _Example | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    name: str
    visibility: str
    mean: str
    passed: int
    count: int
    percent: str
    discrimination: str
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
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


def to_class_page(book: Gradebook, file: _File) -> bytes:
    """Write the page."""
    figures, clusters, tests = statistics_of(book), clusters_of(book), tests_of(book)
    rows = [_row(grade, student, tests) for grade in book.grades for student in grade.entry.students]
    return fill_page(
        "class.html",
        _STYLE,
        _SCRIPT,
        title=sentence(book.spec.title or book.spec.id),
        shard=one_line(book.shard),
        parts=_parts(book, has_tests=bool(figures.tests), has_groups=bool(clusters)),
        counts=counts(figures),
        unbuilt=figures.unbuilt,
        spread=_spread(figures.spread, book.max_score) if figures.spread else [],
        bins=[(f"{number(one.low)} to {number(one.high)}", one.count) for one in figures.bins],
        tallest=max((one.count for one in figures.bins), default=0),
        tests=[_test(test) for test in figures.tests],
        few=FEW,
        low=LOW,
        groups=[_group(cluster, file) for cluster in clusters[:CLUSTERS]],
        more=max(len(clusters) - CLUSTERS, 0),
        ungraded=[(_name(grade), _reason(grade)) for grade in with_verdict(book, Verdict.UNGRADED)],
        nothing=[_name(grade) for grade in with_verdict(book, NOTHING)],
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


def _parts(book: Gradebook, *, has_tests: bool, has_groups: bool) -> list[tuple[str, str]]:
    """List the parts that the page has, by their anchors."""
    parts = {
        ("scores", "Scores"): True,
        ("ungraded", "Ungraded"): bool(with_verdict(book, Verdict.UNGRADED)),
        ("tests", "Tests"): has_tests,
        ("groups", "The same wrong output"): has_groups,
        ("students", "Students"): True,
        ("nothing", "Nothing handed in"): bool(with_verdict(book, NOTHING)),
        ("unused", "Not graded"): bool(book.unused),
    }
    return [part for part, is_there in parts.items() if is_there]


def _name(grade: Grade) -> _Name:
    return _Name(text=one_line(grade.entry.id, NAME_LIMIT) or "(no name)", link=page_of(grade))


def _spread(spread: Spread, most: float) -> list[tuple[str, str]]:
    return [
        ("Mean", f"{number(spread.mean)} of {number(most)}"),
        ("Median", number(spread.median)),
        ("Middle half", f"{number(spread.lower)} to {number(spread.upper)}"),
        ("Lowest, highest", f"{number(spread.lowest)}, {number(spread.highest)}"),
        ("Full marks", str(spread.full)),
    ]


def _test(test: TestFigures) -> _Test:
    return _Test(
        name=one_line(test.name, NAME_LIMIT),
        visibility="" if test.visibility == "visible" else test.visibility,
        mean=mean_points(test),
        passed=test.passed,
        count=test.count,
        percent=f"{100 * test.passed / test.count:.0f} %",
        discrimination="" if test.discrimination is None else f"{test.discrimination:.2f}",
        remark=test.remark,
    )


def _reason(grade: Grade) -> str:
    """Why a submission is ungraded: what is said of the first case that is."""
    cases = (case for test in (grade.report.tests if grade.report else ()) for case in test.cases)
    told = (sentence(case.message) for case in cases if case.verdict is Verdict.UNGRADED)
    return next(filter(None, told), "")


def _group(cluster: Cluster, file: _File) -> _Group:
    shown = ", ".join(one_line(case, NAME_LIMIT) for case in cluster.cases[:CASES])
    return _Group(
        students=cluster.students,
        where=where(cluster),
        is_hidden=not cluster.is_visible,
        sentence=cluster.sentence,
        cases=shown + (f" and {len(cluster.cases) - CASES} more" if len(cluster.cases) > CASES else ""),
        names=[_name(grade) for grade in cluster.grades],
        example=_example(cluster, file),
    )


def _example(cluster: Cluster, file: _File) -> _Example | None:
    data = file(cluster.example, "report.json") if cluster.cases else None
    tests = from_json(data).tests if data else ()
    cases = (case for test in tests if test.name == cluster.tests[0] for case in test.cases)
    case = next((case for case in cases if case.id == cluster.cases[0]), None)
    if case is None:
        return None
    return _Example(
        name=_name(cluster.example),
        case=one_line(case.id, NAME_LIMIT),
        command=one_line(case.command, COMMAND_LIMIT),
        exhibits=_exhibits(case),
    )


def _exhibits(case: ReportedCase) -> list[_Exhibit]:
    drawn = [(line, "") for line in drawings(case)]
    return [
        *([_Exhibit(title="what is wrong, drawn", lines=drawn)] if drawn else []),
        *(
            _Exhibit(
                title=part.title.replace("yours", "theirs"),
                lines=[(line, DIFF_CLASSES.get(line[:1], "")) for line in part.lines],
            )
            for part in evidence(case)
        ),
    ]


def _row(grade: Grade, student: Student, tests: Sequence[str]) -> _Row:
    record, word = grade.report, verdict(grade)
    scores = {test.name: test.score for test in record.tests} if record else {}
    return _Row(
        name=_Name(text=one_line(student.id, NAME_LIMIT) or "(no name)", link=page_of(grade)),
        person=one_line(student.name, NAME_LIMIT),
        team=one_line(grade.entry.team, NAME_LIMIT),
        section=one_line(student.section, NAME_LIMIT),
        verdict=word,
        badge=str(record.verdict) if record else "",
        score=number(record.score if record else None),
        tests=[number(scores.get(name)) for name in tests],
        notes=sentence("; ".join(grade.entry.notes)),
    )
