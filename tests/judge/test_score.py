"""Cases -> test -> submission."""

from fractions import Fraction

import pytest

from grader.judge import judge_test, overall
from grader.model import Case, CaseResult, Test, TestResult, Verdict

PASSED, PARTIAL, FAILED = Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED
CRASHED, TIMEOUT, SKIPPED, UNGRADED = Verdict.CRASHED, Verdict.TIMEOUT, Verdict.SKIPPED, Verdict.UNGRADED


def case(verdict: Verdict, credit: Fraction | None = None) -> CaseResult:
    credit = Fraction(verdict == PASSED) if credit is None else credit
    return CaseResult(id="case", verdict=verdict, credit=credit, command="")


HALF = case(PARTIAL, Fraction(1, 2))


def scored(points: str, *cases: CaseResult, all_or_nothing: bool = False, bonus: bool = False) -> TestResult:
    asked = tuple(Case(id=result.id) for result in cases)
    test = Test(name="test", points=Fraction(points), cases=asked, all_or_nothing=all_or_nothing, bonus=bonus)
    return judge_test(test, cases)


@pytest.mark.parametrize(
    ("cases", "score", "verdict"),
    [
        ([case(PASSED), case(PASSED)], Fraction(10), PASSED),
        ([case(PASSED), case(FAILED), case(FAILED)], Fraction(10, 3), PARTIAL),
        ([case(PASSED), HALF], Fraction(15, 2), PARTIAL),
        ([HALF, case(TIMEOUT)], Fraction(5, 2), PARTIAL),
        ([case(FAILED)], Fraction(0), FAILED),
        ([case(CRASHED), case(CRASHED)], Fraction(0), CRASHED),
        ([case(CRASHED), case(TIMEOUT)], Fraction(0), FAILED),
        ([case(SKIPPED), case(SKIPPED)], Fraction(0), SKIPPED),
        ([case(Verdict.BUILD_FAILED)], Fraction(0), Verdict.BUILD_FAILED),
        ([case(PASSED), case(UNGRADED)], None, UNGRADED),
        ([case(FAILED), case(UNGRADED)], None, UNGRADED),
    ],
)
def test_cases_share_the_points(cases: list[CaseResult], score: Fraction | None, verdict: Verdict) -> None:
    result = scored("10", *cases)
    assert (result.score, result.verdict, result.cases) == (score, verdict, tuple(cases))


@pytest.mark.parametrize(
    ("cases", "score", "verdict"),
    [
        ([case(PASSED), case(PASSED)], Fraction(10), PASSED),
        ([case(PASSED), case(TIMEOUT)], Fraction(0), TIMEOUT),
        ([case(PASSED), HALF], Fraction(0), FAILED),
        ([case(PASSED), HALF, case(CRASHED)], Fraction(0), CRASHED),
        ([case(PASSED), case(UNGRADED)], None, UNGRADED),
    ],
)
def test_all_or_nothing(cases: list[CaseResult], score: Fraction | None, verdict: Verdict) -> None:
    result = scored("10", *cases, all_or_nothing=True)
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize(("verdict", "expected"), [(PASSED, PASSED), (FAILED, FAILED)])
def test_a_test_without_points_has_a_verdict(verdict: Verdict, expected: Verdict) -> None:
    result = scored("0", case(verdict))
    assert (result.score, result.verdict) == (Fraction(0), expected)


@pytest.mark.parametrize(
    ("tests", "verdict", "score"),
    [
        ([scored("10", case(PASSED)), scored("0.5", case(PASSED))], PASSED, Fraction(21, 2)),
        ([scored("10", case(PASSED)), scored("5", case(FAILED), bonus=True)], PASSED, Fraction(10)),
        ([scored("10", case(FAILED)), scored("10", case(PASSED), bonus=True)], FAILED, Fraction(10)),
        ([scored("10", case(PASSED)), scored("0", case(FAILED))], PASSED, Fraction(10)),
        ([scored("10", HALF)], FAILED, Fraction(5)),
        ([scored("10", case(FAILED)), scored("0", case(UNGRADED))], UNGRADED, None),
    ],
)
def test_overall(tests: list[TestResult], verdict: Verdict, score: Fraction | None) -> None:
    assert overall(tests) == (verdict, score)
