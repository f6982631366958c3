"""What the staff should look at first: who needs help, and what to teach again.

Both are derived from the grades alone, in a fixed order. A student is named once, under the most urgent reason. Of our
own failures nothing is derived: who is ungraded needs us, and stands under "Ungraded".
"""

from collections.abc import Sequence
from statistics import fmean, quantiles
from typing import NamedTuple

from grader.core.model.gradebook import Grade, Gradebook
from grader.core.text import percent
from grader.results.statistics import Cluster, TestFigures, is_built
from grader.results.view import grade_view

_HALF = 0.5
"""share of the points below which somebody may need help, and share of passes below which a test is worth a look"""
_MIN_SHARE = 0.1  # share of the graded submissions with one mistake from which it is worth a lesson
_MIN_STUDENTS = 2
_REASONS = ("Handed in nothing", "Their files cannot be read", "Their program could not be built", "No points")
_MAX_CAUSES = 5
_MAX_TESTS = 5


class NeedsHelp(NamedTuple):
    """Students with one reason to need help."""

    reason: str
    grades: list[Grade]


class ToTeach(NamedTuple):
    """A mistake that many share: what it costs, and the cluster with its students."""

    cluster: Cluster
    students: int
    lost: float  # mean points lost in the tests concerned, by those who have it


def needs_help(book: Gradebook) -> list[NeedsHelp]:
    """Group those who may need help by reason, the most urgent first."""
    shares = [share for grade in book.grades if (share := grade_view(grade).share) is not None]
    quarter = quantiles(shares, n=4, method="inclusive")[0] if len(shares) > 1 else 0
    low = min(quarter, _HALF - 1e-9)  # below half, and in the lowest quarter of the class
    lowest = f"Among the lowest quarter, with {percent(round(low, 2))} of the points or less"
    found: dict[str, list[tuple[float, Grade]]] = {reason: [] for reason in (*_REASONS, lowest)}
    for grade in book.grades:
        view, report = grade_view(grade), grade.report
        share = view.share
        holds = {
            _REASONS[0]: view.state == "missing",
            _REASONS[1]: view.state == "unreadable",
            _REASONS[2]: share is not None and report is not None and not is_built(report),
            _REASONS[3]: share == 0,
            lowest: share is not None and share <= low,
        }
        if not grade.entry.is_unknown and (reason := next((one for one, does in holds.items() if does), "")):
            found[reason].append((share or 0, grade))
    return [
        NeedsHelp(reason, [grade for _, grade in sorted(grades, key=lambda one: one[0])])
        for reason, grades in found.items()
        if grades
    ]


def to_teach(book: Gradebook, clusters: Sequence[Cluster]) -> list[ToTeach]:
    """Return the mistakes worth a lesson: those that cost the class most, each with its students."""
    graded = sum(grade.report is not None and grade.report.score is not None for grade in book.grades)
    shared = [cluster for cluster in clusters if len(cluster.grades) >= max(_MIN_STUDENTS, _MIN_SHARE * graded)]
    causes = [ToTeach(one, one.students, fmean(_loss(grade, one.tests) for grade in one.grades)) for one in shared]
    worst = sorted(causes, key=lambda one: -one.students * one.lost)
    return [one for one in worst if one.lost > 0][:_MAX_CAUSES]


def _loss(grade: Grade, tests: Sequence[str]) -> float:
    """Return the points that somebody lost in tests; for a failed build, in all."""
    lossy = (test for test in (grade.report.tests if grade.report else ()) if not tests or test.name in tests)
    return sum(max(test.points - test.score, 0) for test in lossy if test.score is not None and not test.bonus)


def weak_tests(tests: Sequence[TestFigures]) -> list[TestFigures]:
    """Return the tests that fewer than half passed, the fewest first."""
    weak = [one for one in tests if one.test.points and not one.test.bonus and one.passed < _HALF * one.count]
    return sorted(weak, key=lambda one: one.passed / one.count)[:_MAX_TESTS]
