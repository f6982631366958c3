"""Scores: cases -> test -> submission. Exact fractions; nothing is rounded here.

A test's share of its points is the mean of its cases' credits; with `all_or_nothing`, 1 when each is 1, and else 0. Its
verdict is told from that share and the cases, not from the points, so that a test of 0 points has one too.
"""

from collections.abc import Collection
from fractions import Fraction

from grader.model import CaseResult, Test, TestResult, Verdict


def judge_test(test: Test, cases: tuple[CaseResult, ...]) -> TestResult:
    """Return score and verdict of `test` from its `cases`, of which there is one at least."""
    if any(case.verdict == Verdict.UNGRADED for case in cases):
        return TestResult(test=test, score=None, verdict=Verdict.UNGRADED, cases=cases)
    share = _share(test, cases)
    return TestResult(test=test, score=test.points * share, verdict=_verdict(share, cases), cases=cases)


def _share(test: Test, cases: tuple[CaseResult, ...]) -> Fraction:
    if test.all_or_nothing:
        return Fraction(all(case.credit == 1 for case in cases))
    return sum((case.credit for case in cases), Fraction(0)) / len(cases)


def _verdict(share: Fraction, cases: tuple[CaseResult, ...]) -> Verdict:
    """Full share: passed; some: partial; none: what all failing cases have in common, else failed."""
    if share:
        return Verdict.PASSED if share == 1 else Verdict.PARTIAL
    verdicts = {case.verdict for case in cases} - {Verdict.PASSED, Verdict.PARTIAL}
    return verdicts.pop() if len(verdicts) == 1 else Verdict.FAILED


def overall(tests: Collection[TestResult]) -> tuple[Verdict, Fraction | None]:
    """Return verdict and score of a submission: passed with every point that is no bonus; bonus points count on top.

    With a test that is ungraded, the submission is ungraded and has no score.
    """
    score = Fraction(0)
    full = True
    for result in tests:
        if result.score is None:
            return Verdict.UNGRADED, None
        score += result.score
        full = full and (result.test.bonus or result.score == result.test.points)
    return Verdict.PASSED if full else Verdict.FAILED, score
