"""When work is due, and what it costs to be late: `due` and `late` of a `grader.yaml`, computed exactly.

Every time has a zone. Days are counted by the local clock where the work is due: one day after 23:59 is 23:59, also
across a change to or from summer time. A due time without seconds includes its whole minute.
"""

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from msgspec import UNSET, Struct

from grader.core.lazy import lazy_call
from grader.core.model.report import Lateness
from grader.core.reader.language import LATE
from grader.core.text import count, percent
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import Value, entries, fields, keyword, parse_duration, parse_percent, parsed, wrong
from grader.people.times import Moment, parse_moment, read_moment

_fill_in = lazy_call("grader.core.report.html", "fill_in")  # `grader run` reads the rules too, and makes no page yet
UNKNOWN = "The time of submission is not known, so nothing is deducted for lateness."


class LateRule(Struct, frozen=True, kw_only=True):
    """The rule for late work: its cost in points."""

    per_day: Fraction = Fraction(0)  # the share of the graded score that a started day takes
    grace: timedelta = timedelta()
    at_most: int | None = None  # days that are counted
    closed_after: int | None = None  # days after which nothing counts
    free_days: int = 0  # late days that cost a student nothing, over all assignments of the course


# ---------------------------------------------------------------- reading


def read_due_dates(value: Value, spec: str, *, is_named: bool, names_one: bool) -> dict[str, Moment]:
    """Read when the work of each assignment of the file is due.

    `is_named` is whether the file names this `spec`, `names_one` whether the file names any spec.
    """
    if isinstance(value.node, Table):
        times = {name: read_moment(entry) for name, (_, entry) in entries(value).items()}
        return {name: time for name, time in times.items() if time}
    time = read_moment(value)
    if time and not names_one:
        example = f"{{{spec}: {keyword(value) or '2026-11-20 23:59 Europe/Zurich'}}}"
        wrong(value, f'which assignment is due then? Write {example}, or name the spec in this file, under "spec"')
    return {spec: time} if time and is_named else {}


def _parse_days(written: str) -> int | None:
    match = re.fullmatch(r"([1-9][0-9]{0,3}) days?", written)
    return int(match[1]) if match else None


def _parse_loss(written: str) -> Fraction | None:
    return (parse_percent(written[1:]) if written.startswith("-") else None) or None


def _parse_grace(written: str) -> timedelta | None:
    hours = re.fullmatch(r"([0-9]{1,3}) ?h", written)
    seconds = int(hours[1]) * 3600 if hours else parse_duration(written)
    return timedelta(seconds=seconds) if seconds else None


_READERS: Mapping[str, Callable[[Value], Any]] = {
    "per-day": parsed(_parse_loss, "what a day takes from the graded score, such as -10 %", Fraction(0)),
    "grace": parsed(_parse_grace, "a time, such as 15 min or 1 h", timedelta()),
    **dict.fromkeys(
        ("at-most", "closed-after", "free-days"), parsed(_parse_days, "a number of days, such as 3 days", 1)
    ),
}


def read_late_rule(value: Value) -> LateRule:
    """Read the rule for late work."""
    return LateRule(**{LATE[name].into: _READERS[name](entry) for name, entry in fields(value, LATE).items()})


def describe_rule(due: Moment, rule: LateRule | None) -> str:
    """Describe to students when the work is due and what it costs to be late."""
    return _fill_sentences("due.txt", due=due, rule=rule)


def _fill_sentences(template: str, **values: object) -> str:
    """Fill a template of sentences, each of which may stand on several lines."""
    return " ".join(_fill_in(template, count=count, percent=percent, **values).decode().split())


# ---------------------------------------------------------------- how late


def compute_lateness(submitted: str, due: Moment, rule: LateRule, free: int | None = None) -> Lateness | None:
    """Return the lateness of work handed in at `submitted`; None when it is in time. An empty time is not known.

    `free` is how many free late days the student has left; None stands for all.
    """
    if not submitted:
        return Lateness(due=due.written, submitted="", days=0, takes=0.0, message=UNKNOWN)
    time = parse_moment(submitted).time.astimezone(due.time.tzinfo)
    allowed = timedelta() if due.has_seconds else timedelta(minutes=1, microseconds=-1)
    if time.astimezone(UTC) <= due.time.astimezone(UTC) + allowed:
        return None
    days = _started_days(due.time, time, rule.grace + allowed)
    is_closed = rule.closed_after is not None and days > rule.closed_after
    counted = 0 if is_closed else min(days, rule.at_most or days)
    free_left = rule.free_days if free is None else free
    used = min(free_left, counted)  # for each day that would cost something
    share = Fraction(1) if is_closed else min((counted - used) * rule.per_day, Fraction(1))
    cost = {"days": days, "counted": counted, "used": used, "left": free_left - used, "share": share}
    span = _format_span(time.astimezone(UTC) - due.time.astimezone(UTC))
    return Lateness(
        due=due.written,
        submitted=f"{time:%Y-%m-%d %H:%M:%S %z}",
        days=days,
        takes=float(share),
        message=_fill_sentences("late.txt", time=time, span=span, due=due, rule=rule, **cost),
        free=used if rule.free_days else UNSET,
    )


def _started_days(due: datetime, time: datetime, grace: timedelta) -> int:
    """Count the days that have begun since the work was due; the grace moves the end of each."""
    late = time.astimezone(UTC)

    def same_time_later(days: int) -> datetime:  # if it exists twice or not at all, the later candidate
        wall = due.replace(tzinfo=None) + timedelta(days=days)
        return max(wall.replace(tzinfo=due.tzinfo, fold=fold).astimezone(UTC) for fold in (0, 1))

    days = max(0, (late - due.astimezone(UTC) - grace).days - 1)  # by a clock that nobody changes, and never too many
    while late > same_time_later(days) + grace:
        days += 1
    return days


def _format_span(time: timedelta) -> str:
    """Format a duration: `1 day 8 h 14 min`, rounded up, so that late work is never late by nothing.

    Below an hour with seconds: between the end of the time of grace and the next day is one.
    """
    unit = 1 if time < timedelta(hours=1) else 60
    total = math.ceil(time / timedelta(seconds=unit)) * unit
    days, hours, minutes, seconds = total // 86400, total // 3600 % 24, total // 60 % 60, total % 60
    parts = [f"{hours} h" * bool(hours), f"{minutes} min" * bool(minutes), f"{seconds} s" * bool(seconds)]
    return " ".join(filter(None, [count(days, "day") * bool(days), *parts]))
