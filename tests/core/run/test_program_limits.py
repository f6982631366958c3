"""What a running command has had, and which limit that passes: of a command whose figures are made up."""

import math
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.model.execution import Launch
from grader.core.model.limits import LimitName, Limits
from grader.core.run import meter, process
from grader.core.run.meter import Usage
from grader.core.run.process import Account, MeteredCommand
from grader.core.sandbox import command
from grader.core.sandbox.command import ended_as
from tests.support.rows import each_row

MIB = 2**20
LIMITS = Limits(time=10, cpu=4, memory=100 * MIB, processes=5)


class Group:
    """A control group: what it counted."""

    def __init__(self, exhausted: int = 0, *, is_killed_by_host: bool = False) -> None:
        self._exhausted, self._is_bereft = exhausted, is_killed_by_host

    def exhausted(self) -> int:
        return self._exhausted

    def is_killed_by_host(self) -> bool:
        return self._is_bereft


class NewObject(MeteredCommand):
    """A command that was never started."""

    def __init__(
        self, group: Group | None = None, returncode: int = 0, max_time_factor: float = 1.0, user: int | None = 1
    ) -> None:
        self.kills = 0
        self.settled = ended_as(returncode << 8 if returncode >= 0 else -returncode, time=math.inf)
        command: Any = SimpleNamespace(
            user=user,
            has_network=False,
            group=group,
            processes=lambda: (0, [1]),
            kill=self.note_kill,
            wait=lambda: self.settled,
        )
        super().__init__(Launch(argv=("x",), limits=LIMITS, max_time_factor=max_time_factor), command)
        self.started, self.ended = 100.0, 110.0
        self.seen: list[float] = []
        self.delay = SimpleNamespace(  # type: ignore[assignment]
            seconds=0.0, look=lambda _proc, _pids, cpu: self.seen.append(cpu)
        )

    def note_kill(self) -> None:
        self.kills += 1


# ---------------------------------------------------------------- a look at it


def look(
    monkeypatch: pytest.MonkeyPatch,
    program: NewObject,
    seen: Usage,
    proportional: tuple[int, int] = (0, 0),
    tables: int = 0,
) -> None:
    monkeypatch.setattr(process, "usage", lambda *_: seen)
    monkeypatch.setattr(meter, "proportional_memory", lambda *_: proportional)
    monkeypatch.setattr(meter, "page_tables", lambda *_: tables)
    program.look()


@each_row
def test_a_look_ends_what_is_over_a_limit(
    seen: Usage, proportional: tuple[int, int], tables: int, limit: LimitName | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = NewObject()
    look(monkeypatch, program, seen, proportional, tables)
    assert (program.limit, program.kills) == (limit, int(limit is not None))


def test_in_a_control_group_the_kernel_says_what_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    program = NewObject(Group(exhausted=7))
    look(monkeypatch, program, Usage(memory=3), tables=10**12)
    assert (program.limit, program.peak.memory) == ("memory", 7)
    quiet = NewObject(Group())
    look(monkeypatch, quiet, Usage(memory=3), tables=10**12)
    assert (quiet.limit, quiet.peak.memory) == (None, 3)


def test_the_most_of_all_looks_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    program = NewObject()
    for seen in (
        Usage(cpu=1, memory=9, processes=2, awake=True),
        Usage(cpu=3, memory=5, processes=4, awake=False),
        Usage(cpu=2, memory=7, processes=3, awake=True),
    ):
        look(monkeypatch, program, seen)
    assert (program.peak.cpu, program.peak.memory, program.peak.processes) == (3, 9, 4)
    account = program.account()
    assert (account.looks, account.looks_awake, account.cpu, account.time) == (3, 2, 3, 10)
    assert program.seen == [1, 3, 2]  # by which it is seen what it waits for processors


def test_what_processes_share_is_kept_at_its_most(monkeypatch: pytest.MonkeyPatch) -> None:
    program = NewObject()
    for shared in (5, 9, 7):
        look(monkeypatch, program, Usage(memory=101 * MIB), (50 * MIB, shared))
    assert program._shared_memory == 9
    fits = NewObject()
    look(monkeypatch, fits, Usage(memory=100 * MIB), (50 * MIB, 9))
    assert (fits._shared_memory, fits.peak.memory) == (0, 100 * MIB)


def test_the_first_limit_has_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    program = NewObject()
    look(monkeypatch, program, Usage(cpu=5))
    look(monkeypatch, program, Usage(processes=9))
    assert (program.limit, program.kills) == ("cpu", 2)


# ---------------------------------------------------------------- its end


@each_row
def test_what_was_started_from_our_process_has_our_memory_in_its_account(
    resident: int, memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = SimpleNamespace(ru_maxrss=resident, ru_utime=1, ru_stime=2)
    waits = {(1, 0): (1, 3 << 8, used)}
    monkeypatch.setattr("os.wait4", lambda *asked: waits[asked])
    monkeypatch.setattr("resource.getrusage", lambda _: SimpleNamespace(ru_maxrss=1000))
    monkeypatch.setattr(command, "_COUNTER_ERROR_BYTES", 300 * 1024)
    process: Any = SimpleNamespace(pid=1)
    ended = command.reap(process)
    assert (ended.status, ended.signal, ended.cpu, ended.memory, process.returncode) == (3, None, 3, memory, 3)


@each_row
def test_memory_at_its_highest(settled: int, shared: int, peak: int, memory: int) -> None:
    program = NewObject()
    program.settled = replace(program.settled, memory=settled)
    program._shared_memory, program.peak = shared, Usage(memory=peak, processes=3)
    program.reap()
    assert (program.peak.memory, program.peak.processes, program.limit) == (memory, 3, None)
    assert program.outcome == program.settled


@each_row
def test_memory_that_only_the_account_shows_is_unconfirmed(
    *, seen: int, settled: int, exhausted: int, is_unconfirmed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = NewObject(Group(exhausted))
    program.settled = replace(program.settled, memory=settled * MIB)
    look(monkeypatch, program, Usage(memory=seen * MIB), (seen * MIB, 0))
    program.reap()
    assert ("memory_unconfirmed" in program.doubts) is is_unconfirmed


def test_what_one_of_two_looks_shows_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    program, shown = NewObject(), [(101 * MIB, 0), (99 * MIB, 0)]
    monkeypatch.setattr(process, "usage", lambda *_: Usage(memory=101 * MIB))
    monkeypatch.setattr(meter, "proportional_memory", lambda *_: shown.pop(0))
    monkeypatch.setattr(meter, "page_tables", lambda *_: 0)
    program.look()
    assert (program.limit, program.peak.memory, shown) == (None, 99 * MIB, [])


@pytest.mark.parametrize(("settled", "peak", "cpu"), [(4.5, 0.0, 4.5), (1.0, 9.0, 9.0)])
def test_processor_time_is_that_of_all(settled: float, peak: float, cpu: float) -> None:
    program = NewObject()
    program.settled, program.peak = replace(program.settled, cpu=settled), Usage(cpu=peak)
    program.reap()
    assert program.peak.cpu == cpu


@each_row
def test_what_the_kernel_ended_for_its_memory_passed_that_limit(
    exhausted: int, before: LimitName | None, limit: LimitName | None
) -> None:
    program = NewObject(Group(exhausted))
    program.why = before
    program.reap()
    assert program.limit == limit


@each_row
def test_who_may_have_been_killed_for_the_memory_of_others(
    *,
    returncode: int,
    limit: LimitName | None,
    kills_before: int,
    kills: int,
    is_killed_by_host: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "memory_kills", lambda: kills)
    program = NewObject(returncode=returncode)
    program.why, program._memory_kills = limit, kills_before
    program.reap()
    assert ("killed_by_host" in program.doubts) is is_killed_by_host


@each_row
def test_who_shares_our_user_may_have_lacked_what_others_have(
    user: int | None, monkeypatch: pytest.MonkeyPatch, *, is_used_up: bool, is_crowded: bool
) -> None:
    monkeypatch.setattr(process, "is_share_used_up", lambda: is_used_up)
    looked_at, reaped = NewObject(user=user), NewObject(user=user)
    look(monkeypatch, looked_at, Usage())
    reaped.reap()
    assert [one.doubts for one in (looked_at, reaped)] == [{"crowded"} if is_crowded else set()] * 2


@each_row
def test_when_it_ended(started: float, ended: float, now: float, told: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: now)
    program = NewObject()
    program.settled, program.started = replace(program.settled, time=ended), started
    program.reap()
    assert program.ended == told


@pytest.mark.parametrize("is_killed_by_host", [True, False])
def test_a_control_group_knows_for_whose_memory_it_was(*, is_killed_by_host: bool) -> None:
    program = NewObject(Group(is_killed_by_host=is_killed_by_host), returncode=-9)
    program.reap()
    assert ("killed_by_host" in program.doubts) is is_killed_by_host


# ---------------------------------------------------------------- waiting for a processor


@each_row
def test_what_it_waited_is_given_back_to_a_stated_multiple(
    seconds: float, max_time_factor: float, waited: float, time_credit: float
) -> None:
    program = NewObject(max_time_factor=max_time_factor)
    program.delay.seconds = seconds
    assert (program.waited, program.time_credit) == (waited, time_credit)


@each_row
def test_who_had_too_little_of_the_processors(
    *,
    waited: float,
    max_time_factor: float,
    cpu: float,
    looks: int,
    awake: int,
    asleep: bool,
    is_starved: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "asleep", lambda *_: asleep)
    program = NewObject(max_time_factor=max_time_factor)
    program.delay.seconds, program.peak = waited, Usage(cpu=cpu)
    program._looks, program._looks_awake = looks, awake
    assert program.is_starved(Account(), 4) is is_starved


@each_row
def test_only_what_it_had_since_then_counts(
    since: Account, cpu: float, monkeypatch: pytest.MonkeyPatch, *, asleep: bool, is_starved: bool
) -> None:
    monkeypatch.setattr(process, "asleep", lambda *_: asleep)
    program = NewObject(max_time_factor=2)
    program.peak, program._looks, program._looks_awake = Usage(cpu=cpu), 10, 6
    program.delay.seconds = 2.0
    assert program.is_starved(since, 8) is is_starved


def test_what_it_waited_at_its_very_start_is_one_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    # It is bounded by the time since the start, which is another at each look at the clock.
    ticks = iter(range(1, 10_000))
    monkeypatch.setattr("time.monotonic", lambda: 100.0 + next(ticks) / 1000)
    monkeypatch.setattr(process, "usage", lambda *_: Usage())
    monkeypatch.setattr(process, "asleep", lambda *_: True)
    program = NewObject(max_time_factor=2)
    program.ended, program.delay.seconds = 0.0, 1.0
    began = program.account()
    assert began.waited == began.time_credit > 0
    program.ended = 110.0
    assert not program.is_starved(began, 4)
