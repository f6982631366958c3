"""Level `full` in two storeys: an outer sandbox of bubblewrap, and in it an inner one for each command.

The outer one has the root, the namespaces and the user of `bubblewrap`; setting it up takes as long as several
commands. In it runs the starter (`starter.c`), which makes the inner one: new namespaces and empty folders, in a
third of the time that bubblewrap takes. An outer sandbox has one command at a time, and waits for the next when no
process of the last is alive. A command's files disappear with its namespaces, and what the kernel counts by user
disappears with its processes.

Where many commands begin alike (`Launch.preload`), a process of Python replaces the starter. It loads that beginning
without access to any submission. Then it runs the starter's own sequence, the same source as a library, so that each
command is a fork of it in an inner sandbox. The forks of one process share its layout in memory and its seed for
hashes of strings; in all else they are like commands that were started separately.

The starter reports how a command ended, and that none of its processes is left. If it dies or reports anything else,
the command fails by the sandbox's fault, and the starter is replaced.
"""

import atexit
import errno
import os
import re
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from grader.core.cache import user_cache
from grader.core.errors import HostError
from grader.core.model.execution import Launch, SandboxPlace
from grader.core.sandbox.cgroup import (
    ControlGroup,
    Pool,
    adopt_orphans,
    give_back_user,
    give_streams,
    has_spare_users,
    is_root_of_machine,
    new_group,
    remove_idle,
    take_user,
)
from grader.core.sandbox.command import (
    FOLDER,
    FOLDER_BYTES,
    GONE_SECONDS,
    PATH,
    SHARED_BYTES,
    TEMPORARY_BYTES,
    WORK_BYTES,
    Ended,
    SandboxedCommand,
    StartPlan,
    becomes_readable,
    ended_as,
    environment,
    remedy,
    resource_limits,
    set_limits,
    spawn,
    stack_bytes,
    ungated,
)
from grader.core.sandbox.compile_starter import (
    COMPILER_OPTIONS,
    LIBRARY_OPTIONS,
    STARTER_SOURCE,
    compile_starter,
    place_in_package,
)
from grader.core.sandbox.seccomp import system_call_filter
from grader.core.threads import FORK_LOCK

_FORKING = Path(__file__).with_name("fork_commands.py")
_READ_AT_START = ("LD_", "LOCPATH", "GCONV_PATH")
"""variables by which the C library may look for files of a command before there are any"""
_MAX_IDLE = 8  # outer sandboxes that wait for the next command
END, ANSWER = struct.Struct("=2iq"), struct.Struct("=2id2q")  # `struct end` and `struct answer` in `starter.c`
_ENDED = 0
_IS_LIMITED = b"1"
_CREDENTIALS = struct.Struct("3i")  # process, user and group (unix(7), SCM_CREDENTIALS)
_ENDING = 0.1  # seconds; an idle outer sandbox needs a few thousandths
_NEAR_STARTER = 2**22  # bytes by which a process may seem larger than its starter, and have nothing of its own
_FAILED = 1 << 8  # the wait status of a process that exited with 1
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126  # as shells report it: POSIX, XCU 2.8.2


def start_inside(launch: Launch, *streams: int, show: Sequence[str], packages: str) -> SandboxedCommand:
    """Set up an inner sandbox with `launch` behind its gate, in an outer one that waits, or else in a new one.

    Raises HostError when no outer sandbox can be started.
    """
    further = streams[3:]
    kind = _kind_of(launch, further, show, packages)
    with ExitStack() as held:
        group = new_group(memory=launch.limits.memory + FOLDER_BYTES, processes=launch.limits.processes)
        if group:
            held.callback(group.close)
        outer = _OUTERS.take(
            lambda idle: idle.kind == kind, lambda idle: idle.requests.fileno() >= 0 and idle.process.poll() is None
        )
        outer = outer or _start_outer(kind)
        outer.is_clean = False
        held.callback(_give_back_outer, outer)
        try:
            give_streams(streams[:3], outer.user)
            request = _request(launch, further, packages, groups=len(group.entrances) if group else 0)
            gate, end = _ask(outer, request, (*streams, *(group.entrances if group else ())), held)
        except OSError as error:
            raise HostError(f"the sandbox cannot be asked for a program: {error.strerror}; see `ulimit -n`") from error
        return _InnerCommand(launch, outer, group, held.pop_all(), gate=gate, end=end)


def start_idle(show: Sequence[str]) -> None:
    """Start the outer sandbox for the first plain command; it is set up while this process does other work.

    Why it cannot be started is what that command is told: it tries again.
    """
    with suppress(HostError):
        _OUTERS.give_back(_start_outer(_kind_of(Launch(argv=("/bin/true",)), (), show, "")))


def _ask(outer: "_Outer", request: bytes, streams: Sequence[int], held: ExitStack) -> tuple[socket.socket, int]:
    """Send a request with the streams of its command; return our ends of the gate and of the pipe for the end.

    A starter that is gone already is treated as one that ends a moment later. Raises OSError.
    """
    with ExitStack() as theirs:
        gate, their_gate = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        held.callback(gate.close)
        theirs.callback(their_gate.close)
        gate.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        file = _in_memory("request", request, theirs)
        end, their_end = _pipe(held, theirs)
        with suppress(BrokenPipeError):
            socket.send_fds(outer.requests, [b"1"], [file, their_gate.fileno(), their_end, *streams])
        return gate, end


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    for stack, end in zip((reader, writer), ends, strict=True):
        stack.callback(os.close, end)
    return ends


def _in_memory(name: str, content: bytes, held: ExitStack) -> int:
    """Return a descriptor to read `content` from."""
    file = os.memfd_create(name)
    held.callback(os.close, file)
    os.pwrite(file, content, 0)
    return file


def _request(launch: Launch, further: Sequence[int], packages: str, *, groups: int) -> bytes:
    """Return the request for a command, in the layout that the starter reads (`struct request` in `starter.c`)."""
    env = _environment_inside(launch, packages)
    argv, folders = ungated(launch), inner_folders(launch.place)
    flags = int(bool(launch.tool)), int(launch.closes_at_once)
    limits = [
        word for kind, values in resource_limits(launch, count_processes=True).items() for word in (kind, *values)
    ]
    refusing = system_call_filter(frozenset(launch.permits), is_watched=bool(launch.tool), is_private=launch.is_private)
    counts = len(argv), len(env), len(folders), len(further), len(refusing), *flags, groups, len(limits) // 3
    texts = [
        launch.place.work,
        *argv,
        *(f"{name}={value}" for name, value in env.items()),
        *(word for folder, size in folders.items() for word in (folder, f"size={size},mode=0755")),
    ]
    numbers = struct.pack(f"=9I4x{len(limits)}Q{len(further)}I", *counts, *limits, *further)
    return numbers + refusing + b"".join(os.fsencode(text) + b"\0" for text in texts)


def _environment_inside(launch: Launch, packages: str) -> dict[str, str]:
    env = environment(launch, home=launch.place.home, temporary="/tmp", packages=INNER_PACKAGES if packages else "")
    return {**env, "PWD": launch.place.work}


def _kind_of(launch: Launch, further: Sequence[int], show: Sequence[str], packages: str) -> "_Kind":
    """Return what outer sandbox a command needs. Raises HostError where none can be.

    A program has the environment and the stacks that its commands have, since a fork cannot change either.
    """
    bubblewrap = find_bubblewrap()
    if not starter_program():
        raise HostError(
            "level full needs its starter, which came with no wheel and cannot be compiled here: install gcc and a "
            "static C library (apt-get install gcc libc6-dev); or, as root in a container, grade with "
            "`--sandbox container`"
        )
    program = () if further else _forking_program(launch)
    env = _environment_inside(launch, packages) if program else {"PATH": PATH}
    return (bubblewrap, *outer_options(launch.place, show, packages, env)), program


def _forking_program(launch: Launch) -> tuple[str, ...]:
    """Return what loads the beginning of a command and forks for each; nothing where that would not be the same."""
    *interpreter, text = launch.argv
    is_other = launch.terminal or launch.screen or launch.tool or launch.closes_at_once or not launch.preload
    is_other = is_other or any(name.startswith(_READ_AT_START) for name in launch.env)
    if is_other or not text.startswith(launch.preload) or not starter_library():
        return ()
    size = f"ulimit -s {stack_bytes(launch) // 1024} && "
    forking = f"{_FORKING.read_text()}\nbecome_commands()\n"
    whole = f"{launch.preload}\n{forking}{text.removeprefix(launch.preload)}"
    return ("/bin/sh", "-c", size + 'exec "$@"', "sh", *interpreter, whole)


@cache
def starter_program() -> bytes:
    """Return the starter of the wheel, or else one compiled once for this user; empty where there is no compiler."""
    return _packaged_or_compiled(COMPILER_OPTIONS)


@cache
def starter_library() -> bytes:
    """Return the starter as a library, of the wheel or compiled as the program is."""
    return _packaged_or_compiled(LIBRARY_OPTIONS)


def _packaged_or_compiled(options: Sequence[str]) -> bytes:
    source = STARTER_SOURCE.read_bytes()
    packaged = place_in_package(source, options)
    with suppress(OSError):
        return packaged.read_bytes()

    def compiled() -> bytes:
        with FORK_LOCK:
            return compile_starter(source, options)

    return user_cache().get_or_make(["starter", packaged.name], bytes, compiled, is_storable=bool)


def starter_origin() -> str:
    """Return where the starter is from, as a program and as a library, as a sentence's end."""
    is_packaged = place_in_package(STARTER_SOURCE.read_bytes(), COMPILER_OPTIONS).is_file()
    origin = "came with the package" if is_packaged else "were compiled here"
    lost = "" if starter_library() else "; the library cannot be compiled: each unit test in Python starts Python anew"
    return f"its starter and the starter's library {origin}{lost}"


# ---------------------------------------------------------------- outer sandboxes


_Kind = tuple[tuple[str, ...], tuple[str, ...]]
"""bubblewrap with its options, and what loads the beginning of commands and forks for each; empty for the starter"""


class _Outer(Struct, kw_only=True, eq=False):
    """An outer sandbox, with the starter in it."""

    kind: _Kind  # who asks for the same may have it
    process: subprocess.Popen[bytes]
    user: int | None
    requests: socket.socket
    info: int
    complaints: int  # what bubblewrap and the starter write to standard error, which is nothing unless they fail
    held: ExitStack
    first: int = -1  # a descriptor of its process 1, once that is known
    is_clean: bool = False  # whether nothing of its last command is alive

    def identify(self) -> None:
        """Open its process 1 while it is certainly alive: afterwards another child may have its number."""
        if self.first < 0 and (number := read_first(self.info)):
            with suppress(OSError):  # it is gone; or the kernel has none, where the level is refused with words
                self.first = os.pidfd_open(number)
                self.held.callback(os.close, self.first)

    def close(self) -> None:
        """End it with all that is in it.

        An idle one ends by itself when nobody can ask it any more. The kernel adds the processor time of a process to
        that of the grader only when it was waited for, and process 1 of a namespace that is killed waits for nobody.
        """
        with self.held:
            self.requests.close()
            becomes_readable(self.complaints, _ENDING)  # until no process in it can complain any more
            self.process.kill()
            self.identify()
            self.process.wait()
            if self.first >= 0:
                with suppress(ChildProcessError):
                    # It became our child, and the kernel ends all others of its namespace before.
                    os.waitid(os.P_PIDFD, self.first, os.WEXITED)


_OUTERS = Pool[_Outer](_MAX_IDLE, _Outer.close)


def _give_back_outer(outer: _Outer) -> None:
    """Make an outer sandbox whose command has ended available to others, or end it."""
    (_OUTERS.give_back if outer.is_clean else _Outer.close)(outer)


@atexit.register
def end_idle(*, waits: bool = True) -> None:
    """End the idle outer sandboxes, so that no other process has to adopt and reap their processes.

    Idle control groups are removed, too. Unless it `waits`, the sandboxes only begin to end.
    """
    for outer in _OUTERS.idle:
        outer.requests.close()
    if waits:
        _OUTERS.clear()
        remove_idle()


def _start_outer(kind: _Kind) -> _Outer:
    """Start an outer sandbox. Raises HostError."""
    words, inside = kind
    try:
        with ExitStack() as held, ExitStack() as theirs:
            if claimed := take_user() if has_spare_users() or is_root_of_machine() else None:
                held.callback(give_back_user, claimed)
            requests, their_requests = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            held.callback(requests.close)
            theirs.callback(their_requests.close)
            info, info_end = _pipe(held, theirs)
            complaints, their_errors = _pipe(held, theirs)
            # A fork has its own pipes in their place, and Python looks at what they are only once.
            nothing = _pipe(theirs, theirs)
            contents = (starter_program(), starter_library() if inside else b"")
            files = [_in_memory("starter", content, theirs) for content in contents]
            numbers = [str(their_requests.fileno()), *map(str, files)]
            starter = (*inside, *numbers) if inside else (f"/proc/self/fd/{files[0]}", numbers[0])
            plan = StartPlan(
                argv=[*words, "--info-fd", str(info_end), "--", *starter],
                env={"PATH": PATH},  # process 1 shows it inside
                folder="/",
                streams=(*nothing, their_errors),
                passed=(info_end, their_requests.fileno(), *files),
                new_session=True,  # Ctrl-C is ours alone
                thread="shared",
                user=claimed.id if claimed else None,
            )
            return _Outer(
                kind=kind,
                process=spawn(plan),
                user=plan.user,
                requests=requests,
                info=info,
                complaints=complaints,
                held=held.pop_all(),
            )
    except OSError as error:
        message = "; ".join(filter(None, (error.strerror or str(error), remedy(str(error.strerror)))))
        raise HostError(f"bubblewrap cannot be started: {message}") from error


# ---------------------------------------------------------------- commands


class _InnerCommand(SandboxedCommand):
    """A command in an inner sandbox; `gate` is a socket on which its process 1, `pid`, says who it is, and waits."""

    gate: int
    has_network = True

    def __init__(
        self,
        launch: Launch,
        outer: _Outer,
        group: ControlGroup | None,
        held: ExitStack,
        *,
        gate: socket.socket,
        end: int,
    ) -> None:
        super().__init__(launch, held)
        self.user, self.group, self.end, self.gate = outer.user, group, end, gate.fileno()
        self._gate, self._outer = gate, outer
        self._first = -1
        self._has_begun = False

    def enter(self) -> int:
        self._outer.identify()
        data, further, _, _ = self._gate.recvmsg(1, socket.CMSG_SPACE(_CREDENTIALS.size))
        if not data or not further:
            raise HostError("the sandbox failed: its starter does not say what it started")
        self.pid, is_limited = _CREDENTIALS.unpack(further[0][2])[0], data == _IS_LIMITED  # here, as the kernel says
        self._first = self._hold(os.pidfd_open(self.pid))
        if not is_limited:
            if self.group:
                self.group.admit(self.pid)
            set_limits(self.pid, self._launch, self.user, count_processes=True)
        root = f"/proc/{self.pid}/root"
        work, self._proc = (self._hold(os.open(root + path, FOLDER)) for path in (self._launch.place.work, "/proc"))
        return work

    def open_gate(self, stdin: int) -> None:  # noqa: ARG002 - of which nothing is taken
        self._gate.send(b"1")
        self._gate.close()
        self._has_begun = True

    def complaint(self) -> bytes:
        os.set_blocking(self._outer.complaints, False)
        with suppress(BlockingIOError):
            return os.read(self._outer.complaints, 4096)
        return b""

    def processes(self) -> tuple[int, list[int]]:
        # By this path, since `listdir` of a descriptor makes twice the system calls; process 1 is the starter's.
        names = os.listdir(f"/proc/self/fd/{self._proc}")
        return self._proc, [int(name) for name in filter(str.isdigit, names) if name != "1"]

    def kill(self) -> None:
        if self._first < 0:  # process 1 ends at a gate that nobody will open
            self._gate.close()
        elif self._ended is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)

    def _settle(self) -> Ended:
        data = os.read(self.end, END.size + 1)
        status, cpu, memory = self._answer()
        # When process 1 said nothing of the command, how it ended itself.
        what, number, at = END.unpack(data) if len(data) == END.size else (_ENDED, status, time.monotonic_ns())
        ended = ended_as(status if what else number, time=at / 1e9, cpu=cpu, memory=memory)
        if what == _ENDED:
            return ended
        reason = "not found" if number == errno.ENOENT else os.strerror(number)
        message = os.fsencode(f"sh: {self._launch.argv[0]}: {reason}\n")
        return replace(ended, status=_NOT_FOUND if number == errno.ENOENT else _NOT_EXECUTABLE, message=message)

    def _answer(self) -> tuple[int, float, int]:
        """Wait until the starter says that nothing is alive; return the wait status of process 1, and what it used.

        Raises HostError when the starter does not say it, of a command that had begun.
        """
        answer = b""
        with suppress(ConnectionResetError):
            if becomes_readable(self._outer.requests.fileno(), GONE_SECONDS):
                answer = self._outer.requests.recv(ANSWER.size + 1)
        if len(answer) == ANSWER.size:
            self._outer.is_clean = True
            status, _, cpu, resident, of_starter = ANSWER.unpack(answer)
            if resident * 1024 <= of_starter * 1024 + _NEAR_STARTER:
                # Nobody knows more than that it was no more than the starter has.
                return status, cpu, min(resident * 1024, self._launch.limits.memory)
            return status, cpu, resident * 1024
        if self._has_begun:
            raise HostError("the sandbox failed: its starter does not say how a program ended; see what ended it")
        return _FAILED, 0.0, 0


# ---------------- Linux namespaces through bubblewrap


INNER_PACKAGES = "/usr/local/packages"
_CHILD = re.compile(rb'"child-pid": *([0-9]+)[^0-9]')
_NAMESPACES = [
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session"),
    "--clearenv",
]


def find_bubblewrap() -> str:
    """Return where bubblewrap is, and be ready to start it. Raises HostError when it is missing."""
    places = [f"{folder}/bwrap" for folder in PATH.split(":")]
    program = next((path for path in places if os.access(path, os.X_OK)), "")
    if not program:
        raise HostError(
            "bubblewrap is missing, and without it nothing keeps a student's program in bounds; "
            "install it (apt-get install bubblewrap)"
        )
    adopt_orphans()
    return program


def outer_options(place: SandboxPlace, show: Sequence[str], packages: str, env: Mapping[str, str]) -> list[str]:
    """Return the options of an outer sandbox, whose program makes inner ones: all but the empty folders."""
    places = [word for folder in inner_folders(place) if folder != "/dev/shm" for word in ("--dir", folder)]
    return [
        *_NAMESPACES,
        *("--hostname", place.host, "--uid", str(place.user), "--gid", str(place.user)),
        *(word for name, value in env.items() for word in ("--setenv", name, value)),
        *_file_system(place, show, packages, places),
        *("--cap-add", "ALL"),
    ]


def inner_folders(place: SandboxPlace) -> Mapping[str, int]:
    """Return the folders that are empty and in memory for each command, with their sizes in bytes."""
    return {
        "/dev/shm": SHARED_BYTES,
        "/tmp": TEMPORARY_BYTES,
        place.home: TEMPORARY_BYTES,
        place.work: WORK_BYTES,
    }


def _file_system(place: SandboxPlace, show: Sequence[str], packages: str, folders: Sequence[str]) -> list[str]:
    # The links of /etc/alternatives name the programs in /usr/bin.
    readable = ["/etc/alternatives", "/etc/ld.so.cache", *show]
    return [
        *("--ro-bind", "/usr", "/usr", "--size", "4096", "--tmpfs", "/usr/local"),
        *("--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin"),
        *("--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"),
        *(word for path in readable for word in _show(path)),
        *(("--ro-bind", packages, INNER_PACKAGES) if packages else ()),
        *("--remount-ro", "/usr/local"),  # in which tools may lie that are shown
        *("--proc", "/proc", "--dev", "/dev", *folders, "--remount-ro", "/dev"),
        *("--remount-ro", "/", "--chdir", place.work),
    ]


@cache
def _show(path: str) -> tuple[str, ...]:
    """Show what lies at `path`: by a link, if it is a link into what is shown anyway, as a mount is far more work."""
    if _is_in_usr(path):
        return ()
    if os.path.islink(path) and _is_in_usr(leads_to := os.path.realpath(path)) and not path.startswith("/usr/local/"):
        return "--symlink", leads_to, path
    return "--ro-bind-try", path, path


def _is_in_usr(path: str) -> bool:
    """Whether a path is shown to every command."""
    return path.startswith("/usr/") and not path.startswith("/usr/local/")


def read_first(info: int) -> int:
    """Read which process is number 1 inside: bubblewrap reports it as soon as it exists, or fails without (0)."""
    output = b""
    while not (match := _CHILD.search(output)):
        if not (more := os.read(info, 4096)):  # JSON, in several pieces
            return 0
        output += more
    return int(match[1])
