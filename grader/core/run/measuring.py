"""Measuring the commands of one submission: which run at the same time, and which run again.

Many submissions share the machine; a measurement on which a verdict depends has the machine to itself.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import partial
from threading import BoundedSemaphore, Event, Lock

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, Measurement
from grader.core.run.doubts import Measured, is_confirmed, is_in_doubt, is_near_a_limit, options_may_matter
from grader.core.run.ledger import TimeLedger
from grader.core.run.process import SandboxedProcess
from grader.core.run.runner import execute, run_all_passes
from grader.core.run.start import begin, make_ready, or_failure, start_program
from grader.core.sandbox.interface import Sandbox
from grader.core.threads import ThreadTask

_MAX_VAIN_RETRIES = 3
"""per submission: measurements that are repeated and end the same way"""
_EXCLUSIVE_TIME_FACTOR = 10.0
"""how many times its time limit a command may take while it waits for a processor, when it has the machine to itself"""


class WorkerSlots:
    """Slots for workers: each worker holds one while it measures, and may ask for all of them."""

    def __init__(self, places: int, abreast: int = 1) -> None:
        """Make `places` slots; a single worker may run so many cases `abreast`."""
        self.abreast = abreast if places == 1 else 1
        self._places, self._free, self._asking = places, BoundedSemaphore(places), Lock()

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
    """How many retries of a submission may still be in vain, since each ended the same way as what it repeated.

    Then it runs without our options from the start, and only an inconclusive measurement is repeated.
    """

    def __init__(self, *, tuned: bool = True) -> None:
        """Begin with the full allowance, and with one case at a time; without our options unless `tuned`."""
        self.of_options, self.of_machine = _MAX_VAIN_RETRIES if tuned else 0, _MAX_VAIN_RETRIES
        self.company: bool | None = None
        """whether its cases run in parallel; None until one was seen to be far from its limits"""


class Runs:
    """Commands that run one after the other, or some at a time; the next one's sandbox comes up meanwhile."""

    def __init__(self, sandbox: Sandbox, cancelled: Event, max_parallel: Callable[[], int] = lambda: 1) -> None:
        """Start with no command; `max_parallel` is called whenever one more could start."""
        self._sandbox, self._cancelled, self._max_parallel = sandbox, cancelled, max_parallel
        self._running: deque[ThreadTask[Measured]] = deque()
        self.accompanied = set[int]()
        """the places of those that overlapped with another"""

    def each(self, launches: Iterable[Launch]) -> Generator[Measured, None, None]:
        """Yield what each command did, in their order; a failure of ours makes one case ungraded, not all."""
        pending = map(self._start, launches)
        ahead, started = next(pending, None), 0
        try:
            while ahead is not None or self._running:
                if ahead is not None and len(self._running) < self._max_parallel():
                    self._running.append(ThreadTask(partial(self._run, ahead)))
                    started += 1
                    if len(self._running) > 1:
                        self.accompanied.update(range(started - len(self._running), started))
                    ahead = next(pending, None)
                    continue
                if isinstance(ahead, SandboxedProcess):
                    make_ready(ahead)
                found = self._running[0].result()  # it stays there: interrupted, we wait for its end
                self._running.popleft()
                yield found
        except KeyboardInterrupt:
            self._cancelled.set()
            raise
        finally:
            self.settle()
            if isinstance(ahead, SandboxedProcess):
                ahead.close()

    def settle(self) -> None:
        """Wait until no command runs; no other starts before `each` continues."""
        for task in self._running:
            task.join()

    def _start(self, launch: Launch) -> SandboxedProcess | HostError | Launch:
        """Start the next one's sandbox; those that begin alike have one by turns."""
        return launch if launch.preload else or_failure(start_program, self._sandbox, launch, self._cancelled)

    def _run(self, ahead: SandboxedProcess | HostError | Launch) -> Measured:
        if isinstance(ahead, SandboxedProcess):
            return or_failure(lambda: run_all_passes(self._sandbox, begin(ahead), self._cancelled))
        return ahead if isinstance(ahead, HostError) else or_failure(execute, self._sandbox, ahead, self._cancelled)


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
    work: TimeLedger | None = None,
) -> Generator[Measured, None, None]:
    """Run the commands along with other workers, as long as `work` lasts; hold no slot while the caller works."""
    retries, work = retries or RetryAllowance(), work or TimeLedger()
    return _Measuring(sandbox, launches, cancelled, slots, retries, policy or RunPolicy(), work).results()


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
    policy: RunPolicy
    work: TimeLedger
    started: list[tuple[Launch, Launch]] = field(default_factory=list)
    """what ran first: as it is measured, and as the work that is left allowed it"""
    done: list[Measured] = field(default_factory=list)

    def results(self) -> Generator[Measured, None, None]:
        """Yield the result of each command, in their order, until the policy says to stop."""
        runs = Runs(self.sandbox, self.cancelled, lambda: self.slots.abreast if self.retries.company else 1)
        with closing(runs.each(self._queue())) as first_runs:
            while (found := self._measure_next(first_runs, runs)) is not None:
                self.done.append(found.bare if isinstance(found, Execution) else found)
                yield found
                del found  # what it wrote may be much
                if self.policy.should_stop(self.done):
                    return

    def _queue(self) -> Iterator[Launch]:
        """Yield the commands as they run first, until nothing is left for them."""
        for place, launch in enumerate(self.launches):
            if self.work.is_used_up():
                return
            first = launch if self.retries.of_options > 0 else _untuned(launch)
            self.started.append((first, self.work.cap(first)))
            yield self.started[-1][1]
            self.policy.on_start(place)  # the next one is made ready now

    def _measure_next(self, first_runs: Iterator[Measured], parallel: Runs) -> Measured | None:
        """Measure the next command in all states that it needs; None when there is no other."""
        place = len(self.done)
        with self.slots.shared():
            found = next(first_runs, None)
            if found is None:
                return self.work.refusal() if place < len(self.launches) else None
            launch, given = self.started[place]
            if isinstance(found, Execution):
                found = or_failure(self.work.settle, launch, given, found)
            runs = [found]
            if launch.argv_untuned and isinstance(found, Execution) and options_may_matter(launch, found):
                launch = _untuned(launch)
                self.retries.of_options -= self._run_again(runs, launch)
            is_near = is_near_a_limit(runs[-1])
            self.retries.company = self.retries.company is not False and not is_near
            if is_near and place in parallel.accompanied:
                parallel.settle()
                self._run_again(runs, launch)
        last = runs[-1]
        if isinstance(last, Execution) and is_in_doubt(last) and (last.is_inconclusive or self.retries.of_machine > 0):
            parallel.settle()
            with self.slots.alone():
                exclusive = replace(launch, max_time_factor=_EXCLUSIVE_TIME_FACTOR)
                self.retries.of_machine -= self._run_again(runs, exclusive)
        if len(runs) == 1 or isinstance(runs[-1], HostError):
            return runs[-1]
        took = (one for one in runs if isinstance(one, Execution))
        measured = (Measurement(time=one.time, cpu=one.cpu, waited=one.waited, limit=one.limit) for one in took)
        return replace(runs[-1], measured=tuple(measured))

    def _run_again(self, runs: list[Measured], launch: Launch) -> bool:
        """Add one more measurement to the `runs`; return whether it confirms the one before."""
        before = runs[-1]
        runs.append(or_failure(self.work.run, launch, lambda given: execute(self.sandbox, given, self.cancelled)))
        return isinstance(before, Execution) and is_confirmed(before, runs[-1])


def _untuned(launch: Launch) -> Launch:
    return replace(launch, argv=launch.argv_untuned, argv_untuned=()) if launch.argv_untuned else launch
