"""The judgement of one case, facts in, verdict and sentence out.

In this order: a limit that ended the program, a crash, and only then its output, return values and files. A deviation
is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS
from grader.core.comparators.base import WRONG
from grader.core.deviations.table import Kinds
from grader.core.diagnosis import MAX_ERROR_LENGTH, ReadLine, find_cause, name_command, no_lines
from grader.core.judge.ending import cause_of_end, crashed, hint_no_stdin, name_program, stopped
from grader.core.judge.outputs import (
    Wants,
    answer_of,
    bind_checks,
    compare_files,
    compare_with_nearest,
    deviation_in,
    no_checks,
    share_left,
    shares_of,
    shell_status,
    stands_beside,
    wanted_streams,
)
from grader.core.kind import KINDS, JudgeContext, kind_of
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Deviation, Judged, Message, Settled, Verdict, summarise
from grader.core.model.spec import AnyOf, Case, CheckOptions, Expected, Leaf, Toolchain
from grader.core.model.values import Checks
from grader.core.text import TEXT_LIMIT, capital, percent, quote, show


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

    Never raises on what a student's program did; raises HostError when the course's part, such as a check, is unusable.
    """
    happened, (case, execution, expected) = execution, _counted(case, execution, expected, toolchain)
    whole = replace(happened, stdout=execution.stdout, stderr=execution.stderr)
    bound = bind_checks(checks, case, execution, expected)
    context = JudgeContext(toolchain=toolchain, read_line=read_line, checks=bound, stopped=stopped(case, execution))
    wanted, own = wanted_streams(case, expected, bound), kind_of(case).judge
    ending = None if own else context.stopped or crashed(case, execution, toolchain, read_line)
    found = own(case, execution, expected, context) if own else ending or Judged()
    if isinstance(found, Judged):
        facts, nearest = _judge_facts(case, execution, expected, context, found, wanted=wanted)
    else:
        facts, nearest = _describe_ending(case, execution, found, context), wanted[0]
    message = facts.pop("message").with_remark("other-runs", describe_disagreement(execution, facts["verdict"]))
    facts |= {f"expected_{key}": show(want.values[0]) for key, want in nearest.items() if stands_beside(want)}
    return CaseResult(
        id=case.id,
        command=command,
        message=message,
        run=summarise(whole),
        whole=whole,
        spots=tuple(spot for name in case.also for spot in KINDS[name].describe(execution, read_line)[1]),
        terminal=case.terminal,
        **facts,
    )


def _describe_ending(case: Case, execution: Execution, ending: Settled, context: JudgeContext) -> dict[str, Any]:
    """Return fields of the result of a run whose end settles the case, with what further runs say of it."""
    verdict, message = ending
    for name in case.also:
        message = message.with_remark(name, KINDS[name].describe(execution, context.read_line)[0])
    cause = cause_of_end(ending, execution, context.toolchain)
    return {"verdict": verdict, "credit": Fraction(0), "message": message, "cause": cause}


def _judge_facts(
    case: Case,
    execution: Execution,
    expected: Execution | None,
    context: JudgeContext,
    own: Judged,
    *,
    wanted: Sequence[Wants],
) -> tuple[dict[str, Any], Wants]:
    """Return fields of the result of a run that came to an end of its own, and the right outputs nearest to its own."""
    judges = filter(None, (KINDS[name].judge for name in case.also))
    further = (judge_further(case, execution, expected, context) for judge_further in judges)
    judged = [own, *(one for one in further if isinstance(one, Judged))]
    outputs: Sequence[Deviation] = ()
    nearest: Wants = wanted[0]
    if own.compares_outputs:
        outputs = tuple(compare_exit(case, execution, expected))
        # A validator is not asked where the status costs everything: it may fail on half an output.
        leaves = (leaf for *_, asked in case.expect.streams if asked for leaf in asked.leaves)
        has_validator = any(leaf.get(CheckOptions).validator for leaf in leaves)
        if not (has_validator and any(one.keeps == 0 for one in outputs)):
            nearest, streamed = compare_with_nearest({"stdout": execution.stdout, "stderr": execution.stderr}, wanted)
            outputs = (*streamed, *outputs)
        outputs = (*outputs, *compare_files(case, execution, expected, context.checks))
    deviations = (*own.deviations, *outputs, *(one for each in judged[1:] for one in each.deviations))
    share = prod((one.share for one in judged), start=share_left(deviations))
    message = Message("".join(one.remark for one in judged))
    if deviations:
        reason = _describe_failed_command(case, execution, deviations)
        message = Message(describe_deviations(deviations)).with_remark("command", reason, in_front=True)
    if any(one.kind == "wrong" and one.stream == "stdout" for one in deviations):
        message = hint_no_stdin(message, case, execution, nearest.get("stdout"))
    contrasts = tuple(contrast for one in judged for contrast in one.contrasts)
    found = {"verdict": verdict_of(share), "credit": share, "message": message, "deviations": deviations}
    return {**found, "contrasts": contrasts}, nearest


def describe_deviations(deviations: Sequence[Deviation]) -> str:
    """Say what deviates, what costs most first, and unless all of it costs everything, what each kind costs."""
    shares = dict(sorted(shares_of(deviations).items(), key=lambda item: item[1]))
    homes = {one.kind: one.counted_in for one in deviations if one.counted_in}
    charged, left = [kind for kind, keeps in shares.items() if keeps != 1], share_left(deviations)
    told: list[str] = []
    for kind, keeps in shares.items():
        told += (one.message for one in deviations if one.kind == kind)
        cost = f"This costs {f'{percent(1 - keeps)} of the credit' if keeps != 1 else 'nothing'}"
        if kind in homes:
            cost = f"It is charged only in test {quote(homes[kind])}"
        elif left and len(charged) > 1 and kind == charged[-1]:
            cost += f"; {percent(left)} remains"
        told += [f"{cost}."] if any(shares.values()) else []
    return " ".join(told)


def verdict_of(share: Fraction) -> Verdict:
    """Return the verdict of a share of the credit, or of the points."""
    return Verdict.PASSED if share == 1 else Verdict.PARTIAL if share else Verdict.FAILED


def _describe_failed_command(case: Case, execution: Execution, deviations: Sequence[Deviation]) -> str:
    """Quote the complaint of a command that failed; "" when its status is right, or standard error is judged."""
    is_asked = case.expect.exit != "any" and all(one.kind != "exit-status" for one in deviations)
    is_judged = case.expect.stderr is not None and case.expect.stderr.is_checked
    if not case.command or not execution.status or not execution.stderr.strip() or is_asked or is_judged:
        return ""
    found = find_cause(execution.stderr[:TEXT_LIMIT])
    error = f": {quote(found.error, most=MAX_ERROR_LENGTH)}" if found.error else ""
    return f"{capital(name_command(case.command))} failed{error}{f' ({found.place})' if found.place else ''}."


def _counted(
    case: Case, execution: Execution, expected: Execution | None, toolchain: Toolchain
) -> tuple[Case, Execution, Execution | None]:
    """Return what counts when all steps of a dialogue were done, and we ended the input that was still waited for.

    A failure that follows is our doing: then both programs count up to there, and with no status.
    """
    fails = execution.output_when_script_ended and (execution.limit or crashed(case, execution, toolchain, no_lines))
    right_fails = expected is not None and expected.output_when_script_ended and expected.status != 0
    if not (fails or right_fails):
        return case, execution, expected
    open_ended = replace(case, expect=replace(case.expect, exit="any"))
    return open_ended, execution.truncated_to_script_end, expected and expected.truncated_to_script_end


def reachable(case: Case) -> Kinds:
    """Return the deviations that a program can have in a case; none when nothing that it does can be wrong."""
    streams = [stream for stream in (case.expect.stdout, case.expect.stderr) if stream and stream.is_checked]
    own = [one for one in (case.payload, *case.also.values()) if one]
    texts = map(reachable_in_text, (*streams, *(text for payload in own for _, text in payload.texts)))
    found = Kinds().union(*texts, *(payload.reachable for payload in own))
    if not case.expect.screen and any(map(_asks_for_text, streams)):
        is_split = all(isinstance(one, Leaf | AnyOf) and any(map(_is_every_line, one.leaves)) for one in streams)
        found |= {"wrong-stream", "split-streams"} if is_split else {"wrong-stream"}
    if case.expect.exit != "any":
        found |= {"exit-status"}
    if case.expect.files:
        found |= WRONG.union(*map(reachable_in_text, case.expect.files.contents.values()))
    return found


def _asks_for_text(expected: Expected) -> bool:
    """Whether an empty text would be wrong."""
    return expected.fold(lambda leaf: COMPARATORS[leaf.how].asks(leaf), any_of=all, all_of=any, none_of=lambda _: False)


def _is_every_line(leaf: Leaf) -> bool:
    return COMPARATORS[leaf.how].prescribes == "lines" and not leaf.is_selective


def reachable_in_text(expected: Expected) -> Kinds:
    """Return the deviations that a text can have which is compared so."""
    return expected.fold(
        lambda leaf: COMPARATORS[leaf.how].reachable(leaf),
        any_of=lambda each: Kinds().union(*each) if all(each) else Kinds(),
        all_of=lambda each: Kinds().union(*each),
        none_of=lambda _: WRONG,
    )


def compare_exit(case: Case, execution: Execution, expected: Execution | None) -> Iterator[Deviation]:
    """Compare the status with the required one."""
    asked, other = case.expect.exit, execution.interaction
    # When an interactor ends first, we close the program's input, and its status has no meaning.
    if asked == "any" or (other and other.first == "interactor"):
        return
    status, right = shell_status(case, execution), (0,) if asked == "success" else asked
    if right == "reference":
        right = (shell_status(case, answer_of(case, expected)),)
    wish = "any but 0" if right == "failure" else " or ".join(map(str, right))
    if (status == 0) if right == "failure" else (status not in right):
        sentence = f"{name_program(case)} ended with status {status}; the assignment asks for {wish}."
        yield deviation_in(case, "exit-status", "exit", sentence)


def describe_disagreement(execution: Execution, verdict: Verdict) -> str:
    """Say that a run that failed was measured again with another result.

    A run that an option of ours stopped before its limit is no measurement of the program.
    """
    limits, others = execution.limits, [run for run in execution.measured if run.limit != execution.limit]
    early = [one.limit in ("time", "cpu") and getattr(one, one.limit) < getattr(limits, one.limit) for one in others]
    if all(early) or verdict in (Verdict.PASSED, Verdict.UNGRADED):
        return ""
    return f"Your program was run {len(execution.measured)} times and ended differently; the last run counts."
