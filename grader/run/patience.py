"""When the rest of a test is not run any more: several of its cases in a row ran out of time."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.errors import HostError
from grader.model import Execution, Launch
from grader.run.runner import is_in_doubt


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """With how many cases in a row, of the commands to which they belong."""

    most: int | None
    """None when all are run"""
    launches: Sequence[Launch]
    cases: Sequence[str]
    """the case that each of the launches is a run of"""

    def is_lost(self, done: Sequence[Execution | HostError]) -> bool:
        """Whether after these executions, of the first launches, the others are not to be run.

        So it is when every run of the last cases surely ran out of time. One that the machine may be to blame for is
        none of these, and where a case that is left has more time than they had, it may well end within that.
        """
        at = len(done)
        if self.most is None or at == len(self.cases) or self.cases[at] == self.cases[at - 1]:
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
