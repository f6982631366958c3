"""What is measured is the program's own: neither our options, nor the load of the machine, nor a backstop decides."""

import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Step
from grader.core.run import process
from grader.core.run.measuring import RetryAllowance, WorkerSlots, measure_each
from grader.core.run.meter import RunDelay
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS
from grader.core.sandbox.cgroup import hierarchy
from tests.support.processes import UNHEARD, processor_taken
from tests.support.rows import each_row, read_data

SHORT_OF_MEMORY = read_data(__file__)["SHORT_OF_MEMORY"]
BOTH = pytest.mark.parametrize("level", ["full", "none"])
FULL = LEVELS["full"]
MIB = 2**20


def measured(launch: Launch, retries: RetryAllowance | None = None) -> Execution:
    (found,) = measure_each(FULL, (launch,), Event(), WorkerSlots(1), retries)
    assert isinstance(found, Execution)
    return found


def shell(script: str) -> tuple[str, ...]:
    return ("sh", "-c", script)


# ---------------------------------------------------------------- options of ours


@each_row
def test_what_comes_near_a_limit_with_our_options_counts_without_them(fast: str, limit: str | None) -> None:
    limits = Limits(time=2 if limit == "time" else 60, cpu=1, output=MIB)
    done = measured(
        Launch(argv=shell(fast), argv_untuned=shell("echo plain"), oom_patterns=("^no room",), limits=limits)
    )
    assert (done.stdout, done.status, done.limit) == (b"plain\n", 0, None)
    first, *more, last = [run.limit for run in done.measured]
    assert (first, last) == (limit, None)
    assert set(more) <= {"time"}  # what a busy machine starved has been measured again


def test_it_counts_also_where_it_is_the_worse_one() -> None:
    launch = Launch(argv=shell("echo no room >&2"), argv_untuned=shell("sleep 30"), oom_patterns=("^no room",))
    done = measured(replace(launch, limits=Limits(time=1)))
    assert done.limit == "time"
    assert [run.limit for run in done.measured] == [None, "time"]


def test_what_is_far_from_every_limit_is_run_once() -> None:
    done = measured(Launch(argv=shell("echo fast"), argv_untuned=shell("echo plain"), limits=Limits(time=30)))
    assert (done.stdout, done.measured) == (b"fast\n", ())


def test_a_doubt_that_was_confirmed_three_times_is_not_had_again() -> None:
    killed = Launch(argv=shell("kill -KILL $$"), limits=Limits(time=30))
    found = list(measure_each(FULL, [killed] * 6, Event(), WorkerSlots(1)))
    assert [len(done.measured) for done in found if isinstance(done, Execution)] == [2, 2, 2, 0, 0, 0]
    assert {done.signal for done in found if isinstance(done, Execution)} == {9}
    slow = Launch(argv=shell("sleep 30"), argv_untuned=shell("sleep 30; :"), limits=Limits(time=0.3, cpu=1))
    *before, last = measure_each(
        FULL, [slow] * 5 + [replace(slow, argv_untuned=shell("echo plain"))], Event(), WorkerSlots(1)
    )
    assert all(isinstance(done, Execution) and done.limit == "time" for done in before)
    assert isinstance(last, Execution)
    assert (last.stdout, last.measured) == (b"plain\n", ())


def test_a_doubt_that_was_deserved_costs_nothing() -> None:
    fast = Launch(argv=shell("sleep 1"), argv_untuned=shell("echo plain"), limits=Limits(time=0.5, cpu=1))
    retries = RetryAllowance()
    found = list(measure_each(FULL, [fast] * 4, Event(), WorkerSlots(1), retries))
    assert [done.stdout for done in found if isinstance(done, Execution)] == [b"plain\n"] * 4
    assert retries.of_options == RetryAllowance().of_options


# ---------------------------------------------------------------- waiting for a processor

WORK = "import time\nwhile time.process_time() < 0.4: pass\nprint('done')"


@BOTH
def test_waiting_for_a_processor_is_not_the_time_of_the_program(level: str) -> None:
    argv = ("taskset", "--cpu-list", "0", "python3", "-c", WORK.replace("0.4", "0.5"))
    with processor_taken():
        done = execute(LEVELS[level], Launch(argv=argv, limits=Limits(time=0.8, cpu=5), max_time_factor=40), Event())
    assert (done.stdout, done.limit) == (b"done\n", None)
    assert done.time > 0.8 * 1.1
    assert done.time - done.waited < 0.8


class _AlwaysWaiting(RunDelay):
    """The account of a command that waits for a processor as long as it is there."""

    def look(self, proc: int, pids: Sequence[int], cpu: float) -> None:
        super().look(proc, pids, cpu)
        self.seconds = math.inf


@pytest.mark.parametrize("factor", [1, 3])
def test_the_time_is_stretched_to_a_stated_multiple_and_no_further(
    factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A real wait is counted when it is over, and on a busy machine one may last: it would end the run before that.
    monkeypatch.setattr(process, "RunDelay", _AlwaysWaiting)
    limits = Limits(time=0.3, cpu=5)
    done = execute(FULL, Launch(argv=("sleep", "60"), limits=limits, max_time_factor=factor), Event())
    assert (done.limit, done.doubts) == ("time", frozenset({"cpu_starved"}))
    assert done.time >= factor * 0.3


@each_row
def test_what_a_wait_gives_back_is_bounded(waited: float, factor: float, credit: float) -> None:
    launch = Launch(argv=("true",), limits=Limits(time=0.3), max_time_factor=factor)
    command: Any = SimpleNamespace(launch=launch)
    assert process.MeteredCommand._credit_for(command, waited) == pytest.approx(credit)


def test_who_had_no_processor_is_measured_again_once_and_both_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "RunDelay", _AlwaysWaiting)
    retries = RetryAllowance()
    retries.of_machine = 0  # which were of something that had an end
    done = measured(Launch(argv=("sleep", "60"), limits=Limits(time=0.2, cpu=5)), retries)
    assert "cpu_starved" in done.doubts
    assert [run.limit for run in done.measured] == ["time", "time"]


@pytest.mark.parametrize("script", ["sleep 30", "read -r _ < /dev/stdin; sleep 30", "while :; do sleep 0.4; done"])
def test_who_sleeps_has_used_up_the_time_on_a_busy_machine_too(script: str) -> None:
    with processor_taken():
        done = measured(Launch(argv=shell(script), limits=Limits(time=1, cpu=1)))
    assert (done.limit, "cpu_starved" in done.doubts, done.measured) == ("time", False, ())


WAITING_PARENT = "import ctypes\nlibc = ctypes.CDLL(None)\nif libc.vfork() == 0: libc.sleep(60)"


def test_who_waits_for_a_child_as_if_for_a_disk_has_used_up_the_time() -> None:
    done = measured(Launch(argv=("python3", "-c", WAITING_PARENT), limits=Limits(time=1, cpu=5)))
    assert (done.limit, "cpu_starved" in done.doubts, done.measured) == ("time", False, ())


TALK = (Step(do="expect", text="done", within=0.2), Step(do="eof"))


def test_a_step_of_a_dialogue_does_not_wait_while_the_program_waits_for_a_processor() -> None:
    argv = ("taskset", "--cpu-list", "0", "python3", "-c", WORK.replace("0.4", "0.15"))
    with processor_taken():
        talk = (replace(TALK[0], within=0.3), TALK[1])
        done = execute(
            FULL, Launch(argv=argv, dialogue=talk, limits=Limits(time=5, cpu=5), max_time_factor=200), Event()
        )
    assert (done.stop, "cpu_starved" in done.doubts, done.stdout) == (None, False, b"done\n")
    assert done.time > 0.3


def test_what_comes_of_the_end_of_the_input_is_awaited_on_a_busy_machine_too() -> None:
    script = "import time\nprint('done', flush=True)\ntry: input()\nexcept EOFError:\n    " + WORK.splitlines()[1]
    argv = ("taskset", "--cpu-list", "0", "python3", "-c", f"{script}\n    raise")
    with processor_taken():
        launch = Launch(argv=argv, limits=Limits(time=5, cpu=5), max_time_factor=200)
        done = execute(FULL, replace(launch, dialogue=(replace(TALK[0], within=4),)), Event())
    assert (done.stop, done.asked, done.status, "cpu_starved" in done.doubts) == (None, True, 1, False)


def test_a_step_that_had_no_processor_says_nothing() -> None:
    argv = (*UNHEARD, "python3", "-c", WORK)
    with processor_taken():
        done = execute(
            FULL, Launch(argv=argv, dialogue=TALK, limits=Limits(time=20, cpu=5), max_time_factor=1), Event()
        )
    assert done.stop
    assert (done.limit, "cpu_starved" in done.doubts) == (None, True)


# Beside other tests as well, the loop may get so little of a processor that nothing can be said of it.
@pytest.mark.load
@pytest.mark.parametrize("script", ["sleep 30", "while :; do :; done", "printf Done; read -r _"])
def test_a_step_that_waited_long_enough_is_the_program_s_fault_on_a_busy_machine_too(script: str) -> None:
    with processor_taken():
        done = measured(Launch(argv=shell(script), dialogue=TALK, limits=Limits(time=5, cpu=5)))
    assert done.stop
    assert (done.limit, "cpu_starved" in done.doubts, done.stop.late) == (None, False, False)


# ---------------------------------------------------------------- ended by the kernel


@BOTH
def test_the_backstop_is_far_from_the_limit_and_ends_with_its_own_signal(level: str) -> None:
    done = execute(LEVELS[level], Launch(argv=shell("ulimit -St; ulimit -Ht"), limits=Limits(cpu=10)), Event())
    soft, hard = map(int, done.stdout.split())
    assert 20 < soft < hard


@pytest.mark.skipif(
    (found := hierarchy()) is None or found.version != "cgroup v1", reason="made with cgroup v1, by root"
)
@pytest.mark.timeout(120)
def test_whoever_is_killed_since_the_machine_has_no_memory_is_measured_again_and_has_not_crashed() -> None:
    assert found
    folder = Path(found.folders["memory"]) / f"test-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / "memory.limit_in_bytes").write_text(str(250 * MIB))
        command = [sys.executable, "-c", SHORT_OF_MEMORY, str(folder)]
        told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    finally:
        for _ in range(100):
            with suppress(OSError):
                folder.rmdir()
                break
            time.sleep(0.05)
    assert told.stdout.split() == ["9", "None", "True", "2"], told.stderr


def test_a_kill_near_the_limit_of_the_processor_has_its_name() -> None:
    script = "import os, time\nwhile time.process_time() < 0.96: pass\nos.kill(os.getpid(), 9)"
    done = measured(Launch(argv=("python3", "-c", script), limits=Limits(time=30, cpu=1)))
    assert (done.signal, done.limit) == (9, "cpu")
    assert len(done.measured) == 2


# ---------------------------------------------------------------- memory


@pytest.mark.parametrize("argv", [("python3", "-c"), ("sh", "-c", 'python3 -c "$0"; exit 0')])
def test_memory_counts_at_its_highest_though_nobody_looked(argv: tuple[str, ...]) -> None:
    script = f"b'x' * {90 * MIB}"
    for _ in range(3):
        done = execute(FULL, Launch(argv=(*argv, script), limits=Limits(memory=64 * MIB)), Event())
        assert done.limit == "memory"
        assert done.memory > 64 * MIB


def test_memory_below_the_limit_is_told_as_it_was() -> None:
    launch = Launch(argv=("python3", "-c", f"b'x' * {100 * MIB}"), limits=Limits(memory=300 * MIB))
    done = execute(FULL, launch, Event())
    assert (done.limit, 100 * MIB < done.memory < 130 * MIB) == (None, True)


@BOTH
def test_nothing_is_said_to_have_used_no_memory(level: str) -> None:
    for _ in range(3):
        assert execute(LEVELS[level], Launch(argv=("true",)), Event()).memory > 0
