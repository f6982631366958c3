"""`index.html`: a class on one page, for the course's staff; it loads no other file, and its script sorts and filters.

The page is complete without the script. It shows names and hidden tests, and says so at its head. For one example of
each of the largest clusters, the program's output is read from its report, one report at a time.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any
from urllib.parse import quote

from grader.core.model import VERSION
from grader.core.model.gradebook import Grade, Gradebook, Student
from grader.core.model.judgement import Verdict
from grader.core.report.document import DIGITS, case_blocks
from grader.core.report.html import fill_page, read_asset, to_markup
from grader.core.report.json import from_json
from grader.core.report.view import NAME_LIMIT
from grader.core.text import count_points, listed, one_line, points, sentence
from grader.results.attention import ToTeach, needs_help, to_teach, weak_tests
from grader.results.statistics import (
    LOW_DISCRIMINATION,
    SMALL_GROUP,
    Cluster,
    Statistics,
    TestFigures,
    clusters_of,
    statistics_of,
)
from grader.results.unmatched import WHAT_TO_DO, Unmatched, student_in_words, unmatched_of
from grader.results.view import (
    DOUBTFUL,
    NOTHING,
    ReportFile,
    describe_changes,
    grade_view,
    names_of_tests,
    points_text,
    why_not_graded,
    with_outcome,
)

_CLUSTERS_SHOWN = 30

_GROWTHS_SHOWN = 30

_CASES_NAMED = 12
"""case names of a cluster that are written out"""

_CLASS_STYLE = read_asset("page.css") + read_asset("class.css")
_CLASS_SCRIPT = read_asset("class.js")
_ForTemplate = dict[str, Any]
"""variables of the template; a missing one is an error"""


_PARTS = (
    ("help", "Who needs help"),
    ("teach", "What to teach again"),
    ("scores", "Scores"),
    ("ungraded", "Ungraded"),
    ("doubtful", "In doubt"),
    ("tests", "Tests"),
    ("times", "Times"),
    ("groups", "The same wrong output"),
    ("students", "Students"),
    ("unreadable", "Not readable"),
    ("nothing", "Nothing handed in"),
    ("unused", "Not graded"),
    ("unmatched", "Not matched"),
    ("unknown", "Adjustments not used"),
)
"""anchor and title of each part of the page, in its order; those with nothing in them are left out"""

_MIN_VALUES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesAt:
    """Seconds of processor time of the class for one value, over the runs that ended by themselves."""

    value: int
    median: float
    slowest: float
    ended: int
    stopped: int
    """the number of runs that a limit ended"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The times of a test, by the values of its variable, the smallest first."""

    test: str
    variable: str
    times: tuple[TimesAt, ...]


def growths_of(book: Gradebook) -> list[Growth]:
    """Return the times of all tests with a numeric variable, in the order of the spec."""
    found: dict[tuple[str, str], dict[int, list[float | None]]] = {}
    for report in (grade.report for grade in book.grades if grade.report):
        for test in report.tests:
            for case in test.cases:
                numbered = re.fullmatch(r"\[(\w+)=([0-9]{1,9})\]", case.id.removeprefix(test.name))
                if numbered and case.cpu is not None:
                    times = found.setdefault((test.name, numbered[1]), defaultdict(list))
                    times[int(numbered[2])].append(None if case.limit else case.cpu)
    return [
        Growth(test=test, variable=variable, times=tuple(_times_at(value, times[value]) for value in sorted(times)))
        for (test, variable), times in found.items()
        if len(times) >= _MIN_VALUES
    ]


def _times_at(value: int, times: list[float | None]) -> TimesAt:
    ended = [time for time in times if time is not None]
    return TimesAt(
        value=value,
        median=median(ended) if ended else 0.0,
        slowest=max(ended, default=0.0),
        ended=len(ended),
        stopped=len(times) - len(ended),
    )


def to_class_page(book: Gradebook, file: ReportFile) -> bytes:
    """Render the page."""
    figures, clusters, tests = statistics_of(book), clusters_of(book), names_of_tests(book)
    growths = growths_of(book)
    shown = {
        **_shown_attention(book, clusters, figures),
        **_shown_without_score(book),
        "tests": [_shown_test(test) for test in figures.tests],
        "growths": [_shown_growth(growth) for growth in growths[:_GROWTHS_SHOWN]],
        "groups": [_shown_cluster(cluster, file) for cluster in clusters[:_CLUSTERS_SHOWN]],
        "unused": [sentence(text) for text in book.unused],
        "unknown": [sentence(text) for text in book.unknown],
        "unmatched": _shown_unmatched(unmatched_of(book)),
    }
    filled = {"scores": True, "students": True, **shown, "help": shown["helped"], "times": growths}
    filled |= {"teach": shown["taught"] or shown["weak"], "unmatched": shown["unmatched"]["summary"]}
    return fill_page(
        "class.html",
        _CLASS_STYLE,
        _CLASS_SCRIPT,
        title=sentence(book.spec.title or book.spec.id),
        shard=one_line(book.shard),
        parts=[part for part in _PARTS if filled[part[0]]],
        counts=figures.counts,
        changes=describe_changes(book),
        unbuilt=figures.unbuilt,
        **_shown_scores(figures, book.max_score),
        few=SMALL_GROUP,
        low=LOW_DISCRIMINATION,
        more=max(len(clusters) - _CLUSTERS_SHOWN, 0),
        **shown,
        **_shown_students(book, tests),
        digest=one_line(book.spec.digest[:DIGITS]),
        version=VERSION,
    )


def _shown_attention(book: Gradebook, clusters: Sequence[Cluster], figures: Statistics) -> _ForTemplate:
    """Return what the staff should look at first."""
    return {
        "helped": [(one.reason, [_name_with_score(grade) for grade in one.grades]) for one in needs_help(book)],
        "taught": [_shown_lesson(one, clusters) for one in to_teach(book, clusters)],
        "weak": [_shown_test(test) for test in weak_tests(figures.tests)],
    }


def _shown_without_score(book: Gradebook) -> _ForTemplate:
    """Return those without a score, each with the reason where there is one."""
    ungraded, unreadable = (with_outcome(book, word) for word in (Verdict.UNGRADED, Verdict.NOT_READABLE))
    return {
        "ungraded": [(_name_with_link(grade), why_not_graded(grade.report)) for grade in ungraded if grade.report],
        "doubtful": [(_name_with_link(one), sentence(one.entry.notes[0])) for one in with_outcome(book, DOUBTFUL)],
        "unreadable": [(_name_with_link(grade), why_not_graded(grade.report)) for grade in unreadable if grade.report],
        "nothing": [_name_with_link(grade) for grade in with_outcome(book, NOTHING)],
    }


def _shown_scores(figures: Statistics, max_score: float) -> _ForTemplate:
    """Return how the scores are spread, in words and in bars."""
    spread = figures.spread
    return {
        "spread": spread
        and [
            ("Mean", f"{points(spread.mean, max_score)} of {points(max_score)}"),
            ("Median", points_text(spread.median)),
            ("Middle half", f"{points_text(spread.lower)} to {points_text(spread.upper)}"),
            ("Lowest, highest", f"{points_text(spread.lowest)}, {points_text(spread.highest)}"),
            ("Full marks", str(spread.full)),
        ],
        "bins": [(f"{points_text(one.low)} to {points_text(one.high)}", one.count) for one in figures.bins],
        "tallest": max((one.count for one in figures.bins), default=0),
    }


def _shown_unmatched(found: Unmatched) -> _ForTemplate:
    """Return whom nobody knows: rows with a submission, a student, or both where they are likely a pair."""
    pairs = [(name, student_in_words(student)) for name, student in found.pairs]
    work = [(name, "") for name in found.work]
    students = [("", student_in_words(student)) for student in found.students]
    return {
        "summary": found.summary,
        "rows": [(one_line(name, NAME_LIMIT), student) for name, student in (*pairs, *work, *students)],
        "advice": WHAT_TO_DO if pairs else "",
    }


def _shown_students(book: Gradebook, tests: Sequence[str]) -> _ForTemplate:
    """Return the table of the students, with a column for each of the tests."""
    return {
        "columns": [one_line(name, NAME_LIMIT) for name in tests],
        "rows": (_row_of(grade, student, tests) for grade in book.grades for student in grade.entry.students),
        "has_teams": any(grade.entry.team for grade in book.grades),
        "has_sections": any(student.section for grade in book.grades for student in grade.entry.students),
    }


def _shown_test(test: TestFigures) -> _ForTemplate:
    """Return a line of the table of tests."""
    return {
        "name": one_line(test.name, NAME_LIMIT),
        "visibility": "" if test.visibility == "visible" else test.visibility,
        "mean": test.mean_points,
        "passed": test.passed,
        "count": test.count,
        "percent": test.passed_percent,
        "discrimination": "" if test.discrimination is None else f"{test.discrimination:.2f}",
        "remark": test.remark,
    }


def _shown_growth(growth: Growth) -> _ForTemplate:
    """Return the bars of a test's times, in seconds."""
    return {
        "test": one_line(growth.test, NAME_LIMIT),
        "variable": growth.variable,
        "most": f"{max(one.slowest for one in growth.times):.2f}",
        "times": [
            {
                "value": one.value,
                "median": f"{one.median:.2f}",
                "slowest": f"{one.slowest:.2f}",
                "stopped": one.stopped,
                "ended": one.ended,
            }
            for one in growth.times
        ],
    }


def _shown_cluster(cluster: Cluster, file: ReportFile) -> _ForTemplate:
    """Return the students with the same wrong output."""
    return {
        "students": cluster.students,
        "where": cluster.where,
        "is_hidden": not cluster.is_visible,
        "sentence": cluster.sentence,
        "also": [(one.where, one.sentence) for one in cluster.also],
        "cases": listed([one_line(case, NAME_LIMIT) for case in cluster.cases], most=_CASES_NAMED),
        "names": [_name_with_link(grade) for grade in cluster.grades],
        "example": _example_of(cluster, file),
    }


def page_of(grade: Grade) -> str:
    """Return the address of a submission's own page, from the class's; empty when there is none."""
    return f"{quote(grade.folder, safe='')}/feedback.html" if grade.report and grade.folder else ""


def _name_with_link(grade: Grade) -> _ForTemplate:
    return {"text": one_line(grade.entry.id, NAME_LIMIT) or "(no name)", "link": page_of(grade)}


def _name_with_score(grade: Grade) -> _ForTemplate:
    counted = grade.report.counted if grade.report else None
    return {**_name_with_link(grade), "score": points_text(counted)}


def _shown_lesson(one: ToTeach, clusters: Sequence[Cluster]) -> _ForTemplate:
    """Return a mistake that is worth a lesson, with a link to its students where the page shows them."""
    place = clusters.index(one.cluster)
    return {
        "students": one.students,
        "lost": count_points(one.lost),
        "where": ", ".join([one.cluster.where, *(other.where for other in one.cluster.also)]),
        "is_hidden": not one.cluster.is_visible,
        "sentence": one.cluster.sentence,
        "link": f"#group-{place + 1}" if place < _CLUSTERS_SHOWN else "",
    }


def _example_of(cluster: Cluster, file: ReportFile) -> _ForTemplate | None:
    """Return the first case of a cluster in its example, whose report is read for that."""
    data = file(cluster.example, "report.json") if cluster.cases else None
    tests = from_json(data).tests if data else ()
    cases = (case for test in tests if test.name == cluster.tests[0] for case in test.cases)
    case = next((case for case in cases if case.id == cluster.cases[0]), None)
    if case is None:
        return None
    return {
        "name": _name_with_link(cluster.example),
        "case": one_line(case.id, NAME_LIMIT),
        "exhibits": to_markup(case_blocks(case)),
    }


def _row_of(grade: Grade, student: Student, tests: Sequence[str]) -> _ForTemplate:
    record, view = grade.report, grade_view(grade)
    scores = {test.name: test.score for test in record.tests} if record else {}
    return {
        "name": {"text": one_line(student.id, NAME_LIMIT) or "(no name)", "link": page_of(grade)},
        "person": one_line(student.name, NAME_LIMIT),
        "team": one_line(grade.entry.team, NAME_LIMIT),
        "section": one_line(student.section, NAME_LIMIT),
        "verdict": view.words,
        "score": points_text(grade.counted),
        "graded": points_text(record.score) if record and record.counted != record.score else "",
        "tests": [points_text(scores.get(name)) for name in tests],
        "notes": sentence("; ".join(grade.entry.notes)),
        "after": view.changes,
    }
