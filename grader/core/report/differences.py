"""Differences and excerpts of what programs wrote, in a few lines, with their blanks visible.

A difference is bounded whatever the size of the outputs. No more is looked at than a window of lines behind the first
difference, which is found by halving; only that window goes to difflib, which is quadratic. A line is cut to the part
around its first differing column.
"""

import difflib
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from grader.core.lazy import lazy_regex
from grader.core.text import align, common_length, count, show

LINES_COMPARED = 60
"""lines of each side that are compared"""

BLOCK = 4
"""lines of one side that are shown of one change"""

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
    wanted, got = _window(expected, start), _window(actual, start)
    is_cut = start + sum(map(len, wanted)) < len(expected) or start + sum(map(len, got)) < len(actual)
    matcher = difflib.SequenceMatcher(None, wanted, got, autojunk=False)
    groups = [list(group) for group in matcher.get_grouped_opcodes(context)]
    changes = sum(opcode[0] != "equal" for group in groups for opcode in group)
    if is_cut and changes > 1 and groups[-1][-1][0] != "equal":
        # Where the window ends, lines may look missing that only lie behind it.
        groups[-1].pop()
        if all(opcode[0] == "equal" for opcode in groups[-1]):
            groups.pop()
    # A line that is elsewhere the last one, without its newline, shows that it has one.
    unended = frozenset(text for last in (wanted[-1:], got[-1:]) for text in last if not text.endswith(b"\n"))
    lines: list[str] = []
    for group in groups:
        if number > 1 or len(groups) > 1:
            lines.append(f"@@ line {number + group[0][1]} @@")
        for kind, left, left_end, right, right_end in group:
            removed, added = wanted[left:left_end], got[right:right_end]
            if kind == "equal":
                lines.extend(f"  {_clipped(line, 0, width)}" for line in removed)
            else:
                lines += [*_side("-", removed, added, width, unended), *_side("+", added, removed, width, unended)]
    if is_cut or len(lines) > most:
        lines = [*lines[: most - 1], "…"]
    return lines


def excerpt(data: bytes, *, most: int = 8, width: int = 160) -> list[str]:
    """Take the first and the last lines of an output, where there is nothing to compare it with."""
    body = data.removesuffix(b"\n")
    if body.count(b"\n") < most:
        return [_clipped(line, 0, width) for line in body.split(b"\n") if body]
    half = most // 2
    head, tail = body.split(b"\n", half)[:half], body.rsplit(b"\n", half)[-half:]
    return [*(_clipped(line, 0, width) for line in head), "…", *(_clipped(line, 0, width) for line in tail)]


def plain_excerpt(data: bytes, *, most: int) -> list[str]:
    """Take lines in the same way where blanks do not matter, as in a stack trace or a log: none of them is marked."""
    return excerpt(b"\n".join(line.rstrip() for line in data.expandtabs(4).split(b"\n")), most=most)


def _window(text: bytes, start: int) -> list[bytes]:
    """Return the lines from `start` on, as many as are compared."""
    lines: list[bytes] = []
    while start < len(text) and len(lines) < LINES_COMPARED:
        end = text.find(b"\n", start) + 1 or len(text)
        lines.append(text[start:end])
        start = end
    return lines


def _side(
    mark: str, lines: Sequence[bytes], others: Sequence[bytes], width: int, unended: frozenset[bytes]
) -> Iterator[str]:
    """Show the changed lines of one side; one that differs by nothing but blanks has all of them visible."""
    for line, other in islice(zip_longest(lines, others[: len(lines)]), BLOCK):
        same = 0 if other is None else common_length(line, other)
        ink = _without_blanks(line)
        only_blanks = other is not None and ink == _without_blanks(other)
        # The part around the first difference, of a line whose start is long and the same.
        start = align(line, same - width // 2) if same > width * 3 // 4 else 0
        shown = _clipped(line, start, width, every_blank=not ink or only_blanks)
        has_end = not shown.endswith(("⏎", "…")) and line.endswith(b"\n") and line[:-1] in unended
        yield f"{mark} {shown}{'⏎' * has_end}"
    if len(lines) > BLOCK:
        yield f"{mark} … and {count(len(lines) - BLOCK, 'more line')}"


def _without_blanks(line: bytes) -> bytes:
    return _ESCAPED_BLANK.sub(b"", line.translate(None, _BLANK_BYTES))


def _clipped(line: bytes, start: int, width: int, *, every_blank: bool = False) -> str:
    """Cut a line, and show its blanks: all of them, or those at the end."""
    end = align(line, start + width)
    raw = line[start:end]
    body = raw.removesuffix(b"\n")
    text = show(body, len(body)).replace("\t", "→")
    if every_blank:
        text = text.replace(" ", "·") + "⏎" * (len(raw) - len(body))
    else:
        stripped = text.rstrip(" ")
        text = stripped + "·" * (len(text) - len(stripped))
    return ("…" if start else "") + text + ("…" if end < len(line) else "")
