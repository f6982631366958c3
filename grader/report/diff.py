"""A short difference of two outputs, for people: bounded whatever their size, and with blanks that can be seen.

Nothing here looks at more than a window of lines behind the first difference, which is found by halving; only that
window goes to difflib, which is quadratic. A line is cut to the part around its first differing column.
"""

import difflib
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from grader.text import align, show

WINDOW = 60
"""lines of each side that are compared"""

BLOCK = 4
"""lines of one side that are shown of one change"""

_BLANKS = b" \t\r\n\v\f"
_Opcode = tuple[str, int, int, int, int]


def diff(expected: bytes, actual: bytes, *, context: int = 2, most: int = 16, width: int = 160) -> list[str]:
    """At most `most` lines, each starting with `-` expected, `+` actual, a space, `@@ line 12 @@`, or `…` for "more".

    `·` is a space and `→` a tab where they matter, `⏎` a newline. Empty only when both are the same.
    """
    if expected == actual:
        return []
    start = _line_start(expected, _common(expected, actual), context)
    number = expected.count(b"\n", 0, start) + 1
    wanted, got = _window(expected, start), _window(actual, start)
    is_cut = start + sum(map(len, wanted)) < len(expected) or start + sum(map(len, got)) < len(actual)
    groups = _groups(wanted, got, context, is_cut=is_cut)
    lines: list[str] = []
    for group in groups:
        if number > 1 or len(groups) > 1:
            lines.append(f"@@ line {number + group[0][1]} @@")
        for opcode in group:
            lines.extend(_told(opcode, wanted, got, width))
    if is_cut or len(lines) > most:
        lines = [*lines[: most - 1], "…"]
    return lines


def excerpt(data: bytes, *, most: int = 8, width: int = 160) -> list[str]:
    """Take the first and the last lines of an output, where there is nothing to compare it with."""
    body = data.removesuffix(b"\n")
    if body.count(b"\n") < most:
        return [_cut(line, 0, width) for line in body.split(b"\n") if body]
    half = most // 2
    head, tail = body.split(b"\n", half)[:half], body.rsplit(b"\n", half)[-half:]
    return [*(_cut(line, 0, width) for line in head), "…", *(_cut(line, 0, width) for line in tail)]


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both start with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _line_start(text: bytes, place: int, lines_before: int) -> int:
    """Where the line of `place` starts, or the one some lines before it."""
    start = text.rfind(b"\n", 0, place) + 1
    for _ in range(lines_before):
        start = text.rfind(b"\n", 0, max(start - 1, 0)) + 1
    return start


def _window(text: bytes, start: int) -> list[bytes]:
    return list(islice(_lines(text, start), WINDOW))


def _lines(text: bytes, start: int) -> Iterator[bytes]:
    while start < len(text):
        end = text.find(b"\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _groups(wanted: list[bytes], got: list[bytes], context: int, *, is_cut: bool) -> list[list[_Opcode]]:
    matcher = difflib.SequenceMatcher(None, wanted, got, autojunk=False)
    groups = [list(group) for group in matcher.get_grouped_opcodes(context)]
    changes = sum(opcode[0] != "equal" for group in groups for opcode in group)
    if is_cut and changes > 1 and groups[-1][-1][0] != "equal":
        # Where the window ends, lines may look missing that only lie behind it.
        groups[-1].pop()
        if all(opcode[0] == "equal" for opcode in groups[-1]):
            groups.pop()
    return groups


def _told(opcode: _Opcode, wanted: list[bytes], got: list[bytes], width: int) -> Iterator[str]:
    kind, left, left_end, right, right_end = opcode
    removed, added = wanted[left:left_end], got[right:right_end]
    if kind == "equal":
        yield from (f"  {_cut(line, 0, width)}" for line in removed)
        return
    yield from _side("-", removed, added, width)
    yield from _side("+", added, removed, width)


def _side(mark: str, lines: Sequence[bytes], others: Sequence[bytes], width: int) -> Iterator[str]:
    for line, other in islice(zip_longest(lines, others[: len(lines)]), BLOCK):
        yield f"{mark} {_changed(line, other, width)}"
    if len(lines) > BLOCK:
        more = len(lines) - BLOCK
        yield f"{mark} … and {more} more line{'s' if more > 1 else ''}"


def _changed(line: bytes, other: bytes | None, width: int) -> str:
    """Show a line that differs: when by nothing but blanks, with all of them visible."""
    same = 0 if other is None else _common(line, other)
    is_blank = not line.strip(_BLANKS)
    only_blanks = other is not None and line.translate(None, _BLANKS) == other.translate(None, _BLANKS)
    start = align(line, same - width // 2) if same > width * 3 // 4 else 0
    return _cut(line, start, width, every_blank=is_blank or only_blanks)


def _cut(line: bytes, start: int, width: int, *, every_blank: bool = False) -> str:
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
