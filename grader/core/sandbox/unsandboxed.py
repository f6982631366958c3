"""Level `none`: no confinement at all, for programs that one trusts, and for machines that have no namespaces.

The same gate, limits and clean environment, in a temporary folder; but the program can read and change whatever we can.
Its remaining processes are found in its control group. Without a group, they are found among younger processes by a
mark in their environment, which a hostile program can remove.
"""

import os
import signal
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from grader.core.errors import HostError
from grader.core.model.execution import Launch
from grader.core.sandbox.cgroup import new_group
from grader.core.sandbox.command import (
    FOLDER_BYTES,
    ChildCommand,
    Ended,
    SandboxedCommand,
    StartPlan,
    environment,
    gated,
    reap,
    spawn,
)
from grader.core.sandbox.folder import remove_tree
from grader.core.sandbox.seccomp import system_call_filter

_RUN_MARK = "GRADER_RUN"
_MAX_ROUNDS, _PAUSE, _GONE = 200, 0.005, 60.0


def start_unconfined(
    launch: Launch,
    *streams: int,
    show: Sequence[str],  # noqa: ARG001 - all is shown
    packages: str,
) -> SandboxedCommand:
    """Start `launch` behind its gate with a temporary folder around it. Raises HostError when it cannot."""
    try:
        with ExitStack() as held:
            if group := new_group(memory=launch.limits.memory + FOLDER_BYTES, processes=launch.limits.processes):
                held.callback(group.close)
            folder = Path(tempfile.mkdtemp(prefix="grader-run-"))
            held.callback(remove_tree, folder)
            for name in ("work", "home", "tmp"):
                (folder / name).mkdir()
            mark = os.urandom(16).hex()
            trace = _Trace(mark, set() if group else _all_processes())
            around = {"home": str(folder / "home"), "temporary": str(folder / "tmp"), "packages": packages}
            plan = StartPlan(
                argv=gated(launch),
                env=environment(launch, **around) | {_RUN_MARK: mark},
                folder=folder / "work",
                streams=(streams[0], streams[1], streams[2]),
                passed=streams[3:],
                new_session=not launch.terminal,  # which makes a session of its own
                thread="own",
                filter=system_call_filter(
                    frozenset(launch.permits), is_watched=bool(launch.tool), is_private=launch.is_private
                ),
            )
            command = _UnsandboxedCommand(launch, held, spawn(plan), folder / "work", group)
            command.trace = trace
            return command.own()
    except OSError as error:
        raise HostError(f"a program cannot be started: {error.strerror}") from error


class _UnsandboxedCommand(ChildCommand):
    trace: "_Trace"

    def _running(self) -> list[int]:
        return self._look()[0]

    def _look(self) -> tuple[list[int], bool]:
        """Return the ids of the command's living processes, and whether there may be one more."""
        return (self.group.processes(), False) if self.group else self.trace.found()

    def kill(self) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        stopped: set[int] = set()
        quiet = 0
        for _ in range(_MAX_ROUNDS):
            # Stopped first, all of them, since what forks while it is being ended is never caught up with.
            pids, unclear = self._look()
            running = set(pids) - stopped
            _signal(running, signal.SIGSTOP)
            stopped |= running
            quiet = 0 if running else quiet + 1
            if quiet > unclear:
                break
            if unclear:
                time.sleep(_PAUSE)
        _signal(stopped, signal.SIGKILL)
        deadline = time.monotonic() + _GONE
        while stopped and self._look()[0]:
            if time.monotonic() > deadline:
                raise HostError(f"what a program started is still alive {_GONE:.0f} s after it was killed")
            time.sleep(_PAUSE)

    def _settle(self) -> Ended:
        ended = reap(self._process)
        self.kill()  # its remaining processes
        return ended


class _Trace:
    """Identifies the processes of a command: a mark, and which processes are older than it."""

    def __init__(self, mark: str, older: set[str]) -> None:
        self._mark = f"{_RUN_MARK}={mark}".encode()
        self._older = older

    def found(self) -> tuple[list[int], bool]:
        """Return the ids of the processes that have the mark, and whether one of the others may have it.

        A process that is just being replaced by another program shows no environment for a moment.
        """
        marked, unclear = [], False
        for name in _all_processes() - self._older:
            with suppress(OSError):  # it has ended, or is somebody else's
                if self._mark in (shown := Path(f"/proc/{name}/environ").read_bytes()).split(b"\0"):
                    marked.append(int(name))
                elif not shown:
                    unclear = unclear or not _is_dead(name)
        return marked, unclear


def _all_processes() -> set[str]:
    return {name for name in os.listdir("/proc") if name.isdigit()}


def _is_dead(name: str) -> bool:
    """Whether it is a zombie, or a process of the kernel itself, which has no memory either."""
    return not Path(f"/proc/{name}/statm").read_bytes().partition(b" ")[0].strip(b"0")


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
