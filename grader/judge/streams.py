"""The two streams of a case together: each on its own, exchanged, or mixed; whatever explains most simply.

`wrong-stream` and `split-streams` explain the whole case and not one stream: when the usage message is on standard
output, that standard error is empty and standard output is not are one deviation, not two.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from grader.comparators import COMPARATORS
from grader.comparators.base import Wanted
from grader.deviations.explanation import Rank, Shape, explain_difference, line_count, rank
from grader.deviations.normal import TEXT_KINDS, ended
from grader.deviations.sentences import tell_kinds
from grader.errors import HostError, Wrong
from grader.judge.wanted import STREAMS, Stream, compare
from grader.model import Deviation, Tolerances
from grader.text import count

Deviations = tuple[Deviation, ...]

_OTHER: Mapping[Stream, Stream] = {"stdout": "stderr", "stderr": "stdout"}


def compare_streams(outputs: Mapping[Stream, bytes], wanted: Mapping[Stream, Wanted]) -> Deviations:
    """Return the deviations of both streams: the smallest set that explains them, each kind counted once."""
    apart = {stream: compare(outputs[stream], want) for stream, want in wanted.items()}
    plain = tuple(deviation for found in apart.values() for deviation in found)
    if not plain:
        return ()
    tolerate = next(iter(wanted.values())).tolerate
    explanations = [plain, *_exchanged(outputs, wanted, apart), *_mixed(outputs, wanted, plain)]
    return min(explanations, key=lambda found: _rank(found, tolerate))


def _rank(found: Deviations, tolerate: Tolerances) -> tuple[bool, Rank]:
    kinds = {deviation.kind for deviation in found}
    return "wrong" in kinds, rank(kinds, tolerate)


# ---------------------------------------------------------------- wrong-stream


def _exchanged(
    outputs: Mapping[Stream, bytes], wanted: Mapping[Stream, Wanted], apart: Mapping[Stream, Deviations]
) -> Iterator[Deviations]:
    """Hold each expectation against the other stream, if one of them is not met on its own."""
    moved = [want for stream, want in wanted.items() if apart[stream] and _asks_for_something(want)]
    if not moved:
        return
    found: list[Deviation] = []
    for stream, want in wanted.items():
        other = _OTHER[stream]
        found += compare(outputs[other], replace(_guessing(want), place=other, where=STREAMS[other]))
        if other not in wanted:
            found += _left_over(outputs[stream], want)
    yield (_wrong_stream(moved, right=TEXT_KINDS.issuperset(deviation.kind for deviation in found)), *found)


def _asks_for_something(want: Wanted) -> bool:
    """Whether an empty stream would be wrong, and not only a blank or a newline short."""
    return any(deviation.kind == "wrong" for deviation in compare(b"", _guessing(want)))


def _guessing(want: Wanted) -> Wanted:
    """Let a check that fails on what it was not written for say no, for that is no fault of it."""
    check = want.check
    if check is None:
        return want

    def guess(output: bytes) -> None:
        try:
            check(output)
        except HostError as error:
            raise Wrong from error

    return replace(want, check=guess)


def _left_over(own: bytes, want: Wanted) -> Deviations:
    """Name what is on a text's own stream while the text is on the other, which nothing else is held against."""
    if not COMPARATORS[want.how].whole or not own.strip():
        return ()
    lines = count(line_count(own), "line")
    return (want.deviation("extra-lines", f"There is something else on {want.where}: {lines}."),)


def _wrong_stream(moved: Collection[Wanted], *, right: bool) -> Deviation:
    want, *others = moved
    told = "The text is right, but it was written" if right else "The text was written"
    if others:
        message = "What belongs on standard output is on standard error, and the reverse."
    else:
        written = STREAMS["stdout" if want.place == "stderr" else "stderr"]
        message = f"{told} to {written}; the assignment asks for {want.where}."
    return want.deviation("wrong-stream", message)


# ---------------------------------------------------------------- split-streams


def _mixed(outputs: Mapping[Stream, bytes], wanted: Mapping[Stream, Wanted], plain: Deviations) -> Iterator[Deviations]:
    """Hold both streams together against all that is expected on either, order aside: it is not stable in time."""
    displaced = any(deviation.kind in ("missing-lines", "wrong") for deviation in plain)
    if not displaced or not all(output.strip() for output in outputs.values()):
        return
    if not all(COMPARATORS[want.how].linewise for want in wanted.values()):
        return
    want = next((want for want in wanted.values() if want.values[0].strip()), None)
    if want is None:
        return
    actual = b"".join(ended(outputs[stream]) for stream in STREAMS)
    expected = b"".join(ended(wanted[stream].values[0]) for stream in STREAMS if stream in wanted)

    def order_is_none(shape: Shape) -> Shape:
        return shape - {"order"} | {"split-streams"}

    kinds = explain_difference(actual, expected, want.tolerate, TEXT_KINDS - {"final-newline"}, order_is_none)
    if kinds is None or kinds & {"extra-lines", "missing-lines", "duplicates"}:
        return
    message = f"Some lines were written to standard output and some to standard error; {want.where} is asked for."
    split = want.deviation("split-streams", message)
    left = tell_kinds(actual, expected, kinds - {"split-streams"}, "standard output and standard error")
    yield (split, *(want.deviation(kind, sentence) for kind, sentence in left))
