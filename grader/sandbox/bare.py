"""Level `none`: no confinement at all, for programs that one trusts, and for machines that have no namespaces.

The same gate, limits and clean environment, in a temporary folder; but the program can read and change whatever we can.
What it leaves behind is found by a mark in its environment, which a hostile program can remove.
"""

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from grader.errors import HostError
from grader.model import Launch
from grader.sandbox.cage import Cage, environment, gated
from grader.sandbox.forking import FORKING

_MARK = "GRADER_RUN"
_ROUNDS, _PAUSE = 200, 0.005
_QUIET = 2
"""looks that find nobody: one that is just being replaced by another program shows no environment for a moment"""


def start(launch: Launch, stdin: int, stdout: int, stderr: int) -> Cage:
    """Start `launch` behind its gate with a temporary folder around it. Raises HostError when it cannot."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="grader-run-"))
        for name in ("work", "home", "tmp"):
            (folder / name).mkdir()
        mark = secrets.token_hex(16)
        with FORKING:
            process = subprocess.Popen(
                gated(launch, count_processes=False),  # here the limit would count all that the user runs
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=environment(launch, home=str(folder / "home"), temporary=str(folder / "tmp")) | {_MARK: mark},
                cwd=folder / "work",
                start_new_session=not launch.terminal,  # which makes a session of its own
            )
    except OSError as error:
        raise HostError(f"a program cannot be started: {error.strerror}") from error
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    work = os.open(folder / "work", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    return Cage(
        process=process,
        enter=lambda: work,
        processes=lambda: (proc, list(_marked(mark))),
        user=None,
        kill=partial(_kill, process, mark),
        settle=lambda: 0.0,  # `kill` has waited
        close=partial(_close, folder, (proc, work)),
    )


def _marked(mark: str) -> Iterator[int]:
    wanted = f"{_MARK}={mark}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (process / "environ").read_bytes().split(b"\0"):
                yield int(process.name)


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    stopped: set[int] = set()
    quiet = 0
    for _ in range(_ROUNDS):
        # Stopped first, all of them, since what forks while it is being ended is never caught up with.
        running = set(_marked(mark)) - stopped
        _signal(running, signal.SIGSTOP)
        stopped |= running
        quiet = 0 if running else quiet + 1
        if quiet == _QUIET:
            break
        time.sleep(_PAUSE)
    _signal(stopped, signal.SIGKILL)
    while any(_marked(mark)):
        time.sleep(_PAUSE)


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _close(folder: Path, descriptors: tuple[int, ...]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
    shutil.rmtree(folder, ignore_errors=True)
