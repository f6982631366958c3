"""Why a source file is no text in UTF-8, in a sentence: another encoding, a byte order mark, or no text at all.

It is asked about a file that was refused, with a reader that writes a byte that is no UTF-8 as an escape.
"""

from collections.abc import Callable

from grader.core.lazy import lazy_regex
from grader.core.text import quote

_MAX_NAME_LENGTH, _MAX_SOURCE_LENGTH = 24, 40
# How a file begins -> what it is.
_FORMATS = {
    "PK\x03\x04": "a zip archive or a document of an office program",
    "%PDF-": "a PDF document",
    r"{\rtf": "a document of a word processor (RTF)",
    r"\xd0\xcf\x11\xe0": "a document of an office program",
    "\x7fELF": "a compiled program",
    r"\xca\xfe\xba\xbe": "a compiled class",
    "<!DOCTYPE html": "a page in HTML",
    "<html": "a page in HTML",
}
_UTF16 = (r"\xff\xfe", r"\xfe\xff")
_MAX_HEAD = 200
_MANY_ZEROS = 0.3  # the share of zero bytes in a line that is in UTF-16, without the mark that says so
_BYTE_ORDER_MARK = "\ufeff"
_MARK_REFUSED = lazy_regex(r"(?i)illegal character: '\\ufeff'|U\+FEFF|stray .\\357")
_ENCODING_REFUSED = lazy_regex(
    r"(?i)Non-UTF-8 code|unmappable character|can't decode byte|invalid (?:multibyte|byte sequence)"
    r"|(?:invalid|not valid|illegal|malformed) UTF-8"
)
_NO_ASCII = lazy_regex(r"\\x[89a-f][0-9a-f]")


def describe_encoding(file: str, line: int, error: str, read_line: Callable[[str, int], str]) -> str:
    """Say, without a full stop, how a file was saved that was refused with `error`; "" where it is in UTF-8."""
    name, head = quote(file.rpartition("/")[2], most=_MAX_NAME_LENGTH), read_line(file, 1)[:_MAX_HEAD]
    if what := next((what for beginning, what in _FORMATS.items() if head.startswith(beginning)), ""):
        return f"{name} is {what}, not the text of a program; save it as plain text"
    if head.startswith(_UTF16) or (head and head.count("\0") >= _MANY_ZEROS * len(head)):
        return f"{name} is saved as UTF-16; save it as UTF-8"
    if head.startswith(_BYTE_ORDER_MARK) and _MARK_REFUSED.search(error):
        return f"{name} begins with an invisible byte order mark (BOM), which is refused; save it as UTF-8 without BOM"
    if _ENCODING_REFUSED.search(error):
        source = read_line(file, line).strip()
        byte = _NO_ASCII.search(source)
        start = max(0, byte.start() - _MAX_SOURCE_LENGTH // 2) if byte and len(source) > _MAX_SOURCE_LENGTH else 0
        shown = f": {quote(source, start, most=_MAX_SOURCE_LENGTH)} in line {line}" if byte else ""
        return f"{name} is not saved as UTF-8{shown}; save it as UTF-8"
    return ""
