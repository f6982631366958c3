"""Normal forms: what is left of a text when differences of blanks and letter case are overlooked.

Every rewriting stays within a line, so texts are rewritten part by part. `final-newline` is no rewriting: "one more or
one less" holds between two texts, see `level`.
"""

from collections.abc import Iterator
from io import BytesIO
from itertools import chain, count

from grader.core.deviations.table import DEVIATIONS, Kinds
from grader.core.lazy import lazy_regex

_PIECE = 2**16  # bytes rewritten at a time, unless a single line is longer
MAX_ROW_LENGTH = 2**17  # bytes of a line that is rewritten at once; a longer one is rewritten part by part
_APART = lazy_regex(
    rb"[!-~]{4}(?=[!-~]{4})|[A-Za-z0-9](?=[A-Za-z0-9])"
    rb"|[A-Za-z0-9](?=[,;:()\[\]{}<>|!?=*/][ \tA-Za-z0-9])"
    rb"|[^ \t\r\n\v\f](?=[\0-\x08\x0e-\x1f\x7f\xc0\xc1\xe5-\xe8\xf5-\xff])"
)
"""signs between which a line may be cut: no rewriting looks further than these, nor beyond one letter of a word, nor
before a sign apart, nor before what is no text or a character that begins so, at which also a sigma ends its word"""
_SIGNED = bytes(b if b in b" \t\r\n" else b".w"[chr(b) == "_" or chr(b).isalnum() or b >> 7] for b in range(256))
"""makes `w` of what is in words, and `.` of every other sign"""


def each_line(text: bytes) -> Iterator[bytes]:
    """Iterate over the lines, each with its newline, without a list of them all."""
    return BytesIO(text)


def ended(text: bytes) -> bytes:
    """Return `text` with a newline at the end of its last line."""
    return text if not text or text.endswith(b"\n") else text + b"\n"


def is_blank(text: bytes) -> bool:
    """Whether there is nothing in a text but blanks and newlines."""
    return not text or text.isspace()


def last_sign(text: bytes) -> int:
    """Return where the last character is that is no blank; 0 when there is none."""
    tail = text if is_blank(text[-_PIECE:]) else text[-_PIECE:]
    return max(len(text) - len(tail) + len(tail.rstrip(b" \t\r\n")) - 1, 0)


def possible(one: bytes, other: bytes, kinds: Kinds) -> Kinds:
    """Return those of `kinds` that may be a difference of two texts: a rewriting may change one of them."""
    ends = [text[last_sign(text) :] for text in (one, other)]
    may_end = ends[0] != ends[1] and any(b"\n" in end for end in ends)

    def may_be(kind: str) -> bool:
        return (
            may_end
            if kind == "final-newline"
            else any(_may_change(part, kind) for part in chain(parts(one), parts(other)))
        )

    return frozenset(filter(may_be, kinds))


def _may_change(text: bytes, kind: str) -> bool:
    """Whether a rewriting may change a text: mostly there is nothing of what that needs."""
    if kind == "inner-space":
        text = text.replace(b" \n", b"\n")
        return _closed_up(text) != text
    needed, framed = DEVIATIONS[kind].needed, b"\n" + (text if kind == "line-endings" else ended(text))
    return not needed or any(some.strip(b" \n") in framed and some in framed for some in needed)


def normal(text: bytes, kinds: Kinds) -> bytes:
    """Return the normal form of `text` in which the differences of these `kinds` are gone."""
    return b"".join(rewritten(text, kinds)) if kinds else text


def rewritten(text: bytes, kinds: Kinds) -> Iterator[bytes]:
    """Iterate over parts of the normal form; they end anywhere, and are seldom large."""
    return (_rewritten_part(part, kinds) for part in parts(text))


def _rewritten_part(part: bytes, kinds: Kinds) -> bytes:
    form = small(part) if "letter-case" in kinds else part
    for kind in DEVIATIONS.values():
        if kind.name not in kinds or not kind.rewrite:
            continue
        if kind.name == "trailing-space" and b"\r" not in form:
            form = form.replace(b" \n", b"\n")  # mostly that is all, at a twentieth of the price
        if kind.name == "inner-space" and (closed := _closed_up(form)) is not None:
            form = closed
        elif _may_change(form, kind.name):
            for pattern, replacement in kind.rewrite:
                form = pattern.sub(replacement, form)
    return form


def _closed_up(text: bytes) -> bytes | None:
    """Return a text without inner blanks but those that part words, if these are found without a pattern."""
    framed = b"\n%b\n" % text
    if any(map(framed.__contains__, (b"\t", b"\v", b"\f", b"\n ", b" \n", b" \r", b"\r "))):
        return None
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    for sign in filter(text.__contains__, b",;:()[]{}<>|!?=*/"):
        at = b"%c" % sign
        text = text.replace(at + b" ", at).replace(b" " + at, at)
    signs = text.translate(_SIGNED)
    return text if signs.count(b" ") == signs.count(b" w") == signs.count(b"w ") else None


def bare(text: bytes) -> bytes:
    """Return `text` in small letters without its blanks: cheap, and the same for lines whose normal forms are."""
    text = small(text.translate(None, b" \t\r"))
    return text if text.isascii() else text.replace(b"\xcf\x82", b"\xcf\x83")  # a small sigma, by its place


def bare_rows(text: bytes) -> Iterator[bytes]:
    """Iterate over the lines without newlines, blanks and capitals; many at once, which takes a tenth of the time."""
    return map(bytes.strip, chain.from_iterable(map(each_line, map(bare, pieces(ended(text))))))


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
    more = newlines_at_end(one, kinds) - newlines_at_end(other, kinds)
    return one + b"\n" * (more == -1), other + b"\n" * (more == 1)


def pieces(text: bytes, start: int = 0) -> Iterator[bytes]:
    """Cut a text behind newlines into pieces, none larger than it may be unless it is a single line."""
    return parts(text, start, cuts_lines=False)


def parts(text: bytes, start: int = 0, *, cuts_lines: bool = True) -> Iterator[bytes]:
    """Cut a text into parts of which each is rewritten as it is in the whole: pieces, of long lines cut between signs.

    Where there is no place to cut nearby, none is expected further on.
    """
    while start < len(text):
        end = text.rfind(b"\n", start, start + _PIECE) + 1 or text.find(b"\n", start, start + MAX_ROW_LENGTH) + 1
        if not end and cuts_lines and len(text) - start > MAX_ROW_LENGTH:
            cut = _APART.search(text, start + _PIECE, start + 4 * MAX_ROW_LENGTH)
            end = cut.end() if cut else 0
        end = end or text.find(b"\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def small(text: bytes) -> bytes:
    """Return a text in small letters."""
    if text.isascii():
        return text.lower()
    return text.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")


def line_count(text: bytes) -> int:
    """Return the number of lines; the last one needs no newline."""
    return text.count(b"\n") + (text[-1:] not in (b"\n", b""))
