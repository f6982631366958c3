"""The deviations: a row for each has all that the language, the judge and the pages know of it.

The rows are in the order of their ranks. A difference of spaces or letter case is a rewriting within lines: two texts
differ by it when they are the same once both are rewritten. The patterns begin at a place that is found by looking one
byte back, so that they take linear time on any input. What else is undone in an output has a function in a module of
its own, which is imported when it is first called.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct

from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.report import CaseResult, Verdict

Kinds = frozenset[str]
Mended = tuple[bytes, bytes, Callable[[], str]]
"""an output without a deviation, but with every other; what is expected of it; and what makes the sentence about it"""
Mender = Callable[[bytes, bytes, bytes, bytes], Iterator[Mended]]
"""takes a deviation back in each way, given what was written, is expected, and was read, and the reference's prompt"""

_INNER = rb"[ \t](?<=\S.)"  # the first of some blanks inside a line, first in a pattern so that a search skips to it
_WORD = rb"[\w\x80-\xff]"
_NEXT = rb"(?:" + _WORD + rb"|[-+]?\.?\d)"  # around a blank that parts two words or numbers, as in `4 -1` and `1. 2`
_BETWEEN_SIGNS = lazy_regex(
    _INNER + rb"(?:(?<=" + _WORD + rb".)(?![ \t]*+" + _NEXT + rb")|(?<!" + _WORD + rb".)(?!(?<=\d\..)[ \t]*+\d))"
    rb"[ \t]*+(?=\S)"
)
_BETWEEN_WORDS = lazy_regex(
    _INNER + rb"(?!(?<= )(?![ \t]))(?:(?<=" + _WORD + rb".)[ \t]*+(?=" + _NEXT + rb")|(?<=\d\..)[ \t]*+(?=\d))"
)
_ROWS = b"1 5 8\n1 6 8\n2 4 6\n"
_FROM_ONE, _FROM_ZERO = b"(1, 2)\n(2, 1)\n", b"(0, 1)\n(1, 0)\n"
_BOARDS = b"(2, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n"
_listing = partial(lazy_call, "grader.core.deviations.listings")


def _is_text(lines: Sequence[str]) -> bool:
    return any(map(str.strip, lines))


class DeviationKind(Struct, frozen=True):
    """All that is known of a deviation."""

    name: str
    about: str
    example: tuple[bytes, ...] | str
    """what standard output should be, what it was, and what was on standard error; in words, where no texts differ"""
    mend: Mender | None = None
    part: Literal["text", "lines", "whole", "streams", "run"] = "run"
    """where it is: spaces and letter case; which lines there are; the whole of an output; on which stream; elsewhere"""
    label: str = ""  # the beginning of its sentence, before a line that is an example
    rewrite: tuple[tuple[re.Pattern[bytes], bytes], ...] = ()  # patterns of what is overlooked, and what stands for it
    needed: tuple[bytes, ...] = ()
    """what a text between newlines has at least one of where a rewriting changes it, at the ends of a single line"""
    keeps_words: bool = False  # whether the words of an output stay the same
    is_form: bool = True  # whether it is about the form of an output, and not about what it says
    before_line: str = ""  # a pattern of what it puts before the beginning of a line
    reachable: Callable[[Sequence[str]], bool] = lambda _lines: True
    """whether it can occur where these lines are wanted"""


_text = partial(DeviationKind, part="text", keeps_words=True)
_streams = partial(DeviationKind, part="streams")
_lines = partial(DeviationKind, part="lines", reachable=_is_text)
_whole = partial(DeviationKind, part="whole", reachable=_is_text)
_listed = partial(DeviationKind, part="whole", reachable=lambda lines: any(map(str.isdigit, "".join(lines))))
TABLE = (
    _text("final-newline", "The last line's newline is missing, or there is one more.", (_ROWS, _ROWS[:-1])),
    _text(
        "line-endings",
        "CR LF for LF.",
        (_ROWS, _ROWS.replace(b"\n", b"\r\n")),
        rewrite=((lazy_regex(rb"\r\n"), b"\n"),),
        needed=(b"\r\n",),
    ),
    _text(
        "trailing-space",
        "Spaces at the ends of lines.",
        (_ROWS, _ROWS.replace(b"8\n", b"8 \n")),
        rewrite=((lazy_regex(rb"(?<![ \t])[ \t]+(?=\r?(?:\n|\Z))"), b""),),
        needed=(b" \n", b"\t\n", b" \r", b"\t\r"),
        label="Spaces at the ends of lines differ",
    ),
    _text(
        "leading-space",
        "Spaces at the beginnings of lines.",
        (_ROWS, b" " + _ROWS),
        rewrite=((lazy_regex(rb"(?m)^[ \t]+"), b""),),
        needed=(b"\n ", b"\n\t"),
        label="Spaces at the beginnings of lines differ",
        before_line=r"[ \t]*",
    ),
    _text(
        "inner-space",
        "Spaces within lines.",
        (_ROWS, _ROWS.replace(b"1 5", b"1  5")),
        rewrite=((_BETWEEN_SIGNS, b""), (_BETWEEN_WORDS, b" ")),
        label="Spaces within lines differ",
    ),
    _text(
        "blank-lines",
        "Empty lines, more or fewer.",
        (_ROWS, _ROWS.replace(b"\n", b"\n\n")),
        rewrite=((lazy_regex(rb"(?m)^\n+|^[ \t]*\r?\n|^[ \t]+\r?\Z"), b""),),
        needed=(b"\n\n", b"\n ", b"\n\t", b"\n\r"),
    ),
    _text(
        "letter-case",
        "Letter case.",
        (b"Done.\n", b"done.\n"),
        label="Letter case differs",
        reachable=lambda lines: any(line.upper() != line.lower() for line in lines),
    ),
    _streams("wrong-stream", "The text is right, on the other stream.", (_ROWS, b"", _ROWS)),
    _streams("split-streams", "The lines are right, some on each stream.", (_ROWS, _ROWS[:6], _ROWS[6:])),
    _lines(
        "order",
        "The right lines in the wrong order.",
        (_ROWS, b"1 6 8\n1 5 8\n2 4 6\n"),
        keeps_words=True,
        reachable=lambda lines: _is_text(lines) and len(set(lines)) > 1,
    ),
    _lines("duplicates", "Every expected line, some more than once.", (_ROWS, _ROWS + _ROWS[:6]), is_form=False),
    _lines(
        "extra-lines",
        "Every expected line in order, and others between or around them.",
        (_ROWS, b"Here they are:\n" + _ROWS),
        is_form=False,
    ),
    _lines(
        "missing-lines",
        "Only expected lines, in order, some missing.",
        (_ROWS, _ROWS[:12]),
        is_form=False,
        reachable=lambda lines: _is_text(lines) and len(lines) > 1,
    ),
    _whole(
        "joined-lines",
        "The right words and numbers, with newlines missing between them, or too many.",
        (_BOARDS, _BOARDS.replace(b")\n", b")")),
        lazy_call("grader.core.deviations.breaks", "mended_breaks"),
        keeps_words=True,
    ),
    DeviationKind(
        "prompt",
        "Text that ends with a colon, `?`, `>` or `=`, before the answer on its line or on a line of its own.",
        (b"8\n", b"How many? 8\n"),
        lazy_call("grader.core.deviations.sentences", "mended_prompts"),
        part="whole",
        before_line=r"(?:.{0,200}?[:?>=][ \t]*)?",
    ),
    _listed(
        "zero-based",
        "All numbers of a listing are one too small.",
        (_FROM_ONE, _FROM_ZERO),
        _listing("mended_from_zero"),
    ),
    _listed(
        "one-based", "All numbers of a listing are one too large.", (_FROM_ZERO, _FROM_ONE), _listing("mended_from_one")
    ),
    _listed(
        "reversed", "Every tuple is written backwards.", (b"(1, 2, 3)\n", b"(3, 2, 1)\n"), _listing("mended_backwards")
    ),
    _listed(
        "transposed",
        "Columns for rows: each solution is the inverse permutation of one expected.",
        (b"(2, 3, 1)\n", b"(3, 1, 2)\n"),
        _listing("mended_columns"),
    ),
    _listed(
        "wrong-count",
        "The listing is right, and the line that states its number is wrong or missing.",
        (_BOARDS, _BOARDS.replace(b"has 2", b"has 3")),
        _listing("mended_count"),
        is_form=False,
    ),
    _whole(
        "wording",
        "The numbers are right, and a few words differ.",
        (_BOARDS, _BOARDS.replace(b"has 2", b"have 2")),
        lazy_call("grader.core.deviations.listings", "mended_wording"),
    ),
    DeviationKind("exit-status", "The exit status is wrong.", "`exit` in `expect` asks for another status."),
    DeviationKind(
        "unflushed",
        "The answer came only after the input was closed.",
        "A step of a dialogue waits for it in vain, and it comes when the input is closed.",
    ),
    DeviationKind(
        "memory-leak",
        "Memory was never freed.",
        "`memory-clean` asks for a run under valgrind, and nothing points to the memory any more.",
    ),
    DeviationKind(
        "memory-fault",
        "Memory was used that is not allocated, or that had no value yet.",
        "`memory-clean` asks for a run under valgrind, and it finds this.",
    ),
    DeviationKind("wrong", "None of these.", (_ROWS, b"1 2 3\n"), is_form=False),
)
DEVIATIONS = {kind.name: kind for kind in TABLE}  # in the order of their ranks
DEVIATION_MEANINGS = {kind.name: kind.about for kind in TABLE}
RANKS = {kind.name: rank for rank, kind in enumerate(TABLE)}
TEXT_KINDS: Kinds = frozenset(kind.name for kind in TABLE if kind.part == "text")
LINE_KINDS: Kinds = frozenset(kind.name for kind in TABLE if kind.part == "lines")
STREAM_KINDS: Kinds = frozenset(kind.name for kind in TABLE if kind.part == "streams")
MENDED_KINDS: Kinds = frozenset(kind.name for kind in TABLE if kind.mend)
CONTENT_KINDS: Kinds = frozenset(kind.name for kind in TABLE if not kind.is_form)
KINDS_THAT_KEEP_WORDS: Kinds = frozenset(kind.name for kind in TABLE if kind.keeps_words)


def is_wrong_in_form(result: CaseResult) -> bool:
    """Whether the program came to its end, and nothing but the form of its output may be wrong."""
    came_to_its_end = result.verdict in (Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED)
    return came_to_its_end and CONTENT_KINDS.isdisjoint(deviation.kind for deviation in result.deviations)
