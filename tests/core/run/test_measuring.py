"""Two cases of a submission run at a time, and whoever comes near a limit is measured again, alone."""

import errno
import os
import signal
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from threading import Event, Timer
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from grader.core.errors import GradingStoppedError, HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.run.measuring import RetryAllowance, WorkerSlots, measure_each
from grader.core.run.runner import execute
from grader.core.run.start import begin, make_ready, start_program
from grader.core.sandbox import LEVELS
from grader.core.sandbox.command import SandboxedCommand
from grader.core.sandbox.outer import end_idle
from tests.support.rows import each_row

FULL = LEVELS["full"]
QUICK = Launch(argv=("sh", "-c", "echo quick"))
LIMITS = Limits(time=1, cpu=1, memory=64 * 2**20, output=1000)


def shell(script: str) -> Launch:
    return Launch(argv=("sh", "-c", script), limits=LIMITS)


def open_files() -> int:
    execute(FULL, QUICK, Event())  # what all of them share is open then
    end_idle()  # of which one stays for each case that had company
    return len(list(Path("/proc/self/fd").iterdir()))


def measured(launches: Sequence[Launch], retries: RetryAllowance | None = None) -> list[Execution]:
    found = list(measure_each(FULL, launches, Event(), WorkerSlots(1, abreast=2), retries))
    assert all(isinstance(one, Execution) for one in found)
    return [one for one in found if isinstance(one, Execution)]


def test_commands_run_side_by_side_and_are_told_in_order(tmp_path: Path) -> None:
    waits = f"touch {tmp_path}/$0; until [ -e {tmp_path}/$1 ]; do sleep 0.01; done; sleep $2; echo $0"
    names = [("a", "a", "0"), ("b", "c", "0.3"), ("c", "b", "0"), ("d", "d", "0")]
    launches = [Launch(argv=("sh", "-c", waits, *name)) for name in names]
    found = measure_each(LEVELS["none"], launches, Event(), WorkerSlots(1, abreast=2))
    assert [one.stdout for one in found if isinstance(one, Execution)] == [b"a\n", b"b\n", b"c\n", b"d\n"]


@each_row
def test_what_comes_near_a_limit_beside_another_is_measured_alone(near: str, limit: str | None, times: int) -> None:
    retries = RetryAllowance()
    first, *_, last = found = measured([QUICK, QUICK, shell(near), QUICK, shell(near)], retries)
    assert [one.stdout for one in found[:2]] == [b"quick\n"] * 2
    assert first.measured == ()
    assert (found[2].limit, len(found[2].measured)) == (limit, times)
    # From then on nobody has company, so nobody is measured again for it.
    assert (last.limit, len(last.measured)) == (limit, 2 if near == "kill -9 $$" else 0)
    assert retries.company is (times == 0)


def test_whose_first_case_comes_near_a_limit_has_no_company_at_all() -> None:
    found = measured([shell("sleep 0.9"), *[shell("sleep 0.8")] * 2])
    assert [one.measured for one in found] == [(), (), ()]


def test_who_has_seen_enough_gets_no_more_and_nothing_is_left_running() -> None:
    before = open_files()
    with closing(measure_each(FULL, [QUICK] * 6, Event(), WorkerSlots(1, abreast=2))) as runs:
        assert len(list(islice(runs, 3))) == 3
    assert open_files() == before


def test_a_request_to_stop_ends_all_that_runs() -> None:
    before, cancelled = open_files(), Event()
    begun: list[int] = []

    def note(place: int) -> None:
        begun.append(place)
        if place == 2:
            cancelled.set()

    launches = [QUICK, *[Launch(argv=("sleep", "100"))] * 4]
    with pytest.raises(GradingStoppedError):
        list(measure_each(FULL, launches, cancelled, WorkerSlots(1, abreast=2), on_start=note))
    assert begun == [0, 1, 2]
    assert open_files() == before


def test_a_failure_of_ours_beside_another_is_tried_again_alone(tmp_path: Path) -> None:
    started: list[Launch] = []

    def start(launch: Launch, *channels: int, **shown: Any) -> SandboxedCommand:
        started.append(launch)
        return FULL.start_with(launch, *channels, **shown)

    missing = Launch(argv=("true",), folder=tmp_path / "missing")
    sandbox, launches = replace(FULL, start_with=start), [QUICK, QUICK, missing, QUICK]
    found = list(measure_each(sandbox, launches, Event(), WorkerSlots(1, abreast=2)))
    assert [type(one) for one in found] == [Execution, Execution, HostError, Execution]
    assert started.count(missing) == 2


def test_a_full_disk_is_said_of_a_case_that_is_made_ready_before_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_files()
    monkeypatch.setattr("grader.core.run.start.write_in", Mock(side_effect=OSError(errno.ENOSPC, "full")))
    found = list(measure_each(FULL, [QUICK] * 3, Event(), WorkerSlots(1)))
    monkeypatch.undo()
    assert ["no room for a program's files" in str(one) for one in found] == [True] * 3
    assert open_files() == before


def test_a_sandbox_that_is_killed_before_its_turn_is_named() -> None:
    before = open_files()
    program = start_program(FULL, QUICK, Event())
    make_ready(program)
    program.command.kill()
    program.command.wait()
    with pytest.raises(HostError, match="the sandbox ended before its program began: Broken pipe; look whether"):
        begin(program)
    assert open_files() == before


@pytest.mark.parametrize("most", [1, 2])
def test_whoever_is_interrupted_ends_what_runs(most: int) -> None:
    before, cancelled, begun, retries = open_files(), Event(), time.monotonic(), RetryAllowance()
    launches, retries.company = [Launch(argv=("sleep", "60"))] * 3, True
    handler = signal.signal(signal.SIGUSR1, signal.default_int_handler)
    Timer(0.5, os.kill, (os.getpid(), signal.SIGUSR1)).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            list(measure_each(FULL, launches, cancelled, WorkerSlots(1, abreast=most), retries))
    finally:
        signal.signal(signal.SIGUSR1, handler)
    assert time.monotonic() - begun < 10
    assert open_files() == before
