"""XML that somebody else had a hand in, read with expat: no entities of its own, and a bound on its nesting."""

from collections.abc import Callable, Mapping
from importlib import import_module

MAX_XML_DEPTH = 64
"""elements within elements; no tool that we read writes more than ten"""


def read_xml(
    data: bytes,
    *,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
    may_break_off: bool = False,
) -> None:
    """Call `start` and `end` for each element and `text` for what is between them, in their order.

    Raises ValueError, after the calls for what comes before, where the XML is malformed, has a document type, nests too
    deep, or breaks off and must not.
    """
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
        if end:
            end(name)

    def refuse(*_: object) -> None:
        raise ValueError("it declares entities, which no such tool does")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = enter, leave, text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, not may_break_off)
    except (expat.ExpatError, LookupError) as error:  # LookupError: it declares an encoding that nobody knows
        raise ValueError(str(error)) from error
