"""Launch -> a running command: set up its sandbox, perhaps while another command runs, fill its folder, start it."""

import errno
import os
import resource
import select
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import lru_cache
from itertools import chain
from threading import Event
from typing import Any, TypeVar

from msgspec.structs import replace

from grader.core.course_programs import FEEDBACK
from grader.core.errors import HostError
from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.execution import INCONCLUSIVE, INTERACTOR_ACCEPTS, Execution, Interaction, Launch, RoleEnd
from grader.core.model.layout import contents_of
from grader.core.model.spec import Role
from grader.core.run.meter import Channels
from grader.core.run.process import SandboxedProcess, Transcript
from grader.core.sandbox.command import READY, Sandbox, remedy
from grader.core.sandbox.folder import copy_in, seal_code, write_in
from grader.core.text import one_line

_ADDRESSES_BYTES = 2**48  # more than a process has addresses for, on x86-64 and aarch64
_FLAG = b"-fsanitize="
_ELF = b"\x7fELF"
_LINKED = (b"__asan_init", b"__tsan_init", b"__msan_init", b"__lsan_init")
_RUNTIMES = (*_LINKED, *(name + b"Sanitizer" for name in (b"Address", b"Thread", b"Memory", b"Leak")))
"""what a program names that is linked with one, and what stands in one that has it within, even without symbols"""
_MAX_SCRIPT_BYTES = 2**18  # of a Makefile or a script; there is no longer one that a person wrote
_QUARANTINE_SHARE, _MAX_QUARANTINE_MIB = 8, 256
"""of the memory, for blocks that were freed and are watched for uses; ASan's default is the same at any limit"""
_NO_LEAKS = lazy_regex(rb"(?m)^(?:==\d+==)?LeakSanitizer has encountered a fatal error")
_NO_ROOM = lazy_regex(rb"(?m)^==\d+==(?:ERROR: \w+Sanitizer failed to allocate 0x|Shadow memory range interleaves)")
_NO_PLACE = lazy_regex(rb"(?m)^FATAL: ThreadSanitizer: unexpected memory mapping")
_MAX_RANDOM_BITS = 28
"""of addresses, up to which sanitizers find the places that they need free, whatever their version"""
_AT_FIXED_ADDRESSES = ("/usr/bin/setarch", "--addr-no-randomize")
"""starts a program that has the same addresses in each run (util-linux)"""
_named_pipes = lazy_call("grader.core.run.conversation", "NamedPipes")


def has_sanitizer(code: bytes) -> bool:
    """Whether the code of a program or library has a sanitizer that needs the process for itself."""
    return code.startswith(_ELF) and any(mark in code for mark in _RUNTIMES)


def make_room_for_sanitizers(launch: Launch) -> Launch:
    """Return the launch with the room and the options that a sanitizer needs; unchanged where none may be started."""
    folder, given = launch.folder, contents_of(launch.files).values()  # large files of a case are data
    if not (
        any(_FLAG.decode() in word for word in launch.argv)
        or any(isinstance(content, bytes) and _names_sanitizer(content) for content in given)
        or (folder and folder.exists() and _look_through(os.fspath(folder), folder.stat().st_mtime_ns))
    ):
        return launch
    options = [f"quarantine_size_mb={min(_MAX_QUARANTINE_MIB, launch.limits.memory // _QUARANTINE_SHARE // 2**20)}"]
    if "LD_PRELOAD" in launch.env:  # it refuses to start behind a library of ours, such as the clock of the reference
        options.append("verify_asan_link_order=0")
    options += filter(None, [launch.env.get("ASAN_OPTIONS")])  # the last counts
    launch = replace(launch, reserved=_ADDRESSES_BYTES, env={**launch.env, "ASAN_OPTIONS": ":".join(options)})
    if _random_bits() > _MAX_RANDOM_BITS and os.access(_AT_FIXED_ADDRESSES[0], os.X_OK):
        return replace(launch, argv=(*_AT_FIXED_ADDRESSES, *launch.argv), preload="")
    return launch


def check_sanitizer(execution: Execution, launch: Launch, *, allows_tracing: bool) -> None:
    """Raise HostError if a program's sanitizer cannot work because no sanitizer works on this machine."""
    if launch.reserved != _ADDRESSES_BYTES or execution.limit or not execution.status:
        return
    given = (*contents_of(launch.files).values(), *execution.files.values())
    built = map(_read, _files_below(os.fspath(launch.folder))) if launch.folder else ()
    programs = (code for code in chain(given, built) if isinstance(code, bytes) and code.startswith(_ELF))
    if not any(mark + b"\0" in code for code in programs for mark in _LINKED):
        return
    output = execution.stderr + execution.stdout  # a build writes both to one
    if not (allows_tracing and "tracing" in launch.permits) and _NO_LEAKS.search(output):
        raise HostError(
            "LeakSanitizer looks for leaks with system calls that this sandbox refuses; grade at level `full`, or turn "
            "it off in the program (`int __lsan_is_turned_off(void) { return 1; }`)"
        )
    is_strict = _read("/proc/sys/vm/overcommit_memory").strip() == b"2"
    if _NO_ROOM.search(output) and (is_strict or resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY):
        raise HostError(
            "the compiler's sanitizer cannot reserve its addresses here; lift `ulimit -v` and vm.overcommit_memory=2"
        )
    if _NO_PLACE.search(output) and _random_bits() > _MAX_RANDOM_BITS:
        raise HostError(
            "ThreadSanitizer cannot start here; install setarch (util-linux), set vm.mmap_rnd_bits to "
            f"{_MAX_RANDOM_BITS}, or use a newer compiler"
        )


def _random_bits() -> int:
    return int(_read("/proc/sys/vm/mmap_rnd_bits") or _MAX_RANDOM_BITS + 1)  # only root may read it


def _names_sanitizer(content: bytes) -> bool:
    """Whether a file has a sanitizer or builds what has one."""
    return has_sanitizer(content) or (len(content) <= _MAX_SCRIPT_BYTES and _FLAG in content)


@lru_cache(maxsize=64)
def _look_through(folder: str, _changed: int) -> bool:
    return any(_names_sanitizer(_read(path)) for path in _files_below(folder))


def _files_below(folder: str) -> Iterator[str]:
    for inside, _, names in os.walk(folder):
        yield from (os.path.join(inside, name) for name in names)  # noqa: PTH118 - thousands of files


def _read(path: str) -> bytes:
    """Return a program or library, or of another file as much as a person may have written; nothing of a link."""
    flags = os.O_NOFOLLOW | os.O_NONBLOCK
    with suppress(OSError), open(path, "rb", opener=lambda name, mode: os.open(name, mode | flags)) as file:
        head = file.read(_MAX_SCRIPT_BYTES + 1)
        return head + file.read() if head.startswith(_ELF) else head
    return b""


_FOR_ANOTHER = "nextpass.in"  # the file of an interactor that is the input of the next pass


def launches_of(launch: Launch) -> list[Launch]:
    """Return the starts of a command: it alone, or it and its interactor, and then its further programs."""
    if not launch.interactor or launch.is_output_validator:
        return [launch]
    around = replace(launch, closes_at_once=True, is_private=launch.is_private or bool(launch.roles))
    plain = launch.argv_untuned
    first, *further = [
        replace(around, argv=launch.argv + role.args, argv_untuned=plain and plain + role.args)
        for role in launch.roles or (Role(name=""),)
    ]
    return [first, replace(launch.interactor, closes_at_once=True, is_private=around.is_private), *further]


def with_interaction(runs: Sequence[Execution], judge: Execution, end: Interaction, names: Sequence[str]) -> Execution:
    """Return one execution for one program, or for several starts that have `names`, with what the interactor says.

    Of several starts it is that of the first one that broke off, with the highest use of all. Later output is ignored.
    """
    chosen = runs[names.index(end.culprit) if end.culprit else 0]
    ends = tuple(
        RoleEnd(name=name, status=run.status, limit=run.limit, time=run.time, cpu=run.cpu, memory=run.memory)
        for name, run in zip(names, runs, strict=False)
    )
    if names:
        turns = sorted((turn for run in runs for turn in run.transcript), key=lambda turn: turn.time)
        chosen = replace(
            chosen,
            stdout=b"".join(run.stdout for run in runs),
            stderr=chosen.stderr if end.culprit else b"".join(run.stderr for run in runs),
            **_most(runs),
            doubts=chosen.doubts.union(*(run.doubts & {"crowded"} for run in runs)),
            names=tuple(sorted({name for run in runs for name in run.names})),
            files={name: content for run in runs for name, content in run.files.items()},
            uncollected={name: size for run in runs for name, size in run.uncollected.items()},
            transcript=tuple(replace(turn, time=turn.time - turns[0].time) for turn in turns),
        )
    chosen = replace(chosen, interaction=replace(opinion_of(judge, end), roles=ends))
    if end.first == "interactor" and (names or chosen.limit or chosen.signal or chosen.is_inconclusive):
        return replace(chosen, limit=None, signal=None, status=0, doubts=chosen.doubts - INCONCLUSIVE)
    if end.waiting:
        return replace(chosen, limit=chosen.limit if chosen.signal else None, doubts=chosen.doubts - INCONCLUSIVE)
    return chosen


def _most(runs: Sequence[Execution]) -> dict[str, Any]:
    return {name: max(getattr(run, name) for run in runs) for name in ("time", "cpu", "memory")}


def with_opinion(execution: Execution, launch: Launch, judge: Execution) -> Execution:
    """Return the execution of a program with the result of the validator that read its output."""
    transcript = Transcript()
    if launch.stdin:
        transcript.sent(0.0, launch.stdin)
    transcript.sent(0.0, b"")
    transcript.heard(execution.time, "stdout", 0)
    interaction = opinion_of(judge, Interaction(first="program", is_output_validator=True))
    return replace(execution, transcript=transcript.turns(execution.stdout, b""), interaction=interaction)


def opinion_of(judge: Execution, end: Interaction = Interaction()) -> Interaction:  # noqa: B008 - frozen
    """Return how a program of the course ended, and what it left for us; `end` is how the conversation did."""
    feedback = {name.removeprefix(f"{FEEDBACK}/"): content for name, content in judge.files.items()}
    return replace(end, status=judge.status, limit=judge.limit, stderr=judge.stderr, feedback=feedback)


def next_pass(launch: Launch, execution: Execution) -> Launch | None:
    """Return the launch of the next pass, with the interactor's files for it; None when there is no further pass."""
    last, interactor = execution.interaction, launch.interactor
    if not last or not interactor or launch.passes < 2 or _FOR_ANOTHER not in last.feedback:  # noqa: PLR2004
        return None
    # A later pass does not make up for a program that crashed or was stopped.
    if last.status != INTERACTOR_ACCEPTS or (last.first == "program" and (execution.limit or execution.signal)):
        return None
    feedback = {f"{FEEDBACK}/{name}": content for name, content in last.feedback.items() if name != _FOR_ANOTHER}
    given = last.feedback[_FOR_ANOTHER]
    again = replace(interactor, files={**interactor.files, **feedback, "input": given})
    stdin = given if launch.is_output_validator else b""
    return replace(launch, passes=launch.passes - 1, interactor=again, stdin=stdin)


def join_passes(before: Execution, last: Execution) -> Execution:
    """Return the last pass with the earlier transcripts, the most that any used, and the first status other than 0."""
    done = before.interaction.passes if before.interaction else 0
    if before.interaction and before.interaction.first == "program" and before.status and last.status == 0:
        last = replace(last, status=before.status, stderr=before.stderr)
    return replace(
        last,
        **_most([before, last]),
        transcript=(*before.transcript, *last.transcript),
        interaction=replace(last.interaction, passes=done + 1) if last.interaction else None,
    )


Returned = TypeVar("Returned")

_SET_UP = 60.0  # seconds; a sandbox takes a few hundredths, unless the machine is overloaded
_LOOK_MILLISECONDS = 50
_COMPLAINT_BYTES = 65536


def start_program(sandbox: Sandbox, launch: Launch, cancelled: Event) -> SandboxedProcess:
    """Start to set up a sandbox for `launch`, and those of what runs beside it, and return. Raises HostError."""
    first, *further = launches_of(launch)
    program = _start_one(sandbox, first, cancelled)
    with closed_on_failure(program):
        for start in further:
            program.beside.append(_start_one(sandbox, start, cancelled))
    return program


def _start_one(sandbox: Sandbox, launch: Launch, cancelled: Event) -> SandboxedProcess:
    launch = make_room_for_sanitizers(launch)
    with closed_on_failure(), ExitStack() as started, ExitStack() as on_failure:
        channels = open_channels(on_failure, started, terminal=launch.terminal)
        wires = {name: on_failure.enter_context(closing(make())) for name, make in launch.wires.items()}
        tool = launch.tool
        for name, wire in wires.items():
            tool = tuple(word.replace(name, str(wire.theirs)) for word in tool)
        given = replace(launch, argv=(*tool, *launch.argv), argv_untuned=() if tool else launch.argv_untuned)
        streams = *channels.theirs, *(wire.theirs for wire in wires.values())
        command = sandbox.start_with(given, *streams, show=sandbox.show, packages=sandbox.packages)
        for free in (command.close, command.wait, command.kill):  # the last one first
            on_failure.callback(free)
        program = SandboxedProcess(launch, command, channels, cancelled, list(wires.values()))
        on_failure.pop_all()
        return program


def begin(program: SandboxedProcess) -> SandboxedProcess:
    """Fill the working folder, let the command run, and return the program. Raises HostError or GradingStoppedError."""
    with closed_on_failure(program):
        beside = program.beside
        started = [*beside[:1], program, *beside[1:]]  # the interactor first
        for process in started:
            fill_folder(process)
        for process, role in zip(started[1:], program.launch.roles, strict=False):
            process.pipes = _named_pipes(role.name, started[0].work, started[0].command.user)
            process.transcript.role = role.name
        for process in started:
            process.open_gate()
        return program


def make_ready(program: SandboxedProcess) -> None:
    """Do, before its turn, what `begin` does before it opens the gate; `begin` raises what goes wrong."""
    if not program.beside and not program.launch.kept:
        try:
            fill_folder(program)
        except (HostError, OSError) as error:
            program.failure = error


def fill_folder(program: SandboxedProcess) -> None:
    """Wait until the command is at its gate, and copy and write its files. Raises as `begin` does."""
    if program.failure:
        raise program.failure
    if program.work >= 0:
        return
    _wait_until_ready(program)
    work, launch, user = program.command.enter(), program.launch, program.command.user
    if launch.folder is not None:
        copy_in(launch.folder, work, user)
    write_in(launch.files, work, user)
    if launch.tool:
        program.sealed = seal_code(work)
    program.work = work


def _wait_until_ready(program: SandboxedProcess) -> None:
    """Wait until the command waits at its gate. Raises HostError, with the sandbox's message, when it does not."""
    gate, errors = program.command.gate or -1, program.channels.stderr
    poll, first, over = select.poll(), None, time.monotonic() + _SET_UP
    for descriptor in {gate, errors} - {-1}:
        poll.register(descriptor, select.POLLIN)
    while first is None:
        if time.monotonic() > over:
            raise HostError(f"the sandbox was not ready within {_SET_UP:.0f} s; is the machine overloaded?")
        program.check_cancelled()
        happened = dict(poll.poll(_LOOK_MILLISECONDS))
        if happened.get(gate) == select.POLLIN:
            return
        first = os.read(errors, 1) if errors in happened else None
    if gate < 0 and first == READY:
        return
    program.command.wait()
    with suppress(BlockingIOError):
        first += os.read(errors, _COMPLAINT_BYTES)
    complaint = (first + program.command.complaint()).decode(errors="backslashreplace").strip()
    message = "; ".join(filter(None, (complaint or "no reason given", remedy(complaint))))
    raise HostError(f"the sandbox could not be set up: {message}")


@contextmanager
def closed_on_failure(*programs: SandboxedProcess) -> Iterator[None]:
    """Close the programs where the block fails; a failure of the operating system is ours, a HostError."""
    try:
        yield
    except BaseException as error:
        for program in programs:
            program.close()
        if not isinstance(error, OSError):
            raise
        what, remedy = "no pipes or processes for a program", "raise the limit of open files (`ulimit -n`)"
        if error.errno in {errno.ENOSYS, errno.EPERM}:
            remedy = "grade on Linux 5.3 or later, and let a container's filter of system calls through pidfd_open"
        elif error.errno in {errno.ENOSPC, errno.EDQUOT}:
            temporary = lazy_call("tempfile", "gettempdir")()
            what = f"no room for a program's files, which go to {one_line(temporary)}"
            remedy = "make room there, or set TMPDIR to a folder on another disk"
        elif error.errno in {errno.EPIPE, errno.ENOENT, errno.ESRCH}:
            what, remedy = "the sandbox ended before its program began", "look whether the machine is short of memory"
        raise HostError(f"{what}: {error.strerror}; {remedy}") from error


def or_failure(step: Callable[..., Returned], *arguments: Any) -> Returned | HostError:
    """Return what `step` returns, or the HostError that it raises."""
    try:
        return step(*arguments)
    except HostError as error:
        return error


_ROWS_AND_COLUMNS = (24, 80)


def open_channels(ours: ExitStack, theirs: ExitStack, *, terminal: bool) -> Channels:
    """Return three pipes; or a pseudo-terminal that neither echoes nor writes CR LF, and a pipe for standard error.

    The stacks close our ends and the command's: while we hold the latter, the stream has no end of file.
    """

    def ends(our_end: int, their_end: int) -> tuple[int, int]:
        ours.callback(os.close, our_end)
        theirs.callback(os.close, their_end)
        return our_end, their_end

    stderr, their_error = ends(*os.pipe())
    if terminal:
        stdin, their_input = ends(*os.openpty())
        stdout, their_output = os.dup(stdin), their_input
        ours.callback(os.close, stdout)
        modes = termios.tcgetattr(their_input)
        modes[1] &= ~termios.OPOST
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(their_input, termios.TCSANOW, modes)
        termios.tcsetwinsize(their_input, _ROWS_AND_COLUMNS)
    else:
        stdin, their_input = ends(*reversed(os.pipe()))
        stdout, their_output = ends(*os.pipe())
    given = (their_input, their_output, their_error)
    return Channels(stdin=stdin, stdout=stdout, stderr=stderr, theirs=given, terminal=terminal)
