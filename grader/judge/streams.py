"""The two streams of a case together: each on its own, exchanged, or mixed; whatever explains most simply.

`wrong-stream` and `split-streams` explain the whole case and not one stream: when the usage message is on standard
output, that standard error is empty and standard output is not are one deviation, not two.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from grader.comparators import COMPARATORS
from grader.comparators.base import Wanted
from grader.deviations.explanation import Rank, Shape, explain_difference, line_count, rank
from grader.deviations.normal import TEXT_KINDS, ended
from grader.deviations.sentences import tell_kinds
from grader.errors import HostError, Wrong
from grader.judge.wanted import STREAMS, Stream, deviations_of
from grader.model import Deviation
from grader.text import count

Deviations = tuple[Deviation, ...]

_OTHER_STREAM: Mapping[Stream, Stream] = {"stdout": "stderr", "stderr": "stdout"}


def compare_streams(outputs: Mapping[Stream, bytes], wanted: Mapping[Stream, Wanted]) -> Deviations:
    """Return the deviations of both streams: the smallest set that explains them, each kind counted once."""
    apart = {stream: deviations_of(outputs[stream], want) for stream, want in wanted.items()}
    plain = tuple(deviation for found in apart.values() for deviation in found)
    if not plain:
        return ()
    tolerate = next(iter(wanted.values())).tolerate
    explanations = [plain, *_exchanged_streams(outputs, wanted, apart), *_mixed_streams(outputs, wanted, plain)]

    def worth(found: Deviations) -> tuple[bool, Rank]:
        kinds = {deviation.kind for deviation in found}
        return "wrong" in kinds, rank(kinds, tolerate)

    return min(explanations, key=worth)


# ---------------------------------------------------------------- wrong-stream


def _exchanged_streams(
    outputs: Mapping[Stream, bytes], wanted: Mapping[Stream, Wanted], apart: Mapping[Stream, Deviations]
) -> Iterator[Deviations]:
    """Hold each expectation against the other stream, if one of them is not met on its own."""
    # Those that an empty stream would not meet, and not only for a blank or a newline.
    moved = [
        want
        for stream, want in wanted.items()
        if apart[stream] and any(one.kind == "wrong" for one in deviations_of(b"", _guessing(want)))
    ]
    if not moved:
        return
    found: list[Deviation] = []
    for stream, want in wanted.items():
        other = _OTHER_STREAM[stream]
        found += deviations_of(outputs[other], replace(_guessing(want), place=other, where=STREAMS[other]))
        # What is on a text's own stream while the text is on the other, nothing else is held against.
        if other not in wanted and COMPARATORS[want.how].whole and outputs[stream].strip():
            lines = count(line_count(outputs[stream]), "line")
            found.append(want.deviation("extra-lines", f"There is something else on {want.where}: {lines}."))
    first, *others = moved
    if others:
        message = "What belongs on standard output is on standard error, and the reverse."
    else:
        right = TEXT_KINDS.issuperset(deviation.kind for deviation in found)
        told = "The text is right, but it was written" if right else "The text was written"
        written = STREAMS["stdout" if first.place == "stderr" else "stderr"]
        message = f"{told} to {written}; the assignment asks for {first.where}."
    yield (first.deviation("wrong-stream", message), *found)


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


# ---------------------------------------------------------------- split-streams


def _mixed_streams(
    outputs: Mapping[Stream, bytes], wanted: Mapping[Stream, Wanted], plain: Deviations
) -> Iterator[Deviations]:
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
