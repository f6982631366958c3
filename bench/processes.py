"""Processes to be timed, and what else the machine did meanwhile.

`subprocess.run(timeout=...)` looks for the end of a process up to every 50 ms. Here the end is waited for, and a timer
kills what never ends.
"""

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any


def run_to_end(
    command: Sequence[str | Path],
    *,
    seconds: float,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    given: bytes = b"",
    out: IO[Any] | int = subprocess.DEVNULL,
) -> int:
    """Run a command with this input; return its status, or that of SIGKILL after so many seconds.

    `out` gets both streams.
    """
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE,
        stdout=out,
        stderr=subprocess.STDOUT if out != subprocess.DEVNULL else None,
        process_group=0,
    )
    fuse = threading.Timer(seconds, os.killpg, (process.pid, signal.SIGKILL))
    fuse.start()
    try:
        assert process.stdin  # noqa: S101 - it is a pipe
        with process.stdin as stdin:
            stdin.write(given)
        return process.wait()
    finally:
        fuse.cancel()


def must_run(command: Sequence[str | Path], **how: Any) -> None:
    """Run a command that has to end with status 0."""
    status = run_to_end(command, **how)
    if status:
        raise RuntimeError(f"{command[0]} ended with status {status}")


class ForeignLoad:
    """How many processors others used, from its making on: what is measured then is less certain."""

    def __init__(self) -> None:
        """Begin to count."""
        self._start = time.monotonic(), _busy_seconds(), _own_seconds()

    def processors(self) -> float:
        """Return the processors that were busy with the work of others, on average."""
        then, busy, own = self._start
        elapsed = time.monotonic() - then
        return max(0.0, (_busy_seconds() - busy) - (_own_seconds() - own)) / elapsed if elapsed else 0.0


def _busy_seconds() -> float:
    """Return the seconds that all processors were busy, since the machine started: proc(5), `/proc/stat`."""
    user, nice, system, _idle, _wait, irq, softirq, steal, *_ = (
        Path("/proc/stat").read_text().split("\n")[0].split()[1:]
    )
    return sum(map(int, (user, nice, system, irq, softirq, steal))) / os.sysconf("SC_CLK_TCK")


def _own_seconds() -> float:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
