"""Comparators: a text held against what is wanted -> its deviations; none means that it holds.

A comparator is a function and an entry in `COMPARATORS`. It never raises on what a student wrote; HostError is for an
expectation that cannot be used.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from grader.errors import HostError, Wrong
from grader.judge.explain import explain, smallest
from grader.judge.json_text import compare_json
from grader.judge.normal import TEXT_KINDS, Kinds, ended, normal, possible
from grader.judge.restore import Explain, restored
from grader.judge.sentences import name_all, name_beside, wrong_lines, wrong_listing, wrong_text
from grader.judge.sequences import compare_numbers, compare_tokens
from grader.judge.shapes import Shape, order_left_aside
from grader.judge.summary import is_right_but_for_listing
from grader.judge.wanted import Wanted
from grader.model import Comparator, Deviation
from grader.patterns import matches
from grader.text import QUOTED, capital, listed, quote

_SHOWN = 3

Compare = Callable[[bytes, Wanted], tuple[Deviation, ...]]


def compare_text(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that every byte is as in the text."""
    expected = wanted.values[0]

    def explained(text: bytes, most: int | None) -> Kinds | None:
        return explain(text, expected, wanted.tolerate, most=most)

    return _named(output, expected, wanted, explained, wrong_text)


def compare_lines(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the lines are those of the text, in its order unless that is free; a newline may end the last."""
    actual, expected = ended(output), ended(wanted.values[0])
    means, wrong = (None, wrong_text) if wanted.ordered else (order_left_aside, wrong_lines)

    def explained(text: bytes, most: int | None) -> Kinds | None:
        return explain(ended(text), expected, wanted.tolerate, TEXT_KINDS - {"final-newline"}, means, most=most)

    return _named(actual, expected, wanted, explained, wrong)


def _named(
    actual: bytes, expected: bytes, wanted: Wanted, explained: Explain, wrong: Callable[[bytes, bytes, str], str]
) -> tuple[Deviation, ...]:
    """Name what explains the difference of two texts; `wrong` says what is when nothing does."""
    mended, kinds = restored(actual, expected, wanted.tolerate, explained)
    if mended and kinds is not None:
        return (wanted.deviation(mended.kind, mended.tell()), *name_beside(mended.text, expected, kinds, wanted))
    if kinds is not None:
        return name_all(actual, expected, kinds, wanted)
    if is_right_but_for_listing(actual, expected):
        return (wanted.deviation("wrong-count", wrong_listing(actual, expected, wanted.where)),)
    return (wanted.deviation("wrong", wrong(actual, expected, wanted.where)),)


def compare_contains(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that each of the texts occurs somewhere."""

    def holds(overlooked: Kinds) -> bool:
        form = normal(output, overlooked)
        if "final-newline" in overlooked:
            form = ended(form)
        return all(normal(text, overlooked) in form for text in wanted.values)

    def no_shapes(_overlooked: Kinds) -> set[Shape]:
        return set()

    if holds(frozenset()):
        return ()
    kinds = possible(output, b"\n".join(wanted.values), TEXT_KINDS)
    found = smallest(holds, no_shapes, kinds, wanted.tolerate, length=len(output))
    if found is None:
        return (wanted.deviation("wrong", _absent(output, wanted)),)
    return name_all(output, ended(output), found, wanted)


def _absent(output: bytes, wanted: Wanted) -> str:
    form = ended(normal(output, TEXT_KINDS))
    absent = [text for text in wanted.values if normal(text, TEXT_KINDS) not in form]
    does = "does" if len(absent) == 1 else "do"
    return f"{listed([quote(text) for text in absent[:_SHOWN]], total=len(absent))} {does} not occur in {wanted.where}."


def compare_regex(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the pattern matches somewhere; flags and anchors are its author's."""
    if matches(wanted.values[0].decode(errors="surrogatepass"), output):
        return ()
    shown = quote(wanted.values[0], most=2 * QUOTED)
    return (wanted.deviation("wrong", f"Nothing in {wanted.where} matches the pattern {shown}."),)


def compare_check(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask the instructor's function, whose sentence is the deviation's."""
    if wanted.check is None:
        raise HostError("a check is asked for, but nobody has made it ready")
    try:
        wanted.check(output)
    except Wrong as wrong:
        sentence, _, drawing = str(wrong).strip("\n").partition("\n")
        told = sentence or f"{capital(wanted.where)} is not what is asked for."
        return (replace(wanted.deviation("wrong", told), drawing=drawing.strip("\n")),)
    return ()


def compare_any(_output: bytes, _wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask for nothing."""
    return ()


COMPARATORS: Mapping[Comparator, Compare] = {
    "text": compare_text,
    "contains": compare_contains,
    "regex": compare_regex,
    "lines": compare_lines,
    "tokens": compare_tokens,
    "numbers": compare_numbers,
    "json": compare_json,
    "check": compare_check,
    "any": compare_any,
}


def compare(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Hold `output` against `wanted` with its comparator."""
    return COMPARATORS[wanted.how](output, wanted)
