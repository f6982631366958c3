"""What a case has that passed, or would have but for a repair; which tests a job is of."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.core.model.layout import Submission
from grader.core.model.report import CaseResult, Deviation, Job, Verdict
from grader.core.model.spec import Case, Spec, Test
from tests.support.rows import each_row


@each_row
def test_what_a_repair_alone_keeps_from_passing_is_right(
    *, verdict: Verdict, credit: str, deviations: tuple[Deviation, ...], is_right: bool
) -> None:
    case = CaseResult(id="a", verdict=verdict, credit=Fraction(credit), command="", deviations=deviations)
    assert case.is_right is is_right


def test_a_job_is_of_all_tests_or_of_those_that_are_named() -> None:
    first, second, third = (Test(name=name, points=Fraction(1), cases=(Case(id=name),)) for name in "abc")
    spec = Spec(id="x", title="x", root=Path(), digest="", tests=(first, second, third), program=("./x",))
    asked: dict[str, Any] = {"spec": Path(), "submission": Submission(id="s", path=Path())}
    assert Job(**asked).tests_of(spec) == (first, second, third)
    assert Job(**asked, only=("c", "a")).tests_of(spec) == (first, third)
    assert Job(**asked, only=("d",)).tests_of(spec) == ()


def test_what_is_said_nowhere() -> None:
    """What a result has where nobody says: it keeps nothing, and was no run on a terminal."""
    assert Deviation(kind="wrong", stream="stdout", message="").keeps == 0
    assert not CaseResult(id="a", verdict=Verdict.PASSED, credit=Fraction(1), command="").terminal
