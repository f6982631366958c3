"""The two streams of a case together: each on its own, exchanged, or mixed; whatever explains most simply.

`wrong-stream` and `split-streams` explain the whole case and not one stream: when the usage message is on standard
output, that standard error is empty and standard output is not are one deviation, not two.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from grader.errors import HostError, Wrong
from grader.judge.comparators import compare
from grader.judge.explain import Rank, explain, rank
from grader.judge.normal import TEXT_KINDS, ended
from grader.judge.sentences import name_all
from grader.judge.shapes import line_count, mixed
from grader.judge.wanted import Wanted
from grader.model import STREAMS, Deviation, Stream, Tolerances
from grader.text import count

Deviations = tuple[Deviation, ...]

_OTHER: Mapping[Stream, Stream] = {"stdout": "stderr", "stderr": "stdout"}
_WHOLE = frozenset({"text", "lines", "tokens", "numbers", "json"})
"""comparators that say all that a stream may hold"""
_LINEWISE = frozenset({"text", "lines"})


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
    if want.how not in _WHOLE or not own.strip():
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
    if not all(want.how in _LINEWISE for want in wanted.values()):
        return
    want = next((want for want in wanted.values() if want.values[0].strip()), None)
    if want is None:
        return
    actual = b"".join(ended(outputs[stream]) for stream in STREAMS)
    expected = b"".join(ended(wanted[stream].values[0]) for stream in STREAMS if stream in wanted)
    kinds = explain(actual, expected, want.tolerate, TEXT_KINDS - {"final-newline"}, mixed)
    if kinds is None or kinds & {"extra-lines", "missing-lines", "duplicates"}:
        return
    message = f"Some lines were written to standard output and some to standard error; {want.where} is asked for."
    split = want.deviation("split-streams", message)
    both = replace(want, where="standard output and standard error")
    yield (split, *name_all(actual, expected, kinds - {"split-streams"}, both))
