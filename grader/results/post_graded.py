"""What came after the grading of a class, in words and in points: lateness, and what was decided by hand."""

from fractions import Fraction

from msgspec import UNSET

from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.report import ByHand, fraction
from grader.core.report.final_score import describe_final


def describe_post_grading(grade: Grade) -> list[str]:
    """Say what came after the grading, a line each, without the scores before and after it."""
    most = grade.report.max_score if grade.report else 0.0
    return describe_final(grade.final, most, grade.report)[1:-1]


def given_by_hand(grade: Grade) -> float | None:
    """Return the points that were given or taken by hand, beside the graded ones; None when none were."""
    final, report = grade.final, grade.report
    changes = [one for one in final.by_hand if _is_change(one)] if final else []
    if not changes:
        return None
    graded = {test.name: test.score for test in report.tests} | {"": report.score} if report else {}
    total = Fraction(0)
    for one in changes:
        total += fraction(one.points or 0) if one.score is UNSET else fraction(one.score)
        total -= fraction((graded.get(one.test) if one.score is not UNSET else 0) or 0)
    return float(total)


def describe_changes(book: Gradebook) -> str:
    """Count the grades with post-grading: "2 late, 1 changed by hand"; empty if there are none."""
    finals = [grade.final for grade in book.grades if grade.final]
    late = [final.late for final in finals if final.late]
    counts = {
        "late": sum(bool(one.submitted and one.days) for one in late),
        "late within the time of grace": sum(bool(one.submitted and not one.days) for one in late),
        "changed by hand": sum(any(map(_is_change, final.by_hand)) for final in finals),
        "excused": sum(final.is_excused for final in finals),
        "with a comment by hand": sum(any(_is_comment(one) for one in final.by_hand) for final in finals),
        "whose time of submission is not known": sum(not one.submitted for one in late),
    }
    return ", ".join(f"{number} {what}" for what, number in counts.items() if number)


def _is_change(one: ByHand) -> bool:
    return one.points is not None or one.score is not UNSET


def _is_comment(one: ByHand) -> bool:
    return not _is_change(one) and not one.excused
