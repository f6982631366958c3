"""What is left for one submission: of a student's time for its runs, and of the machine's for all that is started.

A program that uses up the first loses points; when the second is used up, the rest is ungraded.
"""

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.spec import Case, Spec
from grader.core.model.toolchain import Toolchain
from grader.core.run.doubts import Measured, is_in_doubt
from grader.core.run.launch import limits_of
from grader.core.text import count, duration, seconds

START_WORK_SECONDS = 30.0
"""for all that the limits do not tell of: starts of sandboxes, a trial start after a build"""
MIN_WORK_SECONDS, MAX_WORK_SECONDS = 60.0, 3600.0
"""of a budget that follows from the spec; only limits that allow more than the upper one by themselves pass it"""
RUN_FACTOR = 3
"""how often the limits of a run: a run near its limit is measured again, and a wrong one may be explained by others"""
_MIN_RUN_SECONDS = 0.1
"""with less, nothing is started any more"""
_MIN_BUDGET_SECONDS = 300.0
"""for all runs together that a limit ended, where a spec states no budget"""


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

    def charge_run(self, found: Measured) -> None:
        """Take off what a run took, when all measuring of it is done: of several measurements, the last one's time."""
        if isinstance(found, Execution) and not is_in_doubt(found) and (found.limit or not self.of_ended):
            self._spent += max(found.time - found.waited, 0.0)

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
        """Whether nothing more is started."""
        return self.work_left < _MIN_RUN_SECONDS

    def refusal(self) -> HostError:
        """Return why nothing more is started."""
        return HostError(
            f"the builds and runs of this submission have used up its {duration(self.work)} of the machine's time; "
            "look at what took so long, and grade it again with a larger --budget if that is fair"
        )

    def cap(self, launch: Launch) -> Launch:
        """Return a launch with no more time than is left. Raises HostError when nothing is."""
        if self.is_used_up():
            raise self.refusal()
        limits, left = launch.limits, self.work_left
        return replace(launch, limits=replace(limits, time=left)) if limits.time > left else launch

    def charge(self, taken: float) -> None:
        """Charge seconds that passed for the submission."""
        self._worked += taken

    def settle(self, launch: Launch, given: Launch, found: Execution) -> Execution:
        """Charge what a launch took; return it with its own limits. Raises HostError if those `given` ended it."""
        self.charge(max(found.time - found.waited, 0.0))
        if given.limits == launch.limits:
            return found
        if found.limit == "time" or "cpu_starved" in found.doubts or (found.stop is not None and not found.stop.ended):
            self._worked = self.work
            raise self.refusal()
        return replace(found, limits=launch.limits)

    def run(self, launch: Launch, run: Runner) -> Execution:
        """Run a command in no more time than is left, and charge it. Raises as `run` does, and when nothing is left."""
        given = self.cap(launch)
        return self.settle(launch, given, run(given))


def usual_work(builds: float, runs: float, further: float) -> float:
    """Return the seconds for a submission whose limits allow so much for builds, for runs, and for further runs."""
    by_limits = START_WORK_SECONDS + builds + RUN_FACTOR * runs + further
    return max(MIN_WORK_SECONDS, builds + runs, min(by_limits, MAX_WORK_SECONDS))


def time_allowed(spec: Spec, toolchain: Toolchain) -> float:
    """Return how many seconds all runs of a submission may take together by their limits."""

    def with_limits(first: Case, *more: Case) -> tuple[Case, ...]:
        return (first,) if first.payload and first.payload.shares_run else (first, *more)

    cases = (case for test in spec.tests for case in with_limits(*test.cases))
    return sum(limits_of(toolchain.limits, case.limits).time * case.runs for case in cases)


class EarlyStop(Struct, frozen=True, kw_only=True):
    """When to stop running the cases of a test: after so many time-outs in a row, or when the budget is spent."""

    most: int | None
    """cases in a row that may time out; None when all cases are run"""
    launches: Sequence[Launch]
    cases: Sequence[str]
    """the case that each of the launches is a run of"""
    ledger: TimeLedger | None = None
    """what is left for them, which the caller charges with each result; None for no bound"""

    def is_lost(self, done: Sequence[Measured]) -> bool:
        """Whether to leave out the rest: nothing is left, or the last cases timed out and no other has more time."""
        at = len(done)
        if at == len(self.cases) or self.cases[at] == self.cases[at - 1]:
            return False
        if self.ledger and self.ledger.is_spent():
            return True
        if self.most is None:
            return False
        last = list(dict.fromkeys(reversed(self.cases[:at])))[: self.most]
        if len(last) < self.most:
            return False
        first = self.cases.index(last[-1])
        had = [launch.limits for launch in self.launches[first:at]]
        time, cpu = max(limits.time for limits in had), max(limits.cpu for limits in had)
        left = (launch.limits for launch in self.launches[at:])
        is_lost = all(
            isinstance(one, Execution) and not is_in_doubt(one) and one.limit in {"time", "cpu"} for one in done[first:]
        )
        return is_lost and all(limits.time <= time and limits.cpu <= cpu for limits in left)
