"""A short difference of two outputs, for people: bounded whatever their size, and with blanks that can be seen.

Nothing here looks at more than a window of lines behind the first difference, which is found by halving; only that
window goes to difflib, which is quadratic. A line is cut to the part around its first differing column.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from grader.text import align, common_length, count, show

LINES_COMPARED = 60
"""lines of each side that are compared"""

BLOCK = 4
"""lines of one side that are shown of one change"""

_BLANK_BYTES = b" \t\r\n\v\f"
# Written down, a carriage return or a form feed is an escape; for the judge it was a blank, and so it is here.
_ESCAPED_BLANK = re.compile(rb"\\r|\\x0[bc]")
_Opcode = tuple[str, int, int, int, int]


def diff(expected: bytes, actual: bytes, *, context: int = 2, most: int = 16, width: int = 160) -> list[str]:
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
    groups = _change_groups(wanted, got, context, is_cut=is_cut)
    lines: list[str] = []
    for group in groups:
        if number > 1 or len(groups) > 1:
            lines.append(f"@@ line {number + group[0][1]} @@")
        for opcode in group:
            lines.extend(_change_lines(opcode, wanted, got, width))
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


def _window(text: bytes, start: int) -> list[bytes]:
    """Return the lines from `start` on, as many as are compared."""
    lines: list[bytes] = []
    while start < len(text) and len(lines) < LINES_COMPARED:
        end = text.find(b"\n", start) + 1 or len(text)
        lines.append(text[start:end])
        start = end
    return lines


def _change_groups(wanted: list[bytes], got: list[bytes], context: int, *, is_cut: bool) -> list[list[_Opcode]]:
    matcher = difflib.SequenceMatcher(None, wanted, got, autojunk=False)
    groups = [list(group) for group in matcher.get_grouped_opcodes(context)]
    changes = sum(opcode[0] != "equal" for group in groups for opcode in group)
    if is_cut and changes > 1 and groups[-1][-1][0] != "equal":
        # Where the window ends, lines may look missing that only lie behind it.
        groups[-1].pop()
        if all(opcode[0] == "equal" for opcode in groups[-1]):
            groups.pop()
    return groups


def _change_lines(opcode: _Opcode, wanted: list[bytes], got: list[bytes], width: int) -> Iterator[str]:
    kind, left, left_end, right, right_end = opcode
    removed, added = wanted[left:left_end], got[right:right_end]
    if kind == "equal":
        yield from (f"  {_clipped(line, 0, width)}" for line in removed)
        return
    yield from _side("-", removed, added, width)
    yield from _side("+", added, removed, width)


def _side(mark: str, lines: Sequence[bytes], others: Sequence[bytes], width: int) -> Iterator[str]:
    for line, other in islice(zip_longest(lines, others[: len(lines)]), BLOCK):
        yield f"{mark} {_changed_line(line, other, width)}"
    if len(lines) > BLOCK:
        yield f"{mark} … and {count(len(lines) - BLOCK, 'more line')}"


def _changed_line(line: bytes, other: bytes | None, width: int) -> str:
    """Show a line that differs: when by nothing but blanks, with all of them visible."""
    same = 0 if other is None else common_length(line, other)
    ink = _without_blanks(line)
    only_blanks = other is not None and ink == _without_blanks(other)
    start = align(line, same - width // 2) if same > width * 3 // 4 else 0
    return _clipped(line, start, width, every_blank=not ink or only_blanks)


def _without_blanks(line: bytes) -> bytes:
    return _ESCAPED_BLANK.sub(b"", line.translate(None, _BLANK_BYTES))


def _clipped(line: bytes, start: int, width: int, *, every_blank: bool = False) -> str:
    end = align(line, start + width)
    text = _with_blanks(line[start:end], every_blank=every_blank)
    return ("…" if start else "") + text + ("…" if end < len(line) else "")


def _with_blanks(raw: bytes, *, every_blank: bool) -> str:
    body = raw.removesuffix(b"\n")
    text = show(body, len(body)).replace("\t", "→")
    if every_blank:
        return text.replace(" ", "·") + "⏎" * (len(raw) - len(body))
    stripped = text.rstrip(" ")
    return stripped + "·" * (len(text) - len(stripped))
