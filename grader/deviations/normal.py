"""Normal forms: what two texts have in common when some kinds of deviation are overlooked.

A kind that concerns blanks or capitals is a rewriting of the text. Two texts differ by a set of kinds when they are
the same after the rewritings of that set, made on both. Every rewriting stays within a line, so texts are
rewritten piece by piece: what differs at the top is known before the rest is looked at, and little memory is used. The
patterns begin at a place that is told by looking one byte back, so that they take linear time on any input.

`final-newline` is none of these: "one more or one less" holds between two texts, see `level`.
"""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import chain

Kinds = frozenset[str]

_JOINS = rb"(?<=[\w\x80-\xff])[ \t]+(?=[\w\x80-\xff]|[-+]?\.?\d)|(?<=\d\.)[ \t]+(?=\d)"
"""a blank without which two words or numbers would become one; `4 -1` is not `4-1`"""

_REWRITINGS: Mapping[str, tuple[tuple[re.Pattern[bytes], bytes], ...]] = {
    "line-endings": ((re.compile(rb"\r\n"), b"\n"),),
    "trailing-space": ((re.compile(rb"(?<![ \t])[ \t]+(?=\r?(?:\n|\Z))"), b""),),
    "leading-space": ((re.compile(rb"(?m)^[ \t]+"), b""),),
    "inner-space": (
        (re.compile(rb"(?=[ \t])(?!" + _JOINS + rb")(?<=\S)[ \t]+(?=\S)"), b""),
        (re.compile(_JOINS), b" "),
    ),
    "blank-lines": ((re.compile(rb"(?m)^\n+|^[ \t]*\r?\n|^[ \t]+\r?\Z"), b""),),
}
_PIECE = 2**18
"""bytes rewritten at a time; a single line that is longer is left as it is"""

TEXT_KINDS: Kinds = frozenset({"final-newline", "letter-case", *_REWRITINGS})
"""the kinds that are differences of blanks and capitals, not of lines"""


def each_line(text: bytes) -> Iterator[bytes]:
    """Iterate over the lines, each with its newline, without a list of them all."""
    return BytesIO(text)


def ended(text: bytes) -> bytes:
    """Return `text` with a newline at the end of its last line."""
    return text if not text or text.endswith(b"\n") else text + b"\n"


def possible(one: bytes, other: bytes, kinds: Kinds) -> Kinds:
    """Return those of `kinds` that may be a difference of the two texts; a quick look that spares many slow ones."""
    found = {kind for kind in kinds if _acts(one, kind) or _acts(other, kind)}
    if one[_last(one) :] != other[_last(other) :]:
        found |= kinds & {"final-newline"}
    return frozenset(found)


def _acts(text: bytes, kind: str) -> bool:
    if kind == "letter-case":
        return _lower(text) != text
    return any(pattern.search(text) for pattern, _ in _REWRITINGS.get(kind, ()))


def _last(text: bytes) -> int:
    """Return where the last character is that is no blank; 0 when there is none."""
    return max(len(text.rstrip(b" \t\r\n")) - 1, 0)


def normal(text: bytes, kinds: Kinds) -> bytes:
    """Return the normal form of `text` in which the differences of these `kinds` are gone."""
    return b"".join(_rewritten(text, kinds))


def forms(text: bytes, kinds: Kinds) -> Iterator[bytes]:
    """Iterate over the lines of the normal form, which is made as they are asked for."""
    return chain.from_iterable(map(each_line, _rewritten(text, kinds)))


def bare(text: bytes) -> bytes:
    """Return `text` in small letters without its blanks: cheap, and the same for lines whose normal forms are."""
    return _lower(text).translate(None, b" \t\r")


def numbered(text: bytes, kinds: Kinds) -> Iterator[tuple[int, bytes, bytes]]:
    """Iterate over the lines as (number from 1, line as written, normal form); blank lines may be overlooked too."""
    text = ended(text)
    for number, (line, form) in enumerate(zip(each_line(text), forms(text, kinds - {"blank-lines"}), strict=True), 1):
        if "blank-lines" not in kinds or form.strip():
            yield number, line, form


def newlines_at_end(text: bytes, kinds: Kinds) -> int:
    """Return how many newlines the normal form ends with."""
    form = normal(text[_last(text) :], kinds)
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


def _rewritten(text: bytes, kinds: Kinds) -> Iterator[bytes]:
    rewritings = [rewriting for kind in _REWRITINGS if kind in kinds for rewriting in _REWRITINGS[kind]]
    for piece in pieces(text):
        if len(piece) <= _PIECE:
            form = _lower(piece) if "letter-case" in kinds else piece
            for pattern, replacement in rewritings:
                form = pattern.sub(replacement, form)
            yield form
        else:
            yield piece


def pieces(text: bytes) -> Iterator[bytes]:
    """Cut a text behind newlines into pieces, none larger than it may be unless it is a single line."""
    start = 0
    while start < len(text):
        end = text.rfind(b"\n", start, start + _PIECE) + 1 or text.find(b"\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _lower(text: bytes) -> bytes:
    if text.isascii():
        return text.lower()
    return text.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")
