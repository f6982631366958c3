"""What may be wrong with a text: edits, each with the deviation that it should be named with.

An edit is a function from the right text to a wrong one, or to None where it does not apply, and an entry in `EDITS`.
Many edit a listed item: a solution a line, a row of a matrix, a board under a heading. The first line that occurs
several times, numbers ignored, is how every item begins.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader.check.mutants import BrokenRule
from grader.core.deviations.table import TEXT_KINDS

NUMBER = re.compile(rb"-?\d+")
_ONE_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_LONG_WORD = re.compile(rb"[A-Za-z]{5,}")
_GREETING = b"Welcome to my program.\n"

_TextChange = Callable[[bytes], bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEdit:
    """A way in which a text can be wrong."""

    name: str
    about: str
    change: _TextChange
    named: tuple[str, ...] = ()
    rule: BrokenRule = "visible"
    whole: bool = True  # whether it is wrong only where every line of a text is compared


def split_lines(text: bytes) -> list[bytes]:
    """Return the lines of a text, each with its newline."""
    return _ONE_LINE.findall(text)


def change_last_number(text: bytes, by: int, start: int = 0) -> bytes | None:
    """Return the text with another last number; None when there is none behind `start`."""
    numbers = list(NUMBER.finditer(text, start))
    if not numbers:
        return None
    return b"%s%d%s" % (text[: numbers[-1].start()], int(numbers[-1][0]) + by, text[numbers[-1].end() :])


# ---------------------------------------------------------------- lines and words


def _swap_first(items: list[bytes]) -> list[bytes] | None:
    """Return the items with the first, and the first that is another one, exchanged."""
    at = next((at for at in range(1, len(items)) if items[at] != items[0]), None)
    return None if at is None else [items[at], *items[1:at], items[0], *items[at + 1 :]]


def _swap_lines(text: bytes) -> bytes | None:
    found = _swap_first([line if line.endswith(b"\n") else line + b"\n" for line in split_lines(text)])
    return None if found is None else b"".join(found)


def _drop_last_line(text: bytes) -> bytes | None:
    found = split_lines(text)
    return b"".join(found[:-1]) if len(found) > 1 else None


def _join_lines(text: bytes) -> bytes | None:
    found = split_lines(text)
    return b" ".join(line.rstrip(b"\n") for line in found) + b"\n" if len(found) > 1 else None


def _misspell(text: bytes) -> bytes | None:
    """Exchange two letters of the last long word in which they differ."""
    words = [word for word in _LONG_WORD.finditer(text) if word[0][2:3] != word[0][3:4]]
    if not words:
        return None
    at = words[-1].start() + 2
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


# ---------------------------------------------------------------- things that are listed


def _find_list(text: bytes) -> tuple[bytes, tuple[bytes, ...], bytes] | None:
    """Return what is before a list, what is listed, and what is behind; None without a list, or with one thing alone.

    Put together the parts are the text.
    """
    rows = split_lines(text)
    shapes = [NUMBER.sub(b"#", row) for row in rows]
    counted = Counter(shapes)
    head = next((shape for shape in shapes if counted[shape] > 1 and b"#" in shape), None)
    if head is None:
        return None
    starts = [at for at, shape in enumerate(shapes) if shape == head]
    ends = starts[1:]
    longest = max(end - start for start, end in pairwise(starts))
    last = min(starts[-1] + longest, len(rows))
    items = tuple(b"".join(rows[start:end]) for start, end in zip(starts, [*ends, last], strict=True))
    return b"".join(rows[: starts[0]]), items, b"".join(rows[last:])


def _spoil(item: bytes) -> bytes:
    """Return a thing that is not what it was: a number twice where there were two, or its last lines exchanged.

    Lines that differ in their numbers alone are exchanged only if there are no others.
    """
    rows = split_lines(item)
    if len(rows) > 1:
        shapes = [NUMBER.sub(b"#", row) for row in rows]
        others = [at for at in range(len(rows) - 1) if rows[at] != rows[-1]]
        unlike = [at for at in others if shapes[at] != shapes[-1]] or others
        if unlike:
            rows[unlike[-1]], rows[-1] = rows[-1], rows[unlike[-1]]
        return b"".join(rows)
    for one, other in pairwise(NUMBER.finditer(item)):
        if one[0] != other[0]:
            return item[: one.start()] + other[0] + item[one.end() :]
    return item


def _renumber(item: bytes, numbers: Sequence[bytes]) -> bytes:
    """Return a thing with these numbers in the places of its own."""
    rest = iter(numbers)
    return NUMBER.sub(lambda _: next(rest), item)


def _shift(item: bytes, by: int) -> bytes:
    return _renumber(item, [b"%d" % (int(number) + by) for number in NUMBER.findall(item)])


def _transpose(item: bytes) -> bytes | None:
    """Return a thing with columns for rows, when its numbers are a permutation; else None."""
    numbers = [int(number) for number in NUMBER.findall(item)]
    least = min(numbers, default=0)
    if sorted(numbers) != list(range(least, least + len(numbers))) or least not in {0, 1}:
        return None
    return _renumber(item, [b"%d" % (numbers.index(at) + least) for at in range(least, least + len(numbers))])


def _with_items(change: Callable[[tuple[bytes, ...]], Sequence[bytes] | None]) -> _TextChange:
    """Put other things into the list."""

    def edit(text: bytes) -> bytes | None:
        if (found := _find_list(text)) is None:
            return None
        before, items, after = found
        others = change(items)
        return None if others is None else b"".join((before, *others, after))

    return edit


def _each_item(change: _TextChange) -> _TextChange:
    """Change every thing that is listed, if every one can be changed: numbers in a line."""

    def edit(items: tuple[bytes, ...]) -> list[bytes] | None:
        if any(len(NUMBER.findall(item)) <= 1 or len(split_lines(item)) > 1 for item in items):
            return None
        changed = [other for item in items if (other := change(item))]
        return changed if len(changed) == len(items) else None

    return _with_items(edit)


def _count_behind(by: int) -> _TextChange:
    """Change the count that follows a list."""

    def edit(text: bytes) -> bytes | None:
        found = _find_list(text)
        return change_last_number(text, by, len(text) - len(found[2])) if found else None

    return edit


def _number_alone(by: int) -> _TextChange:
    """Change the last number of a text that lists nothing."""
    return lambda text: None if _find_list(text) else change_last_number(text, by)


# ---------------------------------------------------------------- the table


def _lines_edit(name: str, about: str, change: _TextChange, *named: str) -> TextEdit:
    rule: BrokenRule = "layout" if name in TEXT_KINDS else "visible"
    return TextEdit(name=name, about=about, change=change, named=named or (name,), rule=rule)


def _edit(name: str, about: str, change: _TextChange, *named: str) -> TextEdit:
    return TextEdit(name=name, about=about, change=change, named=named, whole=False)


EDITS: tuple[TextEdit, ...] = (
    _lines_edit("final-newline", "no newline at the end", lambda text: text.removesuffix(b"\n")),
    _lines_edit("line-endings", "CR LF for LF", lambda text: text.replace(b"\n", b"\r\n")),
    _lines_edit("trailing-space", "a blank at the end of each line", lambda text: text.replace(b"\n", b" \n")),
    _lines_edit(
        "leading-space", "every line indented", lambda text: b"".join(b"  " + line for line in split_lines(text))
    ),
    _lines_edit("inner-space", "two blanks for one", lambda text: re.sub(rb"(?<=[^ \n]) (?=[^ \n])", b"  ", text)),
    _lines_edit("blank-lines", "an empty line first", lambda text: b"\n" + text if text else None),
    _lines_edit("letter-case", "all letters small", bytes.lower),
    _lines_edit("order", "two lines swapped", _swap_lines),
    _lines_edit(
        "extra-lines-first", "a line of greeting first", lambda text: _GREETING + text if text else None, "extra-lines"
    ),
    _lines_edit(
        "extra-lines-last",
        "a line of greeting last",
        lambda text: text + _GREETING if text.endswith(b"\n") else None,
        "extra-lines",
    ),
    _lines_edit("joined-lines", "all lines on one", _join_lines),
    _lines_edit("prompt", "a prompt in front of it", lambda text: b"Enter a number: " + text if text else None),
    _lines_edit("wording", "a word misspelt", _misspell),
    _lines_edit("zero-based", "all numbers of the list one less", _each_item(lambda item: _shift(item, -1))),
    _lines_edit("one-based", "all numbers of the list one more", _each_item(lambda item: _shift(item, 1))),
    _lines_edit(
        "reversed",
        "all that is listed backwards",
        _each_item(lambda item: _renumber(item, NUMBER.findall(item)[::-1])),
        "reversed",
        "order",
    ),
    _lines_edit("transposed", "columns for rows in the list", _each_item(_transpose), "transposed", "order"),
    _lines_edit("last-to-first", "the list from its end", _with_items(lambda items: items[::-1]), "order"),
    _lines_edit("last-line-missing", "the last line missing", _drop_last_line, "missing-lines"),
    _edit("one-missing-first", "the first of the list missing", _with_items(lambda items: items[1:]), "missing-lines"),
    _edit("one-missing-last", "the last of the list missing", _with_items(lambda items: items[:-1]), "missing-lines"),
    _edit("only-first", "the first of the list and no more", _with_items(lambda items: items[:1]), "missing-lines"),
    _edit("one-repeated", "the first of the list twice", _with_items(lambda items: items[:1] + items), "duplicates"),
    _edit("two-swapped", "two of the list swapped", _with_items(lambda items: _swap_first(list(items))), "order"),
    _edit(
        "one-invalid-first", "the first of the list spoilt", _with_items(lambda items: (_spoil(items[0]), *items[1:]))
    ),
    _edit(
        "one-invalid-last", "the last of the list spoilt", _with_items(lambda items: (*items[:-1], _spoil(items[-1])))
    ),
    _edit("count-more", "the number behind the list one more", _count_behind(1), "wrong-count"),
    _edit("count-less", "the number behind the list one less", _count_behind(-1), "wrong-count"),
    _edit("number-more", "the last number one more", _number_alone(1)),
    _edit("number-less", "the last number one less", _number_alone(-1)),
    _edit("half", "only the first half of it", lambda text: text[: len(text) // 2] if len(text) > 1 else None),
    _edit("nothing", "nothing at all", lambda _: b""),
    _edit("something-else", "a line of greeting instead", lambda _: _GREETING),
)
