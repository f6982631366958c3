"""What a program in C or C++ said on standard error before its C library ended it (abort(3)), as a part of a sentence.

The libraries write these messages themselves: of assert(3), of an exception that nobody caught, and of memory that they
found damaged.
"""

import re

from grader.core.text import one_line, quote

_MAX_TEXT_LENGTH = 80
_HEAP_DAMAGE = (
    rb"(?P<text>(?:double free or corruption|corrupted (?:size|double-linked)|(?:free|malloc|realloc"
    rb"|malloc_consolidate|unaligned tcache chunk detected|munmap_chunk)\(\): )[^\n]{0,80})"
)
_MESSAGES: tuple[tuple[bytes, str], ...] = (
    (
        rb"(?P<place>[^\s:][^:\n]{0,200}:\d{1,7}): [^\n]{1,200}: Assertion `(?P<text>[^\n]{1,2000})' failed\.",
        "the assertion {text} in {place} failed",
    ),
    (
        rb"terminate called after throwing an instance of '(?P<type>[^\n]{1,500})'\n +what\(\): +(?P<text>[^\n]+)",
        "the exception {type} was not caught ({text})",
    ),
    (
        rb"terminate called after throwing an instance of '(?P<type>[^\n]{1,500})'",
        "the exception {type} was not caught",
    ),
    (
        rb"terminate called without an active exception",
        "it called std::terminate without an exception, as a std::thread does that was never joined",
    ),
    (rb"\*\*\* stack smashing detected \*\*\*", "it wrote past the end of an array on the stack"),
    (rb"\*\*\* buffer overflow detected \*\*\*", "it wrote past the end of an array"),
    (rb"free\(\): double free detected", "it frees memory that it had freed already"),
    (rb"(?:free|munmap_chunk)\(\): invalid pointer", "it frees a pointer that is not the start of an allocated block"),
    (_HEAP_DAMAGE, "it damaged the memory that malloc manages ({text})"),
)
"""what a message of glibc or libstdc++ looks like, and what to say of it, with the parts that the pattern names"""


def describe_abort(errors: bytes) -> tuple[str, str]:
    """Return why a program was aborted, as the end of `Your program crashed: `, and what of it tells causes apart.

    Both are empty when it did not say so.
    """
    for pattern, sentence in _MESSAGES:
        if found := re.search(pattern, errors):
            parts = {name: quote(part, most=_MAX_TEXT_LENGTH) for name, part in found.groupdict().items()}
            place = one_line(found["place"]) if "place" in parts else ""
            return sentence.format(**{**parts, "place": place}), place or parts.get("type", "")
    return "", ""
