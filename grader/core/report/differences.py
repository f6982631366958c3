"""Differences and excerpts of what programs wrote, in a few lines, with their blanks visible.

A difference is bounded whatever the size of the outputs: only a window of lines behind the first difference goes to
difflib, which is quadratic. A line is cut to the part around its first differing column.
"""

import difflib
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice, zip_longest

from grader.core.lazy import lazy_regex
from grader.core.text import align, common_length, count, show

LINES_COMPARED, BLOCK = 60, 4
"""lines of each side that are compared, and of one side that are shown of one change"""

_BLANK_BYTES = b" \t\r\n\v\f"
# Written down, a carriage return or a form feed is an escape; for the judge it was a blank, and so it is here.
_ESCAPED_BLANK = lazy_regex(rb"\\r|\\x0[bc]")


def diff_lines(expected: bytes, actual: bytes, *, context: int = 2, most: int = 16, width: int = 160) -> list[str]:
    """At most `most` lines, each starting with `-` expected, `+` actual, a space, `@@ line 12 @@`, or `…` for "more".

    `·` is a space and `→` a tab where they matter, `⏎` a newline. Empty only when both are the same.
    """
    if expected == actual:
        return []
    start = expected.rfind(b"\n", 0, common_length(expected, actual)) + 1
    for _ in range(context):
        start = expected.rfind(b"\n", 0, max(start - 1, 0)) + 1
    number = expected.count(b"\n", 0, start) + 1
    wanted, got = ([*islice(BytesIO(text[start:]), LINES_COMPARED)] for text in (expected, actual))
    is_cut = start + sum(map(len, wanted)) < len(expected) or start + sum(map(len, got)) < len(actual)
    # Where one text ends without its last newline, lines show that they have one.
    ends = bool(expected and actual) and expected.endswith(b"\n") != actual.endswith(b"\n")
    matcher = difflib.SequenceMatcher(None, wanted, got, autojunk=False)
    changes = matcher.get_opcodes()
    if is_cut and len(changes) > 2 and changes[-1][0] != "equal":  # noqa: PLR2004 - it is not the only change
        changes.pop()  # where the window ends, lines may look missing that only lie behind it
    lines: list[str] = []
    groups = [*matcher.get_grouped_opcodes(context)]  # of the same list
    for group in groups:
        if number > 1 or len(groups) > 1:
            lines.append(f"@@ line {number + group[0][1]} @@")
        for kind, left, left_end, right, right_end in group:
            removed, added = wanted[left:left_end], got[right:right_end]
            if kind == "equal":
                lines.extend(f"  {_clipped(line, 0, width)}" for line in removed)
            else:
                lines += [*_side("-", removed, added, width, ends=ends), *_side("+", added, removed, width, ends=ends)]
    return [*lines[: most - 1], "…"] if is_cut or len(lines) > most else lines


def excerpt(data: bytes, *, most: int = 8, width: int = 160) -> list[str]:
    """Take the first and the last lines of an output, where there is nothing to compare it with."""
    body, half = data.removesuffix(b"\n"), most // 2
    if body.count(b"\n") < most:
        return [_clipped(line, 0, width) for line in body.split(b"\n") if body]
    head, tail = body.split(b"\n", half)[:half], body.rsplit(b"\n", half)[-half:]
    shown = [_clipped(line, 0, width) for line in (*head, *tail)]
    return [*shown[:half], "…", *shown[half:]]


def plain_excerpt(data: bytes, *, most: int) -> list[str]:
    """Take lines in the same way where blanks do not matter, as in a stack trace or a log: none of them is marked."""
    return excerpt(b"\n".join(line.rstrip() for line in data.expandtabs(4).split(b"\n")), most=most)


def _side(mark: str, lines: Sequence[bytes], others: Sequence[bytes], width: int, *, ends: bool) -> Iterator[str]:
    """Show the changed lines of one side; one that differs by nothing but blanks has all of them visible."""
    for line, other in islice(zip_longest(lines, others[: len(lines)]), BLOCK):
        same = 0 if other is None else common_length(line, other)
        ink = _without_blanks(line)
        only_blanks = not ink or (other is not None and ink == _without_blanks(other))
        # The part around the first difference, of a line whose start is long and the same.
        start = align(line, same - width // 2) if same > width * 3 // 4 else 0
        yield f"{mark} {_clipped(line, start, width, every_blank=only_blanks, has_end=ends or only_blanks)}"
    if len(lines) > BLOCK:
        yield f"{mark} … and {count(len(lines) - BLOCK, 'more line')}"


def _without_blanks(line: bytes) -> bytes:
    return _ESCAPED_BLANK.sub(b"", line.translate(None, _BLANK_BYTES))


def _clipped(line: bytes, start: int, width: int, *, every_blank: bool = False, has_end: bool = False) -> str:
    """Cut a line, and show its blanks: all of them, or those at the end."""
    raw = line[start : align(line, start + width)]
    body = raw.removesuffix(b"\n")
    text = show(body, len(body)).replace("\t", "→")
    stripped = "" if every_blank else text.rstrip(" ")
    text = stripped + text[len(stripped) :].replace(" ", "·") + "⏎" * (has_end and body != raw)
    return "…" * (start > 0) + text + "…" * (start + len(raw) < len(line))
