r"""XML of somebody else, read with expat: no entities, a bound on nesting, `\x1b` in place of what is forbidden."""

import codecs
import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module

from grader.core.lazy import lazy_regex

MAX_XML_DEPTH = 64  # elements within elements; no tool that we read writes more than ten
_ENCODING = lazy_regex(
    rb"""(?i)\A<\?xml\s[^>]{0,100}?encoding\s*=\s*["'](iso-8859-(?:1[013-6]|[1-9])|windows-125[0-8])["']"""
)
_FORBIDDEN = lazy_regex("[^\t\n\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_REFERENCE = lazy_regex(r"&#(?:x([0-9A-Fa-f]+)|([0-9]+));")
_MAX_DIGITS = 7  # of a reference to a character that there is


def read_xml(
    data: bytes,
    *,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] = lambda _: None,
    text: Callable[[str], None] | None = None,
    may_break_off: bool = False,
) -> None:
    """Call `start` and `end` for each element and `text` for what is between; ValueError where that cannot be read."""
    expat = import_module("xml.parsers.expat")  # only memory-clean and a style tool need it
    depth = 0

    def enter(name: str, values: Mapping[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_XML_DEPTH:
            raise ValueError(f"more than {MAX_XML_DEPTH} elements within each other")
        start(name, values)

    def leave(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name)

    def refuse(*_: object) -> None:
        raise ValueError("it declares entities, which no such tool does")

    parser = expat.ParserCreate("utf-8")  # in any declared encoding: the text is decoded already
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = enter, leave, text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(_readable(data), not may_break_off)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from error


def _readable(data: bytes) -> bytes:
    """Return the same XML in UTF-8, with texts in place of the characters that it must not have."""
    declared = _ENCODING.match(data)
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding = "utf-16" if is_utf16 else declared[1].decode() if declared else "utf-8-sig"
    text = data.decode(encoding, "backslashreplace")
    end = text.rfind(">") + 1
    if "<" not in text[end:]:  # as the signs for a terminal behind the last element, which belong to no document
        text = text[:end]
    text = _FORBIDDEN.sub(lambda match: rf"\x{ord(match[0]):02x}", _REFERENCE.sub(_allowed_reference, text))
    return text.encode()


def _allowed_reference(match: re.Match[str]) -> str:
    digits, base = (match[1], 16) if match[1] else (match[2], 10)
    number = int(digits, base) if len(digits) <= _MAX_DIGITS else sys.maxunicode + 1
    is_allowed = number <= sys.maxunicode and not _FORBIDDEN.match(chr(number))
    return match[0] if is_allowed else rf"\x{number:02x}"
