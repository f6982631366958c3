"""Differences and excerpts of what programs wrote, as a report has it, in a few lines with their blanks visible.

A difference is bounded whatever the size of the outputs: only a window of lines behind the first difference goes to
difflib, which is quadratic. A line is cut to the part around its first differing column.
"""

import difflib
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import islice, zip_longest

from grader.core.lazy import lazy_regex
from grader.core.text import common_length, count

LINES_COMPARED, BLOCK, CONTEXT = 60, 4, 2  # lines compared of each side, shown of one in a change, and around it
# Written down, a carriage return or a form feed is an escape; for the judge it was a blank, and so it is here.
_BLANK = lazy_regex(r"[ \t\n]|\\r|\\x0[bc]")


def diff_lines(expected: str, actual: str, *, most: int = 16, width: int = 160) -> list[str]:
    """At most `most` lines, each starting with `-` expected, `+` actual, a space, `@@ line 12 @@`, or `…` for "more".

    `·` is a space and `→` a tab where they matter, `⏎` a newline. Empty only when both are the same.
    """
    if expected == actual:
        return []
    start = expected.rfind("\n", 0, common_length(expected, actual)) + 1
    for _ in range(CONTEXT):
        start = expected.rfind("\n", 0, max(start - 1, 0)) + 1
    number = expected.count("\n", 0, start) + 1
    wanted, got = ([*islice(StringIO(text[start:]), LINES_COMPARED)] for text in (expected, actual))
    is_cut = start + sum(map(len, wanted)) < len(expected) or start + sum(map(len, got)) < len(actual)
    # Where one text ends without its last newline, lines show that they have one.
    ends = bool(expected and actual) and expected.endswith("\n") != actual.endswith("\n")
    matcher = difflib.SequenceMatcher(None, wanted, got, autojunk=False)
    changes = matcher.get_opcodes()
    if is_cut and len(changes) > 2 and changes[-1][0] != "equal":  # noqa: PLR2004 - it is not the only change
        changes.pop()  # where the window ends, lines may look missing that only lie behind it
    lines: list[str] = []
    groups = [*matcher.get_grouped_opcodes(CONTEXT)]  # of the same list
    for group in groups:
        lines += [f"@@ line {number + group[0][1]} @@"] if number > 1 or len(groups) > 1 else []
        for kind, left, left_end, right, right_end in group:
            removed, added = wanted[left:left_end], got[right:right_end]
            if kind == "equal":
                lines.extend(f"  {_clipped(line, width)}" for line in removed)
            else:
                lines += [*_side("-", removed, added, width, ends=ends), *_side("+", added, removed, width, ends=ends)]
    return [*lines[: most - 1], "…"] if is_cut or len(lines) > most else lines


def excerpt(text: str, *, most: int = 8, width: int = 160, indent: str = "", plain: bool = False) -> list[str]:
    """Take the first and the last lines of an output, where there is nothing to compare it with.

    In a `plain` one, such as a stack trace or a log, blanks do not matter, and none is marked.
    """
    if plain:
        text = "\n".join(line.rstrip() for line in text.expandtabs(4).split("\n"))
    lines, half = text.removesuffix("\n").split("\n") if text not in {"", "\n"} else [], most // 2
    is_cut = len(lines) > most
    shown = [indent + _clipped(line, width) for line in (lines[:half] + lines[-half:] if is_cut else lines)]
    return [*shown[:half], f"{indent}…", *shown[half:]] if is_cut else shown


def _side(mark: str, lines: Sequence[str], others: Sequence[str], width: int, *, ends: bool) -> Iterator[str]:
    """Show the changed lines of one side; one that differs by nothing but blanks has all of them visible."""
    for line, other in islice(zip_longest(lines, others[: len(lines)]), BLOCK):
        same = 0 if other is None else common_length(line, other)
        ink = _BLANK.sub("", line)
        only_blanks = not ink or (other is not None and ink == _BLANK.sub("", other))
        # The part around the first difference, of a line whose start is long and the same.
        start = same - width // 2 if same > width * 3 // 4 else 0
        yield f"{mark} {_clipped(line, width, start, every_blank=only_blanks, has_end=ends or only_blanks)}"
    if len(lines) > BLOCK:
        yield f"{mark} … and {count(len(lines) - BLOCK, 'more line')}"


def _clipped(line: str, width: int, start: int = 0, *, every_blank: bool = False, has_end: bool = False) -> str:
    """Cut a line, and show its blanks: all of them, or those at the end."""
    raw = line[start : start + width]
    text = raw.removesuffix("\n").replace("\t", "→")
    stripped = "" if every_blank else text.rstrip(" ")
    text = stripped + text[len(stripped) :].replace(" ", "·") + "⏎" * (has_end and raw.endswith("\n"))
    return "…" * (start > 0) + text + "…" * (start + len(raw) < len(line))
