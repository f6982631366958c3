"""Launch -> Execution: prepare a cage, open its gate, read to the end, tell what happened.

Preparing and running are apart so that the next command's sandbox comes up on another core while this one runs.
"""

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import ParamSpec, TypeVar

from grader.errors import HostError
from grader.model import Execution, Launch, LimitName
from grader.run.channels import pipes, terminal
from grader.run.dialogue import Outcome, converse
from grader.run.program import Program
from grader.sandbox import Sandbox, collect, copy_in, names_in, write_in

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_SHELL_SIGNAL = 128
"""bubblewrap tells of a signal as shells do: by a status of 128 and its number"""


def prepare(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Program:
    """Start to set up a sandbox for `launch` and return at once. Raises HostError when that cannot be begun."""
    try:
        channels = terminal() if launch.terminal else pipes()
    except OSError as error:
        raise HostError(f"no pipes for a program: {error.strerror}; raise the limit of open files") from error
    try:
        cage = sandbox.start(launch, *channels.theirs)
    except BaseException:
        channels.close_ours()
        raise
    finally:
        channels.close_theirs()
    return Program(launch, cage, channels, cancelled)


def begin(program: Program) -> Program:
    """Fill the working folder, let the command run, and return the program.

    Raises HostError when the sandbox failed, and GradingStoppedError when `cancelled` was set meanwhile; then the
    program is closed.
    """
    with _closed_on_failure(program):
        program.wait_until_ready()
        _fill(program)
        program.open_gate()
        return program


def finish(program: Program) -> Execution:
    """Read to the end of the command and return what happened. Raises as `begin` does."""
    with _closed_on_failure(program):
        outcome = converse(program) if program.launch.dialogue else Outcome()
        program.drain()
        execution = _facts(program, outcome)
        program.close()
        return execution


@contextmanager
def _closed_on_failure(program: Program) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        program.close()
        if isinstance(error, OSError):
            raise HostError(f"the sandbox failed: {error}") from error
        raise


def _fill(program: Program) -> None:
    launch, work, user = program.launch, program.work, program.cage.user
    if launch.folder is not None:
        copy_in(launch.folder, work, user)
    write_in(launch.files, work, user)


def _facts(program: Program, outcome: Outcome) -> Execution:
    launch, work = program.launch, program.work
    code = program.cage.process.returncode
    by_signal = code < 0 or _SHELL_SIGNAL < code < _SHELL_SIGNAL + signal.NSIG
    ended_by = (-code if code < 0 else code - _SHELL_SIGNAL) if by_signal else None
    stdout, stderr = program.captured()
    return Execution(
        stdout=stdout,
        stderr=stderr,
        status=None if by_signal else code,
        signal=ended_by,
        limit=_limit(program, ended_by, outcome),
        limits=launch.limits,
        time=program.ended - program.started,
        cpu=max(program.cpu, program.peak.cpu),
        memory=program.peak.memory,
        names=names_in(work) if launch.survey else (),
        files=collect(work, launch.collect, launch.collect_limit) if launch.collect else {},
        transcript=program.transcript.turns(stdout, stderr) if launch.dialogue else (),
        stop=outcome.stop,
        asked=outcome.asked,
    )


def _limit(program: Program, ended_by: int | None, outcome: Outcome) -> LimitName | None:
    """Return the limit that a command passed, also when it ended by itself or by the kernel's count.

    The time that we waited for a text is not the command's when it waited for us.
    """
    limits = program.launch.limits
    if program.limit not in (None, "time"):
        return program.limit
    if outcome.stop and not outcome.stop.ended and (outcome.asked or program.ended - program.started < limits.time):
        return None
    if program.limit:
        return program.limit
    if max(program.cpu, program.peak.cpu) > limits.cpu or ended_by == signal.SIGXCPU:
        return "cpu"
    return "time" if program.ended - program.started > limits.time else None


def run(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
    """Run one command. Raises as `prepare`, `begin` and `finish` do."""
    return finish(begin(prepare(sandbox, launch, cancelled)))


def run_each(sandbox: Sandbox, launches: Iterable[Launch], cancelled: Event) -> Iterator[Execution | HostError]:
    """Run the commands one after the other, the next one's sandbox coming up meanwhile.

    A failure of ours is yielded in the place of its execution: it makes one case ungraded, not all.
    """
    programs = (_caught(prepare, sandbox, launch, cancelled) for launch in launches)
    present: Program | HostError | None = None
    ahead = next(programs, None)
    try:
        while ahead is not None:
            present = ahead if isinstance(ahead, HostError) else _caught(begin, ahead)
            ahead = next(programs, None)
            yield present if isinstance(present, HostError) else _caught(finish, present)
    finally:
        for program in (present, ahead):
            if isinstance(program, Program):
                program.close()


def _caught(
    step: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result | HostError:
    try:
        return step(*arguments, **named)
    except HostError as error:
        return error
