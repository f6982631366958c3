"""What an execution may use."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from grader.core.text import seconds, size

LimitOverrides = Mapping[str, float]  # some of the keys of `Limits`, laid over the defaults
LimitName = Literal[
    "time",
    "cpu",
    "memory",
    "output",
    "processes",
]


class Limits(Struct, frozen=True, kw_only=True):
    """What one execution may use. A key that a spec leaves out has the toolchain's value."""

    time: float = 10.0  # seconds on the wall
    cpu: float = 10.0  # seconds of processor time, of all its processes together
    memory: int = 512 * 2**20  # bytes resident, of all its processes together
    output: int = 8 * 2**20  # bytes on standard output and standard error, each
    processes: int = 64  # processes and threads at one time


# One row for each limit of an execution, from which its key in a spec, its metering and its names follow.


class LimitRow(Struct, frozen=True):
    """What there is to know of a limit beside its default: its key in a spec, what it is called, how it is metered."""

    kind: Literal["duration", "size", "count"]
    about: str
    examples: tuple[str | int, ...]
    exceeded: str  # what was done that went over it, with the limit for `{}`
    aliases: str = ""  # other words that people write for the key
    factor: float | None = None  # ended at a look at which it is over by it; None where something else looks
    noun: str = ""  # what sentences call it, where that is not its name


LIMITS: Final[Mapping[LimitName, LimitRow]] = {
    "time": LimitRow(
        "duration", "The longest time on the wall.", ("10 s", "500 ms", "2 min"), "took longer than {}", "timeout"
    ),
    "cpu": LimitRow(
        "duration",
        "The most processor time, all processes together.",
        ("10 s",),
        "took more than {} of processor time",
        noun="processor time",
        factor=1.1,
    ),
    "memory": LimitRow(
        "size", "The most memory, all processes together.", ("512 MiB",), "used more than {} of memory", "ram mem", 1.0
    ),
    "output": LimitRow(
        "size", "The most that each of the two streams may hold.", ("8 MiB",), "wrote more than {} to a stream"
    ),
    "processes": LimitRow(
        "count",
        "The most processes and threads at one time.",
        (64,),
        "started more than {} processes at once",
        "threads pids",
        1.0,
    ),
}


def at_least(limits: Limits, asked: LimitOverrides) -> Limits:
    """Return the limits, each raised to what is asked for where that is more."""
    return Limits(**{name: max(getattr(limits, name), asked.get(name, 0)) for name in Limits.__struct_fields__})


def limit_sentence(limit: LimitName) -> str:
    """Say, as a predicate, that something went over a limit: "went over its limit of processor time"."""
    return f"went over its limit of {LIMITS[limit].noun or limit}"


def exceeded_sentence(limit: LimitName, limits: Limits) -> str:
    """Say, as a predicate, what went over a limit: "used more than 512 MiB of memory"."""
    row, amount = LIMITS[limit], getattr(limits, limit)
    shown = size(amount) if row.kind == "size" else seconds(amount) if row.kind == "duration" else str(amount)
    return row.exceeded.format(shown)
