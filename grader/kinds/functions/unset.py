"""Finds variables of a source that `main` alone sets: functions that are called on their own find them without a value.

The source is read line by line, as people do: a declaration without a value, and in which function a line is that gives
it one. What is not found costs nothing but a sentence.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from grader.core.diagnosis import ReadLine
from grader.core.lazy import lazy_regex
from grader.core.text import joined, quote
from grader.kinds.functions.model import FunctionCase

_MAX_LINES = 2000
_MAX_BLANK_LINES = 100
"""empty lines in a row after which a file is taken to be at its end"""
_MAX_NAMES = 3
_NO_FUNCTION = r"(?!(?:return|else|new|throw|case|typedef|extern)\b)"
_JAVA = (
    lazy_regex(
        r"^\s*(?:(?:public|private|protected)\s+)?static\s+(?!final)[\w<>]+(?:\[\])*\s+(\w+(?:\s*,\s*\w+)*)\s*;"
    ),
    lazy_regex(rf"^\s*{_NO_FUNCTION}(?:[\w<>.?,\[\]]+\s+)+(\w+)\s*\([^;{{]*(?:\{{|$)"),
)
_C = (
    lazy_regex(
        r"^(?:static\s+)?(?!return|extern|typedef)(?:unsigned\s+)?\w+[\s*]+(\w+(?:\s*,\s*\w+)*)(?:\[\w*\])*\s*;"
    ),
    lazy_regex(rf"^{_NO_FUNCTION}\w[\w\s*]*?(\w+)\s*\([^;{{]*(?:\{{|$)"),
)
"""what declares variables without a value outside of functions, and what begins a function"""
_INITIALISER = lazy_regex(r"^\s*static\s*(?:\{|$)")
_CALL = lazy_regex(r"\b(\w+)\s*\(")


def describe_unset(function: FunctionCase, read_line: ReadLine) -> str:
    """Say that `main` has not run, where it alone sets variables that the called functions use; "" where none are."""
    given = {name for call in function.calls if call.sets for name in call.signature.names}
    called = {name for call in function.calls for name in call.signature.names}
    for within in function.within:
        is_c = re.search(r"\.c\w*$", within) is not None
        if lines := lines_of_source(within if is_c else f"{within.replace('.', '/')}.java", read_line):
            declares, begins = _C if is_c else _JAVA
            bodies = _bodies(lines, begins)
            used = _reached(bodies, called)
            names = [name for name in _set_by_main(lines, bodies, declares) if name not in given]
            names = [name for name in names if any(_uses(bodies[one], name) for one in used)]
            if names and "main" not in used:
                shown = joined([quote(name) for name in names[:_MAX_NAMES]])
                return f" `main` has not run, which alone sets {shown}: each function is called on its own."
    return ""


def lines_of_source(file: str, read_line: ReadLine) -> list[str]:
    """Return the lines of a source, as far as people read; none where there is no such file."""
    lines: list[str] = []
    blank = 0
    for number in range(1, _MAX_LINES + 1):
        lines.append(read_line(file, number))
        blank = 0 if lines[-1].strip() else blank + 1
        if blank > _MAX_BLANK_LINES:
            break
    return lines if len(lines) > blank else []


def _bodies(lines: Sequence[str], begins: re.Pattern[str]) -> dict[str, list[str]]:
    """Return the lines of each function, its heading first; those outside of any have no name."""
    bodies: dict[str, list[str]] = {}
    place = ""
    for line in lines:
        if begun := begins.match(line):
            place = begun[1]
        elif _INITIALISER.match(line):
            place = ""
        bodies.setdefault(place, []).append(line)
    return bodies


def _reached(bodies: Mapping[str, Sequence[str]], called: Collection[str]) -> set[str]:
    """Return the functions that calls of some of them run."""
    reached: set[str] = set()
    left = [name for name in called if name in bodies]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += {one for line in bodies[name] for one in _CALL.findall(line) if one in bodies}
    return reached


def _uses(body: Sequence[str], name: str) -> bool:
    """Whether a function uses a variable from outside, and none of its own with that name."""
    text = "\n".join(body)
    own = rf"\b(?!return\b|new\b|else\b|case\b)[A-Za-z_][\w>]*[\s\[\]*&]+{name}\s*(?:[=;,:)\[]|$)"
    return not re.search(own, text, re.MULTILINE) and re.search(rf"\b{name}\b", text) is not None


def _set_by_main(lines: Sequence[str], bodies: Mapping[str, Sequence[str]], declares: re.Pattern[str]) -> list[str]:
    declared = [name for line in lines if (found := declares.match(line)) for name in re.findall(r"\w+", found[1])]
    return [name for name in declared if [place for place, body in bodies.items() if _sets(body, name)] == ["main"]]


def _sets(body: Sequence[str], name: str) -> bool:
    given = rf"(?:^|[^\w\s\]>*])\s*{name}\s*(?:\[[^\]]*\]\s*)*(?:=(?!=)|[-+*/]=|\+\+|--)"
    return any(re.search(given, line) for line in body)
