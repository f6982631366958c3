"""The judgement of one case, facts in, verdict and sentence out; and from the cases on, of a test and a submission.

In this order: a limit that ended the program, a crash, and only then what it wrote, returned and left behind. What
deviates is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.

Scores are exact fractions; nothing is rounded here. A test's share of its points is the mean of its cases' credits;
with `all_or_nothing`, 1 when each is 1, and else 0. Its verdict is told from that share and the cases, not from the
points, so that a test of 0 points has one too.
"""

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

from grader.comparators import COMPARATORS
from grader.comparators.base import WRONG
from grader.comparators.text import TEXT_DEVIATIONS
from grader.deviations.explanation import Kinds, credit
from grader.diagnosis import LONGEST_ERROR, ReadLine, find_cause, name_command, no_lines
from grader.judge.calls import Compared, answer_to, broken_off, compare_calls, where_stopped
from grader.judge.ending import LAST_SAID, crashed, read_the_keyboard, stopped
from grader.judge.outputs import (
    compare_exit,
    compare_files,
    compare_streams,
    deviation_in,
    no_checks,
    wanted_streams,
)
from grader.model import (
    Case,
    CaseResult,
    Checks,
    Deviation,
    Execution,
    Expected,
    OnTop,
    Repaired,
    Step,
    Stop,
    Test,
    TestResult,
    Toolchain,
    Verdict,
)
from grader.text import capital, percent, quote, seconds

_ASKED = "It waits for more input, which the assignment does not send."


def judge(
    case: Case,
    execution: Execution,
    expected: Execution | None,
    *,
    toolchain: Toolchain,
    command: str,
    checks: Checks = no_checks,
    read_line: ReadLine = no_lines,
) -> CaseResult:
    """Judge what happened in `case`. `expected` is the reference's execution; None when the case does not ask for it.

    `read_line` reads what the student handed in. Never raises on what a student's program did; raises HostError when
    the reference's answer, a pattern or one of the instructor's `checks` is unusable.
    """
    wanted = wanted_streams(case, expected, checks)
    answer = None
    end = stopped(case, execution)
    if case.functions:
        answer = answer_to(case, expected)
        if end:
            end = end[0], end[1] + where_stopped(case, execution)
        else:
            end = broken_off(case, execution, answer, toolchain, read_line) or crashed(
                case, execution, toolchain, read_line
            )
    elif end := end or crashed(case, execution, toolchain, read_line):
        end = _told_with_dialogue(execution, *end)
    deviations: tuple[Deviation, ...] = ()
    called: tuple[Compared, ...] = ()
    if end:
        verdict, message = end
        share = Fraction(0)
    else:
        if case.functions:
            called = tuple(compare_calls(case, execution, answer, checks))
        deviations = tuple(deviation for deviation, _ in called)
        if not (execution.calls and execution.calls.missing):
            stop = execution.stop
            if stop:
                kind = "unflushed" if stop.late else "wrong"
                deviations += (deviation_in(case, kind, "stdout", _where_dialogue_stopped(execution, stop)),)
            # All that follows from a dialogue that went wrong would be told again.
            if not stop or stop.late:
                deviations += compare_streams({"stdout": execution.stdout, "stderr": execution.stderr}, wanted)
                deviations += (*compare_exit(case, execution, expected), *compare_files(case, execution, expected))
        share = credit({deviation.kind for deviation in deviations}, case.tolerate)
        verdict = _verdict_of(share)
        reason = _tell_failed_command(case, execution, deviations)
        message = reason + _tell_deviations(deviations, share)
        if any(deviation.kind == "wrong" and deviation.stream == "stdout" for deviation in deviations):
            message += read_the_keyboard(case, execution)
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
        terminal=case.terminal,
    )


def _tell_deviations(deviations: tuple[Deviation, ...], share: Fraction) -> str:
    """Say what deviates and, unless all of it costs everything, what each kind costs."""
    costs = {deviation.kind: 1 - deviation.keeps for deviation in deviations}
    told = {kind: " ".join(one.message for one in deviations if one.kind == kind) for kind in costs}
    if set(costs.values()) == {Fraction(0)}:
        return f"{' '.join(told.values())} {'This costs nothing.' if len(costs) == 1 else 'All this costs nothing.'}"
    if set(costs.values()) <= {Fraction(1)}:
        return " ".join(told.values())
    left = f" {percent(share)} is left." if share and sum(map(bool, costs.values())) > 1 else ""
    named = {Fraction(0): "nothing", Fraction(1): "everything"}
    return " ".join(f"{told[kind]} This costs {named.get(cost, percent(cost))}." for kind, cost in costs.items()) + left


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
    return _with_share(test, cases, share)


def charge_repair(result: TestResult, repaired: Repaired, spared: Collection[str]) -> TestResult:
    """Take from a test what a repair costs its cases, but for those that are `spared`; where nothing is had, nothing.

    A test that is all or nothing keeps what the case keeps that keeps the least.
    """
    cases = tuple(one if one.id in spared else _charged(one, repaired) for one in result.cases)
    if result.score is None:
        return replace(result, cases=cases)
    if result.test.all_or_nothing:
        is_full = all(case.credit == 1 for case in result.cases)
        share = min(case.credit for case in cases) if is_full else Fraction(0)
    else:
        share = sum((case.credit for case in cases), Fraction(0)) / len(cases)
    return _with_share(result.test, cases, share)


def _charged(case: CaseResult, repaired: Repaired) -> CaseResult:
    if not case.credit:
        return case
    repair = repaired.repair
    share = case.credit * repair.keeps
    deviation = Deviation(kind=repair.name, stream="build", message=repaired.message, keeps=repair.keeps)
    return replace(case, verdict=_verdict_of(share), credit=share, deviations=(*case.deviations, deviation))


def _with_share(test: Test, cases: tuple[CaseResult, ...], share: Fraction) -> TestResult:
    verdict = _verdict_of(share)
    if not share:
        # What all failing cases have in common says more than that they failed.
        verdicts = {case.verdict for case in cases} - {Verdict.PASSED, Verdict.PARTIAL}
        verdict = verdicts.pop() if len(verdicts) == 1 else Verdict.FAILED
    return TestResult(test=test, score=test.points * share, verdict=verdict, cases=cases)


def overall(tests: Collection[TestResult], on_top: Collection[OnTop] = ()) -> tuple[Verdict, Fraction | None]:
    """Return verdict and score of a submission: passed with every point that is no bonus; bonus points count on top.

    So does what is `on_top`, and what that takes off never leads below 0.

    With a test that is ungraded, the submission is ungraded and has no score.
    """
    score = Fraction(0)
    full = True
    for result in tests:
        if result.score is None:
            return Verdict.UNGRADED, None
        score += result.score
        full = full and (result.test.bonus or result.score == result.test.points)
    total = sum((one.points for one in on_top), Fraction(0))
    return Verdict.PASSED if full and total >= 0 else Verdict.FAILED, max(score + total, Fraction(0))


def _tell_failed_command(case: Case, execution: Execution, deviations: tuple[Deviation, ...]) -> str:
    """Say what a command complained of when it failed, before what that left wrong.

    "" where it did not fail, where its status is the one asked for, and where its words are themselves judged.
    """
    if case.command is None or not deviations or not execution.status or not execution.stderr.strip():
        return ""
    if case.expect.exit != "any" and all(deviation.kind != "exit-status" for deviation in deviations):
        return ""
    if case.expect.stderr and case.expect.stderr.is_checked:
        return ""
    found = find_cause(execution.stderr[:LAST_SAID])
    error = f": {quote(found.error, most=LONGEST_ERROR)}" if found.error else ""
    return f"{capital(name_command(case.command))} failed{error}{f' ({found.place})' if found.place else ''}. "


# ---------------------------------------------------------------- dialogues


def _told_with_dialogue(execution: Execution, verdict: Verdict, message: str) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an end at a limit or in a crash, with what the dialogue has to do with it.

    What happened after we had closed the input in the middle of a dialogue is our doing, and no crash of the program's.
    """
    stop = execution.stop
    if stop and not stop.ended and execution.limit is None:
        return None
    if stop and stop.ended and execution.limit:
        message += f" {capital(_awaited_step(stop.step))} was still expected."
    elif stop:
        message += f" {_where_dialogue_stopped(execution, stop)}"
    elif execution.asked:
        message += f" {_ASKED}"
    return verdict, message


def _where_dialogue_stopped(execution: Execution, stop: Stop) -> str:
    wanted = _awaited_step(stop.step)
    if stop.late:
        return (
            f"{wanted} came only after the input was closed: flush standard output after writing what a person is to "
            f"read before answering."
        )
    waited, last = seconds(stop.waited), stop.before.rstrip(b"\r\n").rpartition(b"\n")[2]
    if last:
        instead = f"the program had printed {quote(last)}"
    else:
        instead = f"the program had printed nothing{' more' if execution.stdout or execution.stderr else ''}"
    if stop.ended:
        end = f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
        return f"The program ended ({end}) while {wanted} was still expected; {instead}."
    if stop.step.do == "eof":
        waits = f" {_ASKED}" if execution.asked else ""
        return f"The program should have ended, but had not after {waited}; {instead}.{waits}"
    waits = " and was waiting for input" if execution.asked else ""
    return f"Waited {waited} for {wanted}; {instead}{waits}."


def _awaited_step(step: Step) -> str:
    if step.do == "eof":
        return "the end of the output"
    return f"{'the pattern ' if step.do == 'regex' else ''}{quote(step.text)}"


# ---------------------------------------------------------------- what can deviate at all


def reachable(case: Case) -> Kinds:
    """Return the deviations that a program can have in a case; none when nothing that it does can be wrong."""
    streams = [stream for stream in (case.expect.stdout, case.expect.stderr) if stream and stream.is_checked]
    found = Kinds().union(*map(_reachable_in, streams))
    if any(COMPARATORS[stream.how].asks(stream) for stream in streams):
        found |= {"wrong-stream"}
        if all(COMPARATORS[stream.how].linewise for stream in streams):
            found |= {"split-streams"}
    if case.expect.exit != "any":
        found |= {"exit-status"}
    if case.expect.files:
        found |= TEXT_DEVIATIONS if case.expect.files.same else WRONG
    if any(step.waits for step in case.dialogue):
        found |= {"wrong", "unflushed"}
    if case.functions:
        found |= WRONG
        found |= Kinds().union(*(_reachable_in(value.text) for value in case.functions.expected.values() if value.text))
    return found


def _reachable_in(expected: Expected) -> Kinds:
    return COMPARATORS[expected.how].reachable(expected)
