"""Level `full`: Linux namespaces through bubblewrap, a new set for each command.

The protection is what the argument list says: a root of read-only system folders and nothing of the host's homes or of
the course; no network; own processes, IPC and users; no capabilities and no way to new ones. The working folder, /tmp
and home are empty memory file systems of a stated size. We reach the working folder through /proc/PID/root, so no path
of ours is ever mounted, or shown, inside; and its descriptor keeps it readable for us after every process is gone.

The gate is the filter of system calls, which bubblewrap asks for last, with all else set up: it comes through a pipe of
one page, so that we can write on as soon as it has read what is there. The last byte is what opens; without it, as when
we are gone, bubblewrap finds that the filter is none, and nothing runs.

When the command ends, process 1 of its namespace ends, and the kernel kills and reaps all others before it is gone.
Bubblewrap outside does not wait for that, so we do: as a subreaper we become the parent of what it leaves.

Its two processes around the command keep standard input and output open until the command ends, so nobody sees that the
command closed them earlier. They close every higher descriptor. Where closing matters (`closes_at_once`), a shell in
front moves both streams up, and a shell inside moves them back.

Bubblewrap tells of a signal by a status of 128 and its number. Which of both it was, the kernel says (`wait_status`).
"""

import fcntl
import os
import re
import resource
import select
import shutil
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from subprocess import Popen
from types import MappingProxyType

from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Launch, SandboxPlace
from grader.core.sandbox.cgroup import ControlGroup
from grader.core.sandbox.command import (
    PATH,
    SHARED_BYTES,
    TEMPORARY_BYTES,
    WORK_BYTES,
    environment,
    group_for,
    set_limits,
    ungated,
)
from grader.core.sandbox.identity import (
    ClaimedUser,
    adopt_orphans,
    give_back_user,
    give_streams,
    has_spare_users,
    is_root_of_machine,
    take_user,
)
from grader.core.sandbox.interface import SandboxedCommand, failure_as_shell
from grader.core.sandbox.seccomp import system_call_filter
from grader.core.sandbox.spawn import StartPlan, spawn
from grader.core.sandbox.terminals import limit_terminals
from grader.core.sandbox.wait_status import hold_child, keeps_wait_status, seize, wait_status

INNER_PACKAGES = "/usr/local/packages"
_GONE = 60.0
"""seconds; the kernel needs a few thousandths"""
_CHILD = re.compile(rb'"child-pid": *([0-9]+)[^0-9]')
_NOT_STARTED = lazy_regex(rb"bwrap: execvp (.*): ([^:\n]*)\n", re.DOTALL)
_MOVE_UP = 'exec "$@" {stdin}<&0 {stdout}>&1 </dev/null >/dev/null'
_MOVE_BACK = 'exec "$@" <&{stdin} {stdin}<&- >&{stdout} {stdout}>&-'
_ONE_DIGIT = range(3, 10)
"""the descriptors that every POSIX shell can redirect"""


_NAMESPACES = [
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session"),
    "--clearenv",
]


def start_confined(
    launch: Launch, stdin: int, stdout: int, stderr: int, *further: int, show: Sequence[str] = (), packages: str = ""
) -> SandboxedCommand:
    """Set up a sandbox with `launch` behind its gate; the paths of `show` and the `packages` can be read in it.

    Raises HostError when bubblewrap cannot be started.
    """
    program = find_bubblewrap()
    refusing = filter_for(launch)
    claimed = user_for_sandbox()
    user = claimed.id if claimed else None
    env = environment(launch, home=launch.place.home, temporary="/tmp", packages=INNER_PACKAGES if packages else "")
    command = ungated(launch)
    group = group_for(launch)
    filter_end, gate = _gate(refusing)
    info, info_end = os.pipe()
    passed = (info_end, filter_end, *further)
    before, inside = _around_streams(passed) if launch.closes_at_once else ((), ())
    # In proc a program could write into its own memory, and so into a tool that watches it from there.
    read_only = ("--remount-ro", "/proc") if launch.tool else ()
    ends = ("--info-fd", str(info_end), "--seccomp", str(filter_end))
    folders = _empty_folders(inner_folders(launch.place))
    options = [*_options(launch.place, env, show, packages, folders), "--cap-drop", "ALL", *ends, *read_only]
    plan = StartPlan(
        argv=[*_enter(group, user), *before, program, *options, "--", *inside, *command],
        env={"PATH": PATH},  # process 1 shows it inside
        folder="/",
        streams=(stdin, stdout, stderr),
        passed=passed,
        new_session=True,  # Ctrl-C is ours alone
        thread="shared",
        user=None if group and group.enter else user,
        group=group,
    )
    try:
        give_streams(plan.streams, user)
        process = spawn(plan)
    except OSError as error:
        os.close(info)
        os.close(gate)
        if group:
            group.close()
        leave_user(claimed)
        raise not_started(error) from error
    finally:
        os.close(info_end)
        os.close(filter_end)
    return _Confined(launch, process, claimed, group, info=info, gate=gate, key=refusing[-1:])


def find_bubblewrap() -> str:
    """Return where bubblewrap is, and be ready to start it. Raises HostError when it is missing."""
    program = _find_program("bwrap", PATH)
    if program is None:
        raise HostError(
            "bubblewrap is missing, and without it nothing keeps a student's program in bounds; "
            "install it (apt-get install bubblewrap)"
        )
    adopt_orphans()
    return program


def user_for_sandbox() -> ClaimedUser | None:
    """Return the user as whom bubblewrap is to be started, where root has to be given up; None for us."""
    return take_user() if has_spare_users() or is_root_of_machine() else None


def leave_user(claimed: ClaimedUser | None) -> None:
    """Let others have the user of a sandbox in which nothing is alive."""
    if claimed:
        give_back_user(claimed)


def not_started(error: OSError) -> HostError:
    """Return the error for bubblewrap that could not be started, with what to do about it."""
    message = "; ".join(filter(None, (error.strerror or str(error), remedy(str(error.strerror)))))
    return HostError(f"bubblewrap cannot be started: {message}")


def filter_for(launch: Launch) -> bytes:
    """Return the filter of system calls for a command."""
    return system_call_filter(frozenset(launch.permits), is_watched=bool(launch.tool), is_private=launch.is_private)


def outer_options(
    place: SandboxPlace, show: Sequence[str], packages: str, env: Mapping[str, str] = MappingProxyType({"PATH": PATH})
) -> list[str]:
    """Return the options of an outer sandbox, whose program may make inner ones: it has all but the empty folders."""
    places = [word for folder in inner_folders(place) if folder != "/dev/shm" for word in ("--dir", folder)]
    return [*_options(place, env, show, packages, places), "--cap-add", "ALL"]


def inner_folders(place: SandboxPlace) -> Mapping[str, int]:
    """Return the folders that are empty and in memory for each command, with their sizes in bytes."""
    return {
        "/dev/shm": SHARED_BYTES,
        "/tmp": TEMPORARY_BYTES,
        place.home: TEMPORARY_BYTES,
        place.work: WORK_BYTES,
    }


def _empty_folders(folders: Mapping[str, int]) -> list[str]:
    return [word for folder, size in folders.items() for word in ("--size", str(size), "--tmpfs", folder)]


def _enter(group: ControlGroup | None, user: int | None) -> list[str]:
    """Return what enters the group in front of a command, where a thread of ours cannot, and then becomes `user`."""
    if group is None or not group.enter:
        return []
    if user is None:
        return [*group.enter]
    return [*group.enter, "/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]


def _around_streams(passed: Sequence[int]) -> tuple[Sequence[str], Sequence[str]]:
    """Return what goes in front of bubblewrap and of the command, so that the command alone has its streams."""
    stdin, stdout = [number for number in _ONE_DIGIT if number not in passed][:2]
    up, back = (script.format(stdin=stdin, stdout=stdout) for script in (_MOVE_UP, _MOVE_BACK))
    return ("/bin/sh", "-c", up, "sh"), ("/bin/sh", "-c", back, "sh")


def _options(
    place: SandboxPlace, env: Mapping[str, str], show: Sequence[str], packages: str, folders: Sequence[str]
) -> list[str]:
    """Return the options of bubblewrap, which are the protection, but for capabilities and the filter of calls.

    `folders` are those that make the empty folders.
    """
    return [
        *_NAMESPACES,
        *("--hostname", place.host, "--uid", str(place.user), "--gid", str(place.user)),
        *(word for name, value in env.items() for word in ("--setenv", name, value)),
        *_file_system(place, show, packages, folders),
    ]


@cache
def _find_program(name: str, path: str) -> str | None:
    return shutil.which(name, path=path)


def _gate(refusing: bytes) -> tuple[int, int]:
    """Return a descriptor to read the filter `refusing` from, and the gate: where its last byte is to be written."""
    read_end, write_end = os.pipe()
    fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, resource.getpagesize())  # full, whatever is in it
    os.write(write_end, refusing[:-1])
    return read_end, write_end


def _file_system(place: SandboxPlace, show: Sequence[str], packages: str, folders: Sequence[str]) -> list[str]:
    # The links of /etc/alternatives name the programs in /usr/bin.
    configuration = ["/etc/alternatives", "/etc/ld.so.cache", *(path for path in show if not is_temporary(path))]
    temporary = [path for path in show if is_temporary(path)]
    return [
        *("--ro-bind", "/usr", "/usr", "--size", "4096", "--tmpfs", "/usr/local"),
        *("--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin"),
        *("--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"),
        *(word for path in configuration for word in _shown(path)),
        *(("--ro-bind", packages, INNER_PACKAGES) if packages else ()),
        *("--remount-ro", "/usr/local"),  # in which tools may lie that are shown
        *("--proc", "/proc", "--dev", "/dev", *folders, "--remount-ro", "/dev"),
        *(word for path in temporary for word in _shown(path)),  # in the empty `/tmp`, which would hide it
        *("--remount-ro", "/", "--chdir", place.work),
    ]


@cache
def _shown(path: str) -> tuple[str, ...]:
    """Show what lies at `path`: by a link, where it is one to what is shown anyway, since a mount is far more work."""
    if _is_in_usr(path):
        return ()
    if os.path.islink(path) and _is_in_usr(leads_to := os.path.realpath(path)) and not path.startswith("/usr/local/"):
        return "--symlink", leads_to, path
    return "--ro-bind-try", path, path


def is_temporary(path: str) -> bool:
    """Whether a path lies where each command has an empty folder."""
    return path.startswith("/tmp/")


def _is_in_usr(path: str) -> bool:
    """Whether a path is shown to every command."""
    return path.startswith("/usr/") and not path.startswith("/usr/local/")


def read_first(info: int) -> int:
    """Read which process is number 1 inside: bubblewrap reports it as soon as it exists, or fails without (0)."""
    output = b""
    while not (found := _CHILD.search(output)):
        more = os.read(info, 4096)  # JSON, in several pieces
        if not more:
            return 0
        output += more
    return int(found[1])


def processes_in(proc: int) -> list[int]:
    """Return the ids in a /proc of a sandbox, whose descriptor is given, but for process 1."""
    # By this path, since `listdir` of a descriptor makes twice the system calls.
    return [int(name) for name in filter(str.isdigit, os.listdir(f"/proc/self/fd/{proc}")) if name != "1"]


class _Confined(SandboxedCommand):
    """A command in namespaces.

    On `info` bubblewrap reports which process is number 1 inside; writing the `key` opens the `gate`.
    """

    gate: int
    is_command = False  # but bubblewrap
    has_network = True
    tells_signals = False

    def __init__(
        self,
        launch: Launch,
        process: Popen[bytes],
        claimed: ClaimedUser | None,
        group: ControlGroup | None,
        *,
        info: int,
        gate: int,
        key: bytes,
    ) -> None:
        self.process = process
        self.user = claimed.id if claimed else None
        self.group = group
        self.gate = gate
        self._claimed = claimed
        self._launch = launch
        self._info = info
        self._key = key
        self._first = 0
        self._first_fd = -1
        self._command_fd = -1
        self._folders: list[int] = []

    def enter(self) -> int:
        self._identify()
        set_limits(self._first, self._launch, self.user, count_processes=True)
        root = f"/proc/{self._first}/root"
        if self.user is not None:
            limit_terminals(root)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        self._folders = [os.open(root + name, flags) for name in (self._launch.place.work, "/proc")]
        return self._folders[0]

    def open_gate(self, stdin: int) -> None:  # noqa: ARG002 - of which nothing is taken
        is_seized = keeps_wait_status() and seize(self._first)
        os.write(self.gate, self._key)
        os.close(self.gate)
        self.gate = -1
        if is_seized:
            self._command_fd = hold_child(self._first)

    def signal_of_status(self) -> int | None:
        found = wait_status(self._command_fd) if self._command_fd >= 0 else None
        if found is None:
            return None
        return os.WTERMSIG(found) if os.WIFSIGNALED(found) else 0

    def as_shell(self, status: int, errors: bytes) -> tuple[int, bytes]:
        found = _NOT_STARTED.fullmatch(errors) if status == 1 else None
        if found is None:
            return status, errors
        return failure_as_shell(found[1], found[2])

    def _identify(self) -> None:
        if first := read_first(self._info):
            self._first = first
            self._first_fd = os.pidfd_open(first)

    def processes(self) -> tuple[int, list[int]]:
        proc = self._folders[1]
        return proc, processes_in(proc)  # process 1 is bubblewrap's own

    def kill(self) -> None:
        if self.process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            if self._first_fd < 0:
                self._identify()
            if self._first_fd < 0:
                self.process.kill()
            else:
                signal.pidfd_send_signal(self._first_fd, signal.SIGKILL)

    def settle(self) -> tuple[float, int]:
        if self._first_fd < 0:
            return 0.0, 0
        try:
            # Through the descriptor first: once somebody has waited for it, its number may be another child's of ours.
            os.waitid(os.P_PIDFD, self._first_fd, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:  # bubblewrap waited for it itself, or the process that adopted it will
            select.select([self._first_fd], [], [], _GONE)
            return 0.0, 0
        _, _, used = os.wait4(self._first, 0)  # with all that process 1 has waited for, and the kernel at its end
        return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024

    def close(self) -> None:
        for descriptor in (self._info, self.gate, self._command_fd, *self._folders):
            if descriptor >= 0:
                os.close(descriptor)
        if self._claimed and self._is_gone():  # else somebody else would share what the kernel counts for it
            give_back_user(self._claimed)
        if self._first_fd >= 0:
            os.close(self._first_fd)
        super().close()

    def _is_gone(self) -> bool:
        """Whether process 1 of its namespace has ended, and so all others in it."""
        return self._first_fd < 0 or bool(select.select([self._first_fd], [], [], 0)[0])


# Ubuntu 24.04 and later lets only programs with an AppArmor profile make user namespaces.
_APPARMOR = (
    "AppArmor keeps bubblewrap from making user namespaces, as on Ubuntu 24.04: write the profile "
    "`profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to /etc/apparmor.d/bwrap and load it with `sudo "
    "apparmor_parser -r /etc/apparmor.d/bwrap`, or run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
)
# Docker's default profile refuses them too, and masks parts of /proc. A kernel can have them switched off, or a limit
# on their number.
_DOCKER = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined"

_CONTAINER = "; or, as root in a container, grade with `--sandbox container`, which needs none of that"

# bubblewrap's complaint -> what to do about it, in one sentence.
_REMEDIES: Mapping[str, str] = {
    r"setting up uid map: Permission denied|loopback: Failed RTM_NEWADDR|loopback: Failed RTM_NEWLINK": _APPARMOR,
    r"No permissions to creat\w+ (a )?new namespace": (
        f"the kernel or the container allows no user namespaces: start a container with `{_DOCKER}`; elsewhere run "
        "`sudo sysctl -w kernel.unprivileged_userns_clone=1`" + _CONTAINER
    ),
    r"Can't mount proc": f"the container masks /proc: start it with `{_DOCKER}`{_CONTAINER}",
    r"user_namespaces: Read-only file system": f"the container masks /proc/sys: start it with `{_DOCKER}`{_CONTAINER}",
    r"max_\*_namespaces exceeded|\(ENOSPC\)": "run `sudo sysctl -w user.max_user_namespaces=15000`",
    r"kernel does not support user namespaces": "this needs a kernel with CONFIG_USER_NS",
    r"Unknown option --disable-userns": "bubblewrap is older than 0.8.0: install a newer one",
    r"^set(groups|resgid|resuid): ": (
        "root is not root here, as in a container with one user id: give it a range of ids (/etc/subuid), or grade as "
        f"an ordinary user; if it allows no user namespaces either, start it with `{_DOCKER}`"
    ),
    r"failed to execute|execvp": "is the package util-linux installed as a whole?",
    r"Can't find source path .*: Permission denied": (
        "bubblewrap starts as another user, who cannot get at that path: let others pass through its folders "
        "(chmod o+x), or keep it below /usr"
    ),
}


def remedy(complaint: str) -> str:
    """Return what to do about an error message of bubblewrap; "" for an unknown one."""
    return next((advice for pattern, advice in _REMEDIES.items() if re.search(pattern, complaint)), "")
