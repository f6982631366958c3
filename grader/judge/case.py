"""The judgement of one case: facts in, verdict and sentence out.

In this order: a limit that ended the program, a crash, and only then what it wrote, returned and left behind. What
deviates is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.
"""

from collections.abc import Mapping
from fractions import Fraction

from grader.judge.calls import Compared, calls_broken_off, compare_calls
from grader.judge.dialogue import compare_dialogue, ending
from grader.judge.ending import compare_exit, crashed, stopped
from grader.judge.explain import credit
from grader.judge.files import compare_files
from grader.judge.streams import compare_streams
from grader.judge.wanted import Wanted, no_checks, wanted_streams
from grader.model import Case, CaseResult, Checks, Deviation, Execution, Stream, Toolchain, Verdict
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
    if end := _ending(case, execution, expected, toolchain):
        verdict, message = end
        share = Fraction(0)
    else:
        called = tuple(compare_calls(case, execution, expected, checks))
        deviations = tuple(deviation for deviation, _ in called)
        if not (execution.calls and execution.calls.missing):
            deviations += _deviations(case, execution, expected, wanted)
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
        contrasts=tuple(contrast for _, contrast in called if contrast),
    )


def _ending(
    case: Case, execution: Execution, expected: Execution | None, toolchain: Toolchain
) -> tuple[Verdict, str] | None:
    if case.functions:
        return calls_broken_off(case, execution, expected, toolchain)
    return ending(execution, stopped(execution) or crashed(case, execution, toolchain))


def _deviations(
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


def _verdict(share: Fraction) -> Verdict:
    if share == 1:
        return Verdict.PASSED
    return Verdict.PARTIAL if share else Verdict.FAILED


def _message(deviations: tuple[Deviation, ...], share: Fraction) -> str:
    sentences = [deviation.message for deviation in deviations]
    if sentences and share:
        sentences.append("This costs nothing." if share == 1 else f"This keeps {percent(share)} of the credit.")
    return " ".join(sentences)
