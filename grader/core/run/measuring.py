"""Measuring the commands of one submission: which run at the same time, which run again, and when the rest is skipped.

The next command's sandbox comes up on another core while the present command runs. Many submissions share the machine;
a measurement on which a verdict depends has the machine to itself.
"""

import re
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from threading import BoundedSemaphore, Event, Lock
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, Measurement
from grader.core.model.spec import Spec, Test
from grader.core.model.toolchain import Toolchain
from grader.core.run.launch import limits_of
from grader.core.run.process import SandboxedProcess
from grader.core.run.runner import (
    begin,
    execute,
    finish_passes,
    make_ready,
    make_ready_meanwhile,
    or_failure,
    start_program,
)
from grader.core.run.work_budget import WorkBudget, run_within
from grader.core.sandbox.interface import Sandbox
from grader.core.text import count, seconds
from grader.core.thread_task import ThreadTask
from grader.kinds import kind_of

Asked = TypeVar("Asked")
Produced = TypeVar("Produced")
Measured = Execution | HostError
"""what a command did, or why we could not run it"""

_NEAR_LIMIT_SHARE = 0.75
"""up to this share of a limit nothing else decides whether it is met"""
_TUNED_SHARE = 0.5
"""up to this share of a limit a run with our speed-up options counts"""
_MAX_VAIN_RETRIES = 3
"""per submission: measurements that are repeated and end the same way"""
_EXCLUSIVE_TIME_FACTOR = 10.0
"""how many times its time limit a command may take while it waits for a processor, when it has the machine to itself"""
_MIN_BUDGET_SECONDS = 300.0
"""for all runs together that a limit ended, where a spec states no budget"""


# ---------------------------------------------------------------- slots and retries


class WorkerSlots:
    """Slots for workers: each worker holds one while it measures, and may ask for all of them."""

    def __init__(self, places: int, abreast: int = 1) -> None:
        """Make `places` slots; a single worker may run so many cases `abreast`."""
        self.abreast = abreast if places == 1 else 1
        self._places = places
        self._free = BoundedSemaphore(places)
        self._asking = Lock()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Hold one slot, behind any worker that waits for all of them."""
        with self._asking:
            self._free.acquire()
        try:
            yield
        finally:
            self._free.release()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold every slot, so that no other worker runs a command. The caller must hold none."""
        with self._asking:  # two workers that each hold a part would wait for each other for ever
            for _ in range(self._places):
                self._free.acquire()
        try:
            yield
        finally:
            self._free.release(self._places)


class RetryAllowance:
    """How many retries of a submission may still be in vain, before its first measurement is trusted.

    A retry costs as much as the first measurement, one with the machine to itself the time of every worker. A retry
    that ends the same way shows that our options, or the machine, have no part in it. After a few of these the
    submission runs without our options from the start, and its first measurement counts. An inconclusive measurement
    is repeated all the same.
    """

    def __init__(self, *, tuned: bool = True) -> None:
        """Begin with the full allowance, and with one case at a time; without our options unless `tuned`."""
        self.of_options, self.of_machine = _MAX_VAIN_RETRIES if tuned else 0, _MAX_VAIN_RETRIES
        self.company: bool | None = None
        """whether its cases run in parallel; None until one was seen to be far from its limits"""


class ParallelRuns:
    """Runs tasks in parallel, and records which of them overlapped with another."""

    def __init__(self, max_parallel: Callable[[], int]) -> None:
        """Start with no task; `max_parallel` is called whenever one more could start."""
        self._max_parallel = max_parallel
        self._running: deque[ThreadTask[Any]] = deque()
        self._started_count = 0
        self._accompanied: set[int] = set()

    def each(
        self,
        works: Iterator[Asked],
        do: Callable[[Asked], Produced],
        prepare: Callable[[Asked], None] = lambda _: None,
    ) -> Generator[Produced, None, None]:
        """Yield the result of `do` for each of the works, in their order.

        One work more is taken than can start; `prepare` is called for it, perhaps several times, in this thread. A
        caller that stops early waits for the running tasks.
        """
        ahead = next(works, None)
        try:
            while ahead is not None or self._running:
                if ahead is None or len(self._running) >= self._max_parallel():
                    if ahead is not None:
                        prepare(ahead)
                    produced = self._running[0].result()  # it stays there: interrupted, we wait for its end
                    self._running.popleft()
                    yield produced
                    continue
                self._running.append(ThreadTask(partial(do, ahead)))
                self._started_count += 1
                if len(self._running) > 1:
                    self._accompanied.update(range(self._started_count - len(self._running), self._started_count))
                ahead = next(works, None)
        finally:
            self.settle()

    def settle(self) -> None:
        """Wait until no task runs; no other task starts before `each` continues."""
        for task in self._running:
            task.join()

    def had_company(self, place: int) -> bool:
        """Whether the work at that place ever overlapped with another."""
        return place in self._accompanied


# ---------------------------------------------------------------- one after the other, or in parallel


_Ahead = SandboxedProcess | HostError | Launch
"""a command whose sandbox comes up, or could not be started, or is started only when the command's turn comes"""


def _start_ahead(sandbox: Sandbox, launch: Launch, cancelled: Event) -> _Ahead:
    """Start the sandbox of the next command, unless that of the present one can have it as soon as that has ended.

    A sandbox for commands that begin alike takes as long to come up as many of them to run.
    """
    return launch if launch.preload else or_failure(start_program, sandbox, launch, cancelled)


def _begin(sandbox: Sandbox, ahead: _Ahead, cancelled: Event) -> SandboxedProcess | HostError:
    started = or_failure(start_program, sandbox, ahead, cancelled) if isinstance(ahead, Launch) else ahead
    return started if isinstance(started, HostError) else or_failure(begin, started)


def execute_each(sandbox: Sandbox, launches: Iterable[Launch], cancelled: Event) -> Generator[Measured, None, None]:
    """Run the commands one after the other; the next one's sandbox comes up meanwhile.

    A failure of ours is yielded in the place of its execution: it makes one case ungraded, not all.
    """
    programs = (_start_ahead(sandbox, launch, cancelled) for launch in launches)
    present: SandboxedProcess | HostError | None = None
    ahead = next(programs, None)
    try:
        while ahead is not None:
            present = _begin(sandbox, ahead, cancelled)
            ahead = next(programs, None)
            if isinstance(present, SandboxedProcess) and isinstance(ahead, SandboxedProcess):
                make_ready_meanwhile(ahead, present)
            yield present if isinstance(present, HostError) else or_failure(finish_passes, sandbox, present, cancelled)
    finally:
        for program in (present, ahead):
            if isinstance(program, SandboxedProcess):
                program.close()


def _execute_parallel(
    sandbox: Sandbox, launches: Iterable[Launch], cancelled: Event, parallel: ParallelRuns
) -> Generator[Measured, None, None]:
    """Run the commands as `execute_each` does, as many at a time as `parallel` allows."""
    last: _Ahead | None = None

    def programs() -> Iterator[_Ahead]:
        nonlocal last
        for launch in launches:
            last = _start_ahead(sandbox, launch, cancelled)
            yield last

    def run_to_end(ahead: _Ahead) -> Measured:
        started = _begin(sandbox, ahead, cancelled)
        return started if isinstance(started, HostError) else or_failure(finish_passes, sandbox, started, cancelled)

    def prepare(ahead: _Ahead) -> None:
        if isinstance(ahead, SandboxedProcess):
            make_ready(ahead)

    try:
        yield from parallel.each(programs(), run_to_end, prepare)
    finally:
        if isinstance(last, SandboxedProcess):
            last.close()


# ---------------------------------------------------------------- measuring, and measuring again


class RunPolicy(Struct, frozen=True, kw_only=True):
    """The callbacks of a caller of `measure_each`."""

    on_start: Callable[[int], None] = lambda _: None
    """called with the place of each command that starts"""
    should_stop: Callable[[Sequence[Measured]], bool] = lambda _: False
    """called after each command with all results so far, without outputs: whether to skip the remaining commands"""


def measure_each(
    sandbox: Sandbox,
    launches: Sequence[Launch],
    cancelled: Event,
    slots: WorkerSlots,
    retries: RetryAllowance | None = None,
    *,
    policy: RunPolicy | None = None,
    work: WorkBudget | None = None,
) -> Generator[Measured, None, None]:
    """Run the commands along with other workers; repeat those that our options or the machine may have influenced.

    Yields each result when all its measurements are done, and then drops its output, which may be large. No slot is
    taken while the caller works on a result. Retries in vain reduce `retries`, the submission's allowance. Once `work`
    is used up, nothing more is started: the results of the rest are the HostError that says so.
    """
    measuring = _Measuring(
        sandbox=sandbox,
        launches=launches,
        cancelled=cancelled,
        slots=slots,
        retries=retries or RetryAllowance(),
        policy=policy or RunPolicy(),
        work=work,
    )
    return measuring.results()


class _Measuring:
    """The commands of one submission, each measured in these states, in this order, and in each at most once.

    | state | runs | is entered when |
    |---|---|---|
    | first | with our speed-up options, if it has any, and then with half of its time | always |
    | untuned | without these options | they may have decided the result before (`_options_may_matter`) |
    | unaccompanied | no other command of this submission runs | one did, and the result before is near a limit |
    | exclusive | no command of any worker runs | the result before is in doubt (`is_in_doubt`) |

    The last measurement counts, and all of them are reported. The states up to `unaccompanied` hold one slot. A state
    whose retries were in vain too often (`RetryAllowance`) is skipped: without `of_options` a submission begins
    untuned.
    """

    def __init__(
        self,
        *,
        sandbox: Sandbox,
        launches: Sequence[Launch],
        cancelled: Event,
        slots: WorkerSlots,
        retries: RetryAllowance,
        policy: RunPolicy,
        work: WorkBudget | None,
    ) -> None:
        self._sandbox, self._launches, self._cancelled = sandbox, launches, cancelled
        self._slots, self._retries, self._policy = slots, retries, policy
        self._work = work
        self._started: list[Launch] = []
        self._given: list[tuple[Launch, Launch]] = []
        """what ran first, as it was to run, and as the budget allowed it"""
        self._done: list[Measured] = []
        self._parallel = ParallelRuns(lambda: slots.abreast if retries.company else 1)

    def results(self) -> Generator[Measured, None, None]:
        """Yield the result of each command, in their order, until the policy says to stop."""
        if self._slots.abreast == 1:
            first_runs = execute_each(self._sandbox, self._queue(), self._cancelled)
        else:
            first_runs = _execute_parallel(self._sandbox, self._queue(), self._cancelled, self._parallel)
        with closing(first_runs):
            while (found := self._measure_next(first_runs)) is not None:
                self._done.append(found.bare if isinstance(found, Execution) else found)
                yield found
                del found  # what it wrote may be much
                if self._policy.should_stop(self._done):
                    return

    def _queue(self) -> Iterator[Launch]:
        """Yield the commands as they run first, until nothing is left for them."""
        for place, launch in enumerate(self._launches):
            if self._work and self._work.is_used_up():
                return
            self._started.append(_untuned(launch) if launch.argv_untuned and self._retries.of_options <= 0 else launch)
            wanted = _with_half_limits(self._started[-1])
            self._given.append((wanted, self._work.cap(wanted) if self._work else wanted))
            yield self._given[-1][1]
            self._policy.on_start(place)  # the next one is made ready now

    def _measure_next(self, first_runs: Iterator[Measured]) -> Measured | None:
        """Measure the next command in all states that it needs; None when there is no other."""
        place = len(self._done)
        with self._slots.shared():
            first = next(first_runs, None)
            if first is None:
                return self._work.refusal() if self._work and place < len(self._launches) else None
            if self._work and isinstance(first, Execution):
                first = or_failure(self._work.settle, *self._given[place], first)
            launch = self._started[place]
            runs = [replace(first, limits=launch.limits) if isinstance(first, Execution) else first]
            if isinstance(first, Execution) and launch.argv_untuned and _options_may_matter(launch, first):
                launch = _untuned(launch)
                runs.append(self._run_again(launch))
                self._retries.of_options -= _is_confirmed(first, runs[-1])
            is_near = not isinstance(runs[-1], Execution) or is_near_a_limit(runs[-1])
            self._retries.company = self._retries.company is not False and not is_near
            if is_near and self._parallel.had_company(place):
                self._parallel.settle()
                runs.append(self._run_again(launch))
        before = runs[-1]
        if isinstance(before, Execution) and self._needs_exclusive_run(before):
            self._parallel.settle()
            with self._slots.alone():
                runs.append(self._run_again(replace(launch, max_time_factor=_EXCLUSIVE_TIME_FACTOR)))
            self._retries.of_machine -= _is_confirmed(before, runs[-1])
        return _with_measurements(runs)

    def _run_again(self, launch: Launch) -> Measured:
        return or_failure(run_within, self._work, launch, self._execute)

    def _execute(self, launch: Launch) -> Execution:
        return execute(self._sandbox, launch, self._cancelled)

    def _needs_exclusive_run(self, found: Execution) -> bool:
        return is_in_doubt(found) and (found.is_inconclusive or self._retries.of_machine > 0)


def _untuned(launch: Launch) -> Launch:
    return replace(launch, argv=launch.argv_untuned, argv_untuned=())


def _with_half_limits(launch: Launch) -> Launch:
    """Return a command that is run again anyway if it takes much of a limit, with no more time than that."""
    if not launch.argv_untuned:
        return launch
    limits = launch.limits
    return replace(launch, limits=replace(limits, time=_TUNED_SHARE * limits.time, cpu=_TUNED_SHARE * limits.cpu))


def _is_confirmed(before: Execution, again: Measured) -> bool:
    """Whether a command was ended in both measurements, for the same reason."""
    if isinstance(again, HostError) or again.is_inconclusive:
        return False
    ends = [run.limit or run.signal or run.stop is not None for run in (before, again)]
    return bool(ends[0]) and ends[0] == ends[1]


def _options_may_matter(launch: Launch, execution: Execution) -> bool:
    """Whether a command took much of a limit, passed one, or ran out of memory or stack."""
    limits = launch.limits
    # A probe that calls functions reports exceptions in a file.
    output = b"\n".join((execution.complaints, *execution.files.values()))
    return (
        execution.limit is not None
        or execution.time - execution.waited > _TUNED_SHARE * limits.time
        or execution.cpu > _TUNED_SHARE * limits.cpu
        or any(re.search(pattern.encode(), output, re.MULTILINE) for pattern in launch.oom_patterns)
    )


def is_near_a_limit(execution: Execution) -> bool:
    """Whether a command took more than three quarters of a limit, was ended by one, or was waited for in vain."""
    limits = execution.limits
    return (
        execution.limit is not None
        or execution.cpu_starved
        or execution.killed_by_host
        or execution.signal in (signal.SIGKILL, signal.SIGXCPU)
        or (execution.stop is not None and not execution.stop.ended)
        or execution.time > _NEAR_LIMIT_SHARE * limits.time
        or execution.cpu > _NEAR_LIMIT_SHARE * limits.cpu
        or execution.memory > _NEAR_LIMIT_SHARE * limits.memory
        or max(len(execution.stdout), len(execution.stderr)) > _NEAR_LIMIT_SHARE * limits.output
    )


def is_in_doubt(execution: Execution) -> bool:
    """Whether the machine, rather than the command, may be the cause of how it ended."""
    limits, stop = execution.limits, execution.stop
    # It ended by itself, a little late.
    was_late = execution.limit in ("time", "cpu") and execution.signal is None
    # It was busy while a dialogue waited for it: it might have answered.
    was_busy = stop is not None and not stop.ended and not execution.asked and execution.limit is None
    # Not by us: by the kernel, which may have been short of memory for others; or by itself, and then it will again.
    was_killed = execution.signal == signal.SIGKILL and (
        execution.limit is None
        or (execution.limit == "cpu" and execution.cpu <= limits.cpu)
        or (execution.limit == "memory" and execution.memory <= limits.memory)
    )
    lacked_some = execution.is_inconclusive or execution.crowded
    return lacked_some or was_late or was_busy or was_killed or execution.memory_unconfirmed


def _with_measurements(runs: Sequence[Measured]) -> Measured:
    last = runs[-1]
    if len(runs) == 1 or isinstance(last, HostError):
        return last
    measured = (
        Measurement(time=run.time, cpu=run.cpu, waited=run.waited, limit=run.limit)
        for run in runs
        if isinstance(run, Execution)
    )
    return replace(last, measured=tuple(measured))


# ---------------------------------------------------------------- when the rest is left out


class TimeBudget:
    """How long the runs of one submission may still take together, in seconds.

    Time in which a run waited for a processor does not count. Of several measurements only the last counts.
    """

    def __init__(self, seconds: float, *, of_ended: bool = False) -> None:
        """Begin with all `seconds`; with `of_ended` only runs that a limit ended count."""
        self.seconds, self.of_ended, self._spent = seconds, of_ended, 0.0

    def charge(self, found: Measured) -> None:
        """Take off what a run took, when all measuring of it is done."""
        if isinstance(found, HostError) or is_in_doubt(found):
            return
        if found.limit is not None or not self.of_ended:
            self._spent += max(found.time - found.waited, 0.0)

    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self._spent > self.seconds


def budget_of(spec: Spec, toolchain: Toolchain) -> TimeBudget:
    """Return the whole budget of a submission; without one in the spec, only runs that a limit ended count."""
    if spec.budget is not None:
        return TimeBudget(spec.budget)
    return TimeBudget(max(_MIN_BUDGET_SECONDS, time_allowed(spec, toolchain) / 2), of_ended=True)


def why_skipped(patience: int | None, budget: TimeBudget | None) -> str:
    """Return the sentence that says why cases of a test were not run, with the key of the spec that decides it."""
    if budget is None or not budget.is_spent():
        cases = count(patience or 0, "case")
        return f"Not run, because {cases} in a row ran out of time (`patience: all` in the spec runs all)."
    if budget.of_ended:
        lost = f"the runs stopped before it took more than {seconds(budget.seconds)} in all"
        return f"Not run, because {lost} (`budget: all` in the spec runs all)."
    return (
        f"Not run, because the runs before it took more than {seconds(budget.seconds)} in all (`budget` in the spec)."
    )


def time_allowed(spec: Spec, toolchain: Toolchain) -> float:
    """Return how many seconds all runs of a submission may take together by their limits."""
    cases = (case for test in spec.tests for case in (test.cases[:1] if _is_one_run(test) else test.cases))
    return sum(limits_of(toolchain.limits, case.limits).time * case.runs for case in cases)


def _is_one_run(test: Test) -> bool:
    """Whether the limits of one case are those of all: a run that is divided has the limits of each."""
    kind = kind_of(test.cases[0])
    return kind.shares_run(test.cases[0]) and kind.shares_limits


class EarlyStop(Struct, frozen=True, kw_only=True):
    """When to stop running the cases of a test: after so many time-outs in a row, or when the budget is spent."""

    most: int | None
    """cases in a row that may time out; None when all cases are run"""
    launches: Sequence[Launch]
    cases: Sequence[str]
    """the case that each of the launches is a run of"""
    budget: TimeBudget | None = None
    """what is left for them, which the caller charges with each result; None for no bound"""

    def is_lost(self, done: Sequence[Measured]) -> bool:
        """Whether to leave out the rest after these results of the first launches.

        So it is when the budget is spent, or when every run of the last cases timed out for certain. A run that the
        machine may be to blame for is not certain. Where a case that is left has more time than these had, it may well
        end in time.
        """
        at = len(done)
        if at == len(self.cases) or self.cases[at] == self.cases[at - 1]:
            return False
        if self.budget and self.budget.is_spent():
            return True
        if self.most is None:
            return False
        last, places = set[str](), list[int]()
        for place in range(at - 1, -1, -1):  # not all of them each time: the runs of a case are beside one another
            if self.cases[place] not in last and len(last) == self.most:
                break
            last.add(self.cases[place])
            places.append(place)
        time = max(self.launches[place].limits.time for place in places)
        cpu = max(self.launches[place].limits.cpu for place in places)
        return (
            len(last) == self.most
            and all(_timed_out(done[place]) for place in places)
            and all(left.limits.time <= time and left.limits.cpu <= cpu for left in self.launches[at:])
        )


def _timed_out(found: Measured) -> bool:
    return isinstance(found, Execution) and found.limit in ("time", "cpu") and not is_in_doubt(found)
