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
from grader.core.text import one_line, quote

_HEAD = lazy_regex(
    rb"(?m)^(?:(?:==\d+==(?:ERROR|WARNING)|WARNING): (?P<tool>(?:Address|Leak|Thread|Memory)Sanitizer): "
    rb"|WARNING: DATA RACE$)"
)
_SUMMARY = lazy_regex(
    rb"(?m)^SUMMARY: \w+Sanitizer: (?:(?P<kind>[a-zA-Z-]+(?: [a-z-]+){0,6}?)(?: \S*[/(.]|$)|\d+ byte\(s\) leaked)"
)
_UNDEFINED = lazy_regex(
    rb"(?m)^(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}):\d{1,7}: runtime error: (?P<what>[^\n]{1,400})$"
    rb"(?=(?:\nSUMMARY: [^\n]*)?\s*\Z)"
)
_FRAME = lazy_regex(
    rb"(?m)^ +(?:#\d{1,4} (?:0x[0-9a-f]+ in )?)?(?P<function>[^\n]{1,400}?)(?: |\(\)\n +)"
    rb"(?P<file>[^\s:()]{1,400}):(?P<line>\d{1,7})(?:[: ][^\n]*)?$"
)
"""of a sanitizer, or of Go, which writes the place below the function"""
_FOREIGN = lazy_regex(rb"/usr/|/lib|\.\./")
"""files of the C library and of the sanitizer itself"""
_MAX_FIRST_BYTES = 2**14
"""of a report, in which the place is looked for"""
_MAX_FAULT_LENGTH, _MAX_FUNCTION_LENGTH = 80, 40
_FAULTS: Mapping[str, str] = {
    "heap-buffer-overflow": "uses memory outside of an allocated block",
    "stack-buffer-overflow": "uses memory outside of a local array",
    "global-buffer-overflow": "uses memory outside of a global array",
    "heap-use-after-free": "uses memory that it has freed",
    "stack-use-after-scope": "uses a local variable outside of its block",
    "stack-overflow": "has no room left on the stack, as in a recursion that does not end,",
    "double-free": "frees memory that it had freed already",
    "bad-free": "frees a pointer that is not the start of an allocated block",
    "SEGV": "uses an address where it has no memory, such as a null pointer,",
    "leak": "never frees memory that it allocated",
    "data race": "uses a variable in two threads at the same time",
    "use-of-uninitialized-value": "uses a value that was never set",
}
"""a fault as sanitizers name it -> what the program does"""

_NOT_CAUGHT = rb"terminate called after throwing an instance of '(?P<type>[^\n]{1,500})'"
_ABORTS: tuple[tuple[bytes, str], ...] = (
    (
        rb"(?P<place>[^\s:][^:\n]{0,200}:\d{1,7}): [^\n]{1,200}: Assertion `(?P<text>[^\n]{1,2000})' failed\.",
        "the assertion {text} in {place} failed",
    ),
    (_NOT_CAUGHT + rb"\n +what\(\): +(?P<text>[^\n]+)", "the exception {type} was not caught ({text})"),
    (_NOT_CAUGHT, "the exception {type} was not caught"),
    (rb"terminate called without an active exception", "it called std::terminate (a std::thread never joined?)"),
    (rb"\*\*\* (?:stack smashing|buffer overflow) detected \*\*\*", "it wrote past the end of an array"),
    (rb"free\(\): double free detected", "it frees memory that it had freed already"),
    (rb"(?:free|munmap_chunk)\(\): invalid pointer", "it frees a pointer that is not the start of an allocated block"),
    (
        rb"(?P<text>(?:double free or |corrupted (?:size|double)|(?:free|(?:m|re)alloc\w{0,12})\(\): )[^\n]{0,80})",
        "it damaged the memory that malloc manages ({text})",
    ),
)
"""what a message of glibc or libstdc++ looks like, and what to say of it, with the parts that the pattern names"""


def describe_sanitizer(who: str, errors: bytes, read_line: ReadLine, *, is_wanted: bool = False) -> Message | None:
    """Return what to say of the fault for which a sanitizer ended a program, or gave it a status; None for none.

    UndefinedBehaviorSanitizer may go on, and leave a program its own status, which may be the one that `is_wanted`.
    """
    head, undefined = _HEAD.search(errors), None if is_wanted else _UNDEFINED.search(errors)
    if head is None and undefined:
        place, where = _describe_place(undefined, read_line)
        what = f"{quote(undefined['what'], most=_MAX_FAULT_LENGTH)} (UndefinedBehaviorSanitizer)"
        return Message(f"{who} does what is undefined{where}: {what}.", ("undefined", place))
    if head is None:
        return None
    report, is_go = errors[head.start() :], head["tool"] is None
    summary = _SUMMARY.search(report)
    kind = "data race" if is_go else (summary["kind"] or b"leak").decode() if summary else "unknown"
    frames = _FRAME.finditer(report[:_MAX_FIRST_BYTES])
    own = next((frame for frame in frames if not _FOREIGN.match(frame["file"])), None)
    place, where = _describe_place(own, read_line) if own else ("", "")
    inside = f" in {quote(own['function'], most=_MAX_FUNCTION_LENGTH)}" if own else ""
    tool = "`go -race`" if is_go else head["tool"].decode()
    sentence = f"{who} {_FAULTS.get(kind, 'has a fault')}{where} ({kind}{inside}, {tool})."
    message = Message(sentence, ("sanitizer", kind, place))
    return message.with_remark("unflushed", "Output that it had not flushed is lost." if kind == "leak" else "")


def _describe_place(found: re.Match[bytes], read_line: ReadLine) -> tuple[str, str]:
    """Return the place that a report names, `a.c:7`, and the words for it."""
    name = found["file"].rpartition(b"/")[2].decode(errors="backslashreplace")
    place = f"{name}:{found['line'].decode()}"
    return place, describe_line(place, read_line) or f" at {quote(place)}"


def describe_abort(errors: bytes) -> tuple[str, str]:
    """Return why a program was aborted, in words, and what of it tells causes apart; both empty when it did not say."""
    for pattern, sentence in _ABORTS:
        if found := re.search(pattern, errors):
            parts = {name: quote(part, most=_MAX_FAULT_LENGTH) for name, part in found.groupdict().items()}
            place = one_line(found["place"]) if "place" in parts else ""
            return sentence.format(**{**parts, "place": place}), place or parts.get("type", "")
    return "", ""
