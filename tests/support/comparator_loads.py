"""Hostile outputs for every comparator of the table and for the filters of lines, in any size."""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from msgspec.structs import replace

from grader.core import bounded_regex
from grader.core.comparators import COMPARATORS
from grader.core.comparators import regex as regex_module
from grader.core.comparators.base import Wanted
from grader.core.deviations.table import DEVIATIONS
from grader.core.errors import GraderError, SpecError, Wrong
from grader.core.judge.case import deviations_of, wanted_text
from grader.core.model.spec import Expected, Tolerances
from tests.support.comparators import read_expected
from tests.support.rows import from_data, read_data

Unit = Callable[[int], bytes]
UNITS: dict[str, bytes | Unit] = {
    **from_data(read_data(__file__)["UNITS"], dict[str, bytes]),
    "distinct lines": lambda at: b"line %d\n" % at,
    "distinct words": lambda at: b"w%d " % at,
    "distinct members": lambda at: b'{"a%d":%d},' % (at, at),
    "sentences": lambda at: b"The number %d is not prime.\n" % at,
    "widening lines": lambda at: b" " * (at % 40) + b"x\n",
}
TOLERANT = dict.fromkeys(DEVIATIONS, Fraction(1, 2))
PATTERNS = ("^l", r"\d+", "(.*)", " $")


def parts_of_size(name: str, size: int) -> list[bytes]:
    """Return the parts of an output of about so many bytes."""
    unit = UNITS[name]
    if isinstance(unit, bytes):
        return [unit] * (size // len(unit))
    parts: list[bytes] = []
    length = at = 0
    while length < size:
        parts.append(unit(at))
        length, at = length + len(parts[-1]), at + 1
    return parts


def _answers(parts: list[bytes]) -> Iterator[bytes]:
    """Iterate over what the reference may have written instead: something short, and what is almost the same."""
    middle = len(parts) // 2
    yield b"1 5\n2 4\n"
    yield b"".join((*parts[:middle], b"x", *parts[middle + 1 :]))
    yield b"".join(reversed(parts)).swapcase()


def comparisons(how: str, size: int, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Iterate over comparisons by one comparator, each with its name: its own example, and the reference's answers."""
    (folder / "reference").mkdir(exist_ok=True)
    (folder / "reference" / "checks.py").write_text("def boards(output, **options): ...\n")
    example = read_expected(COMPARATORS[how].example, folder)
    of_reference = None
    with suppress(SpecError):
        of_reference = read_expected(f"{{{how}: reference{', credit: share' * (how == 'lines')}}}", folder)
    for name in UNITS:
        parts = parts_of_size(name, size)
        output = b"".join(parts)
        for number, answer in enumerate(_answers(parts)):
            expected = of_reference if number else example
            for tolerate in ({}, TOLERANT):
                with suppress(GraderError):
                    if expected is not None:
                        label = f"{how}: {name}, answer {number}{', all tolerated' * bool(tolerate)}"
                        yield label, partial(_compare, output, _wanted(expected, answer, tolerate))


def _wanted(expected: Expected, answer: bytes, tolerate: Tolerances) -> Wanted:
    wanted = wanted_text(expected, answer, tolerate, ("stdout", "standard output"), lambda *_: lambda _: None)
    return replace(wanted, stdin=b"5\n" * 20)


def _compare(output: bytes, wanted: Wanted) -> None:
    # A pattern is the course's, and searched in a process with a time of its own.
    with suppress(GraderError, Wrong), patch.object(regex_module, "pattern_matches", lambda *_: False):
        deviations_of(output, wanted)


def choices(size: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Iterate over choices of lines, as `only`, `skip` and `part` make them, by what their process runs."""
    for name in UNITS:
        text = b"".join(parts_of_size(name, size))
        for pattern in PATTERNS:
            for wanted in ("matching", "others", "part"):
                request = b"%d\n%b%b\n%b" % (len(pattern), pattern.encode(), wanted.encode(), text)
                yield f"{wanted} {pattern}: {name}", partial(_choose, request)


def _choose(request: bytes) -> None:
    streams = (SimpleNamespace(buffer=io.BytesIO(stream)) for stream in (request, b""))
    with patch.object(sys, "stdin", next(streams)), patch.object(sys, "stdout", next(streams)):
        exec(bounded_regex._FILTER_LINES.code, {"arguments": [0]})  # noqa: S102 - our own code
