"""The judgement of one case, facts in, verdict and sentence out.

In this order: a limit that ended the program, a crash, and only then its output, return values and files. A deviation
is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS
from grader.core.comparators.base import WRONG
from grader.core.deviations.search import credit
from grader.core.deviations.table import Kinds
from grader.core.diagnosis import MAX_ERROR_LENGTH, ReadLine, find_cause, name_command, no_lines
from grader.core.execution_summary import summarise
from grader.core.judge.ending import (
    MAX_ERROR_TAIL_BYTES,
    cause_of_end,
    crashed,
    describe_disagreement,
    hint_no_stdin,
    stopped,
)
from grader.core.judge.outputs import (
    Wants,
    bind_checks,
    compare_exit,
    compare_files,
    compare_with_nearest,
    no_checks,
    stands_beside,
    wanted_streams,
    with_shares,
)
from grader.core.model.checks import Checks
from grader.core.model.execution import Execution
from grader.core.model.judgement import CaseResult, Deviation, Message, Verdict
from grader.core.model.spec import Case, CheckOptions, Expected, Leaf, Stream
from grader.core.model.toolchain import Toolchain
from grader.core.text import capital, percent, quote, show
from grader.kinds import kind_of, kinds_of
from grader.kinds.base import JudgeContext, Settled

MAX_TEST_LENGTH = 60
"""characters of a test's name in a sentence about another"""

_COSTS = {Fraction(1): "nothing", Fraction(0): "all of the credit"}


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
    context = JudgeContext(toolchain=toolchain, read_line=read_line, checks=bound)
    wanted, spots = wanted_streams(case, expected, bound), [kind.spots for kind in kinds_of(case) if kind.spots]
    plain = CaseResult(
        id=case.id,
        verdict=Verdict.PASSED,
        credit=Fraction(0),
        command=command,
        run=summarise(whole),
        whole=whole,
        spots=tuple(spot for find in spots for spot in find(execution, read_line)),
        terminal=case.terminal,
    )
    if ending := _settle(case, execution, expected, context):
        found, nearest = _judge_ending(plain, case, execution, ending, context), wanted[0]
    else:
        found, nearest = _judge_facts(plain, case, execution, expected, context, wanted=wanted)
    message = found.message.with_after("other-runs", describe_disagreement(execution, found.verdict))
    shown = {f"expected_{key}": show(want.values[0]) for key, want in nearest.items() if stands_beside(want)}
    return replace(found, message=message, **shown)


def _judge_ending(
    plain: CaseResult, case: Case, execution: Execution, ending: Settled, context: JudgeContext
) -> CaseResult:
    """Return the result of a run whose end settles the case, with what further runs say of it."""
    verdict, message = ending
    for kind in kinds_of(case):
        if kind.remark_on_ending:
            message = message.with_after(kind.name, kind.remark_on_ending(execution, context.read_line).strip())
    return replace(plain, verdict=verdict, message=message, cause=cause_of_end(ending, execution, context.toolchain))


def _judge_facts(
    plain: CaseResult,
    case: Case,
    execution: Execution,
    expected: Execution | None,
    context: JudgeContext,
    *,
    wanted: Sequence[Wants],
) -> tuple[CaseResult, Wants]:
    """Return the result of a run that came to an end of its own, and the right outputs that its own come nearest to.

    First what the kind of the case says, then streams, status and files, then what further runs say.
    """
    judged = [kind.judge(case, execution, expected, context) for kind in kinds_of(case) if kind.judge]
    own, further = (judged[:1], judged[1:]) if kind_of(case).judge else ([], judged)
    deviations = tuple(deviation for one in own for deviation in one.deviations)
    nearest: Wants = wanted[0]
    if all(one.compares_outputs for one in own):
        outputs: Mapping[Stream, bytes] = {"stdout": execution.stdout, "stderr": execution.stderr}
        status = tuple(compare_exit(case, execution, expected))
        streamed: Sequence[Deviation] = ()
        if not (_has_validator(case) and any(one.keeps == 0 for one in status)):
            nearest, streamed = compare_with_nearest(outputs, wanted, case.tolerate)
        deviations += (*streamed, *status, *compare_files(case, execution, expected, context.checks))
    deviations += tuple(deviation for one in further for deviation in one.deviations)
    left = credit({one.kind for one in deviations}, with_shares(deviations, case.tolerate))
    share = prod((one.share for one in judged), start=left)
    message = Message("".join(one.remark for one in judged))
    if deviations:
        reason = _describe_failed_command(case, execution, deviations)
        message = Message(describe_deviations(deviations)).with_before("command", reason)
    if any(deviation.kind == "wrong" and deviation.stream == "stdout" for deviation in deviations):
        message = hint_no_stdin(message, case, execution, nearest.get("stdout"))
    contrasts = tuple(contrast for one in judged for contrast in one.contrasts)
    found = replace(plain, verdict=verdict_of(share), message=message, credit=share, deviations=deviations)
    return replace(found, contrasts=contrasts), nearest


def _has_validator(case: Case) -> bool:
    """Whether a program of the course judges an output.

    It is not asked where the status costs everything: it could change nothing, and may fail on half an output.
    """
    streams = [stream for stream in (case.expect.stdout, case.expect.stderr) if stream and stream.is_checked]
    return any(leaf.get(CheckOptions).validator for stream in streams for leaf in stream.leaves)


def describe_deviations(deviations: Sequence[Deviation]) -> str:
    """Say what deviates and, unless all of it costs everything, what each kind costs, and where else it is counted.

    What costs most comes first, and what costs nothing last.
    """
    kept = with_shares(deviations, {deviation.kind: deviation.keeps for deviation in deviations})
    shares = dict(sorted(kept.items(), key=lambda item: item[1]))
    messages = {kind: " ".join(one.message for one in deviations if one.kind == kind) for kind in shares}
    homes = {one.kind: one.counted_in for one in deviations if one.counted_in}
    if not homes and set(shares.values()) == {Fraction(1)}:
        return (
            f"{' '.join(messages.values())} {'This costs nothing.' if len(shares) == 1 else 'All this costs nothing.'}"
        )
    if set(shares.values()) <= {Fraction(0)}:
        return " ".join(messages.values())
    costs = {
        kind: f"This costs {_COSTS.get(keeps, f'{percent(1 - keeps)} of the credit')}."
        for kind, keeps in shares.items()
    }
    costs |= {kind: f"It is charged only in test {quote(name, most=MAX_TEST_LENGTH)}." for kind, name in homes.items()}
    share = credit(shares, shares)
    charged = [kind for kind, keeps in shares.items() if keeps != 1]
    remainder = f"; {percent(share)} remains." if share and len(charged) > 1 else "."
    told = [f"{messages[kind]} {costs[kind]}" for kind in charged]
    if told:
        told[-1] = told[-1].removesuffix(".") + remainder
    return " ".join((*told, *(f"{messages[kind]} {costs[kind]}" for kind in shares if kind not in charged)))


def verdict_of(share: Fraction) -> Verdict:
    """Return the verdict of a share of the credit, or of the points."""
    if share == 1:
        return Verdict.PASSED
    return Verdict.PARTIAL if share else Verdict.FAILED


def _describe_failed_command(case: Case, execution: Execution, deviations: Sequence[Deviation]) -> str:
    """Quote the complaint of a command that failed, to stand in front of the deviations that followed.

    "" when it did not fail, when its status is the required one, and when its standard error is itself judged.
    """
    if case.command is None or not execution.status or not execution.stderr.strip():
        return ""
    if case.expect.exit != "any" and all(deviation.kind != "exit-status" for deviation in deviations):
        return ""
    if case.expect.stderr and case.expect.stderr.is_checked:
        return ""
    found = find_cause(execution.stderr[:MAX_ERROR_TAIL_BYTES])
    error = f": {quote(found.error, most=MAX_ERROR_LENGTH)}" if found.error else ""
    return f"{capital(name_command(case.command))} failed{error}{f' ({found.place})' if found.place else ''}."


def _settle(case: Case, execution: Execution, expected: Execution | None, context: JudgeContext) -> Settled | None:
    """Return verdict and sentence where how a run ended decides all."""
    end, settle = stopped(case, execution), kind_of(case).settle
    if settle:
        return settle(case, execution, expected, end, context)
    return end or crashed(case, execution, context.toolchain, context.read_line)


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


# ---------------------------------------------------------------- what can deviate at all


def reachable(case: Case) -> Kinds:
    """Return the deviations that a program can have in a case; none when nothing that it does can be wrong."""
    streams = [stream for stream in (case.expect.stdout, case.expect.stderr) if stream and stream.is_checked]
    found = Kinds().union(*map(reachable_in_text, streams))
    if not case.expect.screen and any(map(_asks_for_text, streams)):
        found |= {"wrong-stream"}
        if all(stream.fold(_is_every_line, any_of=any, all_of=_never, none_of=_never) for stream in streams):
            found |= {"split-streams"}
    if case.expect.exit != "any":
        found |= {"exit-status"}
    if case.expect.files:
        found |= WRONG.union(*map(reachable_in_text, case.expect.files.contents.values()))
    return found.union(*(kind.reachable(case) for kind in kinds_of(case)))


def _never(_: object) -> bool:
    return False


def _asks_for_text(expected: Expected) -> bool:
    """Whether an empty text would be wrong."""
    return expected.fold(lambda leaf: COMPARATORS[leaf.how].asks(leaf), any_of=all, all_of=any, none_of=_never)


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
