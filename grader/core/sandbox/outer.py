"""Level `full` in two storeys: an outer sandbox of bubblewrap, and in it an inner one for each command.

The outer one has the root, the namespaces and the user of `bubblewrap`, and takes as long to come up as several
commands to run. In it is the starter (`starter.c`), which makes the inner one: new namespaces and empty folders, in a
third of the time that bubblewrap takes. An outer sandbox has one command at a time, and waits for the next when
nothing of the last is alive. What a command leaves is gone with its namespaces; what the kernel counts by user, with
its processes.

Where many commands begin alike (`Launch.preload`), a process of Python takes the place of the starter. It loads that
beginning, with nothing of a submission in sight, and then goes through the starter's own sequence, the same source as a
library, so that each command is a fork of it in an inner sandbox. The forks of one process share its layout in memory
and its seed for hashes of strings; all else is what a start of its own would have.

How a command ended, and that nothing of it is left, is what the starter says. A starter that dies or says anything else
makes its command fail as the sandbox's fault, and is replaced.
"""

import atexit
import math
import os
import select
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path

from msgspec import Struct

from grader.core.cache import user_cache
from grader.core.errors import HostError
from grader.core.forking import FORK_LOCK
from grader.core.model.execution import Launch
from grader.core.sandbox.bubblewrap import (
    INNER_PACKAGES,
    filter_for,
    find_bubblewrap,
    inner_folders,
    is_temporary,
    leave_user,
    not_started,
    outer_options,
    processes_in,
    read_first,
    start_confined,
    user_for_sandbox,
)
from grader.core.sandbox.cgroup import ControlGroup, remove_idle
from grader.core.sandbox.command import (
    PATH,
    environment,
    group_for,
    resource_limits,
    set_limits,
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
from grader.core.sandbox.identity import ClaimedUser, give_streams
from grader.core.sandbox.interface import Descendant, SandboxedCommand, failure_as_shell
from grader.core.sandbox.spawn import StartPlan, spawn

_FORKING = Path(__file__).with_name("fork_commands.py")
_READ_AT_START = ("LD_", "LOCPATH", "GCONV_PATH")
"""variables by which the C library may look for files of a command before there are any"""
_MAX_IDLE = 8
"""outer sandboxes that wait for the next command"""
END, ANSWER = struct.Struct("=2iq"), struct.Struct("=2id2q")
"""`struct end` and `struct answer` in `starter.c`"""
_ENDED = 0
_IS_LIMITED = b"1"
_CREDENTIALS = struct.Struct("3i")
"""process, user and group (unix(7), SCM_CREDENTIALS)"""
_HIGHEST_NUMBER = 100
"""of a descriptor that a command keeps under its number; the starter has its own above"""
_GONE = 60.0
"""seconds; the kernel needs a few thousandths"""
_ENDING = 0.1
"""seconds; an idle outer sandbox needs a few thousandths"""
_LOADING = 0.25
"""seconds in which the beginning of commands has loaded, also on a busy machine"""
_NEAR_STARTER = 2**22
"""bytes by which a process may seem larger than the starter that it was cloned from, and have had nothing of its own"""


def start_inside(
    launch: Launch, stdin: int, stdout: int, stderr: int, *further: int, show: Sequence[str] = (), packages: str = ""
) -> SandboxedCommand:
    """Set up an inner sandbox with `launch` behind its gate, in an outer one that waits, or else in a new one.

    The command sees what it would see in a bubblewrap of its own, which it gets where this machine or what is shown
    takes that. Raises HostError when no outer sandbox can be started.
    """
    if not _can_be_inside(show, further):
        return start_confined(launch, stdin, stdout, stderr, *further, show=show, packages=packages)
    words, program = _outer_for(launch, further, show, packages)
    group = group_for(launch)
    entrances = group.entrances if group else ()
    try:
        outer = _take_outer(words, program)
        try:
            request = _request(launch, further, packages, groups=len(entrances))
            gate, end = _ask(outer, request, (stdin, stdout, stderr, *further, *entrances))
        except BaseException:
            _give_back_outer(outer, is_usable=False)
            raise
    except BaseException as error:
        if group:
            group.close()
        if isinstance(error, OSError):
            raise HostError(f"the sandbox cannot be asked for a program: {error.strerror}; see `ulimit -n`") from error
        raise
    return _Inner(launch, outer, group, gate=gate, end=end)


def start_idle(show: Sequence[str]) -> None:
    """Start the outer sandbox that the first plain command takes, which comes up while others have work.

    Why it cannot be started is what that command is told: it tries again.
    """
    with suppress(HostError, OSError):
        if _can_be_inside(show, ()):
            _IDLE.append(_start_outer(*_outer_for(Launch(argv=("/bin/true",)), (), show, "")))


def _ask(outer: "_Outer", request: bytes, streams: Sequence[int]) -> tuple[socket.socket, int]:
    """Send a request with the streams of its command; return our ends of the gate and of the pipe for the end.

    What became of a starter that is gone is seen as that of one that ends a moment later. Raises OSError.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, ExitStack() as closing, ExitStack() as on_failure:
        on_failure.enter_context(ours)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        give_streams(streams[:3], outer.user)
        file = _in_memory("request", request)
        closing.callback(os.close, file)
        end, their_end = os.pipe()
        on_failure.callback(os.close, end)
        closing.callback(os.close, their_end)
        with suppress(BrokenPipeError):
            socket.send_fds(outer.requests, [b"1"], [file, theirs.fileno(), their_end, *streams])
        on_failure.pop_all()
        return ours, end


def _request(launch: Launch, further: Sequence[int], packages: str, *, groups: int) -> bytes:
    """Return what the starter has to know of a command, as it reads it (`struct request` in `starter.c`)."""
    env = _environment_inside(launch, packages)
    argv, folders, refusing = ungated(launch), inner_folders(launch.place), filter_for(launch)
    flags = int(bool(launch.tool)), int(launch.closes_at_once)
    limits = [
        word for kind, values in resource_limits(launch, count_processes=True).items() for word in (kind, *values)
    ]
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


def _outer_for(
    launch: Launch, further: Sequence[int], show: Sequence[str], packages: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return bubblewrap with its options, and the program of the outer sandbox; without one that is the starter.

    A program has the environment and the stacks that its commands have, since a fork cannot change either.
    """
    program = () if further else _forking_program(launch)
    program = program if program and starter_library() else ()
    env = _environment_inside(launch, packages) if program else {"PATH": PATH}
    return (find_bubblewrap(), *outer_options(launch.place, show, packages, env)), program


def _forking_program(launch: Launch) -> tuple[str, ...]:
    """Return what loads the beginning of a command and forks for each; nothing where that would not be the same."""
    *interpreter, text = launch.argv
    is_other = launch.terminal or launch.screen or launch.tool or launch.closes_at_once
    is_other = is_other or any(name.startswith(_READ_AT_START) for name in launch.env)
    if is_other or not launch.preload or not text.startswith(launch.preload):
        return ()
    size = f"ulimit -s {stack_bytes(launch) // 1024} && "
    forking = f"{_FORKING.read_text()}\nbecome_commands()\n"
    whole = f"{launch.preload}\n{forking}{text.removeprefix(launch.preload)}"
    return ("/bin/sh", "-c", size + 'exec "$@"', "sh", *interpreter, whole)


def _in_memory(name: str, content: bytes) -> int:
    """Return a descriptor to read `content` from."""
    file = os.memfd_create(name)
    os.pwrite(file, content, 0)
    return file


def _can_be_inside(show: Sequence[str], further: Sequence[int]) -> bool:
    """Whether the starter can run here, and show what is to be shown: nothing below its own empty folders."""
    return (
        _has_files_in_memory()
        and bool(starter_program())
        and not any(is_temporary(path) for path in show)
        and all(number < _HIGHEST_NUMBER for number in further)
    )


@cache
def _has_files_in_memory() -> bool:
    """Whether the kernel, or what restricts us, lets us have them."""
    try:
        os.close(os.memfd_create("trial"))
    except OSError:
        return False
    return True


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
    if not starter_program():
        return "without a starter, which gcc could compile with a static C library: each command takes twice as long"
    is_packaged = place_in_package(STARTER_SOURCE.read_bytes(), COMPILER_OPTIONS).is_file()
    if not starter_library():
        lost = "without its library, which gcc could compile: each method of a unit test in Python starts Python anew"
        return f"its starter {'came with the package' if is_packaged else 'was compiled here'}, {lost}"
    return f"its starter and the starter's library {'came with the package' if is_packaged else 'were compiled here'}"


# ---------------------------------------------------------------- outer sandboxes


class _Outer(Struct, kw_only=True, eq=False):
    """An outer sandbox, with the starter in it."""

    words: tuple[str, ...]
    """bubblewrap and its options: who asks for the same may have it"""
    program: tuple[str, ...]
    """what loads the beginning of commands and forks for each; empty for the starter"""
    process: subprocess.Popen[bytes]
    claimed: ClaimedUser | None
    requests: socket.socket
    info: int
    complaints: int
    """what bubblewrap and the starter write to standard error, which is nothing unless they fail"""
    first: int = -1
    """a descriptor of its process 1, once that is known"""

    @property
    def user(self) -> int | None:
        return self.claimed.id if self.claimed else None

    def identify(self) -> None:
        """Get hold of its process 1 while it is certainly alive: once it is gone, its number may be another child's."""
        if self.first < 0 and (number := read_first(self.info)):
            with suppress(OSError):  # it is gone; or the kernel has none, where the level is refused with words
                self.first = os.pidfd_open(number)

    def end(self, *, is_idle: bool = False) -> None:
        """End it with all that is in it.

        An idle one ends by itself when nobody can ask it any more. The kernel adds the processor time of a process to
        that of the grader only when it was waited for, and process 1 of a namespace that is killed waits for nobody.
        """
        self.requests.close()
        if is_idle:  # until nobody in it can complain any more
            select.select([self.complaints], [], [], _ENDING)
        self.process.kill()
        self.identify()
        self.process.wait()
        if self.first >= 0:
            with suppress(ChildProcessError):
                # It became our child, and the kernel ends all others of its namespace before.
                os.waitid(os.P_PIDFD, self.first, os.WEXITED)
            os.close(self.first)
        os.close(self.info)
        os.close(self.complaints)
        leave_user(self.claimed)


_IDLE: list[_Outer] = []
"""those that had a command, and wait for another; this process's own"""
_LENT: list[_Outer] = []
"""those that have a command, and loaded its beginning before"""
_RETURNED = threading.Condition()
"""notified when one of these is free, or gone"""


def _forget_all() -> None:
    global _RETURNED  # noqa: PLW0603 - a thread of the parent may have held its lock
    _IDLE.clear()
    _LENT.clear()
    _RETURNED = threading.Condition()


os.register_at_fork(after_in_child=_forget_all)


def _take_outer(words: tuple[str, ...], program: tuple[str, ...]) -> _Outer:
    """Return an outer sandbox with these words and this program, which waits, or else a new one.

    One that loads the beginning of commands takes as long to start as several of them to run: so the first that is free
    within about that time is taken.
    """
    outer = _take_idle(words, program)
    if outer is None and program and any((one.words, one.program) == (words, program) for one in _LENT):
        with _RETURNED:
            outer = _RETURNED.wait_for(lambda: _take_idle(words, program), _LOADING)
    outer = outer or _start_outer(words, program)
    if program:
        _LENT.append(outer)
    return outer


def _take_idle(words: tuple[str, ...], program: tuple[str, ...]) -> _Outer | None:
    for outer in [outer for outer in _IDLE if (outer.words, outer.program) == (words, program)]:
        with suppress(ValueError):  # another thread has it by now
            _IDLE.remove(outer)
            if outer.process.poll() is None:
                return outer
            outer.end()
    return None


def _give_back_outer(outer: _Outer, *, is_usable: bool) -> None:
    """Let others have an outer sandbox that has no command any more, or end it."""
    if is_usable:
        _IDLE.append(outer)
    else:
        outer.end()
    if outer.program:
        with _RETURNED:
            _LENT.remove(outer)
            _RETURNED.notify_all()
    if len(_IDLE) > _MAX_IDLE:
        with suppress(IndexError):
            _IDLE.pop(0).end(is_idle=True)


@atexit.register
def end_idle() -> None:
    """End the outer sandboxes that wait for a command, so that nobody has to adopt and reap what was in them.

    What else waits for one, the control groups, goes with them.
    """
    while _IDLE:
        _IDLE.pop().end(is_idle=True)
    remove_idle()


def _start_outer(words: tuple[str, ...], inside: tuple[str, ...]) -> _Outer:
    claimed = user_for_sandbox()
    requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    info, info_end = os.pipe()
    complaints, their_errors = os.pipe()
    nothing = os.pipe()  # a fork has its own pipes in their place, and Python looks at what they are only once
    files = [_in_memory("starter", content) for content in (starter_program(), starter_library() if inside else b"")]
    passed = (info_end, theirs.fileno(), *files)
    numbers = [str(theirs.fileno()), *map(str, files)]
    starter = (*inside, *numbers) if inside else (f"/proc/self/fd/{files[0]}", numbers[0])
    plan = StartPlan(
        argv=[*words, "--info-fd", str(info_end), "--", *starter],
        env={"PATH": PATH},  # process 1 shows it inside
        folder="/",
        streams=(*nothing, their_errors),
        passed=passed,
        new_session=True,  # Ctrl-C is ours alone
        thread="shared",
        user=claimed.id if claimed else None,
    )
    try:
        process = spawn(plan)
    except OSError as error:
        requests.close()
        os.close(info)
        os.close(complaints)
        leave_user(claimed)
        raise not_started(error) from error
    finally:
        theirs.close()
        for descriptor in (info_end, their_errors, *nothing, *files):
            os.close(descriptor)
    ends = {"info": info, "complaints": complaints}
    return _Outer(words=words, program=inside, process=process, claimed=claimed, requests=requests, **ends)


# ---------------------------------------------------------------- commands


class _First(Descendant):
    """Process 1 of an inner sandbox, of which the starter tells when it is gone."""

    def __init__(self, outer: _Outer, end: int, most_memory: int) -> None:
        self.pid = 0
        self.descriptor = -1
        self.returncode = None
        self.failure = 0
        """why the command could not be started (errno(3)); 0 when it was"""
        self.used = 0.0, 0
        self.ended = math.inf
        """when the command ended (clock_gettime(2), CLOCK_MONOTONIC)"""
        self.has_begun = False
        """whether the gate was opened"""
        self.is_gone = False
        """whether the starter has said so"""
        self.is_lost = False
        """whether it said something else"""
        self.status = 0
        """of process 1 itself (waitpid(2))"""
        self._outer = outer
        self._end = end
        self._most_memory = most_memory

    def watch(self) -> int:
        return os.dup(self._end)

    def poll(self) -> int | None:
        return self.returncode

    def kill(self) -> None:
        if self.pid and self.returncode is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.descriptor, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._end], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a program", timeout or 0.0)  # as Popen does
            self.returncode = 1  # of a sandbox that failed, so that nobody waits for it again
            self.returncode = self._read_end()
        return self.returncode

    def _read_end(self) -> int:
        """Return what process 1 said of the command; when it said nothing, how it ended itself."""
        told = os.read(self._end, END.size + 1)
        if len(told) == END.size:
            what, number, nanoseconds = END.unpack(told)
            self.ended = nanoseconds / 1e9
            self.failure = 0 if what == _ENDED else number
            return os.waitstatus_to_exitcode(number) if what == _ENDED else 1
        self.settle()
        return os.waitstatus_to_exitcode(self.status) if self.is_gone else 1

    def settle(self) -> None:
        """Wait until the starter says that nothing is alive. Raises HostError when it does not, of what had begun."""
        if self.is_gone or self.is_lost:
            return
        try:
            is_ready = select.select([self._outer.requests], [], [], _GONE)[0]
            answer = self._outer.requests.recv(ANSWER.size + 1) if is_ready else b""
        except ConnectionResetError:
            answer = b""
        if len(answer) == ANSWER.size:
            self.status, _, cpu, resident, of_starter = ANSWER.unpack(answer)
            is_its_own = resident * 1024 > of_starter * 1024 + _NEAR_STARTER
            # Else nobody knows more than that it was no more than the starter has.
            self.used = cpu, resident * 1024 if is_its_own else min(resident * 1024, self._most_memory)
            self.is_gone = True
            return
        self.is_lost = True
        if self.has_begun:
            raise HostError("the sandbox failed: its starter does not say how a program ended; see what ended it")


class _Inner(SandboxedCommand):
    """A command in an inner sandbox; `gate` is a socket on which its process 1 says who it is, and waits."""

    gate: int
    process: _First
    gate_event = select.EPOLLIN
    is_command = False  # but process 1
    has_network = True

    def __init__(
        self, launch: Launch, outer: _Outer, group: ControlGroup | None, *, gate: socket.socket, end: int
    ) -> None:
        self.process = _First(outer, end, launch.limits.memory)
        self.user = outer.user
        self.group = group
        self.gate = gate.fileno()
        self._gate = gate
        self._end = end
        self._launch = launch
        self._outer = outer
        self._folders: list[int] = []

    @property
    def ended(self) -> float:  # type: ignore[override]
        return self.process.ended

    def enter(self) -> int:
        self._outer.identify()
        first, is_limited = self._read_first()
        self.process.pid = first
        self.process.descriptor = os.pidfd_open(first)
        if not is_limited:
            if self.group:
                self.group.admit(first)
            set_limits(first, self._launch, self.user, count_processes=True)
        root = f"/proc/{first}/root"
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        self._folders = [os.open(root + name, flags) for name in (self._launch.place.work, "/proc")]
        return self._folders[0]

    def _read_first(self) -> tuple[int, bool]:
        """Return the id that process 1 has here, of which the kernel tells, and whether it is within all limits."""
        said, further, _, _ = self._gate.recvmsg(1, socket.CMSG_SPACE(_CREDENTIALS.size))
        for _, kind, data in further:
            if kind == socket.SCM_CREDENTIALS:
                pid: int = _CREDENTIALS.unpack(data)[0]
                return pid, said == _IS_LIMITED
        raise HostError("the sandbox failed: its starter does not say what it started")

    def open_gate(self, stdin: int) -> None:  # noqa: ARG002 - of which nothing is taken
        self._gate.send(b"1")
        self._gate.close()
        self.process.has_begun = True

    def complaint(self) -> bytes:
        os.set_blocking(self._outer.complaints, False)
        with suppress(BlockingIOError):
            return os.read(self._outer.complaints, 4096)
        return b""

    def as_shell(self, status: int, errors: bytes) -> tuple[int, bytes]:
        if not self.process.failure:
            return status, errors
        return failure_as_shell(os.fsencode(self._launch.argv[0]), os.strerror(self.process.failure).encode())

    def processes(self) -> tuple[int, list[int]]:
        proc = self._folders[1]
        return proc, processes_in(proc)  # process 1 is the starter's

    def kill(self) -> None:
        if self.process.pid:
            self.process.kill()
        else:  # process 1 ends where it comes to a gate that nobody will open
            self._gate.close()

    def settle(self) -> tuple[float, int]:
        self.process.settle()
        return self.process.used

    def close(self) -> None:
        self._gate.close()
        for descriptor in (self._end, self.process.descriptor, *self._folders):
            if descriptor >= 0:
                os.close(descriptor)
        _give_back_outer(self._outer, is_usable=self.process.is_gone)
        super().close()
