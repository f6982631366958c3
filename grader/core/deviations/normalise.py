"""Normal forms: what is left of a text when differences of blanks and capitals are overlooked.

A kind that concerns blanks or capitals is a rewriting, and two texts differ by a set of kinds when they are the same
after the rewritings of that set, made on both. Every rewriting stays within a line, so texts are rewritten piece by
piece: what differs at the top is known before the rest is looked at, and little memory is used. The patterns begin at a
place that is found by looking one byte back, so that they take linear time on any input; where a piece has not even the
bytes that one begins with, it is spared. `final-newline` is none of these: "one more or one less" holds between two
texts, see `level`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import chain, compress, count

from grader.core.lazy import lazy_regex

Kinds = frozenset[str]

_INNER = rb"[ \t](?<=\S.)"
"""the first of some blanks inside a line; it comes first in a pattern, so that a search skips to it"""
_WORD = rb"[\w\x80-\xff]"
_NEXT = rb"(?:" + _WORD + rb"|[-+]?\.?\d)"
"""before and behind a blank without which two words or numbers would become one, as in `4 -1` and `1. 2`"""

_REWRITINGS: Mapping[str, tuple[tuple[re.Pattern[bytes], bytes], ...]] = {
    "line-endings": ((lazy_regex(rb"\r\n"), b"\n"),),
    "trailing-space": ((lazy_regex(rb"(?<![ \t])[ \t]+(?=\r?(?:\n|\Z))"), b""),),
    "leading-space": ((lazy_regex(rb"(?m)^[ \t]+"), b""),),
    "inner-space": (
        (
            lazy_regex(
                _INNER + rb"(?:(?<=" + _WORD + rb".)(?![ \t]*+" + _NEXT + rb")|(?<!" + _WORD + rb".)"
                rb"(?!(?<=\d\..)[ \t]*+\d))[ \t]*+(?=\S)"
            ),
            b"",
        ),
        (
            lazy_regex(
                _INNER + rb"(?!(?<= )(?![ \t]))(?:(?<=" + _WORD + rb".)[ \t]*+(?=" + _NEXT + rb")"
                rb"|(?<=\d\..)[ \t]*+(?=\d))"
            ),
            b" ",
        ),
    ),
    "blank-lines": ((lazy_regex(rb"(?m)^\n+|^[ \t]*\r?\n|^[ \t]+\r?\Z"), b""),),
}
_NEEDED: Mapping[str, tuple[bytes, ...]] = {
    "line-endings": (b"\r\n",),
    "trailing-space": (b" \n", b"\t\n", b" \r", b"\t\r"),
    "leading-space": (b"\n ", b"\n\t"),
    "inner-space": (b" ", b"\t"),
    "blank-lines": (b"\n\n", b"\n ", b"\n\t", b"\n\r"),
}
"""what a piece between newlines has at least one of where a rewriting changes it"""
_OTHER_BLANKS = (b"\t", b"\v", b"\f", b"\n ", b" \n", b" \r", b"\r ")
"""blanks at the ends of lines, and such as are no spaces"""
_SIGN = lazy_regex(rb"\S")
_PIECE = 2**16
"""bytes rewritten at a time, unless a single line is longer: no more than what an allocator has at hand"""
MAX_ROW_LENGTH = 2**18
"""bytes of a line that is rewritten at once; a longer one is rewritten part by part"""
_MAX_COPIED_ROW = 2**24
"""bytes of a line; of one that is longer no normal form is made"""
_APART = lazy_regex(
    rb"[!-~]{4}(?=[!-~]{4})|[A-Za-z0-9](?=[A-Za-z0-9])"
    rb"|[A-Za-z0-9](?=[,;:()\[\]{}<>|!?=*/][ \tA-Za-z0-9])"
    rb"|[^ \t\r\n\v\f](?=[\0-\x08\x0e-\x1f\x7f\xc0\xc1\xe5-\xe8\xf5-\xff])"
)
"""signs between which a line may be cut: no rewriting looks further than these, nor beyond one letter of a word, nor
before a sign apart, nor before what is no text or a character that begins so, at which also a sigma ends its word"""
_NEAR = 2**12
"""bytes before a place in which a line is cut"""
_FAR = 2**18
"""bytes in which a place to cut is looked for: where there is none, none is expected further on"""
_SIGNS_APART = b",;:()[]{}<>|!?=*/"
"""signs next to which a blank never separates words or numbers"""
_SIGNED = re.compile(rb"[^\w\x80-\xff \t\r\n]").sub(b".", re.compile(_WORD).sub(b"w", bytes(range(256))))
"""makes `w` of what is in words, and `.` of every other sign"""

_CHARACTERS = bytes(0x80) + b"C" * 0x40 + bytes(3) + b"L" * 50 + bytes(11)
"""makes `LC` of what begins a character that may be a capital and no ASCII: none is before U+00C0"""

TEXT_KINDS: Kinds = frozenset({"final-newline", "letter-case", *_REWRITINGS})
"""the kinds that are differences of blanks and capitals, not of lines"""


def has_case(text: str) -> bool:
    """Whether a text has any letter that is capital or small, so that letter case can differ."""
    return text.upper() != text.lower()


def each_line(text: bytes, begin: int = 0) -> Iterator[bytes]:
    """Iterate over the lines behind a place, each with its newline, without a list of them all."""
    lines = BytesIO(text)
    lines.seek(begin)
    return lines


def ended(text: bytes) -> bytes:
    """Return `text` with a newline at the end of its last line."""
    return text if not text or text.endswith(b"\n") else text + b"\n"


def join_lines(lines: Iterable[bytes]) -> bytes:
    """Return lines as one text, without the list of them all that `bytes.join` makes."""
    text = BytesIO()
    text.writelines(lines)
    return text.getvalue()


def is_blank(text: bytes, begin: int = 0) -> bool:
    """Whether there is nothing behind a place of a text but blanks and newlines; nothing is copied for that."""
    return begin >= len(text) or (_SIGN.search(text, begin) is None if begin else text.isspace())


def possible(one: bytes, other: bytes, kinds: Kinds, begin: int = 0) -> Kinds:
    """Return those of `kinds` that may be a difference of two texts behind a place; this spares many slow looks."""
    texts = one, other
    found = {kind for kind in kinds & _REWRITINGS.keys() if any(_may_change(kind, text, begin) for text in texts)}
    if "letter-case" in kinds and any(small(piece) != piece for text in texts for piece in parts(text, begin)):
        found.add("letter-case")
    ends = [text[last_sign(text) :] for text in texts]
    if ends[0] != ends[1] and any(b"\n" in end for end in ends):
        found |= kinds & {"final-newline"}
    return frozenset(found)


def _may_change(kind: str, text: bytes, begin: int) -> bool:
    return any(_has_needed(kind, piece) and _changes(kind, piece) for piece in parts(text, begin))


def _changes(kind: str, piece: bytes) -> bool:
    if kind == "trailing-space" and _is_one_line(piece):
        return _without_blanks_at_end(piece) != piece
    return not (kind == "inner-space" and _parts_words(piece)) and any(
        pattern.search(piece) for pattern, _ in _REWRITINGS[kind]
    )


def _has_needed(kind: str, piece: bytes) -> bool:
    return kind not in _NEEDED or _has_any(piece, _NEEDED[kind])


def _has_any(piece: bytes, wanted: tuple[bytes, ...]) -> bool:
    """Whether some bytes are in a piece between newlines."""
    framed = b"\n" + ended(piece)
    ends = framed[:2] + framed[-3:] if _is_one_line(piece) else framed
    # To look for a single byte takes a tenth of the time that two take.
    return any(part.strip(b" \n")[:1] in framed and part in (ends if b"\n" in part else framed) for part in wanted)


def _is_one_line(piece: bytes) -> bool:
    return piece.find(b"\n", 0, -1) < 0


def first_sign(text: bytes) -> int:
    """Return where the first character is that is no blank; the length of the text when there is none."""
    sign = _SIGN.search(text)
    return sign.start() if sign else len(text)


def last_sign(text: bytes) -> int:
    """Return where the last character is that is no blank; 0 when there is none."""
    size = 2**10
    while not (kept := text[-size:].rstrip(b" \t\r\n")) and size < len(text):
        size *= 2**5
    return max(len(text) - len(text[-size:]) + len(kept) - 1, 0) if kept else 0


def normal(text: bytes, kinds: Kinds) -> bytes:
    """Return the normal form of `text` in which the differences of these `kinds` are gone."""
    return b"".join(rewritten(text, kinds)) if kinds else text


def forms(text: bytes, kinds: Kinds, begin: int = 0) -> Iterator[bytes]:
    """Iterate over the lines of the normal form behind a place, which is made as they are asked for."""
    return chain.from_iterable(map(each_line, rewritten(text, kinds, begin)))


def bare(text: bytes) -> bytes:
    """Return `text` in small letters without its blanks: cheap, and the same for lines whose normal forms are."""
    text = small(text.translate(None, b" \t\r"))
    return text if text.isascii() else text.replace(b"\xcf\x82", b"\xcf\x83")  # a small sigma, by its place


def bare_rows(text: bytes) -> Iterator[bytes]:
    """Iterate over the lines without newlines, blanks and capitals; many at once, which takes a tenth of the time."""
    return map(bytes.strip, chain.from_iterable(map(each_line, map(bare, pieces(ended(text))))))


def numbered(
    text: bytes, kinds: Kinds, before: int = 0, begin: int = 0, own: Collection[bytes] | None = None
) -> Iterator[tuple[int, bytes, bytes]]:
    """Iterate over the lines as (number, line as written, normal form), behind so many `before`, at a place.

    Where `own` is given, only over those whose normal form is one of these.
    """
    text, inline = ended(text), kinds - {"blank-lines"}
    rows: Iterator[tuple[int, bytes, bytes]] = zip(
        count(before + 1), each_line(text, begin), forms(text, inline, begin), strict=False
    )
    if own is not None:
        rows = compress(rows, map(own.__contains__, forms(text, inline, begin)))
    return filter(lambda row: row[2].strip(), rows) if "blank-lines" in kinds else rows


def newlines_at_end(text: bytes, kinds: Kinds) -> int:
    """Return how many newlines the normal form ends with."""
    form = normal(text[last_sign(text) :], kinds)
    return len(form) - len(form.rstrip(b"\n"))


def level(one: bytes, other: bytes, kinds: Kinds) -> tuple[bytes, bytes]:
    """Overlook a newline that one text has more at its end than the other; two or more are another matter."""
    match newlines_at_end(one, kinds) - newlines_at_end(other, kinds):
        case 1:
            return one, other + b"\n"
        case -1:
            return one + b"\n", other
        case _:
            return one, other


def rewritten(text: bytes, kinds: Kinds, begin: int = 0) -> Iterator[bytes]:
    """Iterate over pieces of the normal form behind a place: each but the last ends with a newline, or is empty."""
    for piece in pieces(text, begin):
        if len(piece) <= MAX_ROW_LENGTH:
            yield _rewritten_piece(piece, kinds)
        else:
            yield b"".join(rewritten_row(piece, kinds)) if len(piece) <= _MAX_COPIED_ROW else piece


def rewritten_row(text: bytes, kinds: Kinds, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Iterate over parts of the normal form of what is between two places: they end anywhere, and are never large."""
    return (_rewritten_piece(part, kinds) for part in parts(text, begin, end))


def _rewritten_piece(piece: bytes, kinds: Kinds) -> bytes:
    form = small(piece) if "letter-case" in kinds else piece
    for kind in _REWRITINGS:
        if kind not in kinds:
            continue
        if kind == "trailing-space" and _is_one_line(form):
            form = _without_blanks_at_end(form)
            continue
        if kind == "trailing-space" and b"\r" not in form:
            form = form.replace(b" \n", b"\n")  # mostly that is all, at a twentieth of the price
        if kind == "inner-space" and (_parts_words(form) or _parts_words(form := _closed_up(form))):
            continue
        for pattern, replacement in _REWRITINGS[kind] if _has_needed(kind, form) else ():
            form = pattern.sub(replacement, form)
    return form


def _without_blanks_at_end(line: bytes) -> bytes:
    """Return a line without the blanks at its end: a pattern would try each of those within it."""
    end = line[len(line.removesuffix(b"\n").removesuffix(b"\r")) :]
    return line.removesuffix(end).rstrip(b" \t") + end


def _closed_up(text: bytes) -> bytes:
    """Return a text without the inner blanks that are found without a pattern, if it has no others."""
    if _has_any(text, _OTHER_BLANKS):
        return text
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    for sign in filter(text.__contains__, _SIGNS_APART):
        at = b"%c" % sign
        text = text.replace(at + b" ", at).replace(b" " + at, at)
    return text


def _parts_words(text: bytes) -> bool:
    """Whether each blank is the only one between two words; those at the ends of a single line do not matter."""
    text = text.strip(b" \t\r\n") if _is_one_line(text) else text
    if b"  " in text:  # found at once where there are many
        return False
    signs = text.translate(_SIGNED)
    return signs.count(b" ") == signs.count(b" w") == signs.count(b"w ") and b"\t" not in text


def pieces(text: bytes, begin: int = 0) -> Iterator[bytes]:
    """Cut a text behind newlines into pieces, none larger than it may be unless it is a single line."""
    return (text[start:end] for start, end in _piece_bounds(text, begin, len(text)))


def parts(text: bytes, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Cut a text, or what is between two places, into parts of which each is rewritten as it is in the whole.

    A very long line is cut as well, between signs and never beside a blank.
    """
    for first, last in _piece_bounds(text, begin, len(text) if end is None else end):
        start = first
        while last - start > MAX_ROW_LENGTH:
            cut = _APART.search(text, start + _PIECE, min(start + _PIECE + _FAR, last))
            if not cut:
                break
            yield text[start : cut.end()]
            start = cut.end()
        yield text[start:last]


def place_to_cut(text: bytes, begin: int, end: int) -> int | None:
    """Return a place close before another where the line between both may be cut; None where there is none."""
    found = _APART.search(text, max(begin, end - _NEAR), end)
    return found.end() if found else None


def _piece_bounds(text: bytes, begin: int, last: int) -> Iterator[tuple[int, int]]:
    start = begin
    while start < last:
        at = start + _PIECE
        end = text.rfind(b"\n", start, min(at, last)) + 1 or text.find(b"\n", start, last) + 1 or last
        yield start, end
        start = end


def small(text: bytes) -> bytes:
    """Return a text in small letters."""
    if text.isascii() or b"LC" not in text.translate(_CHARACTERS):
        return text.lower()
    return text.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")


def line_count(text: bytes) -> int:
    """Return the number of lines; the last one needs no newline."""
    return text.count(b"\n") + (text[-1:] not in (b"\n", b""))
