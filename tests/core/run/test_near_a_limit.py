"""Which runs came so near a limit that they are measured again, alone."""

from grader.core.model.execution import Execution
from grader.core.run.measuring import is_near_a_limit
from tests.support.rows import each_row


@each_row
def test_what_is_near_a_limit(run: Execution, *, is_near: bool) -> None:
    assert is_near_a_limit(run) is is_near
