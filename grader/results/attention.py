"""What the staff should look at first: who needs help, and what to teach again.

Both are derived from the grades alone, in a fixed order. A student is named once, under the most urgent reason. Of our
own failures nothing is derived: who is ungraded needs us, and stands under "Ungraded".
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles

from grader.core.model.gradebook import Grade, Gradebook
from grader.core.text import percent
from grader.results.statistics import Cluster, TestFigures, is_built
from grader.results.view import grade_view

_HALF = 0.5
"""share of the points below which somebody may need help, and share of passes below which a test is worth a look"""
_MIN_SHARE = 0.1  # share of the graded submissions with one mistake from which it is worth a lesson
_MIN_STUDENTS = 2
_MAX_CAUSES = 5
_MAX_TESTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsHelp:
    """Students with one reason to need help."""

    reason: str
    grades: tuple[Grade, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToTeach:
    """A mistake that many share: what it costs, and the cluster with its students."""

    cluster: Cluster
    students: int
    lost: float  # mean points lost in the tests concerned, by those who have it


def needs_help(book: Gradebook) -> list[NeedsHelp]:
    """Group those who may need help by reason, the most urgent first."""
    reasons: dict[str, Callable[[Grade], bool]] = {
        "Handed in nothing": lambda grade: grade_view(grade).state == "missing",
        "Their files cannot be read": lambda grade: grade_view(grade).state == "unreadable",
        "Their program could not be built": lambda grade: _is_graded(grade) and not _is_built(grade),
        "No points": lambda grade: _is_graded(grade) and not grade_view(grade).share,
        _low_reason(book): lambda grade: _is_graded(grade) and (grade_view(grade).share or 0) <= _low_share(book),
    }
    named: set[str] = set()
    found: list[NeedsHelp] = []
    for reason, holds in reasons.items():
        grades = tuple(
            grade
            for grade in book.grades
            if not grade.entry.is_unknown and grade.entry.id not in named and holds(grade)
        )
        named |= {grade.entry.id for grade in grades}
        if grades:
            found.append(
                NeedsHelp(reason=reason, grades=tuple(sorted(grades, key=lambda one: grade_view(one).share or 0)))
            )
    return found


def _is_graded(grade: Grade) -> bool:
    return grade_view(grade).share is not None


def _is_built(grade: Grade) -> bool:
    return grade.report is not None and is_built(grade.report)


def _low_share(book: Gradebook) -> float:
    """Return the share at or below which a score is low: below half, and in the lowest quarter of the class."""
    shares = [share for grade in book.grades if (share := grade_view(grade).share) is not None]
    quarter = quantiles(shares, n=4, method="inclusive")[0] if len(shares) > 1 else 0
    return min(quarter, _HALF - 1e-9)


def _low_reason(book: Gradebook) -> str:
    return f"Among the lowest quarter, with {percent(round(_low_share(book), 2))} of the points or less"


def to_teach(book: Gradebook, clusters: Sequence[Cluster]) -> list[ToTeach]:
    """Return the mistakes worth a lesson: those that cost the class most, each with its students."""
    graded = sum(grade.report is not None and grade.report.score is not None for grade in book.grades)
    shared = [cluster for cluster in clusters if len(cluster.grades) >= max(_MIN_STUDENTS, _MIN_SHARE * graded)]
    causes = [ToTeach(cluster=one, students=one.students, lost=_mean_loss(one)) for one in shared]
    worst = sorted(causes, key=lambda one: -one.students * one.lost)
    return [one for one in worst if one.lost > 0][:_MAX_CAUSES]


def _mean_loss(cluster: Cluster) -> float:
    """Return the mean points that the students of a cluster lost in its tests; for a failed build, in all."""
    return fmean(sum(_losses(grade, cluster.tests)) for grade in cluster.grades)


def _losses(grade: Grade, tests: Sequence[str]) -> Iterator[float]:
    for test in grade.report.tests if grade.report else ():
        if (not tests or test.name in tests) and test.score is not None and not test.bonus:
            yield max(test.points - test.score, 0.0)


def weak_tests(tests: Sequence[TestFigures]) -> list[TestFigures]:
    """Return the tests that fewer than half passed, the fewest first."""
    weak = [one for one in tests if one.test.points and not one.test.bonus and one.passed < _HALF * one.count]
    return sorted(weak, key=lambda one: one.passed / one.count)[:_MAX_TESTS]
