"""The judgement of one case, facts in, verdict and sentence out; and from the cases on, of a test and a submission.

In this order: a limit that ended the program, a crash, and only then what it wrote, returned and left behind. What
deviates is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.

Scores are exact fractions; nothing is rounded here. A test's share of its points is the mean of its cases' credits;
with `all_or_nothing`, 1 when each is 1, and else 0. Its verdict is told from that share and the cases, not from the
points, so that a test of 0 points has one too.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction

from grader.comparators import COMPARATORS
from grader.comparators.base import Wanted
from grader.deviations.explanation import credit
from grader.judge.calls import Compared, calls_broken_off, compare_calls
from grader.judge.ending import compare_dialogue, compare_exit, crashed, stopped, told_with_dialogue
from grader.judge.files import compare_files
from grader.judge.streams import compare_streams
from grader.judge.wanted import Stream, no_checks, wanted_streams
from grader.model import Case, CaseResult, Checks, Deviation, Execution, Test, TestResult, Toolchain, Verdict
from grader.text import percent


def judge(
    case: Case,
    execution: Execution,
    expected: Execution | None,
    *,
    toolchain: Toolchain,
    command: str,
    checks: Checks = no_checks,
) -> CaseResult:
    """Judge what happened in `case`. `expected` is the reference's execution; None when the case does not ask for it.

    Never raises on what a student's program did; raises HostError when the reference's answer, a pattern or
    one of the instructor's `checks` is unusable.
    """
    wanted = wanted_streams(case, expected, checks)
    deviations: tuple[Deviation, ...] = ()
    called: tuple[Compared, ...] = ()
    if case.functions:
        end = calls_broken_off(case, execution, expected, toolchain)
    else:
        end = told_with_dialogue(execution, stopped(execution) or crashed(case, execution, toolchain))
    if end:
        verdict, message = end
        share = Fraction(0)
    else:
        called = tuple(compare_calls(case, execution, expected, checks))
        deviations = tuple(deviation for deviation, _ in called)
        if not (execution.calls and execution.calls.missing):
            deviations += _all_deviations(case, execution, expected, wanted)
        share = credit({deviation.kind for deviation in deviations}, case.tolerate)
        verdict = _verdict_of(share)
        message = " ".join(deviation.message for deviation in deviations)
        if message and share:
            message += " This costs nothing." if share == 1 else f" This keeps {percent(share)} of the credit."
    shown = {stream: want.values[0] for stream, want in wanted.items() if COMPARATORS[want.how].shown}
    return CaseResult(
        id=case.id,
        verdict=verdict,
        credit=share,
        command=command,
        message=message,
        deviations=deviations,
        execution=execution,
        expected_stdout=shown.get("stdout"),
        expected_stderr=shown.get("stderr"),
        contrasts=tuple(contrast for _, contrast in called if contrast),
    )


def _all_deviations(
    case: Case, execution: Execution, expected: Execution | None, wanted: Mapping[Stream, Wanted]
) -> tuple[Deviation, ...]:
    outputs: dict[Stream, bytes] = {"stdout": execution.stdout, "stderr": execution.stderr}
    talk = compare_dialogue(case, execution)
    if any(deviation.kind == "wrong" for deviation in talk):
        return talk  # all that follows from it would be told again
    return (
        *talk,
        *compare_streams(outputs, wanted),
        *compare_exit(case, execution, expected),
        *compare_files(case, execution, expected),
    )


def _verdict_of(share: Fraction) -> Verdict:
    if share == 1:
        return Verdict.PASSED
    return Verdict.PARTIAL if share else Verdict.FAILED


def judge_test(test: Test, cases: tuple[CaseResult, ...]) -> TestResult:
    """Return score and verdict of `test` from its `cases`, of which there is one at least."""
    if any(case.verdict == Verdict.UNGRADED for case in cases):
        return TestResult(test=test, score=None, verdict=Verdict.UNGRADED, cases=cases)
    if test.all_or_nothing:
        share = Fraction(all(case.credit == 1 for case in cases))
    else:
        share = sum((case.credit for case in cases), Fraction(0)) / len(cases)
    verdict = _verdict_of(share)
    if not share:
        # What all failing cases have in common says more than that they failed.
        verdicts = {case.verdict for case in cases} - {Verdict.PASSED, Verdict.PARTIAL}
        verdict = verdicts.pop() if len(verdicts) == 1 else Verdict.FAILED
    return TestResult(test=test, score=test.points * share, verdict=verdict, cases=cases)


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
