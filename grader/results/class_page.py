"""`index.html`: a class on one page, for the course's staff; it loads no other file, and its script sorts and filters.

The page is complete without the script. It shows names and hidden tests, and says so at its head. For one example of
each of the largest clusters, the program's output is read from its report, one report at a time.
"""

import re
from collections import defaultdict
from functools import partial
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote

from grader.core.model import VERSION
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.report import Verdict
from grader.core.report.html import fill_page, read_asset, to_markup
from grader.core.report.json import from_json
from grader.core.report.view import DIGITS, NAME_LIMIT, case_blocks
from grader.core.text import count_points, listed, one_line, points, sentence
from grader.results.attention import needs_help, to_teach, weak_tests
from grader.results.statistics import LOW_DISCRIMINATION, SMALL_GROUP, Cluster, Spread, clusters_of, statistics_of
from grader.results.unmatched import WHAT_TO_DO, student_in_words, unmatched_of
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
_CASES_NAMED = 12  # case names of a cluster that are written out
_MIN_VALUES = 2

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
)  # anchor and title of each part of the page, in its order; those with nothing in them are left out


class TimesAt(NamedTuple):
    """Seconds of processor time of the class for one value, over the runs that ended by themselves."""

    value: int
    median: float
    slowest: float
    ended: int
    stopped: int  # the number of runs that a limit ended


class Growth(NamedTuple):
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
        Growth(test, variable, tuple(_times_at(value, times[value]) for value in sorted(times)))
        for (test, variable), times in found.items()
        if len(times) >= _MIN_VALUES
    ]


def _times_at(value: int, times: list[float | None]) -> TimesAt:
    ended = [time for time in times if time is not None]
    middle = median(ended) if ended else 0.0
    return TimesAt(value, middle, max(ended, default=0.0), len(ended), len(times) - len(ended))


def to_class_page(book: Gradebook, file: ReportFile) -> bytes:
    """Render the page."""
    figures, clusters, unmatched, names = (
        statistics_of(book),
        clusters_of(book),
        unmatched_of(book),
        names_of_tests(book),
    )
    weak = weak_tests(figures.tests)
    parts: dict[str, Any] = {
        "help": needs_help(book),
        "teach": to_teach(book, clusters),
        "scores": True,
        "ungraded": with_outcome(book, Verdict.UNGRADED),
        "doubtful": with_outcome(book, DOUBTFUL),
        "tests": figures.tests,
        "times": growths_of(book)[:_GROWTHS_SHOWN],
        "groups": clusters[:_CLUSTERS_SHOWN],
        "students": True,
        "unreadable": with_outcome(book, Verdict.NOT_READABLE),
        "nothing": with_outcome(book, NOTHING),
        "unused": book.unused,
        "unmatched": unmatched.summary,
        "unknown": book.unknown,
    }
    return fill_page(
        "class.html",
        read_asset("page.css") + read_asset("class.css"),
        read_asset("class.js"),
        **parts,
        **_WRITERS,
        shown=[part for part in _PARTS if parts[part[0]] or (part[0] == "teach" and weak)],
        title=sentence(book.spec.title or book.spec.id),
        shard=one_line(book.shard),
        figures=figures,
        spread=_spread_in_words(figures.spread, book.max_score) if figures.spread else [],
        weak=weak,
        changes=describe_changes(book),
        few=SMALL_GROUP,
        low=LOW_DISCRIMINATION,
        clusters=clusters,
        example_of=partial(_example_of, file=file),
        names=names,
        grades=book.grades,
        has_teams=any(grade.entry.team for grade in book.grades),
        has_sections=any(student.section for grade in book.grades for student in grade.entry.students),
        not_matched=unmatched,
        advice=WHAT_TO_DO if unmatched.pairs else "",
        digest=one_line(book.spec.digest[:DIGITS]),
        version=VERSION,
    )


def _spread_in_words(spread: Spread, most: float) -> list[tuple[str, str]]:
    return [
        ("Mean", f"{points(spread.mean, most)} of {points(most)}"),
        ("Median", points_text(spread.median)),
        ("Middle half", f"{points_text(spread.lower)} to {points_text(spread.upper)}"),
        ("Lowest, highest", f"{points_text(spread.lowest)}, {points_text(spread.highest)}"),
        ("Full marks", str(spread.full)),
    ]


def _page_of(grade: Grade) -> str:
    """Return the address of a submission's own page, from the class's; empty when there is none."""
    return f"{quote(grade.folder, safe='')}/feedback.html" if grade.report and grade.folder else ""


def _example_of(cluster: Cluster, file: ReportFile) -> tuple[str, Any] | None:
    """Return the first case of a cluster in its example, and how it is shown; its report is read for that."""
    data = file(cluster.example, "report.json") if cluster.cases else None
    tests = from_json(data).tests if data else ()
    cases = (case for test in tests if test.name == cluster.tests[0] for case in test.cases)
    case = next((case for case in cases if case.id == cluster.cases[0]), None)
    return (case.id, to_markup(case_blocks(case))) if case else None


_WRITERS: dict[str, Any] = {
    "short": partial(one_line, limit=NAME_LIMIT),
    "in_points": points_text,
    "lost_points": count_points,
    "in_words": sentence,
    "person": student_in_words,
    "names_of": lambda names: listed([one_line(name, NAME_LIMIT) for name in names], most=_CASES_NAMED),
    "page_of": _page_of,
    "view_of": grade_view,
    "scores_of": lambda grade: {test.name: test.score for test in grade.report.tests} if grade.report else {},
    "why_not": why_not_graded,
}  # what the template writes with; every text of a student or a course goes through one that makes it printable
