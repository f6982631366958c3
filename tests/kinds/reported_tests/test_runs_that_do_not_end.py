"""What counts of a report when the command that runs the tests was stopped, or ended in a way of its own."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.core.judge.ending import stopped
from grader.core.model.execution import Execution
from grader.core.model.report import Judged
from grader.core.model.spec import Case
from grader.kinds.reported_tests.judge import judge
from grader.kinds.reported_tests.model import ReportedOutcome, ReportedTestCase, TestOutcome, TestReport, TestsRun
from tests.support.rows import each_row

STARVED, TIMED_OUT = {"limit": "time", "doubts": frozenset({"cpu_starved"})}, {"limit": "time"}
KILLED = {"status": None, "signal": 9, "doubts": frozenset({"killed_by_host"})}
VOID = TestReport(problem="there is no TAP in what the command wrote", is_void=True)


def _report(*outcomes: TestOutcome) -> TestReport:
    pairs = zip(("ones", "twos", "zero"), outcomes, strict=False)
    return TestReport(results=tuple(ReportedOutcome(name=name, full=name, outcome=outcome) for name, outcome in pairs))


@each_row
def test_a_run_that_the_machine_stopped_says_nothing(
    report: TestReport, ended: dict[str, Any], verdicts: list[str | None]
) -> None:
    tools = SimpleNamespace(errors=(), unreadable=())
    found = []
    for name in ("ones", "twos", "zero"):
        own = tuple(one for one in report.results if one.name == name)
        execution = Execution(facts=TestsRun(results=own, report=report), **ended)
        case = Case(id=name, payload=ReportedTestCase(commands=(), format="tap", name=name, total=3))
        context = cast("Any", SimpleNamespace(toolchain=tools, stopped=stopped(case, execution)))
        ending = judge(case, execution, None, context)
        found.append(None if isinstance(ending, Judged) else str(ending[0]))
    assert found == verdicts


@pytest.mark.parametrize(("number", "told"), [(11, "11 (SIGSEGV)"), (40, "40")])
@pytest.mark.parametrize("is_written", [True, False])
def test_a_test_without_a_result_is_told_with_the_signal_that_ended_all(
    number: int,
    told: str,
    is_written: bool,  # noqa: FBT001 - parametrized
) -> None:
    context = cast("Any", SimpleNamespace(toolchain=SimpleNamespace(errors=(), unreadable=()), stopped=None))
    facts = TestsRun(report=_report("failed"), is_written=is_written)
    case = Case(id="twos", payload=ReportedTestCase(commands=(), format="tap", name="twos", total=3))
    ending = judge(case, Execution(status=None, signal=number, facts=facts), None, context)
    assert not isinstance(ending, Judged)
    assert ending[1].text == f"`twos` was not finished: the tests were ended by signal {told}."
