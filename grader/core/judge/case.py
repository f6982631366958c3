"""The judgement of one case, facts in, verdict and sentence out.

In this order: a limit that ended the program, a crash, and only then what it wrote, returned and left behind. What
deviates is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS
from grader.core.comparators.base import WRONG
from grader.core.deviations.normalise import Kinds
from grader.core.deviations.search import credit
from grader.core.diagnosis import MAX_ERROR_LENGTH, ReadLine, find_cause, name_command, no_lines
from grader.core.judge.ending import MAX_ERROR_TAIL_BYTES, crashed, describe_disagreement, hint_no_stdin, stopped
from grader.core.judge.outputs import (
    bind_checks,
    compare_exit,
    compare_files,
    compare_with_nearest,
    deviation_in,
    no_checks,
    stands_beside,
    wanted_streams,
    with_shares,
)
from grader.core.model import (
    Case,
    CaseResult,
    Checks,
    Deviation,
    Execution,
    Expected,
    FailedStep,
    Step,
    Stream,
    Toolchain,
    Verdict,
)
from grader.core.text import capital, percent, quote, seconds, show
from grader.kinds.functions.judge import Compared, answer_to, broken_off, compare_calls, where_stopped
from grader.kinds.interactive.judge import Ending, describe_refusal, describe_share, end_of_interaction, share_given
from grader.kinds.memory_clean.judge import describe_memory_fault, memory_deviations, memory_spots
from grader.kinds.unit_tests.judge import judge_unit

MAX_TEST_LENGTH = 60
"""characters of a test's name in a sentence about another"""

_COSTS = {Fraction(1): "nothing", Fraction(0): "all of the credit"}
_ASKED = "It waits for more input than the assignment sends."


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
    happened = execution
    case, execution, expected = _counted(case, execution, expected, toolchain)
    judges = bind_checks(checks, case, execution, expected)
    wanted = wanted_streams(case, expected, judges)
    nearest = wanted[0]
    answer = None
    end = stopped(case, execution)
    if case.unit:
        end = end or judge_unit(case.unit, execution, read_line)
    elif case.functions:
        answer = answer_to(case, expected)
        if end:
            end = end[0], end[1] + where_stopped(case, execution)
        else:
            end = broken_off(case, execution, answer, toolchain, read_line, checks=judges) or crashed(
                case, execution, toolchain, read_line
            )
    else:
        end = _end_of_command(case, execution, end, crashed(case, execution, toolchain, read_line))
    deviations: tuple[Deviation, ...] = ()
    called: tuple[Compared, ...] = ()
    if end:
        verdict, message = end[0], end[1] + describe_memory_fault(execution, read_line)
        share = Fraction(0)
    else:
        if case.functions:
            called = tuple(compare_calls(case, execution, answer, judges))
        deviations = tuple(deviation for deviation, _ in called)
        if not (execution.calls and execution.calls.missing):
            talked = tuple(_describe_talk(case, execution))
            deviations += talked
            # All that follows from a dialogue or an interaction that went wrong would be told again.
            if all(one.kind == "unflushed" for one in talked):
                outputs: Mapping[Stream, bytes] = {"stdout": execution.stdout, "stderr": execution.stderr}
                nearest, streamed = compare_with_nearest(outputs, wanted, case.tolerate)
                deviations += streamed
                deviations += (
                    *compare_exit(case, execution, expected),
                    *compare_files(case, execution, expected, judges),
                )
        deviations += memory_deviations(case, execution, read_line)
        leaves = with_shares(deviations, case.tolerate)
        share = credit({deviation.kind for deviation in deviations}, leaves) * share_given(execution)
        verdict = verdict_of(share)
        reason = _describe_failed_command(case, execution, deviations)
        message = reason + describe_deviations(deviations) if deviations else describe_share(execution)
        if any(deviation.kind == "wrong" and deviation.stream == "stdout" for deviation in deviations):
            message += hint_no_stdin(case, execution, nearest.get("stdout"))
    message += describe_disagreement(execution, verdict)
    shown = {stream: show(want.values[0]) for stream, want in nearest.items() if stands_beside(want)}
    return CaseResult(
        id=case.id,
        verdict=verdict,
        credit=share,
        command=command,
        message=message,
        deviations=deviations,
        execution=replace(happened, stdout=execution.stdout, stderr=execution.stderr),
        expected_stdout=shown.get("stdout"),
        expected_stderr=shown.get("stderr"),
        contrasts=tuple(contrast for _, contrast in called if contrast),
        spots=memory_spots(execution, read_line),
        terminal=case.terminal,
    )


def describe_deviations(deviations: Sequence[Deviation]) -> str:
    """Say what deviates and, unless all of it costs everything, what each kind costs, and where else it is counted."""
    kept = with_shares(deviations, {deviation.kind: deviation.keeps for deviation in deviations})
    told = {kind: " ".join(one.message for one in deviations if one.kind == kind) for kind in kept}
    homes = {one.kind: one.counted_in for one in deviations if one.counted_in}
    if not homes and set(kept.values()) == {Fraction(1)}:
        return f"{' '.join(told.values())} {'This costs nothing.' if len(kept) == 1 else 'All this costs nothing.'}"
    if set(kept.values()) <= {Fraction(0)}:
        return " ".join(told.values())
    costs = {
        kind: f"This costs {_COSTS.get(keeps, f'{percent(1 - keeps)} of the credit')}." for kind, keeps in kept.items()
    }
    costs |= {kind: f"This is counted once, in {quote(name, most=MAX_TEST_LENGTH)}." for kind, name in homes.items()}
    share = credit(kept, kept)
    left = f"; {percent(share)} remains." if share and sum(keeps != 1 for keeps in kept.values()) > 1 else "."
    return " ".join(f"{told[kind]} {cost}" for kind, cost in costs.items()).removesuffix(".") + left


def verdict_of(share: Fraction) -> Verdict:
    """Return the verdict of a share of the credit, or of the points."""
    if share == 1:
        return Verdict.PASSED
    return Verdict.PARTIAL if share else Verdict.FAILED


def _describe_failed_command(case: Case, execution: Execution, deviations: tuple[Deviation, ...]) -> str:
    """Say what a command complained of when it failed, before what that left wrong.

    "" where it did not fail, where its status is the one asked for, and where its words are themselves judged.
    """
    if case.command is None or not deviations or not execution.status or not execution.stderr.strip():
        return ""
    if case.expect.exit != "any" and all(deviation.kind != "exit-status" for deviation in deviations):
        return ""
    if case.expect.stderr and case.expect.stderr.is_checked:
        return ""
    found = find_cause(execution.stderr[:MAX_ERROR_TAIL_BYTES])
    error = f": {quote(found.error, most=MAX_ERROR_LENGTH)}" if found.error else ""
    return f"{capital(name_command(case.command))} failed{error}{f' ({found.place})' if found.place else ''}. "


# ---------------------------------------------------------------- dialogues and interactions


def _end_of_command(case: Case, execution: Execution, stopped: Ending | None, crashed: Ending | None) -> Ending | None:
    """Return verdict and sentence where how a command ended decides all: by itself, or with whoever spoke with it."""
    if case.interactor:
        return end_of_interaction(execution, stopped, crashed)
    end = stopped or crashed
    return _describe_with_dialogue(execution, *end) if end else None


def _describe_talk(case: Case, execution: Execution) -> Iterator[Deviation]:
    """Tell what is wrong with how a dialogue went, or with what a program said to the other side."""
    if stop := execution.stop:
        kind = "unflushed" if stop.late else "wrong"
        yield deviation_in(case, kind, "stdout", _where_dialogue_stopped(execution, stop))
    if refusal := describe_refusal(execution):
        yield deviation_in(case, "wrong", "stdout", refusal)


def _describe_with_dialogue(execution: Execution, verdict: Verdict, message: str) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of an end at a limit or in a crash, with what the dialogue has to do with it.

    What happened after we had closed the input in the middle of a dialogue is our doing, and no crash of the program's.
    """
    stop = execution.stop
    if verdict is Verdict.UNGRADED:
        return verdict, message
    if stop and not stop.ended and execution.limit is None:
        return None
    if stop and stop.ended and execution.limit:
        message += f" {capital(_awaited_step(stop.step))} was still expected."
    elif stop:
        message += f" {_where_dialogue_stopped(execution, stop)}"
    elif execution.asked:
        message += f" {_ASKED}"
    return verdict, message


def _counted(
    case: Case, execution: Execution, expected: Execution | None, toolchain: Toolchain
) -> tuple[Case, Execution, Execution | None]:
    """Return what counts when all steps of a dialogue were done, and we ended the input that was still waited for.

    A failure that follows is our doing: then both programs count up to there, and with no status.
    """
    fails = execution.left and (execution.limit or crashed(case, execution, toolchain, no_lines))
    right_fails = expected is not None and expected.left and expected.status != 0
    if not (fails or right_fails):
        return case, execution, expected
    open_ended = replace(case, expect=replace(case.expect, exit="any"))
    return open_ended, execution.truncated_to_script_end, expected and expected.truncated_to_script_end


def _where_dialogue_stopped(execution: Execution, stop: FailedStep) -> str:
    wanted = _awaited_step(stop.step)
    if stop.late:
        return (
            f"Your program wrote {wanted} only after its input was closed; "
            f"flush standard output before waiting for an answer."
        )
    waited, last = seconds(stop.waited), stop.before.rstrip(b"\r\n").rpartition(b"\n")[2]
    if last:
        instead = f"it had printed {quote(last)}"
    else:
        instead = f"it had printed nothing{' more' if execution.stdout or execution.stderr else ''}"
    if stop.ended:
        surely = execution.status is None and not execution.by_status
        end = f"signal {execution.signal}" if surely else f"status {execution.shell_exit_status}"
        return f"Your program ended ({end}) while {wanted} was still expected; {instead}."
    if stop.step.do == "eof":
        waits = f" {_ASKED}" if execution.asked else ""
        return f"Your program should have ended, but was still running after {waited}; {instead}.{waits}"
    waits = " and was waiting for input" if execution.asked else ""
    return f"Your program did not print {wanted} within {waited}; {instead}{waits}."


def _awaited_step(step: Step) -> str:
    if step.do == "eof":
        return "the end of the output"
    return f"{'text that matches ' if step.do == 'regex' else ''}{quote(step.text)}"


# ---------------------------------------------------------------- what can deviate at all


def reachable(case: Case) -> Kinds:
    """Return the deviations that a program can have in a case; none when nothing that it does can be wrong."""
    streams = [stream for stream in (case.expect.stdout, case.expect.stderr) if stream and stream.is_checked]
    found = Kinds().union(*map(_reachable_in, streams))
    if not case.expect.screen and any(
        all(any(COMPARATORS[leaf.how].asks(leaf) for leaf in one.leaves) for one in stream.alternatives)
        for stream in streams
    ):
        found |= {"wrong-stream"}
        if all(any(_is_every_line(one) for one in stream.alternatives) for stream in streams):
            found |= {"split-streams"}
    if case.expect.exit != "any":
        found |= {"exit-status"}
    if case.expect.files:
        found |= WRONG.union(*map(_reachable_in, case.expect.files.contents.values()))
    if any(step.waits for step in case.dialogue):
        found |= {"wrong", "unflushed"}
    if case.interactor or case.source:
        found |= WRONG
    if case.functions or case.unit:
        found |= WRONG
    if case.memory_clean:
        found |= {"memory-fault", "memory-leak"}
    if case.functions:
        found |= Kinds().union(
            *(_reachable_in(text) for value in case.functions.expected.values() for text in value.texts)
        )
    return found


def _is_every_line(expected: Expected) -> bool:
    return COMPARATORS[expected.how].linewise and not (expected.only or expected.skip)


def _reachable_in(expected: Expected) -> Kinds:
    each = [
        Kinds().union(*(COMPARATORS[leaf.how].reachable(leaf) for leaf in one.leaves)) for one in expected.alternatives
    ]
    return Kinds().union(*each) if all(each) else Kinds()
