"""What a program in C or C++ said on standard error before its C library ended it (abort(3)), as a part of a sentence.

The libraries write these messages themselves: of assert(3), of an exception that nobody caught, and of memory that they
found damaged.
"""

import re
from collections.abc import Callable, Mapping

from grader.core.text import one_line, quote

_MAX_TEXT_LENGTH, _MAX_NAME_LENGTH = 80, 60


def describe_abort(errors: bytes) -> str:
    """Describe why a program was aborted, as the end of `Your program crashed: `; "" when it did not say so."""
    for pattern, describe in _MESSAGES.items():
        if found := re.search(pattern, errors):
            return describe(found)
    return ""


def _describe_assertion(found: re.Match[bytes]) -> str:
    place = f"{one_line(found['file'])}:{found['line'].decode()}"
    return f"the assertion {quote(found['text'], most=_MAX_TEXT_LENGTH)} in {place} failed"


def _describe_exception(found: re.Match[bytes]) -> str:
    what = f" ({quote(found['what'], most=_MAX_TEXT_LENGTH)})" if found["what"] else ""
    return f"the exception {quote(found['type'], most=_MAX_NAME_LENGTH)} was not caught{what}"


_MESSAGES: Mapping[bytes, Callable[[re.Match[bytes]], str]] = {
    rb"(?P<file>[^\s:][^:\n]{0,200}):(?P<line>\d{1,7}): [^\n]{1,200}: Assertion `(?P<text>[^\n]{1,2000})' failed\.": (
        _describe_assertion
    ),
    rb"terminate called after throwing an instance of '(?P<type>[^\n]{1,500})'(?:\n +what\(\): +(?P<what>[^\n]*))?": (
        _describe_exception
    ),
    rb"terminate called without an active exception": (
        lambda _found: "it called std::terminate without an exception, as a std::thread does that was never joined"
    ),
    rb"\*\*\* stack smashing detected \*\*\*": lambda _found: "it wrote past the end of an array on the stack",
    rb"\*\*\* buffer overflow detected \*\*\*": lambda _found: "it wrote past the end of an array",
    rb"free\(\): double free detected": lambda _found: "it frees memory that it had freed already",
    rb"(?:free|munmap_chunk)\(\): invalid pointer": (
        lambda _found: "it frees a pointer that is not the start of an allocated block"
    ),
    rb"(?:double free or corruption|corrupted (?:size|double-linked)|(?:free|malloc|realloc|malloc_consolidate"
    rb"|unaligned tcache chunk detected|munmap_chunk)\(\): )[^\n]{0,80}": (
        lambda found: f"it damaged the memory that malloc manages ({quote(found[0], most=_MAX_TEXT_LENGTH)})"
    ),
}
"""what a message looks like -> its description; glibc's and libstdc++'s"""
