"""A number that has those of the lines before in it, as of what is never set back, is told from other wrong numbers."""

import pytest

from grader.core.explain.reasons import running_total
from grader.core.judge.case import judge
from grader.core.judge.totals import answer_in
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expectation, Leaf, Toolchain


@pytest.mark.parametrize(
    ("actual", "expected", "told"),
    [
        ("Ann: 3 of 4\nBo: 6 of 4\nBest: Ann\n", "Ann: 3 of 4\nBo: 3 of 4\nBest: Ann\n", "6 is 3 and the 3 of"),
        ("a: 2.5\nb: 3.75\nc: 7.75\n", "a: 2.5\nb: 1.25\nc: 4\n", "3.75 is 1.25 and the 2.5 of"),
        # a running total that is asked for, beside another mistake; twice as many; and what is no total
        ("1: 3\n2: 6\nSum: 5\n", "1: 3\n2: 6\nSum: 6\n", ""),
        ("People: 4\nTies: 8\n", "People: 4\nTies: 4\n", ""),
        ("Ann: 3\nBo: 6\nCy: 9\n", "Ann: 3\nBo: 3\nCy: 2\n", ""),
        ("Ann: 3\nBo: 3\nCy: 3\n", "Ann: 3\nBo: 6\nCy: 9\n", ""),
        ("Ann: 3\n6 of Bo\n", "Ann: 3\n3 of Bo\n", ""),
        ("Ann: x\nBo\n", "Ann: 3\nBo: 3\n", ""),
    ],
)
def test_what_is_never_set_back_is_seen_in_the_numbers(actual: str, expected: str, told: str) -> None:
    case = Case(id="a", expect=Expectation(stdout=Leaf(how="text")))
    ran, right = (Execution(stdout=text.encode(), status=0) for text in (actual, expected))
    result = judge(case, ran, right, toolchain=Toolchain(name="any"), command="./a")
    found = running_total(answer_in(case, result))
    assert (found.startswith(told), bool(found)) == (True, bool(told))
