"""The deviations: a row for each has all that the language, the judge and the pages know of it.

The rows are in the order of their ranks. A difference of spaces or letter case is a rewriting within lines: two texts
differ by it when they are the same once both are rewritten. The patterns begin at a place that is found by looking one
byte back, so that they take linear time on any input. What else is undone in an output has a function in a module of
its own, which is imported when it is first called.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.judgement import CaseResult, Verdict

Kinds = frozenset[str]
Mended = tuple[bytes, bytes, Callable[[], str]]
"""an output without a deviation, in which every other difference is left, what is expected of it, and what makes the
sentence about the deviation"""
Mender = Callable[[bytes, bytes, bytes, bytes], Iterator[Mended]]
"""takes a deviation back in an output, given what is expected, what the program read, and what the reference asks with;
in each way that there is"""

_INNER = rb"[ \t](?<=\S.)"
"""the first of some blanks inside a line; it comes first in a pattern, so that a search skips to it"""
_WORD = rb"[\w\x80-\xff]"
_NEXT = rb"(?:" + _WORD + rb"|[-+]?\.?\d)"
"""before and behind a blank without which two words or numbers would become one, as in `4 -1` and `1. 2`"""
_BETWEEN_SIGNS = lazy_regex(
    _INNER + rb"(?:(?<=" + _WORD + rb".)(?![ \t]*+" + _NEXT + rb")|(?<!" + _WORD + rb".)(?!(?<=\d\..)[ \t]*+\d))"
    rb"[ \t]*+(?=\S)"
)
_BETWEEN_WORDS = lazy_regex(
    _INNER + rb"(?!(?<= )(?![ \t]))(?:(?<=" + _WORD + rb".)[ \t]*+(?=" + _NEXT + rb")|(?<=\d\..)[ \t]*+(?=\d))"
)
_LISTING = b"1 5 8\n1 6 8\n2 4 6\n"
_BOARDS = b"(2, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n"
_LISTINGS = "grader.core.deviations.listings"


def _always(_lines: Sequence[str]) -> bool:
    return True


def _is_text(lines: Sequence[str]) -> bool:
    return any(map(str.strip, lines))


def _has_case(lines: Sequence[str]) -> bool:
    return any(line.upper() != line.lower() for line in lines)


def _has_digit(lines: Sequence[str]) -> bool:
    return any(character.isdigit() for line in lines for character in line)


class DeviationKind(Struct, frozen=True):
    """All that is known of a deviation."""

    name: str
    about: str
    part: Literal["text", "lines", "whole", "streams", "run"]
    """where it is: spaces and letter case; which lines there are; the whole of an output; on which stream; elsewhere"""
    example: tuple[bytes, ...] | str
    """what standard output should be, what it was, and what was on standard error; in words, where no texts differ"""
    label: str = ""
    """the beginning of its sentence, before a line that is an example"""
    rewrite: tuple[tuple[re.Pattern[bytes], bytes], ...] = ()
    """patterns of what is overlooked, and what stands for it"""
    needed: tuple[bytes, ...] = ()
    """what a text between newlines has at least one of where a rewriting changes it, at the ends of a single line"""
    mend: Mender | None = None
    keeps_words: bool = False
    """whether the words of an output stay the same"""
    is_form: bool = True
    """whether it is about the form of an output, and not about what it says"""
    before_line: str = ""
    """a pattern of what it puts before the beginning of a line"""
    reachable: Callable[[Sequence[str]], bool] = _always
    """whether it can occur where these lines are wanted"""


TABLE = (
    DeviationKind(
        "final-newline",
        "The last line's newline is missing, or there is one more.",
        "text",
        keeps_words=True,
        example=(_LISTING, _LISTING[:-1]),
    ),
    DeviationKind(
        "line-endings",
        "CR LF for LF.",
        "text",
        rewrite=((lazy_regex(rb"\r\n"), b"\n"),),
        needed=(b"\r\n",),
        keeps_words=True,
        example=(_LISTING, _LISTING.replace(b"\n", b"\r\n")),
    ),
    DeviationKind(
        "trailing-space",
        "Spaces at the ends of lines.",
        "text",
        rewrite=((lazy_regex(rb"(?<![ \t])[ \t]+(?=\r?(?:\n|\Z))"), b""),),
        needed=(b" \n", b"\t\n", b" \r", b"\t\r"),
        label="Spaces at the ends of lines differ",
        keeps_words=True,
        example=(_LISTING, _LISTING.replace(b"8\n", b"8 \n")),
    ),
    DeviationKind(
        "leading-space",
        "Spaces at the beginnings of lines.",
        "text",
        rewrite=((lazy_regex(rb"(?m)^[ \t]+"), b""),),
        needed=(b"\n ", b"\n\t"),
        label="Spaces at the beginnings of lines differ",
        before_line=r"[ \t]*",
        keeps_words=True,
        example=(_LISTING, b" " + _LISTING),
    ),
    DeviationKind(
        "inner-space",
        "Spaces within lines.",
        "text",
        rewrite=((_BETWEEN_SIGNS, b""), (_BETWEEN_WORDS, b" ")),
        label="Spaces within lines differ",
        keeps_words=True,
        example=(_LISTING, _LISTING.replace(b"1 5", b"1  5")),
    ),
    DeviationKind(
        "blank-lines",
        "Empty lines, more or fewer.",
        "text",
        rewrite=((lazy_regex(rb"(?m)^\n+|^[ \t]*\r?\n|^[ \t]+\r?\Z"), b""),),
        needed=(b"\n\n", b"\n ", b"\n\t", b"\n\r"),
        keeps_words=True,
        example=(_LISTING, _LISTING.replace(b"\n", b"\n\n")),
    ),
    DeviationKind(
        "letter-case",
        "Letter case.",
        "text",
        label="Letter case differs",
        keeps_words=True,
        reachable=_has_case,
        example=(b"Done.\n", b"done.\n"),
    ),
    DeviationKind(
        "wrong-stream", "The text is right, on the other stream.", "streams", example=(_LISTING, b"", _LISTING)
    ),
    DeviationKind(
        "split-streams",
        "The lines are right, some on each stream.",
        "streams",
        example=(_LISTING, _LISTING[:6], _LISTING[6:]),
    ),
    DeviationKind(
        "order",
        "The right lines in the wrong order.",
        "lines",
        keeps_words=True,
        reachable=lambda lines: _is_text(lines) and len(set(lines)) > 1,
        example=(_LISTING, b"1 6 8\n1 5 8\n2 4 6\n"),
    ),
    DeviationKind(
        "duplicates",
        "Every expected line, some more than once.",
        "lines",
        is_form=False,
        reachable=_is_text,
        example=(_LISTING, _LISTING + _LISTING[:6]),
    ),
    DeviationKind(
        "extra-lines",
        "Every expected line in order, and others between or around them.",
        "lines",
        is_form=False,
        reachable=_is_text,
        example=(_LISTING, b"Here they are:\n" + _LISTING),
    ),
    DeviationKind(
        "missing-lines",
        "Only expected lines, in order, some missing.",
        "lines",
        is_form=False,
        reachable=lambda lines: _is_text(lines) and len(lines) > 1,
        example=(_LISTING, _LISTING[:12]),
    ),
    DeviationKind(
        "joined-lines",
        "The right words and numbers, with newlines missing between them, or too many.",
        "whole",
        mend=lazy_call("grader.core.deviations.breaks", "mended_breaks"),
        keeps_words=True,
        reachable=_is_text,
        example=(_BOARDS, _BOARDS.replace(b")\n", b")")),
    ),
    DeviationKind(
        "prompt",
        "Text that ends with a colon, `?`, `>` or `=`, before the answer on its line or on a line of its own.",
        "whole",
        mend=lazy_call("grader.core.deviations.prompts", "mended_prompts"),
        before_line=r"(?:.{0,200}?[:?>=][ \t]*)?",
        example=(b"8\n", b"How many? 8\n"),
    ),
    DeviationKind(
        "zero-based",
        "All numbers of a listing are one too small.",
        "whole",
        mend=lazy_call(_LISTINGS, "mended_from_zero"),
        reachable=_has_digit,
        example=(_BOARDS, b"(1, 3, 0, 2)\n(2, 0, 3, 1)\n4-Queens has 2 solutions\n"),
    ),
    DeviationKind(
        "one-based",
        "All numbers of a listing are one too large.",
        "whole",
        mend=lazy_call(_LISTINGS, "mended_from_one"),
        reachable=_has_digit,
        example=(b"(0, 1)\n(1, 0)\n", b"(1, 2)\n(2, 1)\n"),
    ),
    DeviationKind(
        "reversed",
        "Every tuple is written backwards.",
        "whole",
        mend=lazy_call(_LISTINGS, "mended_backwards"),
        reachable=_has_digit,
        example=(b"(1, 2, 3)\n(3, 1, 2)\n", b"(3, 2, 1)\n(2, 1, 3)\n"),
    ),
    DeviationKind(
        "transposed",
        "Columns for rows: each solution is the inverse permutation of one expected.",
        "whole",
        mend=lazy_call(_LISTINGS, "mended_columns"),
        reachable=_has_digit,
        example=(b"(2, 3, 1)\n", b"(3, 1, 2)\n"),
    ),
    DeviationKind(
        "wrong-count",
        "The listing is right, and the line that states its number is wrong or missing.",
        "whole",
        mend=lazy_call(_LISTINGS, "mended_count"),
        is_form=False,
        reachable=_has_digit,
        example=(_BOARDS, _BOARDS.replace(b"has 2", b"has 3")),
    ),
    DeviationKind(
        "wording",
        "The numbers are right, and a few words differ.",
        "whole",
        mend=lazy_call("grader.core.deviations.wording", "mended_wording"),
        reachable=_is_text,
        example=(_BOARDS, _BOARDS.replace(b"has 2", b"have 2")),
    ),
    DeviationKind(
        "exit-status", "The exit status is wrong.", "run", example="`exit` in `expect` asks for another status."
    ),
    DeviationKind(
        "unflushed",
        "The answer came only after the input was closed.",
        "run",
        example="A step of a dialogue waits for it in vain, and it comes when the input is closed.",
    ),
    DeviationKind(
        "memory-leak",
        "Memory was never freed.",
        "run",
        example="`memory-clean` asks for a run under valgrind, and nothing points to the memory any more.",
    ),
    DeviationKind(
        "memory-fault",
        "Memory was used that is not allocated, or that had no value yet.",
        "run",
        example="`memory-clean` asks for a run under valgrind, and it finds this.",
    ),
    DeviationKind("wrong", "None of these.", "run", is_form=False, example=(_LISTING, b"1 2 3\n")),
)
DEVIATIONS = {kind.name: kind for kind in TABLE}
"""in the order of their ranks; the names are fixed by the specification language"""
DEVIATION_MEANINGS = {kind.name: kind.about for kind in TABLE}
RANKS = {kind.name: rank for rank, kind in enumerate(TABLE)}
TEXT_KINDS: Kinds = frozenset(kind.name for kind in TABLE if kind.part == "text")
"""the kinds that are differences of spaces and letter case, not of lines"""
LINE_KINDS: Kinds = frozenset(kind.name for kind in TABLE if kind.part == "lines")
STREAM_KINDS: Kinds = frozenset(kind.name for kind in TABLE if kind.part == "streams")
MENDED_KINDS: Kinds = frozenset(kind.name for kind in TABLE if kind.mend)
CONTENT_KINDS: Kinds = frozenset(kind.name for kind in TABLE if not kind.is_form)
KINDS_THAT_KEEP_WORDS: Kinds = frozenset(kind.name for kind in TABLE if kind.keeps_words)


def is_wrong_in_form(result: CaseResult) -> bool:
    """Whether the program came to its end, and nothing but the form of its output may be wrong."""
    came_to_its_end = result.verdict in (Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED)
    return came_to_its_end and CONTENT_KINDS.isdisjoint(one.kind for one in result.deviations)
