"""Whether a measurement decides: pure functions of an execution, by which `measuring` repeats it or not."""

import re
import signal

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch

Measured = Execution | HostError
"""what a command did, or why we could not run it"""
_NEAR_LIMIT_SHARE = 0.75
"""up to this share of a limit nothing else decides whether it is met"""
TUNED_SHARE = 0.5
"""up to this share of a limit a run with our speed-up options counts"""


def is_near_a_limit(found: Measured) -> bool:
    """Whether a command took more than three quarters of a limit, was ended by one, or was waited for in vain."""
    if isinstance(found, HostError):
        return True
    limits = found.limits
    used = {name: getattr(found, name) for name in ("time", "cpu", "memory")}
    used["output"] = max(len(found.stdout), len(found.stderr))
    return (
        found.limit is not None
        or found.is_inconclusive
        or found.signal in {signal.SIGKILL, signal.SIGXCPU}
        or (found.stop is not None and not found.stop.ended)
        or any(amount > _NEAR_LIMIT_SHARE * getattr(limits, name) for name, amount in used.items())
    )


def is_in_doubt(found: Execution) -> bool:
    """Whether the machine, rather than the command, may be the cause of how it ended."""
    limit, limits, stop = found.limit, found.limits, found.stop
    # It ended by itself, a little late.
    was_late = limit in {"time", "cpu"} and found.signal is None
    # It was busy while a dialogue waited for it: it might have answered.
    was_busy = stop is not None and not stop.ended and not found.asked and limit is None
    # Not by us: by the kernel, which may have been short of memory for others; or by itself, and then it will again.
    was_killed = found.signal == signal.SIGKILL and (
        limit is None or (limit in {"cpu", "memory"} and getattr(found, limit) <= getattr(limits, limit))
    )
    return bool(found.doubts) or was_late or was_busy or was_killed


def options_may_matter(launch: Launch, found: Execution) -> bool:
    """Whether a command took much of a limit, passed one, or ran out of memory or stack."""
    # A probe that calls functions reports exceptions in a file.
    output = b"\n".join((found.complaints, *found.files.values()))
    return (
        found.limit is not None
        or found.time - found.waited > TUNED_SHARE * launch.limits.time
        or found.cpu > TUNED_SHARE * launch.limits.cpu
        or any(re.search(pattern.encode(), output, re.MULTILINE) for pattern in launch.oom_patterns)
    )


def is_confirmed(before: Execution, again: Measured) -> bool:
    """Whether a command was ended in both measurements, for the same reason."""
    if isinstance(again, HostError) or again.is_inconclusive:
        return False
    ends = [run.limit or run.signal or run.stop is not None for run in (before, again)]
    return bool(ends[0]) and ends[0] == ends[1]
