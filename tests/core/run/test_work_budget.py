"""How long all commands of one submission may take together: nothing is decided by what the budget cut off."""

from threading import Event

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.run.measuring import TimeLedger, WorkerSlots, measure_each, usual_work
from grader.core.sandbox import LEVELS
from tests.support.rows import each_row, read_data

LAUNCH = Launch(argv=("sh",), limits=Limits(time=5))
TOLD = read_data(__file__)["TOLD"]
SPENT = "have used up its 8 s of the machine's time"


def spent(budget: TimeLedger, *found: Execution) -> TimeLedger:
    for one in found:
        budget.settle(LAUNCH, LAUNCH, one)
    return budget


@each_row
def test_what_every_command_took_is_charged(found: tuple[Execution, ...], left: float) -> None:
    assert spent(TimeLedger(8), *found).work_left == pytest.approx(left)


@each_row
def test_what_ended_for_want_of_budget_is_unknown_and_nothing_else(found: Execution, *, is_known: bool) -> None:
    budget = spent(TimeLedger(8), Execution(time=6))
    given = budget.cap(LAUNCH)
    assert given.limits == replace(LAUNCH.limits, time=2)
    if is_known:
        assert budget.settle(LAUNCH, given, found) == replace(found, limits=LAUNCH.limits)
        return
    with pytest.raises(HostError, match=SPENT):
        budget.settle(LAUNCH, given, found)
    assert budget.is_used_up()


def test_what_ran_with_its_own_limits_is_judged_by_them() -> None:
    budget = TimeLedger(8)
    late = Execution(time=5.5, limit="time", limits=LAUNCH.limits)
    assert budget.run(LAUNCH, lambda launch: replace(late, limits=launch.limits)) == late


@each_row
def test_what_is_less_than_a_moment_is_nothing(work: float, taken: float, *, is_used_up: bool) -> None:
    budget = TimeLedger(work)
    budget.charge(taken)
    assert budget.is_used_up() is is_used_up


def test_it_is_told_what_was_used_up() -> None:
    assert str(TimeLedger(90).refusal()) == TOLD


def test_nothing_is_started_without_budget() -> None:
    def never(_launch: Launch) -> Execution:
        raise AssertionError("run")

    with pytest.raises(HostError, match=f"{SPENT}.*--budget"):
        spent(TimeLedger(8), Execution(time=8)).run(LAUNCH, never)


@pytest.mark.parametrize("abreast", [1, 2])
def test_the_rest_has_the_reason_in_place_of_a_result(abreast: int) -> None:
    budget = TimeLedger(0.9)
    launches = [Launch(argv=("sleep", "0.5"), limits=Limits(time=5))] * 9
    found = list(measure_each(LEVELS["full"], launches, Event(), WorkerSlots(1, abreast), work=budget))
    assert len(found) == 9
    assert isinstance(found[0], Execution)
    assert all(isinstance(one, HostError) and "of the machine's time" in str(one) for one in found[-5:])
    assert budget.is_used_up()


def test_a_command_that_never_ends_is_unknown_once_the_budget_is_over() -> None:
    launch = Launch(argv=("sleep", "60"), limits=Limits(time=50))
    (found,) = measure_each(LEVELS["full"], (launch,), Event(), WorkerSlots(1), work=TimeLedger(0.5))
    assert isinstance(found, HostError)


@each_row
def test_it_follows_from_the_limits(builds: float, runs: float, further: float, allowed: float) -> None:
    assert usual_work(builds, runs, further) == allowed


def test_what_is_read_of_a_run_is_charged_too() -> None:
    budget = spent(TimeLedger(8), Execution(time=3))
    budget.charge(4.95)
    assert budget.is_used_up()
