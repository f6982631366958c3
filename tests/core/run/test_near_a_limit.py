"""Which runs came so near a limit that they are measured again, alone."""

import pytest
from msgspec.structs import replace

from grader.core.model.execution import Execution, FailedStep
from grader.core.model.limits import Limits
from grader.core.model.spec import Step
from grader.core.run.measuring import is_near_a_limit

FAR = Execution(status=0, limits=Limits(time=4, cpu=8, memory=400, output=40))
STOP = FailedStep(step=Step(do="expect", text="x"), number=1, ended=False, waited=1)


@pytest.mark.parametrize(
    ("run", "is_near"),
    [
        (FAR, False),
        (replace(FAR, time=3, cpu=6, memory=300, stdout=bytes(30), stderr=bytes(30)), False),
        (replace(FAR, time=3.01), True),
        (replace(FAR, cpu=6.01), True),
        (replace(FAR, memory=301), True),
        (replace(FAR, stdout=bytes(31)), True),
        (replace(FAR, stderr=bytes(31)), True),
        (replace(FAR, limit="processes"), True),
        (replace(FAR, doubts=frozenset({"cpu_starved"})), True),
        (replace(FAR, doubts=frozenset({"killed_by_host"})), True),
        (replace(FAR, signal=9), True),
        (replace(FAR, signal=24), True),
        (replace(FAR, signal=11), False),
        (replace(FAR, stop=STOP), True),
        (replace(FAR, stop=replace(STOP, ended=True)), False),
    ],
)
def test_what_is_near_a_limit(run: Execution, *, is_near: bool) -> None:
    assert is_near_a_limit(run) is is_near
