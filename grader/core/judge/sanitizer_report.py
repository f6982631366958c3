"""What a compiler's sanitizer reported on standard error, as a sentence: the fault, the function and the line.

AddressSanitizer and LeakSanitizer end a program with the status 1 or 23, ThreadSanitizer with 66 when it has ended by
itself. UndefinedBehaviorSanitizer goes on, unless it is built with `-fno-sanitize-recover`.
"""

import re
from collections.abc import Mapping

from grader.core.diagnosis import ReadLine
from grader.core.judge.unstarted import describe_line
from grader.core.lazy import lazy_regex
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


def can_report(toolchain: Toolchain) -> bool:
    """Whether such words are those of a sanitizer: in other languages they are a program's own."""
    return any("Sanitizer" in pattern or "DATA RACE" in pattern for pattern in toolchain.crash)


def is_out_of_memory(errors: bytes) -> bool:
    """Whether AddressSanitizer ended a program because there was no memory left for it."""
    return b"SUMMARY: AddressSanitizer: out-of-memory" in errors or b"Sanitizer: Out of memory" in errors


def describe_sanitizer(who: str, errors: bytes, read_line: ReadLine) -> str:
    """Return the sentence about the fault for which a sanitizer ended a program, or gave it a status; "" for none."""
    if head := _HEAD.search(errors):
        report = errors[head.start() :]
        function, place = _find_place(report[:_MAX_FIRST_BYTES], read_line)
        inside = f" in {function}" if function else ""
        if leaked := _LEAKED.search(report):
            return _describe_leak(who, leaked, place or inside)
        kind = _kind_of(report, head.end() - head.start())
        fault = _FAULTS.get(kind, "has a fault")
        return f"{who} {fault}{place} ({kind}{inside}, {head['tool'].decode()})."
    if race := _GO_RACE.search(errors):
        function, place = _find_place(errors[race.start() : race.start() + _MAX_FIRST_BYTES], read_line, _GO_FRAME)
        inside = f" in {function}" if function else ""
        return f"{who} {_FAULTS['data race']}{place} (data race{inside}, `go -race`)."
    return ""


def describe_undefined(who: str, errors: bytes, read_line: ReadLine) -> str:
    """Return the sentence about what UndefinedBehaviorSanitizer said last of all, as one that ends a program does."""
    if undefined := _UNDEFINED.search(errors):
        what = quote(undefined["what"], most=_MAX_FAULT_LENGTH)
        place = _describe_place(undefined["file"], undefined["line"], read_line)
        return f"{who} does what is undefined{place}: {what} (UndefinedBehaviorSanitizer)."
    return ""


def _describe_leak(who: str, leaked: re.Match[bytes], where: str) -> str:
    octets, number = (int(leaked[name]) for name in ("bytes", "number"))
    blocks = f"{count(number, 'block')} of memory ({size(octets)})"
    place = f", {'the first ' if number > 1 else ''}allocated{where}" if where else ""
    return f"{who} never frees {blocks}{place} (LeakSanitizer). Output that it had not flushed is lost."


def _kind_of(report: bytes, start: int) -> str:
    """Return what a sanitizer calls the fault: by its summary, or by the first line of a report without one."""
    found = _SUMMARY.search(report)
    kind = found["kind"] if found else (title[0] if (title := _TITLE.match(report, start)) else b"a fault")
    return kind.decode()


def _find_place(report: bytes, read_line: ReadLine, frames: re.Pattern[bytes] = _FRAME) -> tuple[str, str]:
    """Return the innermost function of the student's that a report names, and its line; both empty without one."""
    for frame in frames.finditer(report):
        if not _FOREIGN.match(frame["file"] or frame["module"]):
            place = _describe_place(frame["file"], frame["line"], read_line) if frame["file"] else ""
            return quote(one_line(frame["function"]), most=_MAX_FUNCTION_LENGTH), place
    return "", ""


def _describe_place(file: bytes, line: bytes, read_line: ReadLine) -> str:
    name = file.rpartition(b"/")[2].decode(errors="backslashreplace")
    place = f"{name}:{line.decode()}"
    return describe_line(place, read_line) or f" at {quote(place)}"
