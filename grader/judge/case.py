"""The judgement of one case: facts in, verdict and sentence out.

In this order: a limit that ended the program, a crash, and only then what it wrote, returned and left behind. What
deviates is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.
"""

from collections.abc import Mapping
from fractions import Fraction

from grader.judge.ending import compare_exit, crashed, stopped
from grader.judge.explain import credit
from grader.judge.files import compare_files
from grader.judge.streams import compare_streams
from grader.judge.wanted import Stream, Wanted, wanted_streams
from grader.judge.words import percent
from grader.model import Case, CaseResult, Deviation, Execution, Toolchain, Verdict


def judge(
    case: Case, execution: Execution, expected: Execution | None, *, toolchain: Toolchain, command: str
) -> CaseResult:
    """Judge what happened in `case`. `expected` is the reference's execution; None when the case does not ask for it.

    Never raises on what a student's program did; raises HostError when the reference's answer or a pattern is unusable.
    """
    wanted = wanted_streams(case, expected)
    deviations: tuple[Deviation, ...] = ()
    if ending := stopped(execution) or crashed(case, execution, toolchain):
        verdict, message = ending
        share = Fraction(0)
    else:
        deviations = _deviations(case, execution, expected, wanted)
        share = credit({deviation.kind for deviation in deviations}, case.tolerate)
        verdict, message = _verdict(share), _message(deviations, share)
    return CaseResult(
        id=case.id,
        verdict=verdict,
        credit=share,
        command=command,
        message=message,
        deviations=deviations,
        execution=execution,
        expected_stdout=wanted["stdout"].shown if "stdout" in wanted else None,
        expected_stderr=wanted["stderr"].shown if "stderr" in wanted else None,
    )


def _deviations(
    case: Case, execution: Execution, expected: Execution | None, wanted: Mapping[Stream, Wanted]
) -> tuple[Deviation, ...]:
    outputs: dict[Stream, bytes] = {"stdout": execution.stdout, "stderr": execution.stderr}
    return (
        *compare_streams(outputs, wanted),
        *compare_exit(case, execution, expected),
        *compare_files(case, execution, expected),
    )


def _verdict(share: Fraction) -> Verdict:
    if share == 1:
        return Verdict.PASSED
    return Verdict.PARTIAL if share else Verdict.FAILED


def _message(deviations: tuple[Deviation, ...], share: Fraction) -> str:
    sentences = [deviation.message for deviation in deviations]
    if sentences and share:
        sentences.append("This costs nothing." if share == 1 else f"This keeps {percent(share)} of the credit.")
    return " ".join(sentences)
