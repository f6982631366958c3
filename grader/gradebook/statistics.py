"""Figures about a class, and the words for them.

How the scores lie, how many passed each test, and how well a test tells students apart. Only a graded submission has a
score; what is ungraded, not graded yet or not handed in is counted and left out, so that our failure changes nobody's
mean. The discrimination of a test is the correlation of its points with the points of all other tests (the corrected
item-total correlation: S. Henrysson, Psychometrika 28, 1963; for a test with two outcomes it is the point-biserial
one). Submissions that could not be built are left out of it: no test has seen their program.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import StatisticsError, correlation, fmean, median, quantiles
from typing import Literal

from grader.model import Verdict
from grader.model.gradebook import Grade, Gradebook
from grader.model.report import Report, ReportedTest

BINS = 10
"""parts of the way from nothing to the maximum"""

FEW = 20
"""built submissions below which a correlation says nothing: with 20, its standard error is still 0.2"""

NOTHING = "nothing handed in"
WAITING = "not graded yet"
"""what there is to say of somebody without a report"""

LOW_DISCRIMINATION = 0.2
"""a discrimination below which a test is poor (R. L. Ebel, Essentials of Educational Measurement, 1972)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Scores from `low` up to `high`, in points; the last bin holds the maximum and what bonus points add to it."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How the scores lie, in points; the quartiles are interpolated between scores."""

    mean: float
    median: float
    lower: float
    """the lower quartile"""
    upper: float
    lowest: float
    highest: float
    full: int
    """how many have the maximum or more"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFigures:
    """One test over all graded submissions."""

    __test__ = False

    name: str
    points: float
    bonus: bool
    visibility: Literal["visible", "hidden", "after-due"]
    count: int
    passed: int
    mean: float
    """points"""
    discrimination: float | None
    """from -1 to 1; None when there is none"""
    remark: str
    """why there is none, or what to think of a bad one; else empty"""

    @property
    def passed_percent(self) -> str:
        """How many passed, in whole percent."""
        return f"{100 * self.passed / self.count:.0f} %"

    @property
    def mean_points(self) -> str:
        """What was reached on an average, of how much."""
        if not self.points:
            return "not scored"
        return f"{points_text(self.mean)} of {points_text(self.points)}" + (" (bonus)" if self.bonus else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What there is to count in a class. `spread` is None while nothing is graded."""

    submissions: int
    graded: int
    ungraded: int
    waiting: int
    """handed in and not graded yet"""
    nothing: int
    """entries for which nothing was handed in"""
    unbuilt: int
    """of the graded ones, those of which no program came about"""
    spread: Spread | None
    bins: tuple[Bin, ...]
    tests: tuple[TestFigures, ...]

    @property
    def counts(self) -> list[str]:
        """How many were graded, and how many not and why; nothing of what there is none of."""
        parts = {"graded": self.graded, "ungraded": self.ungraded, WAITING: self.waiting, NOTHING: self.nothing}
        return [f"{count} {what}" for what, count in parts.items() if count or what == "graded"]


def points_text(value: float | None) -> str:
    """Write points as they are shown; nothing when they are not known."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def percent_text(share: float) -> str:
    """Write a share of the credit: `50 %`."""
    return f"{points_text(share * 100)} %"


def outcome_of(grade: Grade) -> str:
    """Say in a word or three what became of a submission."""
    if grade.report is not None:
        return grade.report.verdict
    return NOTHING if grade.entry.path is None else WAITING


def with_outcome(book: Gradebook, word: str) -> list[Grade]:
    """List the grades that came to this."""
    return [grade for grade in book.grades if outcome_of(grade) == word]


def names_of_tests(book: Gradebook) -> list[str]:
    """List the names of all tests, in the order of the spec."""
    return list(dict.fromkeys(test.name for grade in book.grades if grade.report for test in grade.report.tests))


def statistics_of(book: Gradebook) -> Statistics:
    """Count."""
    records = [grade.report for grade in book.grades if grade.report is not None]
    graded = [record for record in records if record.score is not None]
    scores = [record.score for record in graded if record.score is not None]
    nothing = sum(grade.entry.path is None and grade.report is None for grade in book.grades)
    return Statistics(
        submissions=len(book.grades) - nothing,
        graded=len(graded),
        ungraded=len(records) - len(graded),
        waiting=len(book.grades) - nothing - len(records),
        nothing=nothing,
        unbuilt=sum(not is_built(record) for record in graded),
        spread=_spread_of(scores, book.max_score) if scores else None,
        bins=_bins(scores, book.max_score),
        tests=_all_figures(graded),
    )


def is_built(record: Report) -> bool:
    """Whether there was a program to run."""
    cases = (case for test in record.tests for case in test.cases)
    return record.build.ok and all(case.verdict is not Verdict.BUILD_FAILED for case in cases)


def _spread_of(scores: Sequence[float], most: float) -> Spread:
    lower, _, upper = quantiles(scores, n=4, method="inclusive") if len(scores) > 1 else (scores[0],) * 3
    return Spread(
        mean=fmean(scores),
        median=median(scores),
        lower=lower,
        upper=upper,
        lowest=min(scores),
        highest=max(scores),
        full=sum(score >= most for score in scores),
    )


def _bins(scores: Sequence[float], most: float) -> tuple[Bin, ...]:
    """Sort scores into equal bins; where nothing can be scored there are none."""
    if most <= 0:
        return ()
    counts = Counter(min(max(int(score * BINS / most), 0), BINS - 1) for score in scores)
    return tuple(Bin(low=n * most / BINS, high=(n + 1) * most / BINS, count=counts[n]) for n in range(BINS))


def _all_figures(graded: Sequence[Report]) -> tuple[TestFigures, ...]:
    first: dict[str, ReportedTest] = {}
    for record in graded:
        for test in record.tests:
            first.setdefault(test.name, test)
    built = [{test.name: _earned(test) for test in record.tests} for record in graded if is_built(record)]
    return tuple(_figures(test, graded, built) for test in first.values())


def _figures(test: ReportedTest, graded: Sequence[Report], built: Sequence[Mapping[str, float]]) -> TestFigures:
    found = [other for record in graded for other in record.tests if other.name == test.name]
    discrimination, remark = _discrimination(test.name, built)
    return TestFigures(
        name=test.name,
        points=test.points,
        bonus=test.bonus,
        visibility=test.visibility,
        count=len(found),
        passed=sum(other.verdict is Verdict.PASSED for other in found),
        mean=fmean(other.score or 0.0 for other in found),
        discrimination=discrimination,
        remark=remark,
    )


def _earned(test: ReportedTest) -> float:
    """Return the points of a test, or of one without points whether it was passed."""
    return test.score or 0.0 if test.points else float(test.verdict is Verdict.PASSED)


def _discrimination(name: str, built: Sequence[Mapping[str, float]]) -> tuple[float | None, str]:
    pairs = [(worths[name], sum(worths.values()) - worths[name]) for worths in built if name in worths]
    if len(pairs) < FEW:
        return None, "too few submissions"
    if max(map(len, built)) == 1:
        return None, "the only test"
    own, others = zip(*pairs, strict=True)
    if min(own) == max(own):
        return None, "the same for all"
    try:
        found = correlation(own, others)
    except StatisticsError:
        return None, "nothing else differs"
    is_negative = found < -2 / sqrt(len(pairs))  # twice the standard error, or else it may be chance
    return found, "negative" if is_negative else "low" if found < LOW_DISCRIMINATION else ""
