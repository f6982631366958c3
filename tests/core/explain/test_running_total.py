"""A number that has those of the lines before in it, as of what is never set back, is told from other wrong numbers."""

from grader.core.explain.reasons import running_total
from grader.core.judge.case import judge
from grader.core.judge.totals import answer_in
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expectation, Leaf, Toolchain
from tests.support.rows import each_row


@each_row
def test_what_is_never_set_back_is_seen_in_the_numbers(actual: str, expected: str, told: str) -> None:
    case = Case(id="a", expect=Expectation(stdout=Leaf(how="text")))
    ran, right = (Execution(stdout=text.encode(), status=0) for text in (actual, expected))
    found = running_total(answer_in(case, judge(case, ran, right, toolchain=Toolchain(name="any"), command="./a")))
    assert (found.startswith(told), bool(found)) == (True, bool(told))
