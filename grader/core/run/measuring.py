"""Measuring the commands of one submission: which run at a time, which run again, and what time is left for them.

Many submissions share the machine; a measurement on which a verdict depends has the machine to itself. A submission
that uses up its student's time for runs loses points; once it has used up the machine's, the rest is ungraded.
"""

import math
import re
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from threading import BoundedSemaphore, Event, Lock

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.kind import KINDS
from grader.core.model.execution import Execution, Launch, Measurement, Runner
from grader.core.model.spec import Spec, Toolchain
from grader.core.run.process import SandboxedProcess
from grader.core.run.runner import execute, limits_of, run_all_passes
from grader.core.run.start import begin, make_ready, or_failure, start_program
from grader.core.sandbox.command import Sandbox
from grader.core.text import count, duration, seconds
from grader.core.threads import ThreadTask

Measured = Execution | HostError  # what a command did, or why we could not run it
_NEAR_LIMIT_SHARE = 0.75  # up to this share of a limit nothing else decides whether it is met
TUNED_SHARE = 0.5  # up to this share of a limit a run with our speed-up options counts
START_WORK_SECONDS = 30.0  # for what no limit covers: starts of sandboxes, a trial start after a build
MIN_WORK_SECONDS, MAX_WORK_SECONDS = 60.0, 3600.0
"""of a budget that follows from the spec; only limits that allow more than the upper one by themselves pass it"""
RUN_FACTOR = 3
"""how often the limits of a run: a run near its limit is measured again, and a wrong one may be explained by others"""
_MIN_RUN_SECONDS = 0.1  # with less, nothing is started any more
_MIN_BUDGET_SECONDS = 300.0  # for all runs together that a limit ended, where a spec states no budget
_MAX_VAIN_RETRIES = 3  # per submission: measurements that are repeated and end the same way
_EXCLUSIVE_TIME_FACTOR = 10.0
"""how many times its time limit a command may take while it waits for a processor, when it has the machine to itself"""


# ---------------------------------------------------------------- whether a measurement decides


def is_near_a_limit(run: Measured) -> bool:
    """Whether a command used over three quarters of a limit, was ended by one, or did not answer in time."""
    if isinstance(run, HostError):
        return True
    limits = run.limits
    used = {name: getattr(run, name) for name in ("time", "cpu", "memory")}
    used["output"] = max(len(run.stdout), len(run.stderr))
    return (
        run.limit is not None
        or run.is_inconclusive
        or run.signal in {signal.SIGKILL, signal.SIGXCPU}
        or (run.stop is not None and not run.stop.ended)
        or any(amount > _NEAR_LIMIT_SHARE * getattr(limits, name) for name, amount in used.items())
    )


def is_in_doubt(run: Execution) -> bool:
    """Whether the machine, rather than the command, may be the cause of how it ended."""
    limit, limits, stop = run.limit, run.limits, run.stop
    # It ended by itself, a little late.
    was_late = limit in {"time", "cpu"} and run.signal is None
    # It was busy while a dialogue waited for it: it might have answered.
    was_busy = stop is not None and not stop.ended and not run.asked and limit is None
    # Not by us: by the kernel, which may have been short of memory for others; or by itself, and then it will again.
    was_killed = run.signal == signal.SIGKILL and (
        limit is None or (limit in {"cpu", "memory"} and getattr(run, limit) <= getattr(limits, limit))
    )
    return bool(run.doubts) or was_late or was_busy or was_killed


def options_may_matter(launch: Launch, run: Execution) -> bool:
    """Whether a command took much of a limit, passed one, or ran out of memory or stack."""
    # A probe that calls functions reports exceptions in a file.
    output = b"\n".join((run.complaints, *run.files.values()))
    return (
        run.limit is not None
        or run.time - run.waited > TUNED_SHARE * launch.limits.time
        or run.cpu > TUNED_SHARE * launch.limits.cpu
        or any(re.search(pattern.encode(), output, re.MULTILINE) for pattern in launch.oom_patterns)
    )


def is_confirmed(before: Execution, again: Measured) -> bool:
    """Whether a command was ended in both measurements, for the same reason."""
    if isinstance(again, HostError) or again.is_inconclusive:
        return False
    ends = [run.limit or run.signal or run.stop is not None for run in (before, again)]
    return bool(ends[0]) and ends[0] == ends[1]


# ---------------------------------------------------------------- what time is left


class TimeLedger:
    """The seconds that one submission may still take. Time in which a command waited for a processor does not count."""

    def __init__(self, work: float = math.inf, budget: float = math.inf, *, of_ended: bool = False) -> None:
        """Begin with so many seconds for all commands, and for the runs; with `of_ended` only those a limit ended."""
        self.work, self.budget, self.of_ended = work, budget, of_ended
        self._worked = self._spent = 0.0

    @classmethod
    def of(cls, spec: Spec, toolchain: Toolchain, work: float = math.inf) -> "TimeLedger":
        """Begin with the budget of a spec; where it has none, only runs that a limit ended count."""
        usual = max(_MIN_BUDGET_SECONDS, time_allowed(spec, toolchain) / 2)
        return cls(work, usual if spec.budget is None else spec.budget, of_ended=spec.budget is None)

    # -- the budget of the runs

    def charge_run(self, run: Measured) -> None:
        """Subtract the time of a run once all its measurements are done; the last measurement counts."""
        if isinstance(run, Execution) and not is_in_doubt(run) and (run.limit or not self.of_ended):
            self._spent += max(run.time - run.waited, 0.0)

    def is_spent(self) -> bool:
        """Whether nothing is left for further runs."""
        return self._spent > self.budget

    def why_skipped(self, patience: int | None) -> str:
        """Say why cases of a test were not run, with the key of the spec that decides it."""
        if not self.is_spent():
            cases = count(patience or 0, "case")
            return f"Not run, because {cases} in a row ran out of time (`patience: all` in the spec runs all)."
        took = f"took more than {seconds(self.budget)} in all"
        if self.of_ended:
            return f"Not run, because the runs stopped before it {took} (`budget: all` in the spec runs all)."
        return f"Not run, because the runs before it {took} (`budget` in the spec)."

    # -- the work of the machine

    @property
    def work_left(self) -> float:
        """The seconds that are left for commands."""
        return max(0.0, self.work - self._worked)

    def is_used_up(self) -> bool:
        """Whether no further command is started."""
        return self.work_left < _MIN_RUN_SECONDS

    def refusal(self) -> HostError:
        """Return why no further command is started."""
        return HostError(
            f"the builds and runs of this submission have used up its {duration(self.work)} of the machine's time; "
            "look at what took so long, and grade it again with a larger --budget if that is fair"
        )

    def cap(self, launch: Launch) -> Launch:
        """Return a launch with no more time than is left. Raises HostError when nothing is."""
        if self.is_used_up():
            raise self.refusal()
        limits, rest = launch.limits, self.work_left
        return replace(launch, limits=replace(limits, time=rest)) if limits.time > rest else launch

    def charge(self, taken: float) -> None:
        """Charge seconds that passed for the submission."""
        self._worked += taken

    def settle(self, launch: Launch, given: Launch, run: Execution) -> Execution:
        """Charge what a launch took; return it with its own limits. Raises HostError if those `given` ended it."""
        self.charge(max(run.time - run.waited, 0.0))
        if given.limits == launch.limits:
            return run
        if run.limit == "time" or "cpu_starved" in run.doubts or (run.stop is not None and not run.stop.ended):
            self._worked = self.work
            raise self.refusal()
        return replace(run, limits=launch.limits)

    def run(self, launch: Launch, run: Runner) -> Execution:
        """Run a command in no more time than is left, and charge it. Raises as `run` does, and when nothing is left."""
        given = self.cap(launch)
        return self.settle(launch, given, run(given))


def default_work_seconds(spec: Spec, toolchain: Toolchain) -> float:
    """Return how long a worker is busy with one submission at most, where nobody says how long."""
    runs = time_allowed(spec, toolchain)
    limits = [(case, limits_of(toolchain.limits, case.limits)) for test in spec.tests for case in test.cases]
    build_limits = limits_of(toolchain.build_limits, spec.build.limits if spec.build else {})
    further = sum(case.runs * rule.further_seconds(own) for case, own in limits for rule in case.also.values())
    further += sum(own.time for case, own in limits if KINDS[case.kind].invert)  # a pass may be run once more, as long
    builds = build_limits.time if spec.build or spec.notebook else 0.0
    return usual_work(builds, runs, further)


def usual_work(builds: float, runs: float, further: float) -> float:
    """Return the seconds for a submission whose limits allow so much for builds, for runs, and for further runs."""
    by_limits = START_WORK_SECONDS + builds + RUN_FACTOR * runs + further
    return max(MIN_WORK_SECONDS, builds + runs, min(by_limits, MAX_WORK_SECONDS))


def time_allowed(spec: Spec, toolchain: Toolchain) -> float:
    """Return how many seconds all runs of a submission may take together by their limits."""
    parts = (test.cases[:1] if (one := test.cases[0].payload) and one.shares_run else test.cases for test in spec.tests)
    return sum(limits_of(toolchain.limits, case.limits).time * case.runs for cases in parts for case in cases)


# ---------------------------------------------------------------- measuring, and measuring again


class WorkerSlots:
    """Slots for workers: each worker holds one while it measures, and may ask for all of them."""

    def __init__(self, places: int, abreast: int = 1) -> None:
        """Make `places` slots; a single worker may run so many cases `abreast`, and has as many slots."""
        self.abreast, self._places = (abreast, abreast) if places == 1 else (1, places)
        self._free, self._asking = BoundedSemaphore(self._places), Lock()

    @contextmanager
    def _held(self, number: int) -> Iterator[None]:
        with ExitStack() as held:
            with self._asking:  # two workers that each hold a part would wait for each other for ever
                for _ in range(number):
                    held.enter_context(self._free)
            yield

    def shared(self) -> AbstractContextManager[None]:
        """Hold one slot, behind any worker that waits for all of them."""
        return self._held(1)

    def alone(self) -> AbstractContextManager[None]:
        """Hold every slot, so that no other worker runs a command. The caller must hold none."""
        return self._held(self._places)


class RetryAllowance:
    """How many more retries of a submission may end the same way as the measurement that they repeat.

    Then it runs without our options from the start, and only an inconclusive measurement is repeated.
    """

    def __init__(self, *, tuned: bool = True) -> None:
        """Begin with the full allowance, and with one case at a time; without our options unless `tuned`."""
        self.of_options, self.of_machine = _MAX_VAIN_RETRIES if tuned else 0, _MAX_VAIN_RETRIES
        self.company: bool | None = None
        """whether its cases run in parallel; None until one was seen to be far from its limits"""


def measure_each(
    sandbox: Sandbox,
    launches: Sequence[Launch],
    cancelled: Event,
    slots: WorkerSlots,
    retries: RetryAllowance | None = None,
    *,
    on_start: Callable[[int], None] = lambda _: None,
    work: TimeLedger | None = None,
) -> Generator[Measured, None, None]:
    """Run the commands along with other workers, as long as `work` lasts; hold no slot while the caller works.

    A failure of ours makes one case ungraded, not all. `on_start` is called with the place of each command that starts.
    """
    retries, work = retries or RetryAllowance(), work or TimeLedger()
    return _Measuring(sandbox, launches, cancelled, slots, retries, on_start, work).results()


class _Measuring(Struct):
    """The commands of one submission, each measured in these states, in this order, and in each at most once.

    | state | runs | is entered when |
    |---|---|---|
    | first | with our speed-up options, if it has any | always |
    | untuned | without these options | they may have decided the result before (`options_may_matter`) |
    | unaccompanied | no other command of this submission runs | one did, and the result before is near a limit |
    | exclusive | no command of any worker runs | the result before is in doubt (`is_in_doubt`) |

    The last measurement counts, and all of them are reported. A state whose retries were in vain too often is skipped.
    """

    sandbox: Sandbox
    launches: Sequence[Launch]
    cancelled: Event
    slots: WorkerSlots
    retries: RetryAllowance
    on_start: Callable[[int], None]
    work: TimeLedger
    started: list[tuple[Launch, Launch]] = field(default_factory=list)
    """what ran first: as it is measured, and as the work that is left allowed it"""
    ahead: SandboxedProcess | HostError | Launch | None = None  # the next one, whose sandbox comes up meanwhile
    running: deque[ThreadTask[Measured]] = field(default_factory=deque)
    accompanied: set[int] = field(default_factory=set)  # the places of those that overlapped with another

    def results(self) -> Generator[Measured, None, None]:
        """Yield the result of each command, in their order."""
        try:
            for place in range(len(self.launches)):
                yield self._measure(place)
        except KeyboardInterrupt:
            self.cancelled.set()
            raise
        finally:
            self._settle()
            if isinstance(self.ahead, SandboxedProcess):
                self.ahead.close()

    def _measure(self, place: int) -> Measured:
        """Measure the next command in all states that it needs."""
        with self.slots.shared():
            first = self._first_run()
            if first is None:
                return self.work.refusal()
            launch, given = self.started[place]
            if isinstance(first, Execution):
                first = or_failure(self.work.settle, launch, given, first)
            runs = [first]
            if launch.argv_untuned and isinstance(first, Execution) and options_may_matter(launch, first):
                launch = _untuned(launch)
                self.retries.of_options -= self._run_again(runs, launch)
            is_near = is_near_a_limit(runs[-1])
            self.retries.company = self.retries.company is not False and not is_near
            if is_near and place in self.accompanied:
                self._settle()
                self._run_again(runs, launch)
        last = runs[-1]
        if isinstance(last, Execution) and is_in_doubt(last) and (last.is_inconclusive or self.retries.of_machine > 0):
            self._settle()
            with self.slots.alone():
                exclusive = replace(launch, max_time_factor=_EXCLUSIVE_TIME_FACTOR)
                self.retries.of_machine -= self._run_again(runs, exclusive)
        if len(runs) == 1 or isinstance(runs[-1], HostError):
            return runs[-1]
        took = (run for run in runs if isinstance(run, Execution))
        measured = (Measurement(time=run.time, cpu=run.cpu, waited=run.waited, limit=run.limit) for run in took)
        return replace(runs[-1], measured=tuple(measured))

    def _first_run(self) -> Measured | None:
        """Return the first result of the next command, run beside others where it may; None when the time is spent."""
        while True:
            self.ahead = self.ahead or self._start_next()
            is_alone = not self.retries.company or self.launches[0].kept
            if self.ahead and len(self.running) < (1 if is_alone else self.slots.abreast):
                self.running.append(ThreadTask(partial(self._run, self.ahead)))
                self.ahead, end = None, len(self.started)
                if len(self.running) > 1:
                    self.accompanied.update(range(end - len(self.running), end))
                self.on_start(end - 1)
                continue
            if isinstance(self.ahead, SandboxedProcess):
                make_ready(self.ahead)
            if not self.running:
                return None
            first = self.running[0].result()  # it stays there: interrupted, we wait for its end
            self.running.popleft()
            return first

    def _start_next(self) -> SandboxedProcess | HostError | Launch | None:
        """Start the next one's sandbox; those that begin alike have one by turns."""
        if len(self.started) == len(self.launches) or self.work.is_used_up():
            return None
        launch = self.launches[len(self.started)]
        launch = launch if self.retries.of_options > 0 else _untuned(launch)
        given = self.work.cap(launch)
        self.started.append((launch, given))
        return given if given.preload else or_failure(start_program, self.sandbox, given, self.cancelled)

    def _run(self, ahead: SandboxedProcess | HostError | Launch) -> Measured:
        if isinstance(ahead, SandboxedProcess):
            return or_failure(lambda: run_all_passes(self.sandbox, begin(ahead), self.cancelled))
        return ahead if isinstance(ahead, HostError) else or_failure(execute, self.sandbox, ahead, self.cancelled)

    def _settle(self) -> None:
        """Wait until no command runs; no other starts before the next one is measured."""
        for task in self.running:
            task.join()

    def _run_again(self, runs: list[Measured], launch: Launch) -> bool:
        """Add one more measurement to the `runs`; return whether it confirms the one before."""
        before = runs[-1]
        runs.append(or_failure(self.work.run, launch, lambda given: execute(self.sandbox, given, self.cancelled)))
        return isinstance(before, Execution) and is_confirmed(before, runs[-1])


def _untuned(launch: Launch) -> Launch:
    return replace(launch, argv=launch.argv_untuned, argv_untuned=()) if launch.argv_untuned else launch
