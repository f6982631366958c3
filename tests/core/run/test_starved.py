"""Who has hardly worked: a program that gets little of a processor has not been idle, and one that sleeps has."""

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from grader.core.judge.ending import _is_idle
from grader.core.model import Launch, Limits
from grader.core.run import execute
from grader.core.sandbox import LEVELS, cgroup, command

PERIOD, QUOTA = 100_000, 5_000
"""microseconds: so much of a processor in each period"""


@pytest.fixture
def starving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every command a twentieth of a processor, by its control group."""
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
                (folder / "cpu.cfs_quota_us").write_text(str(QUOTA))
        group.kind = (group.kind[0], group.kind[1], -1)  # nobody else's
        return group

    monkeypatch.setattr(command, "new_group", make_small)


PROGRAMS = {
    "works": ("while :; do :; done", True),
    "works, a little asleep": ("while :; do i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; sleep 0.001; done", True),
    "children work": ("while :; do (i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done); done", True),
    "sleeps": ("sleep 30", False),
}


@pytest.mark.usefixtures("starving")
@pytest.mark.parametrize("name", PROGRAMS)
def test_little_of_a_processor_is_not_idleness(name: str) -> None:
    script, works = PROGRAMS[name]
    # Of a twentieth the start of a shell can take most of a second: what sleeps has to be seen asleep.
    limits = Limits(time=1 if works else 6, cpu=1)
    launch = Launch(argv=("sh", "-c", script), limits=limits, max_time_factor=3)
    done = execute(LEVELS["full"], launch, Event())
    assert done.limit == "time"
    assert _is_idle(done) is not works
    assert works or not done.cpu_starved
