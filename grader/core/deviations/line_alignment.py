"""Where two texts part, and parts of both that belong together.

A row is a line that is not blank. Whatever is overlooked, texts that say the same have as many rows, and so a number of
rows is a place in both of them.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from grader.core.deviations.normalise import (
    MAX_ROW_LENGTH,
    Kinds,
    bare,
    each_line,
    ended,
    is_blank,
    last_sign,
    newlines_at_end,
    parts,
    pieces,
    place_to_cut,
    rewritten,
    rewritten_row,
)
from grader.core.text import common_end, common_length

Places = Sequence[tuple[bytes, int]]
"""two texts, each with the beginning of a line"""
PART = 2**13
"""bytes of a text, roughly, in which kinds are looked for before the whole is"""
_ROWS = 256
_BLANKS = b" \t\r\v\f"
MAX_ALIGNED = 2**33
"""pairs of lines of two texts that are compared to find the most that both have in the same order: seconds"""
_STORED = 64
"""places of a line from which on the set of them is stored"""
_MAX_PIECE_LENGTH = 2**20


def equal_ends(one: bytes, other: bytes) -> tuple[int, int]:
    """Return how many bytes of whole lines are the same at the beginning and at the end.

    Where the ends are not the same, the last line that is not blank belongs to neither: what is behind it is compared
    with it, for the sake of `final-newline`.
    """
    start = one.rfind(b"\n", 0, common_length(one, other)) + 1
    end = min(common_end(one, other), len(one) - start, len(other) - start)
    newline = one.find(b"\n", len(one) - end)
    end = len(one) - newline - 1 if newline >= 0 else 0
    if not is_blank(one, len(one) - end):
        return start, end
    return min(start, *(text.rfind(b"\n", 0, last_sign(text)) + 1 for text in (one, other))), 0


def enormous_row(one: bytes, other: bytes) -> int | None:
    """Return where a line begins that is all in which two texts differ, if it is too long to be copied.

    None also when it may be elsewhere in a text, or differs by its newline alone.
    """
    if one == other:
        return None
    start, end = equal_ends(one, other)
    lengths = [len(text) - start - end for text in (one, other)]
    if min(lengths) <= max(MAX_ROW_LENGTH, 2 * (start + end)):
        return None
    if any(text.find(b"\n", start, len(text) - end - 1) >= 0 or is_blank(text, start) for text in (one, other)):
        return None
    shorter = len(min(one, other, key=len))
    is_ended = abs(len(one) - len(other)) == 1 and max(one, other, key=len).endswith(b"\n")
    return None if is_ended and common_length(one, other) == shorter else start


def begin_of_difference(one: bytes, other: bytes, begin: int) -> int:
    """Return a place in two enormous lines before which they are the same, and where both may be cut."""
    return place_to_cut(one, begin, common_length(one, other)) or begin


def same_rows(one: bytes, other: bytes, begin: int, overlooked: Kinds) -> bool:
    """Whether two texts that are enormous lines from a place on differ by `overlooked` kinds alone.

    They are compared part by part: nothing of their size is made. Their ends come first, since what differs there
    would be found last.
    """
    texts, missing = (one, other), [b"", b""]
    more = newlines_at_end(one, overlooked) - newlines_at_end(other, overlooked)
    if "final-newline" in overlooked and abs(more) == 1:
        missing[more > 0] = b"\n"

    def forms(starts: Iterable[int]) -> Iterator[Iterator[bytes]]:
        rows = zip(texts, starts, missing, strict=True)
        return (filter(None, chain(rewritten_row(text, overlooked, start), (end,))) for text, start, end in rows)

    cuts = [place_to_cut(text, begin, len(text)) or len(text) for text in texts]
    ends = list(map(b"".join, forms(cuts)))
    return common_end(*ends) == min(map(len, ends)) and _same_in_parts(*forms((begin, begin)))


def same_signs(one: bytes, other: bytes, begin: int) -> bool:
    """Whether two texts are the same behind a place but for blanks and newlines, so that letter case cannot differ."""
    haves, wants = (
        filter(None, (part.translate(None, _BLANKS + b"\n") for part in parts(text, begin))) for text in (one, other)
    )
    return _same_in_parts(haves, wants)


def _same_in_parts(haves: Iterator[bytes], wants: Iterator[bytes]) -> bool:
    """Whether parts, none of them empty, make the same text."""
    have = want = b""
    while (have := have or next(haves, b"")) and (want := want or next(wants, b"")):
        length = min(len(have), len(want))
        if have[:length] != want[:length]:
            return False
        have, want = have[length:], want[length:]
    return not (have or want or next(wants, b""))


def parting(one: bytes, other: bytes, overlooked: Kinds, begin: int = 0) -> int | None:
    """Return how many rows two texts have in common behind a place; None when only `overlooked` kinds differ."""
    return _common_rows(rewritten(one, overlooked, begin), rewritten(other, overlooked, begin))


def next_parting(places: Places, overlooked: Kinds) -> Places:
    """Return the places in two texts from where on they differ, behind some; the same ones where nothing differs."""
    rows = _common_rows(*(rewritten(text, overlooked, begin) for text, begin in places)) or 0
    return [(text, behind_rows(text, rows, begin)) for text, begin in places]


def bare_parting(one: bytes, other: bytes) -> int | None:
    """Return the same with all blanks and capitals ignored: never less, and in a fraction of the time."""
    return _common_rows(map(_bare_rows, pieces(one)), map(_bare_rows, pieces(other)))


def _bare_rows(piece: bytes) -> bytes:
    text = bare(piece)
    while b"\n\n" in text:
        text = text.replace(b"\n\n", b"\n")
    return text.removeprefix(b"\n")


def _common_rows(haves: Iterator[bytes], wants: Iterator[bytes]) -> int | None:
    """Compare texts piece by piece, none of whose lines is in two: no look at every line is taken."""
    haves, wants = filter(None, haves), filter(None, wants)
    have = want = b""
    rows = 0
    while (have := have or next(haves, b"")) and (want := want or next(wants, b"")):
        same = common_length(have, want)
        rows += _row_count(have[: have.rfind(b"\n", 0, same) + 1])
        if same < min(len(have), len(want)):
            return rows
        have, want = have[same:], want[same:]
    return rows if have or want or next(wants, b"") else None


def behind_rows(text: bytes, rows: int, begin: int = 0) -> int:
    """Return where so many rows behind a place of a text end: the end of the text when there are fewer."""
    end = begin
    for piece in pieces(text, begin) if rows else ():
        many = _row_count(piece)
        if rows <= many:
            lines = each_line(piece)
            while rows:
                line = next(lines)
                rows -= not line.isspace()
                end += len(line)
            break
        rows, end = rows - many, end + len(piece)
    return end


def _row_count(piece: bytes) -> int:
    if len(piece) > _MAX_PIECE_LENGTH:
        return not piece.isspace()  # it is a single line, and large
    return len(piece.translate(None, _BLANKS).split())


def part_of_both(one: bytes, other: bytes, first: int = 0) -> tuple[bytes, bytes]:
    """Return as many rows of both, behind the `first` ones, with what is between them, and what is behind the last."""
    rows = _ROWS
    starts = behind_rows(one, first), behind_rows(other, first)
    while True:
        parts = _part(one, starts[0], rows), _part(other, starts[1], rows)
        if rows == 1 or max(map(len, parts)) <= 2 * PART:
            return parts
        rows = max(rows // 8, 1)


def _part(text: bytes, start: int, rows: int) -> bytes:
    """Return so many rows behind a place, and all that is left when there are fewer."""
    return text[start : behind_rows(text, rows, start)]


def some_lines(text: bytes, many: int, between: int = 0) -> Iterator[bytes]:
    """Iterate over so many lines at the beginning and at the end of a text, and some `between`, each ended."""
    yield from map(ended, islice(each_line(text), many))
    start = len(text)
    for _ in range(many):
        if start > 0:
            end, start = start, text.rfind(b"\n", 0, start - 1) + 1
            yield ended(text[start:end])
    for at in range(between):
        start = text.find(b"\n", len(text) * at // between) + 1
        yield ended(text[start : text.find(b"\n", start) + 1 or len(text)])


def common_lines(one: bytes, other: bytes, *, ordered: bool) -> int | None:
    """Return how many lines two texts have in common, at most, in the same order where that counts.

    None where there are more than `MAX_ALIGNED` pairs of lines to compare. Lines that are the same at both ends, and
    lines that only one text has, are no such pairs.
    """
    one, other = ended(one), ended(other)
    wants = Counter(each_line(other))
    if not ordered:
        return (wants & Counter(filter(wants.__contains__, each_line(one)))).total()
    start = one.rfind(b"\n", 0, common_length(one, other)) + 1
    end = min(common_end(one, other), len(one) - start, len(other) - start)
    newline = one.find(b"\n", len(one) - end)
    end = len(one) - newline - 1 if newline >= 0 else 0
    same = one.count(b"\n", 0, start) + one.count(b"\n", len(one) - end)
    numbers = {line: number for number, line in enumerate(wants, 1)}
    shorter, longer = sorted((_numbered(text[start : len(text) - end], numbers) for text in (one, other)), key=len)
    if len(shorter) * len(longer) > MAX_ALIGNED:
        return None
    return same + _longest_common(shorter, longer)


def _numbered(text: bytes, numbers: Mapping[bytes, int]) -> "array[int]":
    """Return the numbers of the lines that have one."""
    return array("I", filter(None, map(numbers.get, each_line(text))))


def _longest_common(shorter: "array[int]", longer: "array[int]") -> int:
    """Return the length of the longest common subsequence, by the bit-parallel algorithm of Hyyrö (2004).

    A bit of `row` stands for a line of `longer`, and is 0 where the length grows there.
    """
    if not shorter:
        return 0
    places: dict[int, array[int]] = {}
    for place, line in enumerate(longer):
        places.setdefault(line, array("I")).append(place)
    stored: dict[int, int] = {}
    every = (1 << len(longer)) - 1
    row = every
    for line in shorter:
        if line not in places:
            continue
        match = stored.get(line) or _bits(places[line], len(longer))
        if len(places[line]) > _STORED:
            stored[line] = match
        matched = row & match
        row = ((row + matched) | (row - matched)) & every
    return len(longer) - row.bit_count()


def _bits(places: "array[int]", length: int) -> int:
    found = bytearray(length // 8 + 1)
    for place in places:
        found[place // 8] |= 1 << place % 8
    return int.from_bytes(found, "little")
