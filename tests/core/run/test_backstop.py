"""On a busy machine the kernel's own limit can come before our next look: the verdict is the same."""

from threading import Event

import pytest
from msgspec.structs import replace

from grader.core.model.execution import Launch
from grader.core.model.limits import LIMITS, Limits
from grader.core.run.runner import execute
from grader.core.sandbox import choose


def test_a_command_that_the_kernel_ends_has_passed_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "cpu", replace(LIMITS["cpu"], factor=100.0))
    # The kernel's limit is above the case's, as in the command: a look that is late misses the last of the work.
    endless = Launch(
        argv=("prlimit", "--cpu=2:3", "sh", "-c", "while :; do :; done"),
        limits=Limits(time=30, cpu=1),
        max_time_factor=40,
    )
    assert execute(choose("full"), endless, Event()).limit == "cpu"
