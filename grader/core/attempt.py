"""One submission as it is graded: the course as it is for it, what it may use up, and what is run for it again."""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from grader.core.course import Course, default_work_seconds
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.run.ledger import TimeLedger
from grader.core.run.measuring import RetryAllowance, RunPolicy

if TYPE_CHECKING:
    from grader.core.run.run_cache import RunCache


class Again(Struct, frozen=True, kw_only=True):
    """How often a command is started again for one reason, and whose time that takes."""

    most: float = inf
    """how often for a submission: of crashes and warnings all runs count, of other reasons those that showed nothing"""
    is_students: bool = False
    """whether it takes of the time that the spec gives a student; all take of the machine's time"""
    is_measured: bool = True  # whether it is measured again, alone, when the machine may be to blame for how it ended
    when_scarce: bool = True
    """whether it is run too when half of the machine's time for the submission is used up: the rest is for its cases"""


AGAIN: Mapping[str, Again] = {
    "together": Again(is_students=True),  # the cases of a test, in one run
    "inverted": Again(),  # one that passed, or is to be judged: in a way in which no honest program passes
    "inverted tests": Again(),  # the compiler of their language
    "inverted together": Again(when_scarce=False),  # the same where it takes as long as all cases
    "chance": Again(is_students=True),  # tests of a student's that noticed a wrong program, and are unsteady
    "watched": Again(),  # under a tool that watches its memory
    "crash": Again(most=5, is_measured=False, when_scarce=False),  # under a tool that sees why a signal ended it
    "terminal": Again(most=2, is_measured=False),  # wrong through a pipe: with its input typed
    "open": Again(most=2, is_measured=False),  # out of time: with an input that stays open
    "warning": Again(most=1, is_measured=False),  # wrong: its sources, by a compiler that warns
    "fault of the course": Again(is_measured=False),  # failed: the course's part of it, without the submission
}
"""why a command is started after the first run of its case; that of measuring again has a table in `run.measuring`"""


class Attempt(Course, frozen=True, kw_only=True):
    """The course for one submission, and what that may use up. All that runs its code runs here."""

    retries: RetryAllowance
    ledger: TimeLedger
    """what is left of the time that the spec gives its student, and of the machine's for everything that is started"""
    recall: "RunCache | None" = None  # earlier results of its commands; None where all commands are run
    tried: Counter[str] = field(default_factory=Counter[str])  # the reason in `AGAIN` -> how often that has counted
    known: dict[str, Any] = field(default_factory=dict[str, Any])  # the reason -> what was found out once for all cases

    @classmethod
    def of(cls, course: Course, *, recall: "RunCache | None" = None, is_tuned: bool = True) -> "Attempt":
        """Begin an attempt; unless `is_tuned`, without the options that make short programs faster."""
        work = course.work_seconds or default_work_seconds(course.spec, course.toolchain)
        ledger = TimeLedger.of(course.spec, course.toolchain, work=work)
        return cls(**asdict(course), retries=RetryAllowance(tuned=is_tuned), ledger=ledger, recall=recall)

    def without_budget(self) -> "Attempt":
        """Return the same without budgets, which would stop other cases in runs of other cases or order."""
        return replace(self, ledger=TimeLedger())

    def may_run(self, why: str) -> bool:
        """Whether a command may be started once more for a reason in `AGAIN`."""
        row = AGAIN[why]
        return self.tried[why] < row.most and (row.when_scarce or self.ledger.work_left >= self.ledger.work / 2)

    def run(self, why: str, launch: Launch) -> Execution:
        """Start a command again, for a reason in `AGAIN`, and charge what it takes. Raises HostError."""
        row = AGAIN[why]
        found = self.measure(launch) if row.is_measured else self.execute(launch)
        if row.is_students:
            self.ledger.charge_run(found)
        return found

    def execute(self, launch: Launch) -> Execution:
        """Run one command in the sandbox, in parallel with those of other workers, in the time that is left."""
        charged = partial(self.ledger.run, run=partial(Course.execute, self))
        return self.recall.execute(launch, charged) if self.recall else charged(launch)

    def measure_each(
        self, launches: Sequence[Launch], policy: RunPolicy | None = None, **_charged: Any
    ) -> Generator[Execution | HostError, None, None]:
        """Run commands of the submission as `Course.measure_each` does, in the time that is left."""
        measure = partial(Course.measure_each, self, retries=self.retries, work=self.ledger)
        return (
            self.recall.measure_each(launches, measure, policy or RunPolicy())
            if self.recall
            else measure(launches, policy)
        )
