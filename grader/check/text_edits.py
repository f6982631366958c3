"""What may be wrong with a text: edits, each with the deviation that it should be named with.

An edit is a row of `text_edits.yaml`, with a pattern or a function in `CHANGES` from the right text to a wrong one.
Many edit a listed item: a solution a line, a row of a matrix, a board under a heading. The first line that occurs
several times, numbers ignored, is how every item begins.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path

from msgspec import Struct, convert

from grader.core.reader.files import read_data

NUMBER = re.compile(rb"-?\d+")
_ONE_LINE = re.compile(rb"[^\n]*\n|[^\n]+")

_TextChange = Callable[[bytes], bytes | None]
_Parts = tuple[bytes, tuple[bytes, ...], bytes]


class TextEdit(Struct, frozen=True, kw_only=True):
    """A way in which a text can be wrong, as `text_edits.yaml` says it."""

    name: str
    about: str
    replace: tuple[str, str] | None = None
    named: tuple[str, ...] = ()
    whole: bool = False

    def change(self, text: bytes) -> bytes | None:
        """Return a text that is wrong in this way; None, or the same text, where it cannot be."""
        if self.replace is None:
            return CHANGES[self.name](text)
        pattern, replacement = self.replace
        return re.sub(pattern.encode(), replacement.encode(), text)


def split_lines(text: bytes) -> list[bytes]:
    """Return the lines of a text, each with its newline."""
    return _ONE_LINE.findall(text)


def change_last_number(text: bytes, by: int, start: int = 0) -> bytes | None:
    """Return the text with another last number; None when there is none behind `start`."""
    *_, last = None, *NUMBER.finditer(text, start)
    return last and b"%s%d%s" % (text[: last.start()], int(last[0]) + by, text[last.end() :])


# ---------------------------------------------------------------- lines and words


def _swap_first(items: Sequence[bytes]) -> Sequence[bytes] | None:
    """Return the items with the first, and the first that is another one, exchanged."""
    at = next((at for at in range(1, len(items)) if items[at] != items[0]), None)
    return None if at is None else [items[at], *items[1:at], items[0], *items[at + 1 :]]


def _find_lines(text: bytes) -> _Parts | None:
    """Return the lines of a text, each with an end; None where there are not several."""
    lines = tuple(line if line.endswith(b"\n") else line + b"\n" for line in split_lines(text))
    return (b"", lines, b"") if len(lines) > 1 else None


def _misspell(text: bytes) -> bytes | None:
    """Exchange two letters of the last long word in which they differ."""
    places = [word.start() + 2 for word in re.finditer(rb"[A-Za-z]{5,}", text) if word[0][2:3] != word[0][3:4]]
    at = places[-1] if places else 0
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :] if places else None


# ---------------------------------------------------------------- things that are listed


def _find_list(text: bytes) -> _Parts | None:
    """Return what is before a list, what is listed, and what is behind; None without a list, or with one thing alone.

    Put together the parts are the text.
    """
    rows = split_lines(text)
    shapes = [NUMBER.sub(b"#", row) for row in rows]
    head = next((shape for shape, times in Counter(shapes).items() if times > 1 and b"#" in shape), None)
    if head is None:
        return None
    starts = [at for at, shape in enumerate(shapes) if shape == head]
    last = min(starts[-1] + max(end - start for start, end in pairwise(starts)), len(rows))
    items = tuple(b"".join(rows[start:end]) for start, end in pairwise([*starts, last]))
    return b"".join(rows[: starts[0]]), items, b"".join(rows[last:])


def _spoil(item: bytes) -> bytes:
    """Return a thing that is not what it was: a number twice where there were two, or its last lines exchanged.

    Lines that differ in their numbers alone are exchanged only if there are no others.
    """
    rows = split_lines(item)
    if len(rows) > 1:
        shapes = [NUMBER.sub(b"#", row) for row in rows]
        unequal = [at for at in range(len(rows) - 1) if rows[at] != rows[-1]]
        unlike = [at for at in unequal if shapes[at] != shapes[-1]] or unequal
        if unlike:
            rows[unlike[-1]], rows[-1] = rows[-1], rows[unlike[-1]]
        return b"".join(rows)
    pairs = pairwise(NUMBER.finditer(item))
    changed = (item[: one.start()] + two[0] + item[one.end() :] for one, two in pairs if one[0] != two[0])
    return next(changed, item)


def _shift(by: int) -> Callable[[list[bytes]], list[bytes]]:
    return lambda numbers: [b"%d" % (int(number) + by) for number in numbers]


def _transpose(numbers: list[bytes]) -> list[bytes] | None:
    """Return the columns for the rows, when the numbers are a permutation; else None."""
    rows = [*map(int, numbers)]
    span = range(min(rows), min(rows) + len(rows))
    is_permutation = sorted(rows) == [*span] and span[0] in {0, 1}
    return [b"%d" % (rows.index(at) + span[0]) for at in span] if is_permutation else None


def _put(
    change: Callable[[tuple[bytes, ...]], Sequence[bytes] | None], find: Callable[[bytes], _Parts | None] = _find_list
) -> _TextChange:
    """Put other things into the list, or among what else is found."""

    def edit(text: bytes) -> bytes | None:
        before, items, after = find(text) or (b"", (), b"")
        changed = change(items) if items else None
        return None if changed is None else b"".join((before, *changed, after))

    return edit


def _each_item(change: Callable[[list[bytes]], list[bytes] | None]) -> _TextChange:
    """Change the numbers of every thing that is listed, if each is a line with several, and all can be changed."""

    def edit(items: tuple[bytes, ...]) -> Sequence[bytes] | None:
        rows = [NUMBER.findall(item) if len(split_lines(item)) == 1 else [] for item in items]
        changed = [new for row in rows if len(row) > 1 and (new := change(row))]
        rest = chain.from_iterable(changed)
        return [NUMBER.sub(lambda _: next(rest), item) for item in items] if len(changed) == len(items) else None

    return _put(edit)


def _count_behind(by: int) -> _TextChange:
    """Change the count that follows a list."""
    return lambda text: change_last_number(text, by, len(text) - len(parts[2])) if (parts := _find_list(text)) else None


def _number_alone(by: int) -> _TextChange:
    """Change the last number of a text that lists nothing."""
    return lambda text: None if _find_list(text) else change_last_number(text, by)


# ---------------------------------------------------------------- the table

CHANGES: Mapping[str, _TextChange] = {
    "letter-case": bytes.lower,
    "order": _put(_swap_first, _find_lines),
    "joined-lines": _put(lambda lines: [b" ".join(line[:-1] for line in lines), b"\n"], _find_lines),
    "wording": _misspell,
    "zero-based": _each_item(_shift(-1)),
    "one-based": _each_item(_shift(1)),
    "reversed": _each_item(lambda numbers: numbers[::-1]),
    "transposed": _each_item(_transpose),
    "last-to-first": _put(lambda items: items[::-1]),
    "last-line-missing": _put(lambda lines: lines[:-1], _find_lines),
    "one-missing-first": _put(lambda items: items[1:]),
    "one-missing-last": _put(lambda items: items[:-1]),
    "one-repeated": _put(lambda items: items[:1] + items),
    "two-swapped": _put(_swap_first),
    "one-invalid-first": _put(lambda items: (_spoil(items[0]), *items[1:])),
    "one-invalid-last": _put(lambda items: (*items[:-1], _spoil(items[-1]))),
    "count-more": _count_behind(1),
    "count-less": _count_behind(-1),
    "number-more": _number_alone(1),
    "number-less": _number_alone(-1),
    "half": lambda text: text[: len(text) // 2] if len(text) > 1 else None,
}
"""the name of an edit that replaces no pattern -> what it makes of a text"""
EDITS = convert(read_data(Path(__file__).with_name("text_edits.yaml")), tuple[TextEdit, ...])
