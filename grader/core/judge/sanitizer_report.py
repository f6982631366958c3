"""What a sanitizer or the C library reported on standard error, as a sentence: the fault, the function and the line.

AddressSanitizer and LeakSanitizer end a program with the status 1 or 23, ThreadSanitizer with 66 when it has ended by
itself. UndefinedBehaviorSanitizer goes on, unless it is built with `-fno-sanitize-recover`. The libraries write of
assert(3), of an exception that nobody caught, and of memory that they found damaged, before they call abort(3).
"""

import re
from collections.abc import Mapping

from grader.core.diagnosis import ReadLine
from grader.core.judge.unstarted import describe_line
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Message
from grader.core.model.toolchain import Toolchain
from grader.core.text import count, one_line, quote, size

_HEAD = lazy_regex(
    rb"(?m)^(?:==\d+==ERROR|==\d+==WARNING|WARNING): (?P<tool>(?:Address|Leak|Thread|Memory)Sanitizer): "
)
_SUMMARY = lazy_regex(rb"(?m)^SUMMARY: \w+Sanitizer: (?P<kind>[a-zA-Z-]+(?: [a-z-]+){0,6}?)(?: \S*[/(.]|$)")
_LEAKED = lazy_regex(rb"(?m)^SUMMARY: \w+Sanitizer: (?P<bytes>\d{1,18}) byte\(s\) leaked in (?P<number>\d{1,12}) alloc")
_TITLE = lazy_regex(rb"[a-zA-Z -]{1,60}?(?= on | \(|:|$)")
_UNDEFINED = lazy_regex(
    rb"(?m)^(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}):\d{1,7}: runtime error: (?P<what>[^\n]{1,400})$"
    rb"(?=(?:\nSUMMARY: [^\n]*)?\s*\Z)"
)
_FRAME = lazy_regex(
    rb"(?m)^ +#\d{1,4} (?:0x[0-9a-f]+ in )?(?P<function>[^\n]{1,400}?) "
    rb"(?:(?P<file>[^\s:()]{1,400}):(?P<line>\d{1,7})(?::\d{1,7})?|(?P<module>\([^\n()]{1,400}\+0x[0-9a-f]+\)))"
    rb"(?: \([^\n]*\))?$"
)
_GO_RACE = lazy_regex(rb"(?m)^WARNING: DATA RACE$")
_GO_FRAME = lazy_regex(rb"(?m)^  (?P<function>[^\s()]{1,400})\(\)\n      (?P<file>[^\s:]{1,400}):(?P<line>\d{1,7})\b")
_FOREIGN = lazy_regex(rb"\(?(?:/usr/|/lib|\.\./)")
"""files of the C library and of the sanitizer itself, and their modules"""
_MAX_FIRST_BYTES = 2**14
"""of a report, in which the place is looked for"""
_MAX_FAULT_LENGTH, _MAX_FUNCTION_LENGTH = 80, 40
_FAULTS: Mapping[str, str] = {
    "heap-buffer-overflow": "uses memory outside of an allocated block",
    "stack-buffer-overflow": "uses memory outside of a local array",
    "stack-buffer-underflow": "uses memory outside of a local array",
    "global-buffer-overflow": "uses memory outside of a global array",
    "heap-use-after-free": "uses memory that it has freed",
    "stack-use-after-return": "uses a local variable of a function that has returned",
    "stack-use-after-scope": "uses a local variable outside of its block",
    "stack-overflow": "has no room left on the stack, as in a recursion that does not end,",
    "double-free": "frees memory that it had freed already",
    "bad-free": "frees a pointer that is not the start of an allocated block",
    "SEGV": "uses an address where it has no memory, such as a null pointer,",
    "allocation-size-too-big": "asks for a block of an impossible size, such as a negative one,",
    "data race": "uses a variable in two threads at the same time",
    "use-of-uninitialized-value": "uses a value that was never set",
}
"""a fault as sanitizers name it -> what the program does"""

_HEAP_DAMAGE = (
    rb"(?P<text>(?:double free or corruption|corrupted (?:size|double-linked)|(?:free|malloc|realloc"
    rb"|malloc_consolidate|unaligned tcache chunk detected|munmap_chunk)\(\): )[^\n]{0,80})"
)
_ABORTS: tuple[tuple[bytes, str], ...] = (
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


def can_report(toolchain: Toolchain) -> bool:
    """Whether such words are those of a sanitizer: in other languages they are a program's own."""
    return any("Sanitizer" in pattern or "DATA RACE" in pattern for pattern in toolchain.crash)


def is_out_of_memory(errors: bytes) -> bool:
    """Whether AddressSanitizer ended a program because there was no memory left for it."""
    return b"SUMMARY: AddressSanitizer: out-of-memory" in errors or b"Sanitizer: Out of memory" in errors


def describe_sanitizer(who: str, errors: bytes, read_line: ReadLine) -> Message | None:
    """Return what to say of the fault for which a sanitizer ended a program, or gave it a status; None for none."""
    head, frames = _HEAD.search(errors), _FRAME
    kind, tool = "data race", "`go -race`"
    if head:
        report = errors[head.start() :]
        tool, summary = head["tool"].decode(), _SUMMARY.search(report) or _TITLE.match(errors, head.end())
        kind = (summary.groupdict().get("kind") or summary[0]).decode() if summary else "a fault"
    elif race := _GO_RACE.search(errors):
        report, frames = errors[race.start() :], _GO_FRAME
    else:
        return None
    function, place, where = _find_place(report[:_MAX_FIRST_BYTES], read_line, frames)
    inside = f" in {function}" if function else ""
    key = ("sanitizer", kind, place or function)
    if leaked := _LEAKED.search(report) if head else None:
        octets, number = int(leaked["bytes"]), int(leaked["number"])
        blocks = f"{count(number, 'block')} of memory ({size(octets)})"
        source = f", {'the first ' if number > 1 else ''}allocated{where or inside}" if where or inside else ""
        sentence = f"{who} never frees {blocks}{source} (LeakSanitizer)."
        return Message(sentence, key).with_after("unflushed", "Output that it had not flushed is lost.")
    return Message(f"{who} {_FAULTS.get(kind, 'has a fault')}{where} ({kind}{inside}, {tool}).", key)


def describe_undefined(who: str, errors: bytes, read_line: ReadLine) -> Message | None:
    """Return what to say of what UndefinedBehaviorSanitizer said last of all, as one that ends a program does."""
    undefined = _UNDEFINED.search(errors)
    if undefined is None:
        return None
    place, where = _describe_place(undefined, read_line)
    what = quote(undefined["what"], most=_MAX_FAULT_LENGTH)
    return Message(f"{who} does what is undefined{where}: {what} (UndefinedBehaviorSanitizer).", ("undefined", place))


def _find_place(report: bytes, read_line: ReadLine, frames: re.Pattern[bytes]) -> tuple[str, str, str]:
    """Return the innermost function of the student's that a report names, and its line; all empty without one."""
    for frame in frames.finditer(report):
        if not _FOREIGN.match(frame["file"] or frame["module"]):
            place = _describe_place(frame, read_line) if frame["file"] else ("", "")
            return quote(one_line(frame["function"]), most=_MAX_FUNCTION_LENGTH), *place
    return "", "", ""


def _describe_place(found: re.Match[bytes], read_line: ReadLine) -> tuple[str, str]:
    """Return the place that a report names, `a.c:7`, and the words for it."""
    name = found["file"].rpartition(b"/")[2].decode(errors="backslashreplace")
    place = f"{name}:{found['line'].decode()}"
    return place, describe_line(place, read_line) or f" at {quote(place)}"


def describe_abort(errors: bytes) -> tuple[str, str]:
    """Return why a program was aborted, as the end of `Your program crashed: `, and what of it tells causes apart.

    Both are empty when it did not say so.
    """
    for pattern, sentence in _ABORTS:
        if found := re.search(pattern, errors):
            parts = {name: quote(part, most=_MAX_FAULT_LENGTH) for name, part in found.groupdict().items()}
            place = one_line(found["place"]) if "place" in parts else ""
            return sentence.format(**{**parts, "place": place}), place or parts.get("type", "")
    return "", ""
