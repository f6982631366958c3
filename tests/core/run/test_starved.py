"""A program that gets little of a processor is neither idle nor too slow, and one that sleeps is idle."""

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from grader.core.judge.case import judge
from grader.core.judge.ending import _is_idle
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.report import Verdict
from grader.core.model.spec import Case, Expectation, Leaf, Toolchain
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS, cgroup, outer
from tests.support.rows import read_data

WORKING = read_data(__file__)["WORKING"]
PERIOD = 100_000
"""microseconds"""
TWENTIETH, HALF = PERIOD // 20, PERIOD // 2
"""microseconds of a processor in each period"""


def starve(monkeypatch: pytest.MonkeyPatch, quota: int) -> None:
    """Give every command so much of a processor, by its control group."""
    found = cgroup.hierarchy()
    if found is None or "cpu" not in found.folders or not Path(found.folders["cpu"], "cpu.cfs_quota_us").exists():
        pytest.skip("no share of a processor can be set here")
    make = cgroup.new_group

    def make_small(**limits: int) -> Any:
        group = make(**limits)
        assert group
        for folder in map(Path, group._folders):
            if (folder / "cpu.cfs_quota_us").exists():
                (folder / "cpu.cfs_period_us").write_text(str(PERIOD))
                (folder / "cpu.cfs_quota_us").write_text(str(quota))
        group.kind = (group.kind[0], -1)  # nobody else's
        return group

    monkeypatch.setattr(outer, "new_group", make_small)


def run_to_limit(script: str, time: float) -> Execution:
    launch = Launch(argv=("sh", "-c", script), limits=Limits(time=time, cpu=1), max_time_factor=3)
    done = execute(LEVELS["full"], launch, Event())
    assert done.limit == "time"
    return done


@pytest.mark.parametrize("name", WORKING)
def test_little_of_a_processor_is_not_idleness(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    starve(monkeypatch, TWENTIETH)
    done = run_to_limit(WORKING[name], 1)
    assert not _is_idle(done)
    case = Case(id="case", stdin=b"1\n", expect=Expectation(stdout=Leaf(how="text", want=("1\n",))))
    result = judge(case, done, None, toolchain=Toolchain(name="sh"), command="./program")
    assert result.verdict is Verdict.UNGRADED
    assert result.message.text.startswith("The machine was too busy to measure your program: ")
    assert not any(word in result.message.text for word in ("idle", "endless", "never ends", "input"))


def test_a_sleeper_with_half_a_processor_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    starve(monkeypatch, HALF)
    runs = (run_to_limit("sleep 30", 6) for _ in range(4))  # of a run on a machine that is busy itself nothing is said
    done = next((run for run in runs if _is_idle(run)), None)
    assert done
    assert "cpu_starved" not in done.doubts
