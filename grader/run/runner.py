"""Launch -> Execution: prepare a cage, open its gate, read to the end, tell what happened.

Preparing and running are apart so that the next command's sandbox comes up on another core while this one runs.
"""

import signal
from collections.abc import Iterable, Iterator
from threading import Event

from grader.errors import HostError
from grader.model import Execution, Launch, LimitName
from grader.run.channels import pipes, terminal
from grader.run.program import Program
from grader.sandbox import Sandbox, collect, copy_in, names_in, write_in

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


def finish(program: Program) -> Execution:
    """Fill the working folder, run the command to its end, and return what happened.

    Raises HostError when the sandbox failed, and GradingStoppedError when `cancelled` was set meanwhile.
    """
    with program:
        try:
            work = program.wait_until_ready()
            _fill(program, work)
            program.open_gate()
            program.drain()
            return _facts(program, work)
        except OSError as error:
            raise HostError(f"the sandbox failed: {error}") from error


def _fill(program: Program, work: int) -> None:
    launch, user = program.launch, program.cage.user
    if launch.folder is not None:
        copy_in(launch.folder, work, user)
    write_in(launch.files, work, user)


def _facts(program: Program, work: int) -> Execution:
    launch = program.launch
    code = program.cage.process.returncode
    by_signal = code < 0 or _SHELL_SIGNAL < code < _SHELL_SIGNAL + signal.NSIG
    ended_by = (-code if code < 0 else code - _SHELL_SIGNAL) if by_signal else None
    stdout, stderr = program.captured()
    return Execution(
        stdout=stdout,
        stderr=stderr,
        status=None if by_signal else code,
        signal=ended_by,
        limit=program.limit or _limit_passed(program, ended_by),
        limits=launch.limits,
        time=program.ended - program.started,
        cpu=max(program.cpu, program.peak.cpu),
        memory=program.peak.memory,
        names=names_in(work) if launch.survey else (),
        files=collect(work, launch.collect, launch.collect_limit) if launch.collect else {},
    )


def _limit_passed(program: Program, ended_by: int | None) -> LimitName | None:
    """Return the limit that a command passed although it ended by itself, or by the kernel's count."""
    limits = program.launch.limits
    if program.cpu > limits.cpu or ended_by == signal.SIGXCPU:
        return "cpu"
    return "time" if program.ended - program.started > limits.time else None


def run(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
    """Run one command. Raises as `prepare` and `finish` do."""
    return finish(prepare(sandbox, launch, cancelled))


def run_each(sandbox: Sandbox, launches: Iterable[Launch], cancelled: Event) -> Iterator[Execution | HostError]:
    """Run the commands one after the other, the next one's sandbox coming up meanwhile.

    A failure of ours is yielded in the place of its execution: it makes one case ungraded, not all.
    """
    waiting = iter(launches)
    ahead = _prepared(sandbox, next(waiting, None), cancelled)
    try:
        while ahead is not None:
            present, ahead = ahead, _prepared(sandbox, next(waiting, None), cancelled)
            yield present if isinstance(present, HostError) else _finished(present)
    finally:
        if isinstance(ahead, Program):
            ahead.close()


def _prepared(sandbox: Sandbox, launch: Launch | None, cancelled: Event) -> Program | HostError | None:
    try:
        return None if launch is None else prepare(sandbox, launch, cancelled)
    except HostError as error:
        return error


def _finished(program: Program) -> Execution | HostError:
    try:
        return finish(program)
    except HostError as error:
        return error
