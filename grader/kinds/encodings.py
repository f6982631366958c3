"""Sources as their compilers read them, in UTF-8; and the encodings that are refused.

A declared encoding can hide code from a reader of UTF-8: in `utf-7` or `unicode_escape`, an apparent comment is a
statement. So only UTF-8 and encodings with one byte a letter that contain ASCII are read. The reader of syntax trees
imports this module, which therefore imports only the standard library.
"""

import codecs
import re
from collections.abc import Mapping

_PYTHON_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_SINGLE_BYTE = {"ascii", "iso8859-1", "iso8859-15", "cp1252"}
_MARKS: Mapping[bytes, str] = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_MAX_SHARE = 0.3
"""the share of bytes beyond ASCII in a file in ISO 8859-1, at the most: comments have some, other encodings many"""


def refused_encoding(language: str, data: bytes) -> str:
    """Return the encoding of a source where rules do not read it; "" where they do."""
    mark = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "")
    if mark or language != "python":
        return mark or _unlike_ascii(data)
    return next((declared for declared in _declared_in(data) if _known_encoding(declared) is None), "")


def in_utf_8(language: str, data: bytes) -> bytes:
    """Return a source in UTF-8, without a mark at its beginning."""
    data = data.removeprefix(codecs.BOM_UTF8)
    names = {*filter(None, map(_known_encoding, _declared_in(data)))} if language == "python" else set[str]()
    if names and "utf-8" not in names:
        return data.decode(names.pop(), "replace").encode()
    return data


def _declared_in(data: bytes) -> list[str]:
    """Return the encodings that the first two lines name (PEP 263), whatever ends these lines."""
    data = data[:4096].removeprefix(codecs.BOM_UTF8)
    lines = [*_LINE_END.split(data, maxsplit=2)[:2], *data.split(b"\n", maxsplit=2)[:2]]
    return [match[1].decode("ascii", "replace") for line in lines if (match := _PYTHON_COOKIE.match(line))]


def _known_encoding(declared: str) -> str | None:
    """Return the name of a declared encoding that is read; None for others, and for what is no encoding."""
    name = declared.lower().replace("_", "-")
    for family, known in (("utf-8", "utf-8"), ("latin-1", "iso8859-1"), ("iso-8859-1", "iso8859-1")):
        if name == family or name.startswith(f"{family}-"):  # as Python takes `utf-8-unix` of editors
            return known
    try:
        codec = codecs.lookup(declared).name
    except (LookupError, ValueError):
        return None
    return codec if codec in _SINGLE_BYTE | {"utf-8"} else None


def _unlike_ascii(data: bytes) -> str:
    if b"\0" in data:
        return "an encoding with zero bytes"
    try:
        data.decode()
    except UnicodeDecodeError:
        beyond = sum(byte >= 0x80 for byte in data)  # noqa: PLR2004 - ASCII ends there
        return "an encoding in which letters are not those of ASCII" if beyond > _MAX_SHARE * len(data) else ""
    return ""


_SPLICE = re.compile(rb"\\[ \t\f\v]*(?:\r\n|\r|\n)")
_JAVA_ESCAPE = re.compile(rb"(?<!\\)((?:\\\\)*)\\u+([0-9a-fA-F]{4})")


def as_compiled(language: str, source: bytes) -> bytes:
    """Return a source as its compiler takes it apart: names that are split over lines, or have escapes, are whole.

    Everything stays on its line, but for the end of a line that continues: that comes after all that belongs to it.
    """
    if language == "java":
        return _JAVA_ESCAPE.sub(lambda m: m[1] + chr(int(m[2], 16)).encode("utf-8", "replace"), source)
    if language not in ("c", "cpp"):
        return source
    pieces, owed = _SPLICE.split(source), 0
    for at, piece in enumerate(pieces[1:], start=1):
        owed += 1
        if b"\n" in piece:
            pieces[at], owed = piece.replace(b"\n", b"\n" * (owed + 1), 1), 0
    return b"".join(pieces) + b"\n" * owed
