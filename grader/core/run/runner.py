"""Launch -> Execution: prepare a cage, open its gate, read to the end, tell what happened.

Preparing and running are apart so that the next command's sandbox comes up on another core while this one runs. Many
submissions share the machine, and a measurement that matters has it alone.
"""

import errno
import os
import re
import signal
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from threading import BoundedSemaphore, Event, Lock
from typing import ParamSpec, TypeVar

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model import SIGNAL_STATUS, Execution, Launch, LimitName, Measurement
from grader.core.run.dialogue import DialogueEnd, converse
from grader.core.run.interaction import join_passes, next_pass, speak, with_interaction, with_opinion
from grader.core.run.parallel_runs import ParallelRuns, is_near_a_limit
from grader.core.run.process import SandboxedProcess, open_pipes, open_terminal
from grader.core.run.report_socket import ReportSocket, with_wire
from grader.core.sandbox import Sandbox, collect, copy_in, names_in, write_in
from grader.core.text import one_line

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")

_SURVIVED = {signal.SIGCHLD, signal.SIGCONT, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
_SURVIVED |= {signal.SIGURG, signal.SIGWINCH, *range(signal.SIGRTMIN, signal.NSIG)}
"""signals that end nobody, and those of real time, which nobody sends by chance"""
_ENDING = {*signal.Signals} - _SURVIVED
_NEAR = 0.9
"""the share of a limit from which on it was the kernel, and not the command itself, that ended it with SIGKILL"""
_MUCH = 0.5
"""the share of a limit from which on it is not left to options of ours"""
_MAX_UNDESERVED_RETRIES = 3
"""measurements of a submission that are made again and come to the same"""
_STRETCH_ALONE = 10.0
"""how many times its time a command may take, waiting for a processor, when that was too little before"""


def start_program(sandbox: Sandbox, launch: Launch, cancelled: Event) -> SandboxedProcess:
    """Start to set up a sandbox for `launch` and return at once. Raises HostError when that cannot be begun."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        raise HostError(
            f"the kernel gives no descriptor of a process (pidfd_open: {error.strerror}), without which nobody sees a "
            "program end; grade on Linux 5.3 or later, and let a container's filter of system calls through pidfd_open"
        ) from error
    try:
        channels = open_terminal() if launch.terminal else open_pipes()
    except OSError as error:
        raise HostError(f"no pipes for a program: {error.strerror}; raise the limit of open files") from error
    wire = ReportSocket() if launch.tool else None
    try:
        if wire:
            cage = sandbox.start(with_wire(launch, wire), *channels.theirs, wire.theirs)
        else:
            cage = sandbox.start(launch, *channels.theirs)
    except BaseException:
        channels.close_ours()
        if wire:
            wire.close()
        raise
    finally:
        channels.close_theirs()
        if wire:
            wire.close_theirs()
    program = SandboxedProcess(launch, cage, channels, cancelled, wire)
    if launch.interactor and not launch.afterwards:
        with _closed_on_failure(program):
            program.partner = start_program(sandbox, launch.interactor, cancelled)
    return program


def begin(program: SandboxedProcess) -> SandboxedProcess:
    """Fill the working folder, let the command run, and return the program.

    Raises HostError when the sandbox failed, and GradingStoppedError when `cancelled` was set meanwhile; then the
    program is closed.
    """
    with _closed_on_failure(program):
        program.wait_until_ready()
        launch, work, user = program.launch, program.work, program.cage.user
        if launch.folder is not None:
            copy_in(launch.folder, work, user)
        write_in(launch.files, work, user)
        if program.partner:
            begin(program.partner)
        program.open_gate()
        return program


def finish(program: SandboxedProcess) -> Execution:
    """Read to the end of the command and return what happened. Raises as `begin` does."""
    with _closed_on_failure(program):
        launch, work = program.launch, program.work
        end = converse(program) if launch.dialogue else DialogueEnd()
        parting = speak(program, program.partner) if program.partner else None
        program.drain()
        stdout, stderr = program.captured()
        code, stderr = program.cage.as_shell(program.cage.process.returncode, stderr)
        ended_by = _signal_of(program)
        is_bereft = program.is_bereft()
        limit = _passed_limit(program, None if is_bereft else ended_by, end)
        execution = Execution(
            stdout=stdout,
            stderr=stderr,
            status=None if ended_by else code,
            signal=ended_by,
            by_status=ended_by is not None and code > 0,
            limit=limit,
            limits=launch.limits,
            time=program.ended - program.started,
            cpu=program.peak.cpu,
            waited=program.waited,
            cpu_starved=_is_starved(program, limit, end),
            memory=program.peak.memory,
            killed_by_host=is_bereft and limit is None,
            names=names_in(work) if launch.list_files else (),
            files=collect(work, launch.collect, launch.collect_limit) if launch.collect else {},
            transcript=program.transcript.turns(stdout, stderr) if launch.dialogue or parting else (),
            stop=end.stop,
            asked=end.asked,
            left=end.left,
            screen=launch.screen,
            reported=program.reported(),
        )
        if program.partner and parting:
            execution = with_interaction(execution, finish(program.partner), parting)
        program.close()
        return execution


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


def _signal_of(program: SandboxedProcess) -> int | None:
    """Return the signal that ended a command; None when it ended by itself.

    Where only a status tells of it, one that the command cannot have ended with is a status of its own.
    """
    code = program.cage.process.returncode
    if code < 0:
        return int(-code)
    number = code - SIGNAL_STATUS
    if program.cage.tells_signals or number not in _ENDING:
        return None
    if number == signal.SIGXCPU and program.peak.cpu <= program.launch.limits.cpu * _NEAR:
        return None
    return number


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
    """Whether a command was stopped, or no longer waited for, when it had too little of the processors to tell."""
    if end.stop and end.stop.cpu_starved and limit in (None, "time"):
        return True
    return program.cpu_starved and limit == "time"


def execute(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
    """Run one command. Raises as `start_program`, `begin` and `finish` do."""
    return _finish_passes(sandbox, begin(start_program(sandbox, launch, cancelled)), cancelled)


def _finish_passes(sandbox: Sandbox, program: SandboxedProcess, cancelled: Event) -> Execution:
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
    if not (launch.interactor and launch.afterwards) or found.limit or found.signal:
        return found
    return with_opinion(found, launch, execute(sandbox, replace(launch.interactor, stdin=found.stdout), cancelled))


def execute_each(
    sandbox: Sandbox, launches: Iterable[Launch], cancelled: Event
) -> Generator[Execution | HostError, None, None]:
    """Run the commands one after the other, the next one's sandbox coming up meanwhile.

    A failure of ours is yielded in the place of its execution: it makes one case ungraded, not all.
    """
    programs = (_caught(start_program, sandbox, launch, cancelled) for launch in launches)
    present: SandboxedProcess | HostError | None = None
    ahead = next(programs, None)
    try:
        while ahead is not None:
            present = ahead if isinstance(ahead, HostError) else _caught(begin, ahead)
            ahead = next(programs, None)
            yield present if isinstance(present, HostError) else _caught(_finish_passes, sandbox, present, cancelled)
    finally:
        for program in (present, ahead):
            if isinstance(program, SandboxedProcess):
                program.close()


def execute_abreast(
    sandbox: Sandbox, launches: Iterable[Launch], cancelled: Event, company: ParallelRuns
) -> Generator[Execution | HostError, None, None]:
    """Run the commands as `execute_each` does, as many of them at a time as the company takes."""
    last: SandboxedProcess | HostError | None = None

    def programs() -> Iterator[SandboxedProcess | HostError]:
        nonlocal last
        for launch in launches:
            last = _caught(start_program, sandbox, launch, cancelled)
            yield last

    try:
        yield from company.each(programs(), partial(_see_through, sandbox, cancelled))
    finally:
        if isinstance(last, SandboxedProcess):
            last.close()


def _see_through(sandbox: Sandbox, cancelled: Event, program: SandboxedProcess | HostError) -> Execution | HostError:
    begun = program if isinstance(program, HostError) else _caught(begin, program)
    return begun if isinstance(begun, HostError) else _caught(_finish_passes, sandbox, begun, cancelled)


def _caught(
    step: Callable[Arguments, Returned], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Returned | HostError:
    try:
        return step(*arguments, **named)
    except HostError as error:
        return error


# ---------------------------------------------------------------- many at a time


class WorkerSlots:
    """Who runs at the same time: places for a number of workers, of whom one may ask for all."""

    def __init__(self, places: int, abreast: int = 1) -> None:
        """Make room for `places` workers at a time; a single one may run so many cases `abreast`."""
        self.abreast = abreast if places == 1 else 1
        self._places = places
        self._free = BoundedSemaphore(places)
        self._asking = Lock()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Hold one place, behind whoever asks for all of them."""
        with self._asking:
            self._free.acquire()
        try:
            yield
        finally:
            self._free.release()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold every place, so that nobody else runs. Whoever asks for this holds no place yet."""
        with self._asking:  # two who each hold a part would wait for each other for ever
            for _ in range(self._places):
                self._free.acquire()
        try:
            yield
        finally:
            self._free.release(self._places)


class RetryAllowance:
    """How often a submission may still be given the benefit of a doubt that it turned out not to deserve.

    A measurement that is made again costs as much as the first, the one that is made alone the time of everybody. So
    once our options, or the machine, have been shown to have no part in how a submission ends, they are not blamed
    any more: it runs without those options from the start, and its first measurement counts. One that says nothing
    about it is made again all the same.
    """

    def __init__(self) -> None:
        """Begin with all of them, and alone."""
        self.of_options = self.of_machine = _MAX_UNDESERVED_RETRIES
        self.company: bool | None = None
        """whether its cases run beside each other; None until one was seen to be far from its limits"""


def measure_each(
    sandbox: Sandbox,
    launches: Sequence[Launch],
    cancelled: Event,
    room: WorkerSlots,
    doubts: RetryAllowance | None = None,
    *,
    begun: Callable[[int], None] = lambda _: None,
    enough: Callable[[Sequence[Execution | HostError]], bool] = lambda _: False,
) -> Generator[Execution | HostError, None, None]:
    """Run the commands one after the other beside other workers, and again those of which that may change much.

    Yields each execution when all measuring of it is done, and keeps nothing of what it wrote: that may be much.
    `begun` hears the place of each that begins. `enough` sees what the first of them came to, but for what they wrote,
    after each; when it says so, the others are not run. No place is held while the caller works on what was yielded.

    First without options of ours that may have decided it. Then at once and alone, where it came near a limit beside
    another of these commands. Then, alone, what is in doubt still. Each of them at most once, however it ends: the last
    measurement counts, and all are told. What is used up of the `doubts` that a submission has is noted there.
    """
    doubts = doubts or RetryAllowance()
    started: list[Launch] = []
    done: list[Execution | HostError] = []

    def chosen() -> Iterator[Launch]:
        for place, launch in enumerate(launches):
            started.append(_without_speedup_flags(launch) if launch.plain and doubts.of_options <= 0 else launch)
            yield _with_half_limits(started[-1])
            begun(place)  # which is when the next one is made ready

    def measure(executions: Iterator[Execution | HostError]) -> Execution | HostError | None:
        with room.shared():
            first = next(executions, None)
            if first is None:
                return None
            launch = started[len(done)]
            runs = [replace(first, limits=launch.limits) if isinstance(first, Execution) else first]
            if isinstance(first, Execution) and launch.plain and _options_may_matter(launch, first):
                launch = _without_speedup_flags(launch)
                runs.append(_caught(execute, sandbox, launch, cancelled))
                doubts.of_options -= _is_confirmed(first, runs[-1])
            is_near = not isinstance(runs[-1], Execution) or is_near_a_limit(runs[-1])
            doubts.company = doubts.company is not False and not is_near
            if is_near and company.had(len(done)):
                company.settle()
                runs.append(_caught(execute, sandbox, launch, cancelled))
        found = runs[-1]
        if isinstance(found, Execution) and is_in_doubt(found) and (found.is_inconclusive or doubts.of_machine > 0):
            company.settle()
            with room.alone():
                runs.append(_caught(execute, sandbox, replace(launch, max_time_factor=_STRETCH_ALONE), cancelled))
            doubts.of_machine -= _is_confirmed(found, runs[-1])
        return _with_measurements(runs)

    company = ParallelRuns(lambda: room.abreast if doubts.company else 1)
    abreast = partial(execute_abreast, company=company)
    with closing((execute_each if room.abreast == 1 else abreast)(sandbox, chosen(), cancelled)) as executions:
        while (found := measure(executions)) is not None:
            done.append(found.bare if isinstance(found, Execution) else found)
            yield found
            del found  # what it wrote may be much
            if enough(done):
                return


def _without_speedup_flags(launch: Launch) -> Launch:
    return replace(launch, argv=launch.plain, plain=())


def _with_half_limits(launch: Launch) -> Launch:
    """Return a command that is run again anyway if it takes much of a limit, with no more time than that."""
    if not launch.plain:
        return launch
    limits = launch.limits
    return replace(launch, limits=replace(limits, time=_MUCH * limits.time, cpu=_MUCH * limits.cpu))


def _is_confirmed(one: Execution, again: Execution | HostError) -> bool:
    """Whether a command did not come to its own end, and measured again neither, for the same reason."""
    if isinstance(again, HostError) or again.is_inconclusive:
        return False
    ends = [run.limit or run.signal or run.stop is not None for run in (one, again)]
    return bool(ends[0]) and ends[0] == ends[1]


def _options_may_matter(launch: Launch, execution: Execution) -> bool:
    """Whether a command took much of a limit, passed one, or ended for want of room."""
    limits = launch.limits
    said = b"\n".join(
        (execution.complaints, *execution.files.values())
    )  # calls of functions tell of exceptions in a file
    return (
        execution.limit is not None
        or execution.time - execution.waited > _MUCH * limits.time
        or execution.cpu > _MUCH * limits.cpu
        or any(re.search(pattern.encode(), said, re.MULTILINE) for pattern in launch.exhausted)
    )


def is_in_doubt(execution: Execution) -> bool:
    """Whether the machine, rather than the command, may be to blame for how it ended."""
    limits, stop = execution.limits, execution.stop
    # By a hair: it ended by itself, a little late.
    was_late = execution.limit in ("time", "cpu") and execution.signal is None
    # Busy while a dialogue waited for it: perhaps it would have answered.
    was_busy = stop is not None and not stop.ended and not execution.asked and execution.limit is None
    # Not by us: by the kernel, which may have been short of memory for others; or by itself, and then it will again.
    was_killed = execution.signal == signal.SIGKILL and (
        execution.limit is None
        or (execution.limit == "cpu" and execution.cpu <= limits.cpu)
        or (execution.limit == "memory" and execution.memory <= limits.memory)
    )
    return execution.is_inconclusive or was_late or was_busy or was_killed


def _with_measurements(runs: Sequence[Execution | HostError]) -> Execution | HostError:
    last = runs[-1]
    if len(runs) == 1 or isinstance(last, HostError):
        return last
    measured = (
        Measurement(time=run.time, cpu=run.cpu, waited=run.waited, limit=run.limit)
        for run in runs
        if isinstance(run, Execution)
    )
    return replace(last, measured=tuple(measured))
