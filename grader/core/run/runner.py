"""Launch -> Execution: set up a sandbox, open its gate, read to the end, and record what happened.

Setting up and running are apart, so that the next command's sandbox comes up on another core while this one runs.
"""

import errno
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from threading import Event
from typing import ParamSpec, TypeVar

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, LimitName
from grader.core.run.channels import open_channels
from grader.core.run.code_trace import CODE, CodeTrace
from grader.core.run.companions import NamedPipes, launches_of
from grader.core.run.conversation import Conversation
from grader.core.run.dialogue import DialogueEnd, converse
from grader.core.run.interaction import join_passes, next_pass, with_interaction, with_opinion
from grader.core.run.process import SandboxedProcess
from grader.core.run.report_socket import REPORT, ReportSocket, with_wire
from grader.core.run.sanitizers import check_sanitizer, make_room_for_sanitizers
from grader.core.sandbox.folder import code_stamps, collect, copy_in, names_in, seal_code, write_in
from grader.core.sandbox.interface import Sandbox
from grader.core.text import one_line

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")

_NEAR = 0.9
"""from this share of a limit on, a SIGKILL came from the kernel, and not from the command itself"""


def start_program(sandbox: Sandbox, launch: Launch, cancelled: Event) -> SandboxedProcess:
    """Start to set up a sandbox for `launch` and return at once. Raises HostError when the start fails.

    So do those of its interactor, and of its further starts.
    """
    first, *others = launches_of(launch)
    program = _start_one(sandbox, first, cancelled)
    with _closed_on_failure(program):
        for one in others:
            program.beside.append(_start_one(sandbox, one, cancelled))
    return program


@cache
def _require_pidfds() -> None:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        raise HostError(
            f"the kernel gives no descriptor of a process (pidfd_open: {error.strerror}), without which nobody sees a "
            "program end; grade on Linux 5.3 or later, and let a container's filter of system calls through pidfd_open"
        ) from error


def _start_one(sandbox: Sandbox, launch: Launch, cancelled: Event) -> SandboxedProcess:
    _require_pidfds()
    launch = make_room_for_sanitizers(launch)
    with _no_descriptors(), ExitStack() as started, ExitStack() as on_failure:
        channels = open_channels(terminal=launch.terminal)
        started.callback(channels.close_theirs)
        on_failure.callback(channels.close_ours)
        wires: dict[str, ReportSocket] = {REPORT: ReportSocket(), CODE: CodeTrace()} if launch.tool else {}
        for wire in wires.values():
            on_failure.callback(wire.close)
        further = [wire.theirs for wire in wires.values()]
        command = sandbox.start(with_wire(launch, wires) if wires else launch, *channels.theirs, *further)
        on_failure.callback(command.close)
        on_failure.callback(command.wait)
        on_failure.callback(command.kill)
        program = SandboxedProcess(launch, command, channels, cancelled, tuple(wires.values()))
        on_failure.pop_all()
        return program


@contextmanager
def _no_descriptors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HostError(f"no pipes for a program: {error.strerror}; raise the limit of open files") from error


def begin(program: SandboxedProcess) -> SandboxedProcess:
    """Fill the working folder, let the command run, and return the program.

    Raises HostError when the sandbox failed, and GradingStoppedError when `cancelled` was set meanwhile; then the
    program is closed.
    """
    with _closed_on_failure(program):
        others = program.beside
        started = [*others[:1], program, *others[1:]]  # the interactor first
        for one in started:
            _fill_folder(one)
        for one, role in zip(started[1:], program.launch.roles, strict=False):
            one.pipes = NamedPipes(role.name, started[0].work, started[0].command.user)
            one.transcript.role = role.name
        for one in started:
            one.open_gate()
        return program


def make_ready(program: SandboxedProcess) -> None:
    """Do, before its turn, what `begin` does before it opens the gate; `begin` raises what goes wrong."""
    if not program.beside:
        try:
            _fill_folder(program)
        except (HostError, OSError) as error:
            program.failure = error


def make_ready_meanwhile(program: SandboxedProcess, present: SandboxedProcess) -> None:
    """Make a program ready while the `present` one runs, as soon as its sandbox has come up."""
    present.when_ready(program.command, partial(make_ready, program))


def _fill_folder(program: SandboxedProcess) -> None:
    if program.failure:
        raise program.failure
    if program.is_filled:
        return
    program.wait_until_ready()
    launch, work, user = program.launch, program.work, program.command.user
    if launch.folder is not None:
        copy_in(launch.folder, work, user)
    write_in(launch.files, work, user)
    if launch.tool:
        program.sealed = seal_code(work)
    program.is_filled = True


def finish(program: SandboxedProcess) -> Execution:
    """Read to the end of the command and return what happened. Raises as `begin` does."""
    with _closed_on_failure(program):
        if program.beside:
            execution = _finish_conversation(program)
        else:
            end = converse(program) if program.launch.dialogue else DialogueEnd()
            program.drain()
            execution = _execution_of(program, end, has_transcript=bool(program.launch.dialogue))
        program.close()
        return execution


def _finish_conversation(program: SandboxedProcess) -> Execution:
    """Let a program and those beside it talk to the end, and return what they came to together."""
    other, *further = program.beside
    end, programs = Conversation(program).hold(), [program, *further]
    for one in programs:
        one.drain()
    found = [_execution_of(one, DialogueEnd(), has_transcript=True) for one in programs]
    names = [role.name for role in program.launch.roles]
    return with_interaction(found, finish(other), end, names)


def _execution_of(program: SandboxedProcess, end: DialogueEnd, *, has_transcript: bool) -> Execution:
    """Return what a command did that was read to its end."""
    launch, work = program.launch, program.work
    files, uncollected = collect(work, launch.collect, launch.collect_limit) if launch.collect else ({}, {})
    stdout, stderr = program.captured()
    ended = program.command.wait()
    is_killed_by_host = program.is_killed_by_host()
    limit = _passed_limit(program, None if is_killed_by_host else ended.signal, end)
    return Execution(
        stdout=stdout,
        stderr=ended.message or stderr,
        status=ended.status,
        signal=ended.signal,
        limit=limit,
        limits=launch.limits,
        time=program.ended - program.started,
        cpu=program.peak.cpu,
        waited=program.waited,
        slept=program.delay.slept,
        cpu_starved=_is_starved(program, limit, end),
        crowded=program.crowded,
        memory=program.peak.memory,
        killed_by_host=is_killed_by_host and limit is None,
        memory_unconfirmed=limit == "memory" and program.is_memory_unconfirmed,
        names=names_in(work) if launch.list_files else (),
        files=files,
        uncollected=uncollected,
        transcript=program.transcript.turns(stdout, stderr) if has_transcript else (),
        stop=end.stop,
        asked=end.asked,
        output_when_script_ended=end.output_when_script_ended,
        screen=launch.screen,
        reported=program.reported(),
        code=program.code_steps(),
        is_code_changed=_has_changed_code(program),
    )


@contextmanager
def _closed_on_failure(program: SandboxedProcess) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        program.close()
        if isinstance(error, OSError):
            raise HostError(_describe_failure(error)) from error
        raise


def _describe_failure(error: OSError) -> str:
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return f"the sandbox failed: {error}"
    place = one_line(tempfile.gettempdir())
    remedy = "make room there, or set TMPDIR to a folder on another disk"
    return f"no room for a program's files and output, which go to {place}: {error.strerror}; {remedy}"


def _has_changed_code(program: SandboxedProcess) -> bool:
    """Whether a watched command has changed or replaced a program or library that was there before."""
    now = code_stamps(program.work) if program.sealed else {}
    return any(now.get(path) != stamp for path, stamp in program.sealed.items())


def _passed_limit(program: SandboxedProcess, ended_by: int | None, end: DialogueEnd) -> LimitName | None:
    """Return the limit that a command passed, also when it ended by itself or by the kernel's count.

    The time that we waited for a text is not the command's when it waited for us, nor is that for a processor.
    """
    limits, peak = program.launch.limits, program.peak
    time = program.ended - program.started - program.time_credit
    is_killed = ended_by == signal.SIGKILL
    if program.limit not in (None, "time"):
        return program.limit
    if peak.memory > limits.memory * (_NEAR if is_killed else 1):
        return "memory"
    if end.stop and not end.stop.ended and (end.asked or time < limits.time):
        return None
    if program.limit:
        return program.limit
    # Not by the signal alone, which anybody can send himself: when the kernel sends it, there was so much work.
    if peak.cpu > limits.cpu * (_NEAR if is_killed or ended_by == signal.SIGXCPU else 1):
        return "cpu"
    return "time" if time > limits.time else None


def _is_starved(program: SandboxedProcess, limit: LimitName | None, end: DialogueEnd) -> bool:
    """Whether a command was stopped, or no longer awaited, with too little processor time for a verdict."""
    if end.stop and end.stop.cpu_starved and limit in (None, "time"):
        return True
    return program.cpu_starved and limit == "time"


def execute(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
    """Run one command. Raises as `start_program`, `begin` and `finish` do."""
    return finish_passes(sandbox, begin(start_program(sandbox, launch, cancelled)), cancelled)


def finish_passes(sandbox: Sandbox, program: SandboxedProcess, cancelled: Event) -> Execution:
    """Read to the end of the command, and run it again as often as its interactor asks for that and may."""
    found, launch = _finish_pass(sandbox, program, cancelled), program.launch
    while again := next_pass(launch, found):
        launch = again
        program = begin(start_program(sandbox, launch, cancelled))
        found = join_passes(found, _finish_pass(sandbox, program, cancelled))
    return found


def _finish_pass(sandbox: Sandbox, program: SandboxedProcess, cancelled: Event) -> Execution:
    """Read to the end of the command; then let what judges it read that, unless the command itself was ended."""
    found, launch = finish(program), program.launch
    check_sanitizer(found, launch, allows_tracing=sandbox.allows_tracing)
    if not (launch.interactor and launch.is_output_validator) or found.limit or found.signal:
        return found
    return with_opinion(found, launch, execute(sandbox, replace(launch.interactor, stdin=found.stdout), cancelled))


def or_failure(
    step: Callable[Arguments, Returned], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Returned | HostError:
    """Return what `step` returns, or the HostError that it raises."""
    try:
        return step(*arguments, **named)
    except HostError as error:
        return error
