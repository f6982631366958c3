"""Level `full`: Linux namespaces through bubblewrap, a new set for each command.

The protection is what the argument list says: a root of read-only system folders and nothing of the host's homes or of
the course; no network; own processes, IPC and users; no capabilities and no way to new ones. The working folder, /tmp
and home are empty memory file systems of a stated size. We reach the working folder through /proc/PID/root, so no path
of ours is ever mounted, or shown, inside; and its descriptor keeps it readable for us after every process is gone.

When the command ends, process 1 of its namespace ends, and the kernel kills and reaps all others before it is gone.
Bubblewrap outside does not wait for that, so we do: as a subreaper we become the parent of what it leaves.
"""

import os
import re
import select
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from glob import glob

from grader.errors import HostError
from grader.model import Launch
from grader.sandbox.cage import PATH, WORK_BYTES, Cage, environment, gated
from grader.sandbox.forking import FORKING
from grader.sandbox.identity import adopt_orphans, sandbox_user

_TEMPORARY_BYTES = 64 * 2**20
_SHARED_BYTES = 16 * 2**20
_HOME = "/home/student"
_WORK = "/box"
_GONE = 60.0
"""seconds; the kernel needs a few thousandths"""
_CHILD = re.compile(rb'"child-pid": *([0-9]+)[^0-9]')


def _namespaces() -> list[str]:
    return [
        *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--hostname", "sandbox", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--clearenv"),
    ]


def _file_system(show: Sequence[str]) -> list[str]:
    # The links of /etc/alternatives name the programs in /usr/bin.
    configuration = ["/etc/alternatives", "/etc/ld.so.cache", *(path for name in show for path in sorted(glob(name)))]
    return [
        *("--ro-bind", "/usr", "/usr", "--size", "4096", "--tmpfs", "/usr/local", "--remount-ro", "/usr/local"),
        *("--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin"),
        *("--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"),
        *(word for path in configuration for word in ("--ro-bind-try", path, path)),
        *("--proc", "/proc", "--dev", "/dev", "--size", str(_SHARED_BYTES), "--tmpfs", "/dev/shm"),
        *("--remount-ro", "/dev", "--size", str(_TEMPORARY_BYTES), "--tmpfs", "/tmp"),
        *("--size", str(_TEMPORARY_BYTES), "--tmpfs", _HOME, "--size", str(WORK_BYTES), "--tmpfs", _WORK),
        *("--remount-ro", "/", "--chdir", _WORK),
    ]


@dataclass(slots=True)
class _Inside:
    """What becomes known when the sandbox is up."""

    info: int
    pid: int = 0
    pidfd: int = -1
    folders: list[int] = field(default_factory=list)


def start(launch: Launch, stdin: int, stdout: int, stderr: int, *, show: Sequence[str] = ()) -> Cage:
    """Set up a sandbox with `launch` behind its gate; what `show` names can be read in it.

    Raises HostError when bubblewrap cannot be started.
    """
    adopt_orphans()
    user = sandbox_user()
    read_end, write_end = os.pipe()
    inside = _Inside(info=read_end)
    env = environment(launch, home=_HOME, temporary="/tmp")
    arguments = [
        *_as_user(user),
        _program(),
        *_namespaces(),
        *(word for name, value in env.items() for word in ("--setenv", name, value)),
        *_file_system(show),
        *("--info-fd", str(write_end), "--"),
        *gated(launch, count_processes=True),
    ]
    try:
        with FORKING:
            process = subprocess.Popen(
                arguments,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env={"PATH": PATH},  # process 1 shows it inside
                cwd="/",
                pass_fds=(write_end,),
                start_new_session=True,  # Ctrl-C is ours alone
            )
    except OSError as error:
        os.close(read_end)
        raise HostError(f"bubblewrap cannot be started: {error.strerror}") from error
    finally:
        os.close(write_end)
    return Cage(
        process=process,
        enter=partial(_enter, inside),
        processes=partial(_processes, inside),
        user=user,
        kill=partial(_kill, inside, process),
        settle=partial(_settle, inside),
        close=partial(_close, inside),
    )


def _as_user(user: int | None) -> list[str]:
    # A program of its own for this: Python can only fork for it, which takes ten times as long as starting one.
    return [] if user is None else ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]


def _program() -> str:
    program = shutil.which("bwrap", path=PATH)
    if program is None:
        raise HostError(
            "bubblewrap is missing, and without it nothing keeps a student's program in bounds; "
            "install it (apt-get install bubblewrap)"
        )
    return program


def _identify(inside: _Inside) -> None:
    """Learn which process is number 1 inside; bubblewrap tells it as soon as there is one, and nothing if it fails."""
    told = b""
    while not (found := _CHILD.search(told)):
        more = os.read(inside.info, 4096)  # JSON, in several pieces
        if not more:
            return
        told += more
    inside.pid = int(found[1])
    inside.pidfd = os.pidfd_open(inside.pid)


def _enter(inside: _Inside) -> int:
    _identify(inside)
    root = f"/proc/{inside.pid}/root"
    inside.folders = [os.open(root + name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) for name in (_WORK, "/proc")]
    return inside.folders[0]


def _processes(inside: _Inside) -> tuple[int, list[int]]:
    proc = inside.folders[1]
    # Process 1 is bubblewrap's own.
    return proc, [int(name) for name in os.listdir(proc) if name.isdigit() and name != "1"]


def _kill(inside: _Inside, process: subprocess.Popen[bytes]) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if inside.pidfd < 0:
            _identify(inside)
        if inside.pidfd < 0:
            process.kill()
        else:
            signal.pidfd_send_signal(inside.pidfd, signal.SIGKILL)


def _settle(inside: _Inside) -> float:
    if inside.pidfd < 0:
        return 0.0
    try:
        # Through the descriptor first: once somebody has waited for it, its number may be another child's of ours.
        os.waitid(os.P_PIDFD, inside.pidfd, os.WEXITED | os.WNOWAIT)
    except ChildProcessError:  # bubblewrap waited for it itself, or whoever adopted it will
        select.select([inside.pidfd], [], [], _GONE)
        return 0.0
    _, _, used = os.wait4(inside.pid, 0)
    return used.ru_utime + used.ru_stime


def _close(inside: _Inside) -> None:
    for descriptor in (inside.info, inside.pidfd, *inside.folders):
        if descriptor >= 0:
            os.close(descriptor)
