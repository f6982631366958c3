"""The limits of an execution in a spec: `limits`, of a test, of a build, of an interactor."""

from grader.core.model.limits import LimitOverrides
from grader.core.yaml.types import key_of, read_found
from grader.core.yaml.value import Keys, Value, fields, parse_size, parsed

LIMITS: Keys = {
    "time": key_of("duration", examples=("10 s", "500 ms", "2 min"))("The longest time on the wall."),
    "cpu": key_of("duration", examples=("10 s",))("The most processor time, all processes together."),
    "memory": key_of("size", examples=("512 MiB",))("The most memory, all processes together."),
    "output": key_of("size", examples=("8 MiB",))("The most that each of the two streams may hold."),
    "processes": key_of("count", examples=(64,))("The most processes and threads at one time."),
}
_MIN_MEMORY = 2**20
"""bytes; with less not even the sandbox comes up"""
_MEMORY = parsed(
    lambda written: size if (size := parse_size(written) or 0) >= _MIN_MEMORY else None,
    'a size of 1 MiB or more, such as "512 MiB" or "64 MB"',
    _MIN_MEMORY,
)


def read_limits(value: Value) -> LimitOverrides:
    """Read `limits`: only the keys that are written, in seconds, bytes and counts."""
    found = fields(value, LIMITS)
    memory = {"memory": _MEMORY(found["memory"])} if "memory" in found else {}  # before its type, which asks for less
    return {**read_found(found, LIMITS, value.context), **memory}
