"""What an execution may use."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

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
