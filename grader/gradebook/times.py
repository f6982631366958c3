"""How running time grows with a variable, for each test whose cases vary one, such as `each: {n: 4..12}`."""

import re
from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from grader.core.model.gradebook import Gradebook

_MIN_VALUES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesAt:
    """Seconds of processor time of the class for one value, over the runs that ended by themselves."""

    value: int
    median: float
    slowest: float
    ended: int
    stopped: int
    """the number of runs that a limit ended"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The times of a test, by the values of its variable, the smallest first."""

    test: str
    variable: str
    times: tuple[TimesAt, ...]


def growths_of(book: Gradebook) -> list[Growth]:
    """Return the times of all tests with a numeric variable, in the order of the spec."""
    found: dict[tuple[str, str], dict[int, list[float | None]]] = {}
    for report in (grade.report for grade in book.grades if grade.report):
        for test in report.tests:
            for case in test.cases:
                numbered = re.fullmatch(r"\[(\w+)=([0-9]{1,9})\]", case.id.removeprefix(test.name))
                if numbered and case.cpu is not None:
                    times = found.setdefault((test.name, numbered[1]), defaultdict(list))
                    times[int(numbered[2])].append(None if case.limit else case.cpu)
    return [
        Growth(test=test, variable=variable, times=tuple(_times_at(value, times[value]) for value in sorted(times)))
        for (test, variable), times in found.items()
        if len(times) >= _MIN_VALUES
    ]


def _times_at(value: int, times: list[float | None]) -> TimesAt:
    ended = [time for time in times if time is not None]
    return TimesAt(
        value=value,
        median=median(ended) if ended else 0.0,
        slowest=max(ended, default=0.0),
        ended=len(ended),
        stopped=len(times) - len(ended),
    )
