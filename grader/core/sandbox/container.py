"""Level `container`: for containers that allow no namespaces, where we are root.

Each command runs under a user id of its own, cannot get other rights, and sees only the files that its Landlock rules
allow: the system's programs, and folders of its own. Sockets are refused, in addition to the system calls that every
level refuses. What a command leaves (processes, shared memory, files) is found by its user id and removed.

All of this restricts a thread of ours, which starts the command and ends at once: as long as it lives, it is a part of
us that the command's user could signal.

Landlock is three system calls, made by hand: the packages for it (landlock 1.0.0.dev5, py-landlock 0.1.1) are young.
"""

import fcntl
import os
import signal
import stat
import struct
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cache, partial
from glob import glob
from pathlib import Path
from threading import Condition, get_ident

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Launch
from grader.core.sandbox.cgroup import (
    LIBC,
    adopt_orphans,
    become,
    give_back_user,
    give_streams,
    has_spare_users,
    new_group,
    system_call,
    take_user,
)
from grader.core.sandbox.command import (
    FOLDER_BYTES,
    GONE_SECONDS,
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
from grader.core.sandbox.seccomp import call_number, system_call_filter
from grader.core.threads import ThreadTask

_OWN_FOLDERS = ("work", "home", "tmp")
_NICENESS = 5  # so that we get a processor when commands take them all
_PAUSE = 0.001
_STATUS_BYTES = 4096  # enough for what comes first: the user
_SHARED = ("/tmp", "/dev/shm")
"""where C's tmpfile and Java's temporary files are made, and Python's semaphores, whatever the environment says"""
_FolderRead = tuple[tuple[int, int, int], Sequence[str]]
"""device, inode and time of its last change (st_ctime_ns) when a folder was read, and the folders in it"""
_FOLDERS_READ: dict[str, _FolderRead] = {}
_SETTLED_NS = 3 * 10**9
"""after so long a further change gets another time, however coarse the clock of the file system is"""
_LISTED_IPC = {"shm": "shmid", "msg": "msqid", "sem": "semid"}
_REMOVE = {"shm": (0, None), "msg": (0, None), "sem": (0, 0)}  # IPC_RMID, where it stands among the arguments


def start_contained(launch: Launch, *streams: int, show: Sequence[str], packages: str) -> SandboxedCommand:
    """Start `launch` behind its gate, under a user id of its own. Raises HostError."""
    _insist_on_users()
    adopt_orphans()
    _look_at_shared_folders()
    try:
        with ExitStack() as held, ExitStack() as done:
            turn = held.enter_context(ExitStack())
            user = take_user()
            held.callback(give_back_user, user)
            if group := new_group(memory=launch.limits.memory + FOLDER_BYTES, processes=launch.limits.processes):
                held.callback(group.close)
            folder = _new_folder(user.id, held)
            held.callback(_remove_shared, user.id)
            give_streams(streams[:3], user.id)
            terminal = [os.ttyname(streams[0])] if launch.terminal else []  # a pipe has no path, and no rule
            shared = () if launch.is_private else _SHARED
            own = [*(str(folder / name) for name in _OWN_FOLDERS), *terminal, *shared]
            rules = _rules(own, (*show, packages) if packages else show, done)
            plan = StartPlan(
                argv=gated(launch),
                env=environment(launch, home=str(folder / "home"), temporary=str(folder / "tmp"), packages=packages),
                folder=folder / "work",
                streams=(streams[0], streams[1], streams[2]),
                passed=streams[3:],
                new_session=not launch.terminal,
                thread="own",
                user=user.id,
                niceness=_NICENESS,
                landlock=rules,
                filter=system_call_filter(frozenset(launch.permits), network=False, is_private=launch.is_private),
            )
            process = spawn(plan)
            command = _Contained(launch, held, process, folder / "work", group)
            command.user, command.turn = user.id, turn
            with suppress(OSError):  # it is ended before others when the machine has no memory left
                Path(f"/proc/{process.pid}/oom_score_adj").write_text("1000", encoding="ascii")
            return command.own()
    except OSError as error:
        raise HostError(f"level container cannot be set up: {error}") from error


def _insist_on_users() -> None:
    """Refuse to run programs as ourselves: they could change our priority and limits, and those of each other."""
    if os.geteuid() != 0:
        raise HostError(
            "level container gives each program a user id of its own, which only root can; let the image of your CI "
            "run as root (`USER root`, `docker run --user 0`), or use level full"
        )
    if not has_spare_users():
        raise HostError(
            "level container gives each program a user id of its own, and this container has none to give; give "
            "whoever starts it a range (`usermod --add-subuids 100000-165535 --add-subgids 100000-165535 NAME`), or "
            "allow user namespaces in it and use level full"
        )


def _new_folder(user: int, held: ExitStack) -> Path:
    base = Path(tempfile.gettempdir())
    if not all(part.stat().st_mode & stat.S_IXOTH for part in (base, *base.parents)):
        base = Path("/tmp")  # that of `TMPDIR` is ours alone, and every user has to reach it
    folder = Path(tempfile.mkdtemp(prefix="grader-run-", dir=base))
    held.callback(remove_tree, folder)
    folder.chmod(0o711)
    for own in _OWN_FOLDERS:
        (folder / own).mkdir(mode=0o700)
        os.chown(folder / own, user, user)
    return folder


def _look_at_shared_folders() -> None:
    """Refuse to run programs where right ones would fail: they may share files, memory and semaphores."""
    for name in _SHARED:
        folder = Path(name)
        if not folder.is_dir() or not os.access(folder, os.W_OK) or not folder.stat().st_mode & stat.S_IWOTH:
            raise HostError(
                f"there is no {name} in which every program can write; mount one (`mkdir -p {name}; mount -t tmpfs -o "
                f"mode=1777 tmpfs {name}`, or start the container with `--tmpfs {name}`), or use level full"
            )


# ---------------------------------------------------------------- whose turn it is

# All share /tmp and /dev/shm, where a program may lay a file in the way of another, or read what another wrote. So one
# thread at a time has its turn on the whole machine, from the gate of a command on until what it left is removed.
# Commands that one thread runs together, such as a program and what it speaks with, have it together. A lock on the
# root folder keeps other graders out: no command of this level can open it.


_LOOK = 0.2  # seconds between two looks whether the grading was stopped


class Turns:
    """The turn of one thread of this process, which lasts until each of its commands has given it back."""

    def __init__(self, path: str = "/") -> None:
        """Let who has locked the folder `path` have the turn."""
        self._path = path
        self._changed = Condition()
        self._thread = self._commands = 0
        self._folder = -1

    def take(self, check: Callable[[], None]) -> None:
        """Wait for the turn of one command; `check` is called meanwhile, and ends the wait by raising."""
        with self._changed:
            while self._commands and self._thread != get_ident():
                check()
                self._changed.wait(_LOOK)
            self._thread = get_ident()
            self._commands += 1
            if self._commands > 1:
                return
        try:
            self._folder = _lock(self._path, check)
        except BaseException:
            self.give_back()
            raise

    def give_back(self) -> None:
        """End the turn of one command."""
        with self._changed:
            self._commands -= 1
            if self._commands:
                return
            if self._folder >= 0:
                fcntl.flock(self._folder, fcntl.LOCK_UN)  # a copy of the descriptor may be in a process of ours
                os.close(self._folder)
                self._folder = -1
            self._changed.notify_all()


def _lock(path: str, check: Callable[[], None]) -> int:
    """Lock a folder and return its descriptor; `check` is called while another grader has locked it.

    The kernel wakes who waits as soon as it is free, so that another grader's turn is no longer than its commands.
    """
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting = ThreadTask(partial(fcntl.flock, folder, fcntl.LOCK_EX), daemon=True)
            while not waiting.join(_LOOK):
                check()
            waiting.result()
    except BaseException:
        os.close(folder)  # and with it a lock for which the thread still waits
        raise
    return folder


_TURNS = Turns()


class _Contained(ChildCommand):
    user: int
    turn: ExitStack  # closed when nothing is left of the command

    def wait_for_turn(self, check: Callable[[], None]) -> None:
        _TURNS.take(check)
        self.turn.callback(_TURNS.give_back)

    def _running(self) -> list[int]:
        """Return what runs as the command's user, and what of that only waits for us to wait for it.

        No process leaves a group, and orphans become our children; without a group every process is checked.
        """
        if self.group is None:
            return _processes_of(self.user, map(int, filter(str.isdigit, os.listdir("/proc"))))
        return _processes_of(self.user, {*self.group.processes(), *_children()})

    def kill(self) -> None:
        if self._running():
            end_all_of(self.user)

    def _settle(self) -> Ended:
        ended = reap(self._process)
        deadline = time.monotonic() + GONE_SECONDS
        while alive := self._running():
            if time.monotonic() > deadline:
                raise HostError(f"what a program started is still alive {GONE_SECONDS:.0f} s after it was killed")
            end_all_of(self.user)
            for pid in alive:
                try:  # orphans are ours, once their parent has ended
                    _, _, used = os.wait4(pid, 0)
                except ChildProcessError:
                    time.sleep(_PAUSE)
                else:
                    cpu, memory = ended.cpu + used.ru_utime + used.ru_stime, max(ended.memory, used.ru_maxrss * 1024)
                    ended = replace(ended, cpu=cpu, memory=memory)
        return ended


# ---------------------------------------------------------------- a user of its own


def end_all_of(user: int) -> None:
    """Kill every process of `user`, all at once, so that none can start another meanwhile."""
    own = take_user()

    def end() -> None:
        become(user, own.id)  # as root this would be a signal to everybody: it raises when it fails
        with suppress(OSError):
            os.kill(-1, signal.SIGKILL)

    try:
        task = ThreadTask(end)
        task.join()
        task.result()
    finally:
        give_back_user(own)


def _processes_of(user: int, pids: Iterable[int]) -> list[int]:
    """Return the processes that run as `user`, by their status: they can change the owner of their folder."""
    wanted = f"\nUid:\t{user}\t".encode()
    running = []
    for pid in pids:
        with suppress(OSError), open(f"/proc/{pid}/status", "rb", buffering=0) as file:
            if wanted in file.read(_STATUS_BYTES):
                running.append(pid)
    return running


def _children() -> Iterator[int]:
    """Yield the ids of our children, those that we have adopted too; each is its thread's."""
    for thread in os.listdir("/proc/self/task"):
        with suppress(FileNotFoundError), open(f"/proc/self/task/{thread}/children", "rb", buffering=0) as file:
            yield from map(int, file.read().split())


def _remove_shared(user: int) -> None:
    """Remove the files of `user` in the shared folders and below them, wherever every user can make files.

    Such a folder is that of the X server's sockets, in the /tmp of many images. As a /tmp may have thousands of
    folders, one is read again only if its time of change differs: each new file in it alters that time.
    """
    seen, waiting = dict[str, _FolderRead](), [*_SHARED]
    while waiting:
        with suppress(OSError):
            folder = waiting.pop()
            facts = os.stat(folder, follow_symlinks=False)
            if not facts.st_mode & stat.S_IXOTH:
                continue
            mark = (facts.st_dev, facts.st_ino, facts.st_ctime_ns)
            known = _FOLDERS_READ.get(folder)
            is_known = known is not None and known[0] == mark
            below = known[1] if known and is_known else _remove_in_folder(user, folder, facts.st_mode)
            if is_known or facts.st_ctime_ns + _SETTLED_NS < time.time_ns():
                seen[folder] = mark, below
            waiting += below
    _FOLDERS_READ.clear()
    _FOLDERS_READ.update(seen)
    for kind, heading in _LISTED_IPC.items():
        with suppress(OSError), open(f"/proc/sysvipc/{kind}", encoding="ascii") as file:
            headings = file.readline().split()
            for row in (line.split() for line in file if str(user) in line):
                if int(row[headings.index("uid")]) == user:
                    getattr(LIBC, f"{kind}ctl")(int(row[headings.index(heading)]), *_REMOVE[kind])


def _remove_in_folder(user: int, folder: str, mode: int) -> Sequence[str]:
    """Remove the files of `user` in a folder in which every user can make files; return the folders that remain."""
    below = []
    for entry in list(os.scandir(folder)):
        with suppress(OSError):
            if mode & stat.S_IWOTH and entry.stat(follow_symlinks=False).st_uid == user:
                remove_tree(Path(entry.path))
            elif entry.is_dir(follow_symlinks=False):
                below.append(entry.path)
    return below


# ---------------------------------------------------------------- files, by Landlock

_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _DEVICE = 1 << 14, 1 << 15
_FILE_RIGHTS = _EXECUTE | _WRITE | _READ | _TRUNCATE | _DEVICE
_ALL_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_RIGHTS_NOW = (1 << 16) - 1
_NO_TCP, _NO_SIGNALS_AND_ABSTRACT_SOCKETS = 0b11, 0b11
_TCP_SINCE, _SCOPES_SINCE = 4, 6
_PATH_BENEATH, _ASK_VERSION = 1, 1

_READABLE = (
    # Not all of /proc: the other processes are there. Not /usr/local, where an image may keep more than programs.
    *("/bin", "/sbin", "/lib*", "/usr/[!l]*", "/usr/lib*", "/etc/alternatives", "/etc/ld.so.cache"),
    "/etc/ssl/openssl.cnf",  # node ends where it is there and cannot be read
    *("/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/uptime"),
    *("/proc/sys/vm/overcommit_memory", "/proc/sys/vm/max_map_count", "/proc/sys/kernel/threads-max"),
)
_WRITABLE = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")


def _rules(own: Sequence[str], show: Sequence[str], done: ExitStack) -> int:
    """Return a descriptor, open until `done`, of the access rules for files. Raises OSError."""
    version = LIBC.syscall(call_number("landlock_create_ruleset"), None, 0, _ASK_VERSION)
    if version < 1:
        raise OSError("this kernel has no Landlock, or the container refuses it")
    all_rights = _ALL_RIGHTS.get(version, _RIGHTS_NOW)
    asked = struct.pack("=Q", all_rights)
    asked += struct.pack("=Q", _NO_TCP) if version >= _TCP_SINCE else b""
    asked += struct.pack("=Q", _NO_SIGNALS_AND_ABSTRACT_SOCKETS) if version >= _SCOPES_SINCE else b""
    rules = system_call("landlock_create_ruleset", asked, len(asked), 0)
    done.callback(os.close, rules)
    for rights, paths in (
        (_EXECUTE | _READ | _LIST, _readable((*_READABLE, *show))),
        (all_rights, [*_WRITABLE, *own]),
    ):
        for path in paths:
            with suppress(FileNotFoundError):
                _allow(rules, path, rights & all_rights)
    return rules


@cache
def _readable(patterns: tuple[str, ...]) -> Sequence[str]:
    return [path for name in patterns for path in glob(name)]


def _allow(rules: int, path: str, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        system_call("landlock_add_rule", rules, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)
