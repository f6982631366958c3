"""Launch -> a command that runs: set up a sandbox, which another command may run beside; fill its folder, let it go."""

import errno
import os
import select
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from threading import Event
from typing import Any, TypeVar

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Launch
from grader.core.run.conversation import NamedPipes
from grader.core.run.interaction import launches_of
from grader.core.run.process import SandboxedProcess, open_channels
from grader.core.run.sanitizers import make_room_for_sanitizers
from grader.core.sandbox.bubblewrap import remedy
from grader.core.sandbox.folder import copy_in, seal_code, write_in
from grader.core.sandbox.interface import READY, Sandbox
from grader.core.text import one_line

Returned = TypeVar("Returned")

_SET_UP = 60.0  # seconds; a sandbox takes a few hundredths, unless the machine is overloaded
_LOOK_MILLISECONDS = 50
_COMPLAINT_BYTES = 65536


def start_program(sandbox: Sandbox, launch: Launch, cancelled: Event) -> SandboxedProcess:
    """Start to set up a sandbox for `launch`, and those of what runs beside it, and return. Raises HostError."""
    first, *others = launches_of(launch)
    program = _start_one(sandbox, first, cancelled)
    with closed_on_failure(program):
        for one in others:
            program.beside.append(_start_one(sandbox, one, cancelled))
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
        command = sandbox.start(given, *channels.theirs, *(wire.theirs for wire in wires.values()))
        for free in (command.close, command.wait, command.kill):  # the last one first
            on_failure.callback(free)
        program = SandboxedProcess(launch, command, channels, cancelled, list(wires.values()))
        on_failure.pop_all()
        return program


def begin(program: SandboxedProcess) -> SandboxedProcess:
    """Fill the working folder, let the command run, and return the program. Raises HostError or GradingStoppedError."""
    with closed_on_failure(program):
        others = program.beside
        started = [*others[:1], program, *others[1:]]  # the interactor first
        for one in started:
            fill_folder(one)
        for one, role in zip(started[1:], program.launch.roles, strict=False):
            one.pipes = NamedPipes(role.name, started[0].work, started[0].command.user)
            one.transcript.role = role.name
        for one in started:
            one.open_gate()
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
            what = f"no room for a program's files and output, which go to {one_line(tempfile.gettempdir())}"
            remedy = "make room there, or set TMPDIR to a folder on another disk"
        elif error.errno == errno.EPIPE:
            what, remedy = "the sandbox ended before its program began", "look whether the machine is short of memory"
        raise HostError(f"{what}: {error.strerror}; {remedy}") from error


def or_failure(step: Callable[..., Returned], *arguments: Any) -> Returned | HostError:
    """Return what `step` returns, or the HostError that it raises."""
    try:
        return step(*arguments)
    except HostError as error:
        return error
