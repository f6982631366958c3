"""Comparators: a text held against what is wanted -> its deviations; none means that it holds.

A comparator is a function and an entry in `COMPARATORS`. It never raises on what a student wrote; HostError is for an
expectation that cannot be used.
"""

import re
import warnings
from collections.abc import Callable, Mapping

from grader.errors import HostError
from grader.judge.explain import explain, smallest
from grader.judge.figures import compare_numbers
from grader.judge.normal import TEXT_KINDS, Kinds, ended, normal, possible
from grader.judge.sentences import name_all, parting, wrong_lines, wrong_text
from grader.judge.shapes import Shape, order_left_aside
from grader.judge.wanted import Wanted
from grader.judge.words import QUOTED, listed, quote, size
from grader.model import Comparator, Deviation

_SHOWN = 3
_CASE = frozenset({"letter-case"})
_SEARCHED = 2**20
"""bytes in which a pattern is looked for; a search cannot be interrupted"""

Compare = Callable[[bytes, Wanted], tuple[Deviation, ...]]


def compare_text(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that every byte is as in the text."""
    expected = wanted.values[0]
    kinds = explain(output, expected, wanted.tolerate)
    if kinds is None:
        return (wanted.deviation("wrong", wrong_text(output, expected, wanted.where)),)
    return name_all(output, expected, kinds, wanted)


def compare_lines(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the lines are those of the text, in its order unless that is free; a newline may end the last."""
    actual, expected = ended(output), ended(wanted.values[0])
    means, wrong = (None, wrong_text) if wanted.ordered else (order_left_aside, wrong_lines)
    kinds = explain(actual, expected, wanted.tolerate, TEXT_KINDS - {"final-newline"}, means)
    if kinds is None:
        return (wanted.deviation("wrong", wrong(actual, expected, wanted.where)),)
    return name_all(actual, expected, kinds, wanted)


def compare_tokens(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the words are those of the text, whatever blanks and line breaks are between them."""
    actual, expected = b"\n".join(output.split()), b"\n".join(wanted.values[0].split())
    if actual == expected:
        return ()
    if normal(actual, _CASE) == normal(expected, _CASE):
        first = parting(actual, expected, frozenset(), wanted.where, "word")
        return (wanted.deviation("letter-case", f"Capital and small letters differ: {first}"),)
    return (wanted.deviation("wrong", wrong_text(actual, expected, wanted.where, "word")),)


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
    found = smallest(holds, no_shapes, kinds, wanted.tolerate, len(output))
    if found is None:
        return (wanted.deviation("wrong", _absent(output, wanted)),)
    return name_all(output, ended(output), found, wanted)


def _absent(output: bytes, wanted: Wanted) -> str:
    form = ended(normal(output, TEXT_KINDS))
    absent = [text for text in wanted.values if normal(text, TEXT_KINDS) not in form]
    does = "does" if len(absent) == 1 else "do"
    return f"{listed([quote(text) for text in absent[:_SHOWN]], len(absent))} {does} not occur in {wanted.where}."


def compare_regex(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Ask that the pattern matches somewhere in the first MiB; flags and anchors are its author's."""
    pattern = wanted.values[0].decode(errors="surrogatepass")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = re.search(pattern, output[:_SEARCHED].decode(errors="backslashreplace"))
    except (re.error, OverflowError, RecursionError) as error:
        raise HostError(f"{pattern!r} is no regular expression: {error}; mend it in the spec") from error
    if found:
        return ()
    where = f"The first {size(_SEARCHED)} of {wanted.where} has" if len(output) > _SEARCHED else f"{wanted.where} has"
    shown = quote(wanted.values[0], most=2 * QUOTED)
    return (wanted.deviation("wrong", f"{where[:1].upper()}{where[1:]} nothing that matches the pattern {shown}."),)


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
    "any": compare_any,
}


def compare(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Hold `output` against `wanted` with its comparator."""
    return COMPARATORS[wanted.how](output, wanted)
