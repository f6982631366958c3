"""One row for each limit of an execution, from which its key in a spec, its metering and its names follow."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from grader.core.model.limits import LimitName, LimitOverrides, Limits
from grader.core.text import seconds, size


class LimitRow(Struct, frozen=True, kw_only=True):
    """What there is to know of a limit beside its default: its key in a spec, what it is called, how it is metered."""

    kind: Literal["duration", "size", "count"]
    about: str
    examples: tuple[str | int, ...]
    aliases: str = ""  # other words that people write for the key
    noun: str
    exceeded: str  # what was done that went over it, with the limit for `{}`
    factor: float | None = None  # ended at a look at which it is over by it; None where something else looks


LIMITS: Final[Mapping[LimitName, LimitRow]] = {
    "time": LimitRow(
        kind="duration",
        about="The longest time on the wall.",
        examples=("10 s", "500 ms", "2 min"),
        aliases="timeout",
        noun="time",
        exceeded="took longer than {}",
    ),
    "cpu": LimitRow(
        kind="duration",
        about="The most processor time, all processes together.",
        examples=("10 s",),
        noun="processor time",
        exceeded="took more than {} of processor time",
        factor=1.1,
    ),
    "memory": LimitRow(
        kind="size",
        about="The most memory, all processes together.",
        examples=("512 MiB",),
        aliases="ram mem",
        noun="memory",
        exceeded="used more than {} of memory",
        factor=1.0,
    ),
    "output": LimitRow(
        kind="size",
        about="The most that each of the two streams may hold.",
        examples=("8 MiB",),
        noun="output",
        exceeded="wrote more than {} to a stream",
    ),
    "processes": LimitRow(
        kind="count",
        about="The most processes and threads at one time.",
        examples=(64,),
        aliases="threads pids",
        noun="processes",
        exceeded="started more than {} processes at once",
        factor=1.0,
    ),
}


def at_least(limits: Limits, asked: LimitOverrides) -> Limits:
    """Return the limits, each raised to what is asked for where that is more."""
    return Limits(**{name: max(getattr(limits, name), asked.get(name, 0)) for name in Limits.__struct_fields__})


def limit_sentence(limit: LimitName) -> str:
    """Say, as a predicate, that something went over a limit: "went over its limit of processor time"."""
    return f"went over its limit of {LIMITS[limit].noun}"


def exceeded_sentence(limit: LimitName, limits: Limits) -> str:
    """Say, as a predicate, what went over a limit: "used more than 512 MiB of memory"."""
    row, amount = LIMITS[limit], getattr(limits, limit)
    shown = size(amount) if row.kind == "size" else seconds(amount) if row.kind == "duration" else str(amount)
    return row.exceeded.format(shown)
