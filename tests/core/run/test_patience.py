"""When the rest of a test is not run any more: after so many cases in a row, or when the budget is spent."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Spec, Test, Toolchain
from grader.core.pipeline import EarlyStop
from grader.core.run.measuring import TimeLedger, time_allowed
from grader.kinds.dialogue.run import Dialogue
from grader.kinds.reported_tests.model import ReportedTestCase
from tests.support.rows import each_row

HUNG = Execution(signal=9, limit="time", time=1)
BURNT = Execution(signal=9, limit="cpu", cpu=10.1)
DONE = Execution(status=0)
NO_SPACE = HostError("no space")


def lost(patience: EarlyStop, done: Sequence[Execution | HostError]) -> bool:
    patience.done = [*done]
    return patience.is_lost()


@each_row
def test_what_the_machine_may_be_to_blame_for_does_not_count(
    done: list[Execution | HostError], *, is_lost: bool
) -> None:
    patience = EarlyStop(most=2, launches=[Launch(argv=("sh",))] * 4, cases=list("abcd"))
    assert lost(patience, done) is is_lost


def test_a_case_is_not_left_in_its_midst() -> None:
    patience = EarlyStop(most=1, launches=[Launch(argv=("sh",))] * 3, cases=list("aab"))
    assert [lost(patience, [HUNG] * number) for number in (1, 2)] == [False, True]
    assert not lost(patience, [DONE, HUNG])
    assert lost(EarlyStop(most=None, launches=patience.launches, cases=patience.cases), [HUNG] * 2) is False


@each_row
def test_what_has_more_time_than_those_that_were_lost_is_run(left: Limits, *, is_lost: bool) -> None:
    slow = [Limits(time=9, cpu=9), Limits(time=1, cpu=2), Limits(time=2, cpu=1)]
    launches = [Launch(argv=("sh",), limits=limits) for limits in (*slow, Limits(time=1, cpu=1), left)]
    patience = EarlyStop(most=2, launches=launches, cases=list("abcde"))
    assert lost(patience, [DONE, HUNG, HUNG]) is is_lost


def test_every_run_of_the_last_cases_has_to_be_lost() -> None:
    patience = EarlyStop(most=1, launches=[Launch(argv=("sh",))] * 5, cases=list("aabbc"))
    assert lost(patience, [DONE, DONE, HUNG, HUNG])
    assert not lost(patience, [HUNG, HUNG, DONE, HUNG])
    assert not lost(patience, [HUNG, HUNG, HUNG, DONE])


def test_without_a_number_only_a_budget_that_is_spent_ends_it() -> None:
    launches = [Launch(argv=("sh",))] * 4
    assert not lost(EarlyStop(most=None, launches=launches, cases=list("abcd")), [HUNG] * 3)
    unspent = EarlyStop(most=None, launches=launches, cases=list("abcd"), ledger=TimeLedger(budget=1))
    assert not lost(unspent, [HUNG] * 3)
    spent = TimeLedger(budget=1)
    spent.charge_run(replace(DONE, time=2))
    for most in (None, 9):
        patience = EarlyStop(most=most, launches=launches, cases=list("abbc"), ledger=spent)
        assert [lost(patience, [DONE] * number) for number in (1, 2, 3, 4)] == [True, False, True, False]


# ---------------------------------------------------------------- the budget of a submission


@each_row
def test_what_counts_is_a_runs_own_time(done: list[Execution | HostError], *, of_ended: bool, is_spent: bool) -> None:
    budget = TimeLedger(budget=5, of_ended=of_ended)
    for run in done:
        budget.charge_run(run)
    assert budget.is_spent() is is_spent


def test_a_budget_that_is_just_used_up_is_not_spent() -> None:
    budget = TimeLedger(budget=5)
    budget.charge_run(replace(DONE, time=2, waited=3))  # what it waited more than it took gives nothing back
    budget.charge_run(replace(DONE, time=5))
    assert not budget.is_spent()
    budget.charge_run(replace(DONE, time=0.25))
    assert budget.is_spent()


REPORTED = Case(id="reported", payload=ReportedTestCase(commands=(("test",),), format="tap"))
DIALOGUE = Case(id="dialogue", payload=Dialogue(steps=()))
TOOLCHAIN = Toolchain(name="python", limits={"time": 100})


@each_row
def test_what_all_may_take_together(
    cases: tuple[Case, ...], budget: float | None, allowed: float, seconds: float, *, of_ended: bool
) -> None:
    first = Test(name="first", points=Fraction(1), cases=cases[:1])
    second = Test(name="second", points=Fraction(1), cases=cases[1:])
    spec = Spec(id="x", title="x", root=Path(), digest="", tests=(first, second), program=("./x",), budget=budget)
    assert time_allowed(spec, TOOLCHAIN) == allowed
    ledger = TimeLedger.of(spec, TOOLCHAIN)
    assert (ledger.budget, ledger.of_ended) == (seconds, of_ended)


def spent(*, of_ended: bool) -> TimeLedger:
    budget = TimeLedger(budget=2, of_ended=of_ended)
    budget.charge_run(replace(HUNG, time=3))
    return budget


NO_BUDGET, NOTHING_SPENT = TimeLedger(), TimeLedger(budget=2)
ALL_SPENT, SPENT_BY_ENDED = spent(of_ended=False), spent(of_ended=True)


@each_row
def test_it_is_told_why_a_case_was_not_run(patience: int | None, budget: TimeLedger, told: str) -> None:
    assert budget.why_skipped(patience) == f"Not run, because {told}"


class CountedList(list[str]):
    """Counts how often an item is looked at."""

    looks = 0

    def __getitem__(self, place: Any) -> Any:
        type(self).looks += 1
        return super().__getitem__(place)


def test_what_is_left_out_is_seen_in_the_last_cases_alone() -> None:
    cases = CountedList(str(number // 2) for number in range(2000))
    patience = EarlyStop(most=2, launches=[Launch(argv=("sh",))] * 2000, cases=cases)
    assert [lost(patience, [DONE] * number) for number in range(1, 2000)] == [False] * 1999
    assert not lost(patience, [*[HUNG] * 3, DONE, HUNG, HUNG])
    assert lost(patience, [DONE, DONE, *[HUNG] * 4])
    assert CountedList.looks < 2000 * 20
