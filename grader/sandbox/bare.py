"""Level `none`: no confinement at all, for programs that one trusts, and for machines that have no namespaces.

The same gate, limits and clean environment, in a temporary folder; but the program can read and change whatever we can.
What it leaves behind is found in its control group; where there is none, by a mark in its environment, which a hostile
program can remove.
"""

import os
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from grader.errors import HostError
from grader.model import Launch, Limits
from grader.sandbox.cage import (
    FORKING,
    Cage,
    entered,
    environment,
    gated,
    group_for,
    join_new_keyring,
    remove_tree,
    restrict_system_calls,
    set_limits,
    start_bound,
)
from grader.sandbox.cgroup import ControlGroup
from grader.sandbox.seccomp import system_call_filter

_RUN_MARK = "GRADER_RUN"
_MOST_ROUNDS, _PAUSE = 200, 0.005
_QUIET_ROUNDS = 2
"""looks that find nobody: one that is just being replaced by another program shows no environment for a moment"""


def start_unconfined(launch: Launch, stdin: int, stdout: int, stderr: int) -> Cage:
    """Start `launch` behind its gate with a temporary folder around it. Raises HostError when it cannot."""
    group = group_for(launch)
    enter = group.enter if group else ()
    try:
        folder = Path(tempfile.mkdtemp(prefix="grader-run-"))
        for name in ("work", "home", "tmp"):
            (folder / name).mkdir()
        mark = secrets.token_hex(16)
        env = environment(launch, home=str(folder / "home"), temporary=str(folder / "tmp"))

        def start() -> subprocess.Popen[bytes]:
            with entered(group):
                return subprocess.Popen(
                    [*enter, *gated(launch)],
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    env=env | {_RUN_MARK: mark},
                    cwd=folder / "work",
                    start_new_session=not launch.terminal,  # which makes a session of its own
                )

        restrict = partial(restrict_system_calls, system_call_filter(frozenset(launch.permits)))
        with FORKING:
            process = start_bound(start, join_new_keyring, restrict)
    except OSError as error:
        if group:
            group.close()
        raise HostError(f"a program cannot be started: {error.strerror}") from error
    return _Unconfined(launch.limits, process, folder, mark, group)


class _Unconfined(Cage):
    def __init__(
        self,
        limits: Limits,
        process: subprocess.Popen[bytes],
        folder: Path,
        mark: str,
        group: ControlGroup | None,
    ) -> None:
        self.process = process
        self._limits = limits
        self._folder = folder
        self._mark = mark
        self.group = group
        self._proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._work = os.open(folder / "work", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def enter(self) -> int:
        # Counted by the kernel itself, the processes would be all that the user runs.
        set_limits(self.process.pid, self._limits, None, count_processes=False)
        return self._work

    def processes(self) -> tuple[int, list[int]]:
        return self._proc, self._running()

    def _running(self) -> list[int]:
        return self.group.processes() if self.group else list(_marked(self._mark))

    def kill(self) -> None:
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        stopped: set[int] = set()
        quiet = 0
        for _ in range(_MOST_ROUNDS):
            # Stopped first, all of them, since what forks while it is being ended is never caught up with.
            running = set(self._running()) - stopped
            _signal(running, signal.SIGSTOP)
            stopped |= running
            quiet = 0 if running else quiet + 1
            if quiet == _QUIET_ROUNDS:
                break
            time.sleep(_PAUSE)
        _signal(stopped, signal.SIGKILL)
        while self._running():
            time.sleep(_PAUSE)

    def settle(self) -> tuple[float, int]:
        return 0.0, 0  # `kill` has waited

    def close(self) -> None:
        os.close(self._proc)
        os.close(self._work)
        remove_tree(self._folder)
        super().close()


def _marked(mark: str) -> Iterator[int]:
    wanted = f"{_RUN_MARK}={mark}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (process / "environ").read_bytes().split(b"\0"):
                yield int(process.name)


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
