"""Finds variables of a source that `main` alone sets: functions that are called on their own find them without a value.

The source is read line by line, as people do: a declaration without a value, and in which function a line is that gives
it one. What is not found costs nothing but a sentence.
"""

import re
from collections.abc import Sequence

from grader.core.diagnosis import ReadLine
from grader.core.lazy import lazy_regex
from grader.core.text import joined, quote
from grader.kinds.functions.model import FunctionCase

_MAX_LINES = 2000
_MAX_BLANK_LINES = 100
"""empty lines in a row after which a file is taken to be at its end"""
_MAX_NAMES = 3
_JAVA = (
    lazy_regex(
        r"^\s*(?:(?:public|private|protected)\s+)?static\s+(?!final)[\w<>]+(?:\[\])*\s+(\w+(?:\s*,\s*\w+)*)\s*;"
    ),
    lazy_regex(r"^\s*(?:(?:public|private|protected|static|final)\s+)+[\w<>\[\], ]*?(\w+)\s*\("),
)
_C = (
    lazy_regex(
        r"^(?:static\s+)?(?!return|extern|typedef)(?:unsigned\s+)?\w+[\s*]+(\w+(?:\s*,\s*\w+)*)(?:\[\w*\])*\s*;"
    ),
    lazy_regex(r"^\w[\w\s*]*?(\w+)\s*\("),
)
"""what declares variables without a value outside of functions, and what begins a function"""


def describe_unset(function: FunctionCase, read_line: ReadLine) -> str:
    """Say that `main` has not run, where it alone sets variables of the source; "" where there are none."""
    given = {name for call in function.calls if call.sets for name in call.signature.names}
    for within in function.within:
        is_c = re.search(r"\.c\w*$", within) is not None
        if lines := lines_of_source(within if is_c else f"{within.replace('.', '/')}.java", read_line):
            names = [name for name in _set_by_main(lines, *(_C if is_c else _JAVA)) if name not in given]
            if names:
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


def _set_by_main(lines: Sequence[str], declares: re.Pattern[str], begins: re.Pattern[str]) -> list[str]:
    declared = [name for line in lines if (found := declares.match(line)) for name in re.findall(r"\w+", found[1])]
    places: dict[str, set[str]] = {name: set() for name in declared}
    place = ""
    for line in lines:
        if begun := begins.match(line):
            place = begun[1]
        for name in declared:
            if re.search(
                rf"(?:^|[^\w\s\]>*])\s*{re.escape(name)}\s*(?:\[[^\]]*\]\s*)*(?:=(?!=)|[-+*/]=|\+\+|--)", line
            ):
                places[name].add(place)
    return [name for name, functions in places.items() if functions == {"main"}]
