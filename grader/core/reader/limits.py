"""The limits of an execution in a spec: `limits`, of a test, of a build, of an interactor."""

from collections.abc import Callable, Mapping

from grader.core.model.limits import LimitOverrides
from grader.core.yaml.value import Key, Keys, Value, fields, parse_count, parse_duration, parse_size, parsed

LIMITS: Keys = {
    "time": Key(about="The longest time on the wall.", kind="duration", examples=("10 s", "500 ms", "2 min")),
    "cpu": Key(about="The most processor time, all processes together.", kind="duration", examples=("10 s",)),
    "memory": Key(about="The most memory, all processes together.", kind="size", examples=("512 MiB",)),
    "output": Key(about="The most that each of the two streams may hold.", kind="size", examples=("8 MiB",)),
    "processes": Key(about="The most processes and threads at one time.", kind="count", examples=(64,)),
}

_LIMIT_OF_TIME = parsed(parse_duration, 'a time such as "10 s", "500 ms" or "2 min"', 1.0)
_SIZE = parsed(parse_size, 'a size such as "512 MiB", "8 MB" or "64 KiB"', 1)
_MIN_MEMORY = 2**20
"""bytes; with less not even the sandbox comes up"""
_MEMORY = parsed(
    lambda written: size if (size := parse_size(written) or 0) >= _MIN_MEMORY else None,
    'a size of 1 MiB or more, such as "512 MiB" or "64 MB"',
    _MIN_MEMORY,
)
_PROCESSES = parsed(parse_count, "a whole number that is 1 or more", 1)
LIMIT_READERS: Mapping[str, Callable[[Value], float]] = {
    "time": _LIMIT_OF_TIME,
    "cpu": _LIMIT_OF_TIME,
    "memory": _MEMORY,
    "output": _SIZE,
    "processes": _PROCESSES,
}


def read_limits(value: Value) -> LimitOverrides:
    """Read `limits`: only the keys that are written, in seconds, bytes and counts."""
    return {key: LIMIT_READERS[key](entry) for key, entry in fields(value, LIMITS).items()}
