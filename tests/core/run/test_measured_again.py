"""What is measured again and what counts then, of executions that nobody had to make: without process and clock."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, FailedStep, Launch
from grader.core.model.limits import LimitName, Limits
from grader.core.model.spec import Step
from grader.core.pipeline import EarlyStop
from grader.core.run import measuring, process
from grader.core.run.measuring import RetryAllowance, TimeLedger, WorkerSlots, measure_each
from grader.core.run.process import DialogueEnd, SandboxedProcess
from grader.core.sandbox import LEVELS
from grader.core.sandbox.command import ended_as
from tests.support.rows import each_row

LIMITS = Limits(time=4, cpu=8, memory=400, output=40)
DONE = Execution(status=0, limits=LIMITS, time=1, cpu=1)
HUNG = Execution(signal=9, limits=LIMITS, limit="time", time=4.4, cpu=0.1)
LATE = Execution(status=0, limits=LIMITS, limit="time", time=4.1, cpu=1)
KILLED = Execution(signal=9, limits=LIMITS, time=1, cpu=1)
STARVED = replace(HUNG, doubts=frozenset({"cpu_starved"}))
NO_ROOM = HostError("no room")
STOP = FailedStep(step=Step(do="expect", text="x"), number=1, ended=False, waited=1)
Found = Execution | HostError


# ---------------------------------------------------------------- what became of a command


def ended(limit: LimitName | None = None, *, time: float = 1, time_credit: float = 0, **peak: float) -> Any:
    used = SimpleNamespace(**{"cpu": 1.0, "memory": 100, **peak})
    return SimpleNamespace(
        launch=Launch(argv=("x",), limits=LIMITS),
        peak=used,
        elapsed=time,
        time_credit=time_credit,
        limit=limit,
        doubts=set(),
    )


NO_STOP = DialogueEnd()


@each_row
def test_the_limit_that_a_command_passed(
    first: LimitName | None, used: dict[str, float], ended_by: int, end: DialogueEnd, limit: LimitName | None
) -> None:
    program = ended(first, **used)
    program.outcome = ended_as(ended_by, time=0.0)
    assert process._passed_limit(program, end) == limit


@each_row
def test_who_had_too_little_of_the_processors(
    *, cpu_starved: bool, limit: LimitName | None, end: DialogueEnd, is_starved: bool
) -> None:
    program: Any = SimpleNamespace(doubts={"cpu_starved"} if cpu_starved else set())
    assert ("cpu_starved" in process._doubts_of(program, limit, end)) is is_starved


@each_row
def test_for_what_the_machine_may_be_to_blame(run: Execution, *, is_in_doubt: bool) -> None:
    assert measuring.is_in_doubt(run) is is_in_doubt


@each_row
def test_when_options_of_ours_may_have_decided(run: Execution, *, may_matter: bool) -> None:
    launch = Launch(argv=("x",), oom_patterns=("^never", "^no room"), limits=LIMITS)
    assert measuring.options_may_matter(launch, run) is may_matter


@each_row
def test_what_came_to_the_same_again(one: Execution, again: Found, *, is_confirmed: bool) -> None:
    assert measuring.is_confirmed(one, again) is is_confirmed


# ---------------------------------------------------------------- measuring again

PLAIN = Launch(argv=("fast",), argv_untuned=("plain",), limits=LIMITS)
ONE = Launch(argv=("one",), limits=LIMITS)


class Ready(SandboxedProcess):
    """A command whose sandbox came up, and what it will have done after so many seconds."""

    def __init__(self, machine: "Machine", launch: Launch, found: Execution, seconds: float) -> None:
        self.machine, self.launch, self.found, self.seconds = machine, launch, found, seconds

    def run(self) -> Execution:
        time.sleep(self.seconds)
        self.machine.ended += 1
        return self.found

    def close(self) -> None:
        self.machine.closed += 1


class Machine:
    """Runs nothing: returns what it was told to, and notes what it was asked for, and who else could run meanwhile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, first: Sequence[Found], again: Sequence[Found] = ()) -> None:
        self.first, self.left = list(first), list(again)
        self.asked: list[Launch] = []
        self.again: list[Launch] = []
        self.alone: list[bool] = []
        self.made_ready: list[SandboxedProcess] = []
        self.ended = self.closed = 0
        self.seconds: Mapping[int, float] = {}
        self.room, self.cancelled = WorkerSlots(2), Event()
        monkeypatch.setattr(measuring, "start_program", self.start)
        monkeypatch.setattr(measuring, "make_ready", self.made_ready.append)
        monkeypatch.setattr(measuring, "begin", lambda ready: ready)
        monkeypatch.setattr(measuring, "run_all_passes", lambda _sandbox, ready, _cancelled: ready.run())
        monkeypatch.setattr(measuring, "execute", self.execute)

    def start(self, _sandbox: object, launch: Launch, _cancelled: object) -> Ready:
        place = len(self.asked)
        self.asked.append(launch)
        found = self.first[place]
        if isinstance(found, HostError):
            raise found
        return Ready(self, launch, found, self.seconds.get(place, 0))

    def execute(self, _sandbox: object, launch: Launch, _cancelled: object) -> Execution:
        self.again.append(launch)
        self.alone.append(free_slots(self.room) == 0)
        found = self.left.pop(0)
        if isinstance(found, HostError):
            raise found
        return found

    def measured(
        self,
        launches: Sequence[Launch],
        retries: RetryAllowance | None = None,
        begun: Callable[[int], None] = lambda _: None,
        work: TimeLedger | None = None,
    ) -> list[Found]:
        return list(self.results(launches, retries, begun, work))

    def results(
        self,
        launches: Sequence[Launch],
        retries: RetryAllowance | None = None,
        begun: Callable[[int], None] = lambda _: None,
        work: TimeLedger | None = None,
    ) -> Generator[Found, None, None]:
        return measure_each(LEVELS["none"], launches, self.cancelled, self.room, retries, on_start=begun, work=work)


def free_slots(room: WorkerSlots) -> int:
    taken = 0
    while room._free.acquire(blocking=False):
        taken += 1
    for _ in range(taken):
        room._free.release()
    return taken


def ends(found: Found) -> list[LimitName | None]:
    assert isinstance(found, Execution)
    return [run.limit for run in found.measured]


def test_a_time_limit_missed_by_a_hair_is_measured_again_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, [LATE], [DONE])
    (found,) = machine.measured([ONE])
    assert isinstance(found, Execution)
    assert (found.limit, ends(found)) == (None, ["time", None])
    assert [(one.argv, one.limits, one.max_time_factor) for one in machine.again] == [(("one",), LIMITS, 10.0)]
    assert machine.alone == [True]


@each_row
def test_the_last_measurement_counts_and_all_are_told(
    first: Execution, again: list[Found], counts: Execution, machine_left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    retries = RetryAllowance()
    machine = Machine(monkeypatch, [first], again)
    (found,) = machine.measured([ONE], retries)
    assert isinstance(found, Execution)
    assert replace(found, measured=()) == counts
    assert ends(found) == ([one.limit for one in (first, *again) if isinstance(one, Execution)] if again else [])
    assert (retries.of_machine, retries.of_options) == (machine_left, 3)


@pytest.mark.parametrize(
    ("first", "again", "is_ours"),
    [([HostError("first")], [], True), ([LATE], [HostError("again")], True), ([LATE], [DONE], False)],
)
@pytest.mark.parametrize("launch", [ONE, replace(ONE, argv_untuned=("plain",), oom_patterns=("x",))])
def test_a_failure_of_ours_counts_where_it_came_last(
    first: list[Found], again: list[Found], launch: Launch, monkeypatch: pytest.MonkeyPatch, *, is_ours: bool
) -> None:
    (found,) = Machine(monkeypatch, first, again).measured([launch])
    assert isinstance(found, HostError) is is_ours


@each_row
def test_what_is_measured_three_times_is_compared_with_the_one_before(
    first: Execution,
    again: list[Found],
    limits: list[LimitName | None],
    monkeypatch: pytest.MonkeyPatch,
    *,
    machine_left: int,
    options_left: int,
) -> None:
    retries = RetryAllowance()
    (found,) = Machine(monkeypatch, [first], again).measured([PLAIN], retries)
    if isinstance(again[-1], HostError):
        assert found == again[-1]
    else:
        assert isinstance(found, Execution)
        assert (replace(found, measured=()), ends(found)) == (again[-1], limits)
    assert (retries.of_machine, retries.of_options) == (machine_left, options_left)


def test_the_time_and_work_of_each_measurement_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = Machine(monkeypatch, [replace(LATE, waited=0.5)], [DONE]).measured([ONE])
    assert isinstance(found, Execution)
    told = [(run.time, run.cpu, run.waited, run.limit) for run in found.measured]
    assert told == [(4.1, 1, 0.5, "time"), (1, 1, 0, None)]


def test_what_was_confirmed_three_times_is_not_doubted_any_more_unless_nothing_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = Machine(monkeypatch, [LATE, DONE, LATE, LATE, LATE, STARVED], [LATE, LATE, LATE, DONE])
    found = machine.measured([ONE] * 6)
    assert [len(ends(one)) for one in found] == [2, 0, 2, 2, 0, 2]


# ---------------------------------------------------------------- options of ours


@each_row
def test_what_our_options_may_have_decided_is_run_without_them(
    first: Execution, again: Found, options_left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    retries = RetryAllowance()
    machine = Machine(monkeypatch, [first], [again])
    machine.measured([PLAIN], retries)
    assert [(one.argv, one.argv_untuned, one.limits) for one in machine.again] == [(("plain",), (), LIMITS)]
    assert machine.alone == [False]
    assert retries.of_options == options_left


def test_what_is_in_doubt_without_them_is_measured_alone_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    retries = RetryAllowance()
    machine = Machine(monkeypatch, [HUNG], [LATE, DONE])
    (found,) = machine.measured([PLAIN], retries)
    assert (retries.of_machine, retries.company) == (3, False)
    assert ends(found) == ["time", "time", None]
    assert [one.argv for one in machine.again] == [("plain",), ("plain",)]
    assert machine.alone == [False, True]


def test_what_was_far_from_every_limit_with_them_is_not_run_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, [DONE])
    assert (machine.measured([PLAIN]), machine.again) == ([DONE], [])


def test_who_wants_none_has_none_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, [DONE])
    machine.measured([PLAIN], RetryAllowance(tuned=False))
    assert [one.argv for one in machine.asked] == [("plain",)]


def test_options_that_were_no_help_three_times_are_left_out_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, [HUNG] * 5, [HUNG] * 4)
    found = machine.measured([PLAIN] * 5)
    # A sandbox is made ready ahead, so who begins meanwhile still has them.
    assert [one.argv[0] for one in machine.asked] == ["fast", "fast", "fast", "fast", "plain"]
    assert [len(ends(one)) for one in found] == [2, 2, 2, 2, 0]


def test_what_is_far_from_every_limit_without_them_may_have_company(monkeypatch: pytest.MonkeyPatch) -> None:
    retries = RetryAllowance()
    Machine(monkeypatch, [HUNG], [DONE]).measured([PLAIN], retries)
    assert retries.company is True


def test_a_command_that_has_none_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    retries = RetryAllowance()
    retries.of_options = 0
    machine = Machine(monkeypatch, [DONE])
    machine.measured([ONE], retries)
    assert machine.asked == [ONE]


def test_a_command_without_such_options_is_not_run_again_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ends(Machine(monkeypatch, [replace(DONE, time=3)]).measured([ONE])[0]) == []


# ---------------------------------------------------------------- who is told, and when it is enough


def test_what_it_wrote_is_kept_nowhere() -> None:
    wrote = replace(DONE, stdout=b"much")
    spent = TimeLedger(budget=1)
    patience, runs = EarlyStop(most=None, launches=[ONE] * 4, cases=list("abcd"), ledger=spent), iter([wrote] * 4)
    assert [patience.next_of(runs) for _ in range(2)] == [wrote] * 2
    spent.charge_run(replace(DONE, time=2))
    assert patience.next_of(runs) is None
    assert patience.done == [DONE] * 2


def test_each_that_begins_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    assert len(Machine(monkeypatch, [DONE, HUNG, DONE]).measured([ONE] * 3, begun=begun.append)) == 3
    assert begun == [0, 1, 2]


@each_row
def test_who_is_far_from_every_limit_may_have_company(
    runs: list[Found], again: list[Found], monkeypatch: pytest.MonkeyPatch, *, company: bool
) -> None:
    retries = RetryAllowance()
    assert retries.company is None
    Machine(monkeypatch, runs, again).measured([ONE] * len(runs), retries)
    assert retries.company is company


@each_row
def test_who_came_near_a_limit_beside_another_is_measured_again(
    runs: list[Found], again: list[Found], counts: list[Found], settled: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(monkeypatch, runs, again)
    machine.room = WorkerSlots(1, abreast=2)
    seen: list[int] = []
    monkeypatch.setattr(measuring._Measuring, "_settle", lambda _: seen.append(len(machine.again)))
    found = machine.measured([ONE] * len(runs))
    assert [replace(one, measured=()) if isinstance(one, Execution) else one for one in found] == counts
    assert seen == settled  # before each, all others have ended, and at the end


# ---------------------------------------------------------------- who runs beside whom


@each_row
def test_who_has_company(
    abreast: int, kept: list[int], begun: list[list[int]], monkeypatch: pytest.MonkeyPatch, *, company: bool | None
) -> None:
    launches = [replace(ONE, kept=Path("left") if place in kept else None) for place in range(len(begun))]
    machine, retries, told = Machine(monkeypatch, [DONE] * len(begun)), RetryAllowance(), list[int]()
    machine.room, retries.company = WorkerSlots(1, abreast), company
    assert [[*told] for _ in machine.results(launches, retries, told.append)] == begun


def test_a_sandbox_comes_up_while_the_one_before_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, expected = Machine(monkeypatch, [DONE, NO_ROOM, HUNG]), list[int]()
    found = machine.results([ONE] * 3, begun=expected.append)
    assert (next(found), expected, len(machine.asked), machine.made_ready) == (DONE, [0], 2, [])
    assert (next(found), expected, len(machine.asked), len(machine.made_ready)) == (NO_ROOM, [0, 1], 3, 1)
    assert (list(found), machine.closed) == ([HUNG], 0)


def test_those_that_begin_alike_run_at_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, [DONE], [NO_ROOM, DONE])
    alike = replace(ONE, preload="import x")
    assert machine.measured([alike, ONE, alike]) == [NO_ROOM, DONE, DONE]
    assert (machine.asked, machine.again) == ([ONE], [alike] * 2)


def test_who_stops_early_waits_for_what_runs_and_frees_what_came_up(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, [DONE] * 5)
    machine.room, machine.seconds = WorkerSlots(1, abreast=2), {2: 0.1}
    with closing(machine.results([ONE] * 5)) as found:
        assert [next(found) for _ in range(2)] == [DONE] * 2
    assert (machine.ended, len(machine.asked), machine.closed) == (3, 4, 1)


def test_who_interrupts_it_stops_all_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_place: int) -> None:
        raise KeyboardInterrupt

    machine = Machine(monkeypatch, [DONE])
    with pytest.raises(KeyboardInterrupt):
        machine.measured([ONE], begun=interrupt)
    assert machine.cancelled.is_set()


@each_row
def test_a_worker_holds_one_slot_or_all(places: int, free: int, in_shared: int) -> None:
    room = WorkerSlots(places)
    assert (room.abreast, free_slots(room)) == (1, free)
    with room.shared():
        assert free_slots(room) == in_shared
    with room.alone():
        assert free_slots(room) == 0
    assert free_slots(room) == free


def test_only_a_single_worker_runs_two_cases_at_a_time() -> None:
    rooms = [WorkerSlots(1, 2), WorkerSlots(2, 2), WorkerSlots(1)]
    assert [(room.abreast, free_slots(room)) for room in rooms] == [(2, 2), (1, 2), (1, 1)]


def test_the_rest_is_refused_once_the_time_of_the_machine_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, work = Machine(monkeypatch, [DONE] * 3), TimeLedger(1.05)
    *done, refused = machine.measured([ONE] * 3, work=work)
    assert done == [DONE] * 2
    assert str(refused) == str(work.refusal())
    # A sandbox comes up before the one ahead of it has ended, so it has the same time.
    assert [one.limits.time for one in machine.asked] == [1.05, 1.05]
