"""Normal forms: what is left of a text when differences of blanks and letter case are overlooked.

Every rewriting stays within a line, so texts are rewritten part by part: what differs at the top is known before the
rest is looked at, and little memory is used. `final-newline` is no rewriting: "one more or one less" holds between two
texts, see `level`.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import chain, count
from operator import ne

from grader.core.deviations.table import DEVIATIONS, TEXT_KINDS, Kinds
from grader.core.lazy import lazy_regex

_SIGN = lazy_regex(rb"\S")
_PIECE = 2**16
"""bytes rewritten at a time, unless a single line is longer"""
MAX_ROW_LENGTH = 2**17
"""bytes of a line that is rewritten at once; a longer one is rewritten part by part"""
_APART = lazy_regex(
    rb"[!-~]{4}(?=[!-~]{4})|[A-Za-z0-9](?=[A-Za-z0-9])"
    rb"|[A-Za-z0-9](?=[,;:()\[\]{}<>|!?=*/][ \tA-Za-z0-9])"
    rb"|[^ \t\r\n\v\f](?=[\0-\x08\x0e-\x1f\x7f\xc0\xc1\xe5-\xe8\xf5-\xff])"
)
"""signs between which a line may be cut: no rewriting looks further than these, nor beyond one letter of a word, nor
before a sign apart, nor before what is no text or a character that begins so, at which also a sigma ends its word"""
_SIGNS_APART = b",;:()[]{}<>|!?=*/"
"""signs next to which a blank never separates words or numbers"""
_SIGNED = re.compile(rb"[^\w\x80-\xff \t\r\n]").sub(b".", re.compile(rb"[\w\x80-\xff]").sub(b"w", bytes(range(256))))
"""makes `w` of what is in words, and `.` of every other sign"""
_CHARACTERS = bytes(0x80) + b"C" * 0x40 + bytes(3) + b"L" * 50 + bytes(11)
"""makes `LC` of what begins a character that may be a capital and no ASCII: none is before U+00C0"""


def each_line(text: bytes) -> Iterator[bytes]:
    """Iterate over the lines, each with its newline, without a list of them all."""
    return BytesIO(text)


def ended(text: bytes) -> bytes:
    """Return `text` with a newline at the end of its last line."""
    return text if not text or text.endswith(b"\n") else text + b"\n"


def is_blank(text: bytes, begin: int = 0) -> bool:
    """Whether there is nothing behind a place of a text but blanks and newlines; nothing is copied for that."""
    return begin >= len(text) or (_SIGN.search(text, begin) is None if begin else text.isspace())


def last_sign(text: bytes) -> int:
    """Return where the last character is that is no blank; 0 when there is none."""
    size = 2**10
    while not (kept := text[-size:].rstrip(b" \t\r\n")) and size < len(text):
        size *= 2**5
    return max(len(text) - len(text[-size:]) + len(kept) - 1, 0) if kept else 0


def possible(one: bytes, other: bytes, kinds: Kinds, start: int = 0) -> Kinds:
    """Return those of `kinds` that may be a difference of two texts behind a line: a rewriting changes one of them."""
    ends = [text[last_sign(text) :] for text in (one, other)]
    may_end = ends[0] != ends[1] and any(b"\n" in end for end in ends)
    return kinds.intersection(
        kind
        for kind in TEXT_KINDS
        if (may_end if kind == "final-newline" else _changes(one, kind, start) or _changes(other, kind, start))
    )


def _changes(text: bytes, kind: str, start: int) -> bool:
    return any(map(ne, rewritten(text, frozenset({kind}), start), parts(text, start)))


def normal(text: bytes, kinds: Kinds) -> bytes:
    """Return the normal form of `text` in which the differences of these `kinds` are gone."""
    return b"".join(rewritten(text, kinds)) if kinds else text


def rewritten(text: bytes, kinds: Kinds, start: int = 0) -> Iterator[bytes]:
    """Iterate over parts of the normal form behind a line; they end anywhere, and are seldom large."""
    return (_rewritten_part(part, kinds) for part in parts(text, start))


def _rewritten_part(part: bytes, kinds: Kinds) -> bytes:
    form = small(part) if "letter-case" in kinds else part
    for kind in DEVIATIONS.values():
        if kind.name not in kinds or not kind.rewrite:
            continue
        if kind.name == "trailing-space" and b"\r" not in form:
            form = form.replace(b" \n", b"\n")  # mostly that is all, at a twentieth of the price
        if kind.name == "inner-space" and (_separates_words(form) or _separates_words(form := _closed_up(form))):
            continue
        framed = b"\n" + ended(form)
        if framed.find(b"\n", 1, -1) < 0:  # a single line, of which the ends show it
            framed = framed[:2] + framed[-3:]
        if not kind.needed or any(map(framed.__contains__, kind.needed)):
            for pattern, replacement in kind.rewrite:
                form = pattern.sub(replacement, form)
    return form


def _closed_up(text: bytes) -> bytes:
    """Return a text without the inner blanks that are found without a pattern, if it has no others."""
    framed = b"\n%b\n" % text
    if any(map(framed.__contains__, (b"\t", b"\v", b"\f", b"\n ", b" \n", b" \r", b"\r "))):
        return text
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    for sign in filter(text.__contains__, _SIGNS_APART):
        at = b"%c" % sign
        text = text.replace(at + b" ", at).replace(b" " + at, at)
    return text


def _separates_words(text: bytes) -> bool:
    """Whether each blank is the only one between two words, but for one at the end of a line."""
    text = text.replace(b" \n", b"\n")
    if b"  " in text or b"\t" in text:  # found at once where there are many
        return False
    signs = text.translate(_SIGNED)
    return signs.count(b" ") == signs.count(b" w") == signs.count(b"w ")


def bare(text: bytes) -> bytes:
    """Return `text` in small letters without its blanks: cheap, and the same for lines whose normal forms are."""
    text = small(text.translate(None, b" \t\r"))
    return text if text.isascii() else text.replace(b"\xcf\x82", b"\xcf\x83")  # a small sigma, by its place


def bare_rows(text: bytes, *, keeps_case: bool = False) -> Iterator[bytes]:
    """Iterate over the lines without newlines, blanks and capitals; many at once, which takes a tenth of the time."""
    some = pieces(ended(text))
    forms = (piece.translate(None, b" \t\r") for piece in some) if keeps_case else map(bare, some)
    return map(bytes.strip, chain.from_iterable(map(each_line, forms)))


def numbered(text: bytes, kinds: Kinds, before: int = 0) -> Iterator[tuple[int, bytes, bytes]]:
    """Iterate over the lines as (number, line as written, normal form), behind so many `before`."""
    text = ended(text)
    inline = normal(text, kinds - {"blank-lines"})
    rows = zip(count(before + 1), each_line(text), each_line(inline), strict=False)
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


def pieces(text: bytes, start: int = 0) -> Iterator[bytes]:
    """Cut a text behind newlines into pieces, none larger than it may be unless it is a single line."""
    while start < len(text):
        end = text.rfind(b"\n", start, start + _PIECE) + 1 or text.find(b"\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def parts(text: bytes, start: int = 0) -> Iterator[bytes]:
    """Cut a text into parts of which each is rewritten as it is in the whole: pieces, of long lines cut between signs.

    Where there is no place to cut nearby, none is expected further on.
    """
    while start < len(text):
        end = text.rfind(b"\n", start, start + _PIECE) + 1 or text.find(b"\n", start, start + MAX_ROW_LENGTH) + 1
        if not end and len(text) - start > MAX_ROW_LENGTH:
            cut = _APART.search(text, start + _PIECE, start + 4 * MAX_ROW_LENGTH)
            end = cut.end() if cut else text.find(b"\n", start) + 1
        end = end or len(text)
        yield text[start:end]
        start = end


def small(text: bytes) -> bytes:
    """Return a text in small letters."""
    if text.isascii() or b"LC" not in text.translate(_CHARACTERS):
        return text.lower()
    return text.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")


def line_count(text: bytes) -> int:
    """Return the number of lines; the last one needs no newline."""
    return text.count(b"\n") + (text[-1:] not in (b"\n", b""))
