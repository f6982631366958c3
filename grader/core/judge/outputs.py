"""Compares the result of a program with what is expected: its streams, its status and the files of its folder.

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
from typing import Literal

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS, in_words
from grader.core.comparators.base import Wanted, WantedPlace
from grader.core.deviations.search import Rank, ended, explain_difference, is_blank, rank
from grader.core.deviations.sentences import describe_kinds, line_count
from grader.core.deviations.table import DEVIATIONS, TEXT_KINDS
from grader.core.errors import HostError, Wrong
from grader.core.model.execution import MAX_NAMES, Execution
from grader.core.model.report import Deviation
from grader.core.model.spec import STREAMS, AllOf, AnyOf, Case, CheckOptions, Expected, Leaf, NoneOf, Stream, Tolerances
from grader.core.model.values import SHARE, Check, Checks, Facts
from grader.core.text import capital, common_end, common_length, count, listed, quote

DeviationPlace = Literal["stdout", "stderr", "exit", "files", "call", "memory"]
Deviations = tuple[Deviation, ...]

_OTHER_STREAM: Mapping[Stream, Stream] = {"stdout": "stderr", "stderr": "stdout"}
_PART_OF = "the checked part of "
_MAX_SHOWN = 3
"""names of files, or texts, in a sentence"""


def deviations_of(output: bytes, wanted: Wanted) -> Deviations:
    """Compare a text with what is wanted: return its deviations; none means that it matches.

    The pattern that chooses lines may overlook what keeps credit, such as letter case.
    """
    try:
        found = [_compare(output, wanted)]
    except Wrong as wrong:
        return (wanted.deviation("wrong", str(wrong)),)
    for only in _loosened_patterns(wanted) if found[0] else ():
        with suppress(HostError, Wrong):  # a pattern of ours that takes too long
            found.append(_compare(output, replace(wanted, asked=replace(wanted.leaf, only=only))))
    return max(found, key=share_left)


def _loosened_patterns(wanted: Wanted) -> list[str]:
    """Return `only` as it matches letters of the other case, and behind blanks or a prompt, where tolerated."""
    only, tolerate = wanted.asked.only if isinstance(wanted.asked, Leaf) else "", wanted.tolerate
    before = [one.before_line for one in DEVIATIONS.values() if one.before_line and tolerate.get(one.name)]
    anchored = [f"^{text}(?:{only[1:]})" for text in before] if only.startswith("^") else []
    flags = ["", "(?i)"] if tolerate.get("letter-case") else [""]
    return [flag + pattern for flag, pattern in product(flags, [only, *anchored])][1:] if only else []


def shares_of(deviations: Iterable[Deviation]) -> dict[str, Fraction]:
    """Return what each kind of deviation leaves: a kind counts once, but of shares that checks give, the product."""
    shares: dict[str, Fraction] = {}
    for one in deviations:
        shares[one.kind] = one.keeps * (shares.get(SHARE, 1) if one.kind == SHARE else 1)
    return shares


def share_left(deviations: Iterable[Deviation]) -> Fraction:
    """Return the share of the credit that deviations leave together."""
    return prod(shares_of(deviations).values(), start=Fraction(1))


def _compare(output: bytes, wanted: Wanted) -> Deviations:
    """Do the same; raise Wrong for an undecidable text, which matches neither the expectation nor its negation."""
    if not isinstance(wanted.asked, Leaf):
        return _COMBINED[type(wanted.asked)](output, wanted)
    chosen, part = wanted.chosen(output), wanted.asked.part
    found = COMPARATORS[wanted.asked.how].compare(chosen, wanted)
    if not part or chosen or is_blank(output):
        return found
    place = wanted.where.removeprefix(_PART_OF)
    message = f"No line of {place} matches {quote(part)}; the assignment asks for such a line."
    return tuple(replace(one, message=message) if one.kind == "wrong" else one for one in found)


def _hold_any(output: bytes, wanted: Wanted) -> Deviations:
    found: list[tuple[Deviations, int]] = []
    undecided: list[Wrong] = []
    for part in wanted.parts:
        try:
            found.append((_compare(output, part), likeness(output, part)))
        except Wrong as wrong:
            undecided.append(wrong)
    if undecided and all(deviations for deviations, _ in found):
        raise undecided[0]
    return nearest_of(found)[1]


def _hold_all(output: bytes, wanted: Wanted) -> Deviations:
    """Return the deviations from each: all shares, and of all else a kind once, but each sentence on what is wrong."""
    found: dict[tuple[str, str | int], Deviation] = {}
    for place, one in enumerate(one for part in wanted.parts for one in _compare(output, part)):
        told = one.message if one.kind == "wrong" and not is_blank(output) else ""
        found.setdefault((one.kind, place if one.kind == SHARE else told), one)
    return tuple(found.values())


def _hold_none(output: bytes, wanted: Wanted) -> Deviations:
    """Return that a text is any of what it must not be."""
    denied = next((part for part in wanted.parts if not _compare(output, part)), None)
    if denied is None:
        return ()
    words = in_words(denied.asked, quote, most=_MAX_SHOWN)
    return (wanted.deviation("wrong", f"{capital(wanted.where)} contains what the assignment forbids: {words}."),)


_COMBINED = {AnyOf: _hold_any, AllOf: _hold_all, NoneOf: _hold_none}


def nearest_of(every: Sequence[tuple[Deviations, int]]) -> tuple[int, Deviations]:
    """Return the place and the deviations of the alternative that leaves most credit, and else is the most alike."""
    best = min(range(len(every)), key=lambda at: (-share_left(every[at][0]), *_rank(every[at][0]), -every[at][1]))
    found = every[best][0]
    if len(every) == 1 or all(one.kind != "wrong" for one in found):
        return best, found
    remark = f" {len(every)} answers are right; this is about the closest."
    return best, (*found[:-1], replace(found[-1], message=found[-1].message + remark))


def _rank(deviations: Deviations) -> tuple[bool, Rank]:
    shares = shares_of(deviations)
    return "wrong" in shares, rank(shares, shares)


def stands_beside(want: Wanted) -> bool:
    """Whether the expected output can be shown next to the program's: it is complete, and a text."""
    how = want.leaf.how if isinstance(want.asked, Leaf) and not want.leaf.is_selective else "check"
    return COMPARATORS[how].prescribes in ("lines", "words")


def likeness(output: bytes, want: Wanted) -> int:
    """Return how many bytes a text has in common with the one that is wanted, as far as one is, at both ends."""
    return sum(ends(output, want.values[0]) for ends in (common_length, common_end)) if stands_beside(want) else 0


def deviation_in(case: Case, kind: str, place: DeviationPlace, message: str) -> Deviation:
    """Name a deviation of a case, with what it leaves."""
    return Deviation(kind=kind, stream=place, message=message, keeps=case.tolerate.get(kind, Fraction(0)))


CheckFactory = Callable[[CheckOptions, bytes], Check]
"""Makes a check ready for a case, of whose facts all are known but the right answer in the place that it judges."""


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


Wants = Mapping[Stream, Wanted]
"""stream -> what it is compared with"""


def wanted_streams(case: Case, expected: Execution | None, checks: CheckFactory = no_checks) -> tuple[Wants, ...]:
    """Return what the checked streams of `case` are compared with: any of these is right."""
    wanted: dict[Stream, list[Wanted]] = {}
    read = {"stdin": case.stdin, "prompt": expected.prompt if expected else b""}
    for _, name, stream, asked in case.expect.streams:
        if asked is not None and asked.is_checked:
            answer: bytes = getattr(answer_of(case, expected), stream) if asked.asks_reference else b""
            wanted[stream] = [
                wanted_text(one, answer, case.tolerate, (stream, name), checks, **read)
                for one in (asked.parts if isinstance(asked, AnyOf) else (asked,))
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
    found: list[tuple[Deviations, int]] = []
    known: _Compared = {}
    for wants in wanted:
        deviations = compare_streams(outputs, wants, known)
        if not deviations:
            return wants, ()
        found.append((deviations, sum(likeness(outputs[stream], want) for stream, want in wants.items())))
    best, nearest = nearest_of(found)
    return wanted[best], nearest


_Compared = dict[tuple[Stream, int], Deviations]
"""what a stream and an answer, by its `id`, came to: an answer is right beside each answer of the other stream"""


def compare_streams(outputs: Mapping[Stream, bytes], wanted: Wants, known: _Compared | None = None) -> Deviations:
    """Return the deviations of both streams: the smallest set that explains them, each kind counted once."""
    known = {} if known is None else known

    def compare(stream: Stream, want: Wanted) -> Deviations:
        if (stream, id(want)) not in known:
            asked = want if want.place == stream else _moved(want, stream)
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
    away = [want for want in failed if "wrong" in shares_of(deviations_of(b"", _moved(want, "stderr")))]
    found = [one for stream, want in wanted.items() for one in compare(_OTHER_STREAM[stream], want) if away]
    if not away or any(one.kind == "wrong" for one in found):
        return  # nothing is where it would be right
    # When a text is on the other stream, its own stream is compared with nothing else.
    for stream, want in wanted.items() if len(wanted) == 1 else ():
        if any(COMPARATORS[leaf.how].prescribes for leaf in want.asked.leaves) and not is_blank(outputs[stream]):
            lines = count(line_count(outputs[stream]), "line")
            found.append(want.deviation("extra-lines", f"There is something else on {want.where}: {lines}."))
    message = "Standard output and standard error are exchanged."
    if len(away) == 1:
        other = STREAMS["stdout" if away[0].place == "stderr" else "stderr"]
        right = " is right, but it" if TEXT_KINDS.issuperset(one.kind for one in found) else ""
        message = f"The text{right} was written to {other}; the assignment asks for {away[0].where}."
    yield (away[0].deviation("wrong-stream", message), *found)


def _moved(want: Wanted, place: Stream) -> Wanted:
    """Return an expectation for another stream, where a check that fails says no: it was written for its own."""
    check, parts = want.check and partial(_guess, want.check), tuple(_moved(part, place) for part in want.parts)
    return replace(want, place=place, where=STREAMS[place], parts=parts, check=check)


def _guess(check: Check, output: bytes) -> None:
    try:
        check(output)
    except HostError as error:
        raise Wrong from error


def _mixed_streams(outputs: Mapping[Stream, bytes], wanted: Wants, plain: Deviations) -> Iterator[Deviations]:
    """Compare both streams together with all expected lines, ignoring their order, which varies between runs."""
    is_displaced = any(one.kind in ("missing-lines", "wrong", SHARE) for one in plain)
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
    told = (
        f"Some lines were written to standard output and some to standard error; the assignment asks for {want.where}."
    )
    left = describe_kinds(actual, expected, kinds - {"split-streams"}, " and ".join(STREAMS.values()), written=actual)
    yield (want.deviation("split-streams", told), *(want.deviation(kind, sentence) for kind, sentence in left))


def compare_files(
    case: Case, execution: Execution, expected: Execution | None, checks: CheckFactory = no_checks
) -> Iterator[Deviation]:
    """Compare names with `present` and `absent`, where `*` matches in sub-folders too, and files with contents."""
    files = case.expect.files
    if files is None:
        return
    lacking = [f"{_file_name(one)} is missing after the run." for one in files.present if not _matching(execution, one)]
    too_many = (
        f"There are more than {MAX_NAMES:,} files after the run, too many to look for those that should not exist."
    )
    surplus = [too_many] if files.absent and len(execution.names) > MAX_NAMES else []
    for names in filter(None, (_matching(execution, pattern) for pattern in files.absent)):
        shown = listed(list(map(_file_name, names[:_MAX_SHOWN])), total=len(names))
        surplus.append(f"{shown} should not exist after the run.")
    yield from (deviation_in(case, "wrong", "files", sentence) for sentence in (*lacking, *surplus))
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


def shell_status(case: Case, execution: Execution) -> int:
    """Return the status as a shell reports it. Raises HostError when the runner reported neither status nor signal."""
    if execution.shell_exit_status is None:
        raise HostError(f"{case.id}: the runner told neither a status nor a signal")
    return execution.shell_exit_status
