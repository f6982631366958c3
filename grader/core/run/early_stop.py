"""How long a submission is run at all: until too many cases in a row, or too long a time, are lost on it."""

from collections.abc import Sequence

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.model import Execution, Launch, Spec, Toolchain
from grader.core.run.launch import limits_of
from grader.core.run.runner import is_in_doubt
from grader.core.text import count, seconds

_MIN_BUDGET = 300.0
"""seconds that runs which a limit ended may take together, where a spec does not say how long all may"""


class TimeBudget:
    """How long the runs of one submission may still take together, each the time that it took by itself.

    Waiting for a processor does not count, nor that we measure something again: of several measurements the last does.
    """

    def __init__(self, seconds: float, *, of_ended: bool = False) -> None:
        """Begin with all `seconds`; those `of_ended` are for runs that a limit ended, and no other run counts."""
        self.seconds, self.of_ended, self._spent = seconds, of_ended, 0.0

    def charge(self, found: Execution | HostError) -> None:
        """Take off what a run took, when all measuring of it is done."""
        if isinstance(found, HostError) or is_in_doubt(found):
            return
        if found.limit is not None or not self.of_ended:
            self._spent += max(found.time - found.waited, 0.0)

    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self._spent > self.seconds


def budget_of(spec: Spec, toolchain: Toolchain) -> TimeBudget:
    """Return the whole budget of a submission. Without one in the spec, who keeps the limits never meets it."""
    if spec.budget is not None:
        return TimeBudget(spec.budget)
    return TimeBudget(max(_MIN_BUDGET, time_allowed(spec, toolchain) / 2), of_ended=True)


def why_skipped(patience: int | None, budget: TimeBudget | None) -> str:
    """Say why cases of a test were not run any more, and which key of the spec that follows."""
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
    cases = [case for test in spec.tests for case in test.cases]
    return sum(limits_of(toolchain.limits, case.limits).time * case.runs for case in cases)


class EarlyStop(Struct, frozen=True, kw_only=True):
    """With how many cases in a row, of the commands to which they belong, and for how long."""

    most: int | None
    """None when all are run"""
    launches: Sequence[Launch]
    cases: Sequence[str]
    """the case that each of the launches is a run of"""
    budget: TimeBudget | None = None
    """what is left for them, each of those that are done being charged; None for as long as it takes"""

    def is_lost(self, done: Sequence[Execution | HostError]) -> bool:
        """Whether after these executions, of the first launches, the others are not to be run.

        So it is when the budget is spent, or every run of the last cases surely ran out of time. One that the machine
        may be to blame for is none of these, and where a case that is left has more time than they had, it may well
        end within that.
        """
        at = len(done)
        if at == len(self.cases) or self.cases[at] == self.cases[at - 1]:
            return False
        if self.budget and self.budget.is_spent():
            return True
        if self.most is None:
            return False
        last = tuple(dict.fromkeys(self.cases[:at]))[-self.most :]
        places = [place for place in range(at) if self.cases[place] in last]
        time = max(self.launches[place].limits.time for place in places)
        cpu = max(self.launches[place].limits.cpu for place in places)
        return (
            len(last) == self.most
            and all(_ran_out_of_time(done[place]) for place in places)
            and all(left.limits.time <= time and left.limits.cpu <= cpu for left in self.launches[at:])
        )


def _ran_out_of_time(found: Execution | HostError) -> bool:
    return isinstance(found, Execution) and found.limit in ("time", "cpu") and not is_in_doubt(found)
