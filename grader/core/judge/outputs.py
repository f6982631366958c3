"""Compares the result of a program with what is expected: its streams, its status and the files of its folder.

The two streams of a case are compared together: each on its own, exchanged, or mixed; the simplest explanation counts.
`wrong-stream` and `split-streams` explain the whole case and not one stream: when the usage message is on standard
output, that standard error is empty and standard output is not are one deviation, not two.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from fractions import Fraction
from itertools import product
from math import prod
from typing import Literal

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS, in_words
from grader.core.comparators.base import Wanted, WantedPlace
from grader.core.comparators.regex import literal_of
from grader.core.deviations.normalise import ended, is_blank, line_count
from grader.core.deviations.search import MAX_SEARCHED, Rank, credit, explain_difference, rank, surplus_lines
from grader.core.deviations.sentences import describe_kinds
from grader.core.deviations.table import DEVIATIONS, TEXT_KINDS
from grader.core.diagnosis import name_command
from grader.core.errors import HostError, Wrong
from grader.core.model.checks import SHARE, Check, Checks, Facts
from grader.core.model.execution import MAX_NAMES, Execution
from grader.core.model.judgement import Deviation
from grader.core.model.spec import STREAMS, AllOf, AnyOf, Case, CheckOptions, Expected, Leaf, NoneOf, Stream, Tolerances
from grader.core.text import capital, common_end, common_length, count, listed, quote
from grader.kinds import kind_of

DeviationPlace = Literal["stdout", "stderr", "exit", "files", "call"]
Deviations = tuple[Deviation, ...]

_OTHER_STREAM: Mapping[Stream, Stream] = {"stdout": "stderr", "stderr": "stdout"}
_PART_OF = "the checked part of "
_MAX_FILES_SHOWN = 3
_MAX_TEXTS_SHOWN = 3


def deviations_of(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Compare a text with what is wanted: return its deviations; none means that it matches."""
    try:
        found = _compare(output, wanted)
        return max([found, *(_compare_loosened(output, wanted) if found else ())], key=_kept_share)
    except Wrong as wrong:
        return (wanted.deviation("wrong", str(wrong)),)


def _compare_loosened(output: bytes, wanted: Wanted) -> Iterator[Deviations]:
    """Compare the lines that `only` chooses when it overlooks what keeps credit, such as letter case."""
    for only in _loosened_patterns(wanted.asked.only, wanted.tolerate) if isinstance(wanted.asked, Leaf) else ():
        with suppress(HostError, Wrong):  # a pattern of ours that takes too long
            yield _compare(output, replace(wanted, asked=replace(wanted.leaf, only=only)))


def _loosened_patterns(only: str, tolerate: Tolerances) -> list[str]:
    """Return `only` as it matches letters of the other case, and behind blanks or a prompt, where tolerated."""
    flags = ["", *(["(?i)"] if tolerate.get("letter-case") else [])]
    anchored = only.startswith("^")
    before = [one.before_line for one in DEVIATIONS.values() if one.before_line and anchored and tolerate.get(one.name)]
    loosened = [only, *(f"^{text}(?:{only[1:]})" for text in before)]
    found = [f"{flag}{pattern}" for flag, pattern in product(flags, loosened)]
    return found[1:] if only else []


def _kept_share(found: Deviations) -> Fraction:
    return prod((deviation.keeps for deviation in found), start=Fraction(1))


def _compare(output: bytes, wanted: Wanted) -> Deviations:
    """Do the same; raise Wrong for an undecidable text, which matches neither the expectation nor its negation."""
    if not isinstance(wanted.asked, Leaf):
        return _COMBINED[type(wanted.asked)](output, wanted)
    chosen, part = wanted.chosen(output), wanted.asked.part
    found = COMPARATORS[wanted.asked.how].compare(chosen, wanted)
    if not (part and found) or chosen or is_blank(output):
        return found
    literal = literal_of(part)
    asked = f"contains {quote(literal)}" if literal else f"matches the pattern {quote(part)}"
    message = f"No line of {wanted.where.removeprefix(_PART_OF)} {asked}; the assignment asks for such a line."
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
    return nearest_of(found, wanted.tolerate)[1]


def _hold_all(output: bytes, wanted: Wanted) -> Deviations:
    """Return the deviations from each, a kind once; of what is wrong, each sentence, but one of an empty text.

    Of shares all are returned.
    """
    found: dict[tuple[str, str | int], Deviation] = {}
    for place, deviation in enumerate(deviation for part in wanted.parts for deviation in _compare(output, part)):
        is_telling = deviation.kind == "wrong" and not is_blank(output)
        message = deviation.message if is_telling else ""
        found.setdefault((deviation.kind, place if deviation.kind == SHARE else message), deviation)
    return tuple(found.values())


def _hold_none(output: bytes, wanted: Wanted) -> Deviations:
    """Return that a text is any of what it must not be."""
    denied = next((part for part in wanted.parts if not _compare(output, part)), None)
    if denied is None:
        return ()
    words = in_words(denied.asked, quote, most=_MAX_TEXTS_SHOWN)
    return (wanted.deviation("wrong", f"{capital(wanted.where)} contains what the assignment forbids: {words}."),)


_COMBINED = {AnyOf: _hold_any, AllOf: _hold_all, NoneOf: _hold_none}


def nearest_of(every: Sequence[tuple[Deviations, int]], tolerate: Tolerances) -> tuple[int, Deviations]:
    """Return the place and the deviations of the alternative that leaves most credit, and explains most simply.

    Each comes with its likeness: when none explains the difference, the sentence is about the most similar one.
    """

    def worth(at: int) -> tuple[Fraction, bool, Rank, int]:
        kinds = {deviation.kind for deviation in every[at][0]}
        leaves = with_shares(every[at][0], tolerate)
        return -credit(kinds, leaves), "wrong" in kinds, rank(kinds, leaves), -every[at][1]

    best = min(range(len(every)), key=worth)
    deviations = every[best][0]
    is_told_alike = len({tuple(deviation.message for deviation in found) for found, _ in every}) == 1
    if not is_told_alike and any(deviation.kind == "wrong" for deviation in deviations):
        remark = f" {len(every)} answers are right; this is about the closest."
        last = deviations[-1]
        deviations = (*deviations[:-1], replace(last, message=last.message + remark))
    return best, deviations


def with_shares(deviations: Sequence[Deviation], tolerate: Tolerances) -> Tolerances:
    """Add the share that checks give to the shares of the deviations: of several shares, the product."""
    given = [one.keeps for one in deviations if one.kind == SHARE]
    return {**tolerate, SHARE: prod(given, start=Fraction(1))} if given else tolerate


def stands_beside(want: Wanted) -> bool:
    """Whether the expected output can be shown next to the program's: it is complete, and a text."""
    return isinstance(want.asked, Leaf) and COMPARATORS[want.asked.how].shown and not want.is_selective


def likeness(output: bytes, want: Wanted) -> int:
    """Return how much of a text is that of the one that is wanted, as far as one is."""
    if not stands_beside(want):
        return 0
    text = want.values[0]
    is_short = max(len(text), len(output)) <= MAX_SEARCHED
    shared = line_count(text) - len(surplus_lines(ended(text), ended(output))) if is_short else 0
    ends = common_length(output, text) + common_end(output, text)
    return ends + len(text.partition(b"\n")[0]) * shared


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
    right = expected or Execution()
    facts = Facts(
        args=case.args,
        input=case.stdin,
        stdout=execution.stdout,
        stderr=execution.stderr,
        status=execution.status,
        files=execution.files,
        expected_stdout=right.stdout,
        expected_stderr=right.stderr,
        expected_files=right.files,
    )
    facts = replace(facts, **kind_of(case).facts_for_checks(case, execution))
    return lambda asked, answer: checks(asked, replace(facts, expected=answer))


Wants = Mapping[Stream, Wanted]
"""stream -> what it is compared with"""


def wanted_streams(case: Case, expected: Execution | None, checks: CheckFactory = no_checks) -> tuple[Wants, ...]:
    """Return what the checked streams of `case` are compared with: any of these is right.

    Raises HostError when the reference's execution is asked for and not there, or a check cannot be used.
    """
    wanted: dict[Stream, list[Wanted]] = {}
    prompt = expected.prompt if expected else b""
    for _, name, stream, hows in case.expect.streams:
        if hows is not None and hows.is_checked:
            outputs = answer_of(case, expected) if hows.asks_reference else None
            answer = (outputs.stdout if stream == "stdout" else outputs.stderr) if outputs else b""
            place = stream, name
            wanted[stream] = [
                wanted_text(how, answer, case.tolerate, place, checks, stdin=case.stdin, prompt=prompt)
                for how in (hows.parts if isinstance(hows, AnyOf) else (hows,))
            ]
    return tuple(dict(zip(wanted, chosen, strict=True)) for chosen in product(*wanted.values()))


def wanted_text(
    asked: Expected,
    answer: bytes,
    tolerate: Tolerances,
    place: tuple[WantedPlace, str],
    checks: CheckFactory,
    *,
    stdin: bytes = b"",
    prompt: bytes = b"",
) -> Wanted:
    """Return what a text is compared with: what is `asked`, or the `answer` that the reference wrote to `stdin`."""
    if not isinstance(asked, Leaf):
        parts = tuple(
            wanted_text(part, answer, tolerate, place, checks, stdin=stdin, prompt=prompt) for part in asked.parts
        )
        return Wanted(asked=asked, parts=parts, place=place[0], where=place[1], tolerate=tolerate)
    want = asked.want
    wanted = Wanted(
        asked=asked,
        values=(answer,) if want is None else _encoded(asked.how, want),
        place=place[0],
        where=f"{_PART_OF}{place[1]}" if asked.is_selective else place[1],
        tolerate=tolerate,
        check=checks(asked.options, answer) if isinstance(asked.options, CheckOptions) else None,
        stdin=stdin if want is None else b"",
        prompt=prompt if want is None else b"",
    )
    # A text of the spec is the part itself; whole lines are chosen of it as of an output.
    is_output = want is None or (COMPARATORS[asked.how].linewise and not asked.part)
    try:
        return replace(wanted, values=tuple(map(wanted.chosen, wanted.values))) if is_output else wanted
    except Wrong as wrong:  # no student wrote it
        raise HostError(f"{place[1]} of the reference: {wrong}") from wrong


def _encoded(how: str, want: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return the texts of a spec as a comparator takes them: as one, where it joins them."""
    values = tuple(value.encode(errors="surrogatepass") for value in want)
    join = COMPARATORS[how].join
    return (join(values),) if join else values


def answer_of(case: Case, expected: Execution | None) -> Execution:
    """Return the reference's execution. Raises HostError when there is none."""
    if expected is None:
        raise HostError(f"{case.id}: the reference's answer is asked for, but the reference did not run")
    return expected


# ---------------------------------------------------------------- streams


def compare_with_nearest(
    outputs: Mapping[Stream, bytes], wanted: Sequence[Wants], tolerate: Tolerances
) -> tuple[Wants, Deviations]:
    """Compare the streams with the right answers; return the nearest answer, and what deviates from it."""
    found: list[tuple[Deviations, int]] = []
    known: _Compared = {}
    for wants in wanted:
        deviations = compare_streams(outputs, wants, known)
        if not deviations:
            return wants, ()
        compared = wants.items() if len(wanted) > 1 else ()
        found.append((deviations, sum(likeness(outputs[stream], want) for stream, want in compared)))
    best, nearest = nearest_of(found, tolerate)
    return wanted[best], nearest


_Compared = dict[tuple[Stream, int], Deviations]
"""what a stream and an answer, by its `id`, came to: an answer is right beside each answer of the other stream"""


def compare_streams(outputs: Mapping[Stream, bytes], wanted: Wants, known: _Compared | None = None) -> Deviations:
    """Return the deviations of both streams: the smallest set that explains them, each kind counted once."""
    known = {} if known is None else known

    def compare(stream: Stream, want: Wanted) -> Deviations:
        if (stream, id(want)) not in known:
            asked = want if want.place == stream else _guessing(want).of(stream, STREAMS[stream])
            known[stream, id(want)] = deviations_of(outputs[stream], asked)
        return known[stream, id(want)]

    apart = {stream: compare(stream, want) for stream, want in wanted.items()}
    plain = tuple(deviation for found in apart.values() for deviation in found)
    if not plain:
        return ()
    tolerate = next(iter(wanted.values())).tolerate
    explanations = [
        plain,
        *_exchanged_streams(outputs, wanted, apart, compare),
        *_mixed_streams(outputs, wanted, plain),
    ]

    def worth(found: Deviations) -> tuple[bool, Rank]:
        kinds = {deviation.kind for deviation in found}
        return "wrong" in kinds, rank(kinds, with_shares(found, tolerate))

    return min(explanations, key=worth)


def _exchanged_streams(
    outputs: Mapping[Stream, bytes],
    wanted: Wants,
    apart: Mapping[Stream, Deviations],
    compare: Callable[[Stream, Wanted], Deviations],
) -> Iterator[Deviations]:
    """Compare each expectation with the other stream, if one of them is not met on its own."""
    # Expectations that an empty stream does not meet, and not only for a blank or a newline.
    moved = [
        want
        for stream, want in wanted.items()
        if apart[stream] and any(one.kind == "wrong" for one in deviations_of(b"", _guessing(want)))
    ]
    others = {
        stream: line_count(outputs[stream])
        for stream, want in wanted.items()
        # When a text is on the other stream, its own stream is compared with nothing else.
        if _OTHER_STREAM[stream] not in wanted
        and any(COMPARATORS[leaf.how].whole for leaf in want.asked.leaves)
        and not is_blank(outputs[stream])
    }
    known = {deviation.kind for found in apart.values() for deviation in found}
    if not moved or (known.isdisjoint({"wrong", SHARE}) and len(known) <= bool(others)):
        return  # or fewer kinds explain it than would here
    found: list[Deviation] = []
    for stream, want in wanted.items():
        found += compare(_OTHER_STREAM[stream], want)
        if stream in others:
            lines = count(others[stream], "line")
            found.append(want.deviation("extra-lines", f"There is something else on {want.where}: {lines}."))
    if any(deviation.kind == "wrong" for deviation in found):
        return  # nothing is where it would be right
    first, *both = moved
    message = "Standard output and standard error are exchanged."
    if not both:
        is_right = TEXT_KINDS.issuperset(deviation.kind for deviation in found)
        clause = "The text is right, but it was written" if is_right else "The text was written"
        other = STREAMS["stdout" if first.place == "stderr" else "stderr"]
        message = f"{clause} to {other}; the assignment asks for {first.where}."
    yield (first.deviation("wrong-stream", message), *found)


def _guessing(want: Wanted) -> Wanted:
    """Let a check that fails on what it was not written for say no, for that is no fault of it."""
    if want.parts:
        return replace(want, parts=tuple(map(_guessing, want.parts)))
    check = want.check
    if check is None:
        return want

    def guess(output: bytes) -> None:
        try:
            check(output)
        except HostError as error:
            raise Wrong from error

    return replace(want, check=guess)


def _mixed_streams(outputs: Mapping[Stream, bytes], wanted: Wants, plain: Deviations) -> Iterator[Deviations]:
    """Compare both streams together with all expected lines, ignoring their order, which varies between runs."""
    displaced = any(deviation.kind in ("missing-lines", "wrong", SHARE) for deviation in plain)
    if not displaced or any(map(is_blank, outputs.values())):
        return
    if not all(stands_beside(want) and COMPARATORS[want.leaf.how].linewise for want in wanted.values()):
        return
    want = next((want for want in wanted.values() if not is_blank(want.values[0])), None)
    if want is None:
        return
    actual = b"".join(ended(outputs[stream]) for stream in STREAMS)
    expected = b"".join(ended(wanted[stream].values[0]) for stream in STREAMS if stream in wanted)

    kinds = explain_difference(
        actual,
        expected,
        want.tolerate,
        TEXT_KINDS - {"final-newline"},
        means=lambda shape: shape - {"order"} | {"split-streams"},  # whatever the order was
    )
    if kinds is None or kinds & {"extra-lines", "missing-lines", "duplicates"}:
        return
    message = (
        f"Some lines were written to standard output and some to standard error; the assignment asks for {want.where}."
    )
    split = want.deviation("split-streams", message)
    kinds -= {"split-streams"}
    left = describe_kinds(actual, expected, kinds, "standard output and standard error", written=actual)
    yield (split, *(want.deviation(kind, sentence) for kind, sentence in left))


# ---------------------------------------------------------------- status


def name_program(case: Case) -> str:
    """Return the subject of a sentence about what was run: the program, or the case's own command."""
    return capital(name_command(case.command)) if case.command else "Your program"


def shell_status(case: Case, execution: Execution) -> int:
    """Return the status as a shell reports it. Raises HostError when the runner reported neither status nor signal."""
    if execution.shell_exit_status is None:
        raise HostError(f"{case.id}: the runner told neither a status nor a signal")
    return execution.shell_exit_status


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


# ---------------------------------------------------------------- files


def compare_files(
    case: Case, execution: Execution, expected: Execution | None, checks: CheckFactory = no_checks
) -> Iterator[Deviation]:
    """Compare names with `present` and `absent`, where `*` matches in sub-folders too, and files with contents."""
    files = case.expect.files
    if files is None:
        return
    told = [f"{_file_name(one)} is missing after the run." for one in files.present if not _matching(execution, one)]
    if files.absent and len(execution.names) > MAX_NAMES:
        many = f"There are more than {MAX_NAMES:,} files after the run"
        told.append(f"{many}, too many to look for those that should not exist.")
    for names in filter(None, (_matching(execution, pattern) for pattern in files.absent)):
        shown = listed([_file_name(name) for name in names[:_MAX_FILES_SHOWN]], total=len(names))
        told.append(f"{shown} should not exist after the run.")
    yield from (deviation_in(case, "wrong", "files", sentence) for sentence in told)
    for name, asked in files.contents.items():
        answer = answer_of(case, expected).files.get(name) if asked.asks_reference else b""
        if answer is None:
            raise HostError(f"{case.id}: the reference left no file {name!r}, which the case asks for")
        place: tuple[WantedPlace, str] = ("files", f"the file {_file_name(name)}")
        wanted = wanted_text(asked, answer, case.tolerate, place, checks)
        if name in execution.files:
            yield from deviations_of(execution.files[name], wanted)
        else:
            lacks = "is not a regular file, or is too large" if name in execution.names else "is missing after the run"
            yield deviation_in(case, "wrong", "files", f"{_file_name(name)} {lacks}.")


def _matching(execution: Execution, pattern: str) -> list[str]:
    return [name for name in execution.names if fnmatchcase(name, pattern) or fnmatchcase(name.rstrip("/"), pattern)]


def _file_name(name: str) -> str:
    return quote(name.encode(errors="surrogateescape"))
