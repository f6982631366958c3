from fractions import Fraction

import pytest

from grader.core.errors import HostError, Wrong
from grader.core.judge.case import judge
from grader.core.judge.totals import charge_once, judge_test
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, CheckOptions, Expectation, Expected, Leaf, Test, Toolchain
from grader.core.model.values import SHARE, Check, PartlyRight
from tests.support.rows import each_row

BOARD = Leaf(how="check", want=(), options=CheckOptions(function="reference/checks.py:board", arguments={"n": "4"}))
PLAIN = Toolchain(name="shell")


def is_right(output: bytes) -> None:
    if output != b"right\n":
        raise Wrong("Row 1 has two queens.\n\n  Q Q\n  . .\n")


def judged(
    execution: Execution,
    check: Check = is_right,
    *,
    stdout: Expected | None = BOARD,
    stderr: Expected | None = None,
    tolerate: dict[str, Fraction] | None = None,
) -> CaseResult:
    case = Case(id="board", expect=Expectation(stdout=stdout, stderr=stderr), tolerate=tolerate or {})
    return judge(case, execution, None, toolchain=PLAIN, command="./board", checks=lambda *_: check)


def test_what_the_check_accepts_is_right() -> None:
    result = judged(Execution(stdout=b"right\n", stderr=b"Enter n: ", status=0))
    assert (result.verdict, result.credit, result.message.text, result.deviations) == (
        Verdict.PASSED,
        Fraction(1),
        "",
        (),
    )


def test_its_sentence_is_the_deviations_and_the_rest_is_a_drawing() -> None:
    result = judged(Execution(stdout=b"left\n", status=0))
    (deviation,) = result.deviations
    assert (result.verdict, result.credit, result.message.text) == (
        Verdict.FAILED,
        Fraction(0),
        "Row 1 has two queens.",
    )
    assert (deviation.kind, deviation.stream, deviation.drawing) == ("wrong", "stdout", "  Q Q\n  . .")


def test_a_share_may_be_left() -> None:
    result = judged(Execution(stdout=b"left\n", status=0), tolerate={"wrong": Fraction(1, 2)})
    assert (result.verdict, result.credit) == (Verdict.PARTIAL, Fraction(1, 2))
    assert result.message.text == "Row 1 has two queens. This costs 50 % of the credit."


@each_row
def test_right_on_the_other_stream(stdout: Expected | None, stderr: Expected | None, place: tuple[str, str]) -> None:
    execution = Execution(stdout=place[0].encode(), stderr=place[1].encode(), status=0)
    result = judged(execution, stdout=stdout, stderr=stderr, tolerate={"wrong-stream": Fraction(1, 2)})
    assert [deviation.kind for deviation in result.deviations] == ["wrong-stream"]
    assert result.credit == Fraction(1, 2)


def test_wrong_on_both_streams_is_wrong_where_it_was_asked_for() -> None:
    result = judged(Execution(stdout=b"left\n", stderr=b"left\n", status=0))
    assert [(deviation.kind, deviation.stream) for deviation in result.deviations] == [("wrong", "stdout")]


def test_nothing_on_any_stream_is_not_on_the_other_one() -> None:
    assert [deviation.kind for deviation in judged(Execution(status=0)).deviations] == ["wrong"]


@each_row
def test_a_check_is_not_asked_about_a_program_that_did_not_end_by_itself(execution: Execution) -> None:
    def check(_output: bytes) -> None:
        raise AssertionError

    assert judged(execution, check).verdict in {Verdict.CRASHED, Verdict.TIMEOUT}


def test_a_fault_of_the_check_is_raised() -> None:
    def check(_output: bytes) -> None:
        raise HostError("reference/checks.py:3: oh")

    with pytest.raises(HostError, match="oh"):
        judged(Execution(status=0), check)


def test_without_checks_nothing_is_judged() -> None:
    case = Case(id="board", expect=Expectation(stdout=BOARD))
    with pytest.raises(HostError, match=r"reference/checks\.py:board is asked for"):
        judge(case, Execution(stdout=b"right\n", status=0), None, toolchain=PLAIN, command="./board")


def half(output: bytes) -> None:
    if output != b"right\n":
        raise PartlyRight("Half of it.\n  drawn", Fraction(1, 2))


@each_row
def test_shares_are_multiplied_and_the_best_alternative_counts(
    stdout: Expected, stderr: Expected | None, credit: Fraction, message: str
) -> None:
    execution = Execution(stdout=b"left\n", stderr=b"left\n", status=0)
    tolerate = {"final-newline": Fraction(9, 10), "wrong-stream": Fraction(1, 4), "wrong": Fraction(1, 3)}
    result = judged(execution, half, stdout=stdout, stderr=stderr, tolerate=tolerate)
    assert (result.verdict, result.credit) == (Verdict.PARTIAL, credit)
    assert message in result.message.text
    assert {deviation.drawing for deviation in result.deviations if deviation.kind == SHARE} == {"  drawn"}


def test_a_share_stays_where_another_deviation_is_charged_elsewhere() -> None:
    tests = []
    for name in ("first", "second"):
        case = Case(id=name, expect=Expectation(stdout=BOARD, exit="success"), tolerate={"exit-status": Fraction(1, 2)})
        execution = Execution(stdout=b"left\n", status=1)
        found = judge(case, execution, None, toolchain=PLAIN, command="./board", checks=lambda *_: half)
        tests.append(judge_test(Test(name=name, points=Fraction(4), cases=(case,)), (found,)))
    assert [test.score for test in tests] == [1, 1]
    assert [test.score for test in charge_once(tests, ["exit-status"])] == [1, 2]
