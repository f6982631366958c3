"""How long a worker may be busy with one submission: the sum of the time of all that is started for it.

The budget of a spec (`TimeBudget`) is a rule for students: a program that uses it up loses points. This one protects
the machine. It counts every command in the sandbox: builds, trial starts, runs, measurements that are repeated, runs
for explanations, watched runs, and the reading of a report of many tests. Once it is used up, the rest is ungraded,
since nobody knows what it would show.
"""

from threading import Lock

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.text import duration, seconds

START_WORK_SECONDS = 30.0
"""for all that the limits do not tell of: starts of sandboxes, a trial start after a build"""
MIN_WORK_SECONDS, MAX_WORK_SECONDS = 60.0, 3600.0
"""of a budget that follows from the spec; only limits that allow more than the upper one by themselves pass it"""
RUN_FACTOR = 3
"""how often the limits of a run: a run near its limit is measured again, and a wrong one may be explained by others"""
_MIN_RUN_SECONDS = 0.1
"""with less, nothing is started any more"""
_SHOWN_IN_MINUTES = 100.0


class WorkBudget:
    """The seconds that the commands of one submission may still take together.

    The time that a command waited for a processor does not count, since others took it.
    """

    def __init__(self, allowed: float) -> None:
        """Begin with all the seconds that are `allowed`."""
        self.allowed, self._spent, self._lock = allowed, 0.0, Lock()

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.allowed - self._spent)

    def is_used_up(self) -> bool:
        """Whether nothing more is started."""
        return self.left < _MIN_RUN_SECONDS

    def refusal(self) -> HostError:
        """Return why nothing more is started."""
        allowed = duration(self.allowed) if self.allowed >= _SHOWN_IN_MINUTES else seconds(self.allowed)
        return HostError(
            f"the builds and runs of this submission have used up its {allowed} of the machine's time; look at what "
            "took so long, and grade it again with a larger --budget if that is fair"
        )

    def cap(self, launch: Launch) -> Launch:
        """Return a launch with no more time than is left. Raises HostError when nothing is."""
        if self.is_used_up():
            raise self.refusal()
        limits = launch.limits
        return replace(launch, limits=replace(limits, time=self.left)) if limits.time > self.left else launch

    def charge(self, taken: float) -> None:
        """Charge seconds that passed for the submission."""
        with self._lock:
            self._spent += taken

    def settle(self, launch: Launch, given: Launch, found: Execution) -> Execution:
        """Charge what a launch took that was `given` so much, and return it with its own limits.

        Raises HostError when it was ended for want of budget, so that nobody knows how it would have ended.
        """
        self.charge(max(found.time - found.waited, 0.0))
        if given.limits == launch.limits:
            return found
        if found.limit == "time" or found.cpu_starved or (found.stop is not None and not found.stop.ended):
            with self._lock:
                self._spent = self.allowed
            raise self.refusal()
        return replace(found, limits=launch.limits)


def run_within(budget: WorkBudget | None, launch: Launch, run: Runner) -> Execution:
    """Run a command in no more time than is left, and charge it. Raises as `run` does, and as the budget does."""
    if budget is None:
        return run(launch)
    given = budget.cap(launch)
    return budget.settle(launch, given, run(given))


def usual_work_budget(builds: float, runs: float, further: float) -> float:
    """Return the seconds for a submission whose limits allow so much for builds, for runs, and for further runs."""
    by_limits = START_WORK_SECONDS + builds + RUN_FACTOR * runs + further
    return max(MIN_WORK_SECONDS, builds + runs, min(by_limits, MAX_WORK_SECONDS))
