"""The judgement of one case, facts in, verdict and sentence out.

In this order: a limit that ended the program, a crash, and only then its output, return values and files. A deviation
is named even when it costs nothing. A kind of deviation is charged once, on however many streams it is seen.

The two streams of a case are compared together: each on its own, exchanged, or mixed; the simplest explanation counts.
`wrong-stream` and `split-streams` explain the whole case and not one stream: when the usage message is on standard
output, that standard error is empty and standard output is not are one deviation, not two.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any, Literal

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS, in_words
from grader.core.comparators.base import WRONG, Wanted, WantedPlace
from grader.core.deviations.search import Rank, ended, explain_difference, is_blank, rank
from grader.core.deviations.sentences import describe_kinds, line_count
from grader.core.deviations.table import DEVIATIONS, TEXT_KINDS, Kinds
from grader.core.diagnosis import MAX_ERROR_LENGTH, ReadLine, find_cause, name_command, no_lines
from grader.core.errors import HostError, Wrong
from grader.core.judge.ending import cause_of_end, crashed, hint_no_stdin, name_program, shell_status, stopped
from grader.core.kind import KINDS, JudgeContext, kind_of
from grader.core.model.execution import MAX_NAMES, Execution
from grader.core.model.report import CaseResult, Deviation, Judged, Message, Settled, Verdict, summarise
from grader.core.model.spec import (
    STREAMS,
    AllOf,
    AnyOf,
    Case,
    CheckOptions,
    Expected,
    Leaf,
    NoneOf,
    Stream,
    Tolerances,
    Toolchain,
)
from grader.core.model.values import SHARE, Check, Checks, Facts
from grader.core.text import TEXT_LIMIT, capital, common_end, common_length, count, listed, percent, quote, show

DeviationPlace = Literal["stdout", "stderr", "exit", "files", "call", "memory"]
Deviations = tuple[Deviation, ...]

_OTHER_STREAM: Mapping[Stream, Stream] = {"stdout": "stderr", "stderr": "stdout"}
_PART_OF = "the checked part of "
_TOO_MANY = f"There are more than {MAX_NAMES:,} files after the run, too many to look for those that should not exist."
_MAX_SHOWN = 3  # names of files, or texts, in a sentence


def deviations_of(output: bytes, wanted: Wanted) -> Deviations:
    """Compare a text with what is wanted: return its deviations; none means that it matches.

    The pattern that chooses lines may overlook what keeps credit, such as letter case.
    """
    try:
        comparisons = [_compare(output, wanted)]
    except Wrong as wrong:
        return (wanted.deviation("wrong", str(wrong)),)
    for only in _loosened_patterns(wanted) if comparisons[0] else ():
        with suppress(HostError, Wrong):  # a pattern of ours that takes too long
            comparisons.append(_compare(output, replace(wanted, asked=replace(wanted.leaf, only=only))))
    return max(comparisons, key=share_left)


def _loosened_patterns(wanted: Wanted) -> list[str]:
    """Return `only` as it matches letters of the other case, and behind blanks or a prompt, where tolerated."""
    only, tolerate = wanted.asked.only if isinstance(wanted.asked, Leaf) else "", wanted.tolerate
    before = [kind.before_line for kind in DEVIATIONS.values() if kind.before_line and tolerate.get(kind.name)]
    anchored = [f"^{text}(?:{only[1:]})" for text in before] if only.startswith("^") else []
    flags = ["", "(?i)"] if tolerate.get("letter-case") else [""]
    return [flag + pattern for flag, pattern in product(flags, [only, *anchored])][1:] if only else []


def shares_of(deviations: Iterable[Deviation]) -> dict[str, Fraction]:
    """Return what each kind of deviation leaves: a kind counts once, but of shares that checks give, the product."""
    shares: dict[str, Fraction] = {}
    for deviation in deviations:
        shares[deviation.kind] = deviation.keeps * (shares.get(SHARE, 1) if deviation.kind == SHARE else 1)
    return shares


def share_left(deviations: Iterable[Deviation]) -> Fraction:
    """Return the share of the credit that deviations leave together."""
    return prod(shares_of(deviations).values(), start=Fraction(1))


def _compare(output: bytes, wanted: Wanted) -> Deviations:
    """Do the same; raise Wrong for an undecidable text, which matches neither the expectation nor its negation."""
    if not isinstance(wanted.asked, Leaf):
        return _COMBINED[type(wanted.asked)](output, wanted)
    chosen, part = wanted.chosen(output), wanted.asked.part
    deviations = COMPARATORS[wanted.asked.how].compare(chosen, wanted)
    if not part or chosen or is_blank(output):
        return deviations
    place = wanted.where.removeprefix(_PART_OF)
    message = f"No line of {place} matches {quote(part)}; the assignment asks for such a line."
    return tuple(replace(one, message=message) if one.kind == "wrong" else one for one in deviations)


def _compare_any(output: bytes, wanted: Wanted) -> Deviations:
    answers: list[tuple[Deviations, int]] = []
    undecided: list[Wrong] = []
    for part in wanted.parts:
        try:
            answers.append((_compare(output, part), likeness(output, part)))
        except Wrong as wrong:
            undecided.append(wrong)
    if undecided and all(deviations for deviations, _ in answers):
        raise undecided[0]
    return nearest_of(answers)[1]


def _compare_all(output: bytes, wanted: Wanted) -> Deviations:
    """Return the deviations from all parts: every share, each sentence on what is wrong, any other kind once."""
    deviations: dict[tuple[str, str | int], Deviation] = {}
    for place, deviation in enumerate(one for part in wanted.parts for one in _compare(output, part)):
        sentence = deviation.message if deviation.kind == "wrong" and not is_blank(output) else ""
        deviations.setdefault((deviation.kind, place if deviation.kind == SHARE else sentence), deviation)
    return tuple(deviations.values())


def _compare_none(output: bytes, wanted: Wanted) -> Deviations:
    """Return that a text is any of what it must not be."""
    if (denied := next((part for part in wanted.parts if not _compare(output, part)), None)) is None:
        return ()
    words = in_words(denied.asked, quote, most=_MAX_SHOWN)
    return (wanted.deviation("wrong", f"{capital(wanted.where)} contains what the assignment forbids: {words}."),)


_COMBINED = {AnyOf: _compare_any, AllOf: _compare_all, NoneOf: _compare_none}


def nearest_of(answers: Sequence[tuple[Deviations, int]]) -> tuple[int, Deviations]:
    """Return the place and the deviations of the alternative that leaves most credit, and else is the most alike."""
    ranks = [(-share_left(deviations), *_rank(deviations), -alike) for deviations, alike in answers]
    best = ranks.index(min(ranks))
    nearest = answers[best][0]
    if len(answers) == 1 or all(deviation.kind != "wrong" for deviation in nearest):
        return best, nearest
    remark = f" {len(answers)} answers are right; this is about the closest."
    return best, (*nearest[:-1], replace(nearest[-1], message=nearest[-1].message + remark))


def _rank(deviations: Deviations) -> tuple[bool, Rank]:
    shares = shares_of(deviations)
    return "wrong" in shares, rank(shares, shares)


def stands_beside(want: Wanted) -> bool:
    """Whether the expected output can be shown next to the program's: it is complete, and a text."""
    how = want.leaf.how if isinstance(want.asked, Leaf) and not want.leaf.is_selective else "check"
    return COMPARATORS[how].prescribes in ("lines", "words")


def likeness(output: bytes, want: Wanted) -> int:
    """Return how many bytes a text has in common, at both ends, with the wanted one; 0 without a wanted text."""
    return sum(ends(output, want.values[0]) for ends in (common_length, common_end)) if stands_beside(want) else 0


def deviation_in(case: Case, kind: str, place: DeviationPlace, message: str) -> Deviation:
    """Name a deviation of a case, with what it leaves."""
    return Deviation(kind=kind, stream=place, message=message, keeps=case.tolerate.get(kind, Fraction(0)))


CheckFactory = Callable[[CheckOptions, bytes], Check]  # makes a check ready for a case, given the right answer


def no_checks(asked: CheckOptions, _: object) -> Check:
    """Have no checks at all: raises HostError."""
    raise HostError(f"{asked.function} is asked for, but nobody has loaded it")


def bind_checks(checks: Checks, case: Case, execution: Execution, expected: Execution | None) -> CheckFactory:
    """Return the checks with the facts of a case and of the reference's execution."""
    ran = {name: getattr(execution, name) for name in ("stdout", "stderr", "status", "files")}
    right = {f"expected_{name}": getattr(expected, name) for name in ("stdout", "stderr", "files")} if expected else {}
    own = case.payload.facts_for_checks(execution) if case.payload else {}
    facts = Facts(**{"args": case.args, "input": case.stdin, **ran, **right, **own})
    return lambda asked, answer: checks(asked, replace(facts, expected=answer))


Wants = Mapping[Stream, Wanted]  # stream -> what it is compared with


def wanted_streams(case: Case, expected: Execution | None, checks: CheckFactory = no_checks) -> tuple[Wants, ...]:
    """Return what the checked streams of `case` are compared with: any of these is right."""
    wanted: dict[Stream, list[Wanted]] = {}
    read = {"stdin": case.stdin, "prompt": expected.prompt if expected else b""}
    for _, name, stream, asked in case.expect.streams:
        if asked is not None and asked.is_checked:
            answer: bytes = getattr(answer_of(case, expected), stream) if asked.asks_reference else b""
            wanted[stream] = [
                wanted_text(part, answer, case.tolerate, (stream, name), checks, **read)
                for part in (asked.parts if isinstance(asked, AnyOf) else (asked,))
            ]
    return tuple(dict(zip(wanted, chosen, strict=True)) for chosen in product(*wanted.values()))


def wanted_text(
    asked: Expected,
    answer: bytes,
    tolerate: Tolerances,
    place: tuple[WantedPlace, str],
    checks: CheckFactory,
    **read: bytes,
) -> Wanted:
    """Return what a text is compared with: what is `asked`, or the `answer` that the reference wrote.

    For the answer, `read` has the reference's `stdin`, and its `prompt`.
    """
    if not isinstance(asked, Leaf):
        parts = tuple(wanted_text(part, answer, tolerate, place, checks, **read) for part in asked.parts)
        return Wanted(asked=asked, parts=parts, place=place[0], where=place[1], tolerate=tolerate)
    comparator, want = COMPARATORS[asked.how], asked.want
    values = (answer,) if want is None else tuple(text.encode(errors="surrogatepass") for text in want)
    wanted = Wanted(
        asked=asked,
        values=(comparator.join(values),) if comparator.join and want is not None else values,
        place=place[0],
        where=f"{_PART_OF}{place[1]}" if asked.is_selective else place[1],
        tolerate=tolerate,
        check=checks(asked.options, answer) if isinstance(asked.options, CheckOptions) else None,
    )
    # A text of the spec is the part itself; whole lines are chosen of it as of an output.
    if want is not None and (asked.part or comparator.prescribes != "lines"):
        return wanted
    try:
        return replace(wanted, values=tuple(map(wanted.chosen, wanted.values)), **(read if want is None else {}))
    except Wrong as wrong:  # no student wrote it
        raise HostError(f"{place[1]} of the reference: {wrong}") from wrong


def answer_of(case: Case, expected: Execution | None) -> Execution:
    """Return the reference's execution. Raises HostError when there is none."""
    if expected is None:
        raise HostError(f"{case.id}: the reference's answer is asked for, but the reference did not run")
    return expected


def compare_with_nearest(outputs: Mapping[Stream, bytes], wanted: Sequence[Wants]) -> tuple[Wants, Deviations]:
    """Compare the streams with the right answers; return the nearest answer, and what deviates from it."""
    answers: list[tuple[Deviations, int]] = []
    known: _Compared = {}
    for wants in wanted:
        deviations = compare_streams(outputs, wants, known)
        if not deviations:
            return wants, ()
        answers.append((deviations, sum(likeness(outputs[stream], want) for stream, want in wants.items())))
    best, nearest = nearest_of(answers)
    return wanted[best], nearest


_Compared = dict[tuple[Stream, int], Deviations]  # what a stream and an answer, by its `id`, came to


def compare_streams(outputs: Mapping[Stream, bytes], wanted: Wants, known: _Compared | None = None) -> Deviations:
    """Return the deviations of both streams: the smallest set that explains them, each kind counted once."""
    known = {} if known is None else known

    def compare(stream: Stream, want: Wanted) -> Deviations:
        if (stream, id(want)) not in known:
            asked = want if want.place == stream else _move(want, stream)
            known[stream, id(want)] = deviations_of(outputs[stream], asked)
        return known[stream, id(want)]

    plain = tuple(deviation for stream, want in wanted.items() for deviation in compare(stream, want))
    if not plain:
        return ()
    exchanged = _exchanged_streams(outputs, wanted, compare)
    return min([plain, *exchanged, *_mixed_streams(outputs, wanted, plain)], key=_rank)


def _exchanged_streams(
    outputs: Mapping[Stream, bytes], wanted: Wants, compare: Callable[[Stream, Wanted], Deviations]
) -> Iterator[Deviations]:
    """Compare each expectation with the other stream, if one is not met on its own, nor by an empty stream."""
    failed = [want for stream, want in wanted.items() if compare(stream, want)]
    away = [want for want in failed if "wrong" in shares_of(deviations_of(b"", _move(want, "stderr")))]
    deviations = [one for stream, want in wanted.items() for one in compare(_OTHER_STREAM[stream], want) if away]
    if not away or any(deviation.kind == "wrong" for deviation in deviations):
        return  # nothing is where it would be right
    # When a text is on the other stream, its own stream is compared with nothing else.
    for stream, want in wanted.items() if len(wanted) == 1 else ():
        if any(COMPARATORS[leaf.how].prescribes for leaf in want.asked.leaves) and not is_blank(outputs[stream]):
            lines = count(line_count(outputs[stream]), "line")
            deviations.append(want.deviation("extra-lines", f"There is something else on {want.where}: {lines}."))
    message = "Standard output and standard error are exchanged."
    if len(away) == 1:
        place = STREAMS["stdout" if away[0].place == "stderr" else "stderr"]
        right = " is right, but it" if TEXT_KINDS.issuperset(deviation.kind for deviation in deviations) else ""
        message = f"The text{right} was written to {place}; the assignment asks for {away[0].where}."
    yield (away[0].deviation("wrong-stream", message), *deviations)


def _move(want: Wanted, place: Stream) -> Wanted:
    """Return an expectation for another stream, where a check that fails says no: it was written for its own."""
    check, parts = want.check and partial(_guess, want.check), tuple(_move(part, place) for part in want.parts)
    return replace(want, place=place, where=STREAMS[place], parts=parts, check=check)


def _guess(check: Check, output: bytes) -> None:
    try:
        check(output)
    except HostError as error:
        raise Wrong from error


def _mixed_streams(outputs: Mapping[Stream, bytes], wanted: Wants, plain: Deviations) -> Iterator[Deviations]:
    """Compare both streams together with all expected lines, ignoring their order, which varies between runs."""
    is_displaced = any(deviation.kind in ("missing-lines", "wrong", SHARE) for deviation in plain)
    is_known = all(stands_beside(want) and COMPARATORS[want.leaf.how].prescribes == "lines" for want in wanted.values())
    want = next((want for want in wanted.values() if is_known and not is_blank(want.values[0])), None)
    if want is None or not is_displaced or any(map(is_blank, outputs.values())):
        return
    actual = b"".join(ended(outputs[stream]) for stream in STREAMS)
    expected = b"".join(ended(wanted[stream].values[0]) for stream in STREAMS if stream in wanted)
    kinds = explain_difference(
        *(actual, expected, want.tolerate, TEXT_KINDS - {"final-newline"}),
        means=lambda shape: shape - {"order"} | {"split-streams"},  # whatever the order was
    )
    if kinds is None or kinds & {"extra-lines", "missing-lines", "duplicates"}:
        return
    message = (
        f"Some lines were written to standard output and some to standard error; the assignment asks for {want.where}."
    )
    rest = describe_kinds(actual, expected, kinds - {"split-streams"}, " and ".join(STREAMS.values()), written=actual)
    yield (want.deviation("split-streams", message), *(want.deviation(kind, sentence) for kind, sentence in rest))


def compare_files(
    case: Case, execution: Execution, expected: Execution | None, checks: CheckFactory = no_checks
) -> Iterator[Deviation]:
    """Compare names with `present` and `absent`, where `*` matches in sub-folders too, and files with contents."""
    files = case.expect.files
    if files is None:
        return
    gone = [f"{_file_name(name)} is missing after the run." for name in files.present if not _matching(execution, name)]
    surplus = [_TOO_MANY] if files.absent and len(execution.names) > MAX_NAMES else []
    for names in filter(None, (_matching(execution, pattern) for pattern in files.absent)):
        shown = listed(list(map(_file_name, names[:_MAX_SHOWN])), total=len(names))
        surplus.append(f"{shown} should not exist after the run.")
    yield from (deviation_in(case, "wrong", "files", sentence) for sentence in (*gone, *surplus))
    for name, asked in files.contents.items():
        answer = answer_of(case, expected).files.get(name) if asked.asks_reference else b""
        if answer is None:
            raise HostError(f"{case.id}: the reference left no file {name!r}, which the case asks for")
        wanted = wanted_text(asked, answer, case.tolerate, ("files", f"the file {_file_name(name)}"), checks)
        if name in execution.files:
            yield from deviations_of(execution.files[name], wanted)
        else:
            lacks = "is not a regular file, or is too large" if name in execution.names else "is missing after the run"
            yield deviation_in(case, "wrong", "files", f"{_file_name(name)} {lacks}.")


def _matching(execution: Execution, pattern: str) -> list[str]:
    return [name for name in execution.names if fnmatchcase(name, pattern) or fnmatchcase(name.rstrip("/"), pattern)]


def _file_name(name: str) -> str:
    return quote(name.encode(errors="surrogateescape"))


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
    own = kind_of(case).judge
    ending = None if own else context.stopped or crashed(case, execution, toolchain, read_line)
    outcome = own(case, execution, expected, context) if own else ending or Judged()
    if isinstance(outcome, Judged):
        facts, nearest = _judge_facts(case, execution, expected, context, outcome)
    else:
        facts, nearest = _describe_ending(case, execution, outcome, context), wanted_streams(case, expected, bound)[0]
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
    case: Case, execution: Execution, expected: Execution | None, context: JudgeContext, own: Judged
) -> tuple[dict[str, Any], Wants]:
    """Return the fields of the result of a run that ended by itself, and the right outputs nearest to its own."""
    further = (ask(case, execution, expected, context) for name in case.also if (ask := KINDS[name].judge))
    judged = [own, *(result for result in further if isinstance(result, Judged))]
    outputs: Sequence[Deviation] = ()
    wanted = wanted_streams(case, expected, context.checks)
    nearest: Wants = wanted[0]
    if own.compares_outputs:
        outputs = tuple(compare_exit(case, execution, expected))
        # A validator is not asked where the status costs everything: it may fail on half an output.
        leaves = (leaf for *_, asked in case.expect.streams if asked for leaf in asked.leaves)
        has_validator = any(leaf.get(CheckOptions).validator for leaf in leaves)
        if not (has_validator and any(deviation.keeps == 0 for deviation in outputs)):
            nearest, streamed = compare_with_nearest({"stdout": execution.stdout, "stderr": execution.stderr}, wanted)
            outputs = (*streamed, *outputs)
        outputs = (*outputs, *compare_files(case, execution, expected, context.checks))
    deviations = (*own.deviations, *outputs, *(deviation for result in judged[1:] for deviation in result.deviations))
    share = prod((result.share for result in judged), start=share_left(deviations))
    message = Message("".join(result.remark for result in judged))
    if deviations:
        reason = _describe_failed_command(case, execution, deviations)
        message = Message(describe_deviations(deviations)).with_remark("command", reason, in_front=True)
    if any(deviation.kind == "wrong" and deviation.stream == "stdout" for deviation in deviations):
        message = hint_no_stdin(message, case, execution, nearest.get("stdout"))
    contrasts = tuple(contrast for result in judged for contrast in result.contrasts)
    fields = {"verdict": verdict_of(share), "credit": share, "message": message, "deviations": deviations}
    return {**fields, "contrasts": contrasts}, nearest


def describe_deviations(deviations: Sequence[Deviation]) -> str:
    """Say what deviates, what costs most first, and unless all of it costs everything, what each kind costs."""
    shares = dict(sorted(shares_of(deviations).items(), key=lambda item: item[1]))
    homes = {deviation.kind: deviation.counted_in for deviation in deviations if deviation.counted_in}
    charged, remaining = [kind for kind, keeps in shares.items() if keeps != 1], share_left(deviations)
    sentences: list[str] = []
    for kind, keeps in shares.items():
        sentences += (deviation.message for deviation in deviations if deviation.kind == kind)
        cost = f"This costs {f'{percent(1 - keeps)} of the credit' if keeps != 1 else 'nothing'}"
        if kind in homes:
            cost = f"It is charged only in test {quote(homes[kind])}"
        elif remaining and len(charged) > 1 and kind == charged[-1]:
            cost += f"; {percent(remaining)} remains"
        sentences += [f"{cost}."] if any(shares.values()) else []
    return " ".join(sentences)


def verdict_of(share: Fraction) -> Verdict:
    """Return the verdict of a share of the credit, or of the points."""
    return Verdict.PASSED if share == 1 else Verdict.PARTIAL if share else Verdict.FAILED


def _describe_failed_command(case: Case, execution: Execution, deviations: Sequence[Deviation]) -> str:
    """Quote the complaint of a command that failed; "" when its status is right, or standard error is judged."""
    is_asked = case.expect.exit != "any" and all(deviation.kind != "exit-status" for deviation in deviations)
    is_judged = case.expect.stderr is not None and case.expect.stderr.is_checked
    if not case.command or not execution.status or not execution.stderr.strip() or is_asked or is_judged:
        return ""
    cause = find_cause(execution.stderr[:TEXT_LIMIT])
    error = f": {quote(cause.error, most=MAX_ERROR_LENGTH)}" if cause.error else ""
    return f"{capital(name_command(case.command))} failed{error}{f' ({cause.place})' if cause.place else ''}."


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
    own = [payload for payload in (case.payload, *case.also.values()) if payload]
    texts = map(reachable_in_text, (*streams, *(text for payload in own for _, text in payload.texts)))
    kinds = Kinds().union(*texts, *(payload.reachable for payload in own))
    if not case.expect.screen and any(map(_asks_for_text, streams)):
        is_split = all(isinstance(text, Leaf | AnyOf) and any(map(_is_every_line, text.leaves)) for text in streams)
        kinds |= {"wrong-stream", "split-streams"} if is_split else {"wrong-stream"}
    if case.expect.exit != "any":
        kinds |= {"exit-status"}
    if case.expect.files:
        kinds |= WRONG.union(*map(reachable_in_text, case.expect.files.contents.values()))
    return kinds


def _asks_for_text(expected: Expected) -> bool:
    """Whether an empty text would be wrong."""
    return expected.fold(lambda leaf: COMPARATORS[leaf.how].asks(leaf), any_of=all, all_of=any, none_of=lambda _: False)


def _is_every_line(leaf: Leaf) -> bool:
    return COMPARATORS[leaf.how].prescribes == "lines" and not leaf.is_selective


def reachable_in_text(expected: Expected) -> Kinds:
    """Return the deviations that a text can have which is compared so."""
    return expected.fold(
        lambda leaf: COMPARATORS[leaf.how].reachable(leaf),
        any_of=lambda parts: Kinds().union(*parts) if all(parts) else Kinds(),
        all_of=lambda parts: Kinds().union(*parts),
        none_of=lambda _: WRONG,
    )


def compare_exit(case: Case, execution: Execution, expected: Execution | None) -> Iterator[Deviation]:
    """Compare the status with the required one."""
    asked, interaction = case.expect.exit, execution.interaction
    # When an interactor ends first, we close the program's input, and its status has no meaning.
    if asked == "any" or (interaction and interaction.first == "interactor"):
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
    limits, runs = execution.limits, [run for run in execution.measured if run.limit != execution.limit]
    early = [run.limit in ("time", "cpu") and getattr(run, run.limit) < getattr(limits, run.limit) for run in runs]
    if all(early) or verdict in (Verdict.PASSED, Verdict.UNGRADED):
        return ""
    return f"Your program was run {len(execution.measured)} times and ended differently; the last run counts."
