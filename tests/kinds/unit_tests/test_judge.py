"""What is said of a method of a unit test: of records that are made up."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.diagnosis import no_lines
from grader.core.errors import HostError
from grader.core.judge.case import no_checks
from grader.core.kind import JudgeContext
from grader.core.model.execution import Execution
from grader.core.model.report import Judged, Settled, Verdict
from grader.core.model.spec import Case, Toolchain
from grader.kinds.harness.host import PROBES
from grader.kinds.unit_tests.judge import count_passed_values, judge, judge_unit
from grader.kinds.unit_tests.model import UnitFailure, UnitMethod, UnitRun
from grader.kinds.unit_tests.probe import _why_not_compiled
from tests.support.rows import each_row

UNIT = UnitMethod(framework="pytest", file="tests/test_bank.py", source=b"", method="TestBank.test_deposit")
ASSERTION = UnitFailure(kind="assertion", asserted="x > 1")
EXCEPTION = UnitFailure(kind="exception", type="java.lang.IllegalStateException", message="empty")
SKIPPED = UnitFailure(kind="skipped", message="later")
RAN = UnitRun(runs=1, done=1)
BY_VALUE = replace(UNIT, by_value=True)
RIGHT = UnitRun(runs=3, done=3, values=3, passed=(0, 1, 2))
CONTEXT = JudgeContext(toolchain=Toolchain(name="any"), read_line=no_lines, checks=no_checks)
NAME = "`test_deposit`"


def judged(run: UnitRun | None, status: int | None = 0, **more: Any) -> tuple[Verdict, str] | None:
    found = judge_unit(UNIT, Execution(status=status, facts=run, **more), no_lines)
    return (found[0], found[1].text) if found else None


def told(failure: UnitFailure) -> str:
    found = judged(replace(RAN, failures=(failure,)))
    assert found
    return found[1]


@each_row
def test_what_came_of_a_method(run: UnitRun, status: int, found: tuple[Verdict, str] | None) -> None:
    assert judged(run, status) == found


def test_a_signal_is_told() -> None:
    found = judged(UnitRun(is_recorded=False), None, signal=9)
    assert found
    assert found[1].endswith("did not finish: your program ended in it, with signal 9.")


def test_a_runner_that_tells_nothing_is_our_fault() -> None:
    with pytest.raises(HostError, match="there is no UnitRun: nothing was recorded"):
        judged(None)


@each_row
def test_what_a_failure_is_told_as(failure: UnitFailure, sentence: str) -> None:
    assert told(failure) == sentence


@each_row
def test_an_order_that_is_wrong_is_named(found: str, wanted: str, order: str) -> None:
    assert told(replace(ASSERTION, found=found, wanted=wanted)).endswith(f"is expected{order}.")


def test_what_is_too_many_is_so_on_either_side() -> None:
    swapped = replace(ASSERTION, asserted="assert [1, 2] == f()", found="[1, 2]", wanted="[1, 2, 7]")
    assert told(swapped).endswith("`f()` returned `[1, 2, 7]`; `[1, 2]` is expected: `7` should not be there.")


@each_row
def test_another_exception_than_the_test_expects(lines: str, at: int, end: str) -> None:
    unit, failure = replace(UNIT, source=lines.encode()), replace(EXCEPTION, test_place=f"test_bank.py:{at}")
    found = judge_unit(unit, Execution(status=0, facts=replace(RAN, failures=(failure,))), no_lines)
    assert found
    assert found[1].text.endswith(end)


@each_row
def test_arguments_are_told_as_values(line: str, shown: str) -> None:
    probe: dict[str, Any] = {}
    exec("".join((PROBES / name).read_text() for name in ("base.py", "unit.py")), probe)  # noqa: S102 - it is ours
    known = {"score": 90, "xs": [1], "below": -3, "huge": 10**5000, "long": "a" * 99}
    assert probe["_with_values"](line, known) == shown


@each_row
def test_an_assertion_in_java_may_stand_beside_other_code(lines: bytes, at: str, sentence: str) -> None:
    failure = replace(ASSERTION, found="1", wanted="2", asserted="", test_place=at)
    execution = Execution(status=1, facts=replace(RAN, failures=(failure,)))
    found = judge_unit(replace(UNIT, file="tests/T.java", source=lines), execution, no_lines)
    assert found
    assert found[1].text == f"{NAME}: {sentence}"


def test_the_line_of_the_student_is_quoted() -> None:
    failure = replace(EXCEPTION, place="B.java:7", test_place="T.java:3")
    execution = Execution(status=1, facts=replace(RAN, failures=(failure,)))
    found = judge_unit(UNIT, execution, lambda file, line: f"{file} {line}")
    assert found
    assert "ended with `IllegalStateException` in line 7 of `B.java`, `B.java 7`: `empty`." in found[1].text


def test_long_words_are_cut() -> None:
    assert f"`{'m' * 160}…`" in told(replace(ASSERTION, message="m" * 161, asserted=""))
    assert f"`{'m' * 160}…`" in told(replace(SKIPPED, message="m" * 161))
    assert f"`{'m' * 160}…`" in told(replace(EXCEPTION, message="m" * 161))
    assert f"with `{'m' * 100}…`" in told(replace(EXCEPTION, given="m" * 101))
    assert f"`{'m' * 100}…` was found" in told(replace(ASSERTION, found="m" * 101, wanted="x"))


@each_row
def test_a_limit_decides_before_the_method_does(
    payload: UnitMethod, stopped: Settled | None, run: UnitRun | None, found: tuple[Verdict, str] | None
) -> None:
    case = Case(id="t", kind="unit_tests", payload=payload)
    end = judge(case, Execution(status=0, facts=run), None, replace(CONTEXT, stopped=stopped))
    assert (None if isinstance(end, Judged) else (end[0], end[1].text)) == found


@each_row
def test_the_share_of_its_points_that_a_method_gives(
    unit: UnitMethod, run: UnitRun, right: UnitRun | None, status: int, found: tuple[Fraction | Verdict, str]
) -> None:
    expected = Execution(status=0, facts=right) if right else None
    end = judge(Case(id="t", kind="unit", payload=unit), Execution(status=status, facts=run), expected, CONTEXT)
    assert ((end.share, end.remark) if isinstance(end, Judged) else (end[0], end[1].text)) == found


@each_row
def test_cases_that_pass_with_no_value_are_alike_by_the_first_failure(run: UnitRun, facts: tuple[str, ...]) -> None:
    found = judge_unit(BY_VALUE, Execution(status=0, facts=run), no_lines, RIGHT)
    assert found
    assert found[1].key == facts


@each_row
def test_values_are_counted_by_those_of_the_reference(
    run: UnitRun, right: UnitRun | None, passed: tuple[int, int] | None
) -> None:
    assert count_passed_values(run, right) == passed


@each_row
def test_without_the_values_of_the_reference_nobody_has_a_grade(right: UnitRun | None) -> None:
    case = Case(id="t", kind="unit", payload=BY_VALUE)
    expected = Execution(status=0, facts=right) if right else None
    with pytest.raises(HostError, match="nobody knows with how many values"):
        judge(case, Execution(status=0, facts=RIGHT), expected, CONTEXT)


@each_row
def test_what_the_course_itself_skips_is_no_failure(
    run: UnitRun, right: UnitRun | None, skips: tuple[str, ...], verdict: Verdict
) -> None:
    found = judge_unit(replace(UNIT, skips=skips), Execution(status=0, facts=run), no_lines, right)
    assert found
    assert found[0] == verdict


@pytest.mark.parametrize("kind", ["List<String>", "Map<String,List<Integer>>"])
def test_the_class_that_lacks_a_method_is_no_part_of_its_type(kind: str) -> None:
    symbol = f"  symbol:   method put(int)\n  location: variable all of type {kind}\n"
    log = f"T.java:1: error: cannot find symbol\n  all.put(1);\n     ^\n{symbol}".encode()
    why = _why_not_compiled(replace(UNIT, file="T.java"), Execution(status=1, stderr=log)).problem
    assert f"`{kind.partition('<')[0]}` has no method `put(int)`" in why
