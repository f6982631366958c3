"""A pass that is not believed: ungraded, with a neutral sentence, and the reason for the staff alone."""

from collections import Counter
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.course import Attempt
from grader.core.errors import GraderError, GradingStoppedError, HostError
from grader.core.explain import explaining
from grader.core.model.execution import Execution, Launch
from grader.core.model.report import CaseResult, TestResult, Verdict
from grader.core.model.spec import Case, Test
from grader.core.pipeline import Inverted
from grader.core.run.measuring import TimeLedger
from tests.support.rows import each_row

PASSED = CaseResult(id="t[a]", verdict=Verdict.PASSED, credit=Fraction(1), command="")
FAILED = replace(PASSED, verdict=Verdict.FAILED, credit=Fraction(0))
CASE = Case(id="t[a]")
PLENTY = TimeLedger(10)
OTHER = Inverted(case=Case(id="inverted"), launch=Launch(argv=("0",)), place="t.py:3", turn=1, doubt=lambda *_: "")


class Audited:
    """What came of an audit, and what was run and asked for it."""

    def __init__(self) -> None:
        self.runs: list[Launch] = []
        self.judged: list[Execution] = []
        self.asked: list[str] = []


def audited(
    monkeypatch: pytest.MonkeyPatch,
    happened: object = Execution(),
    *,
    doubt: Any = lambda *_: "lies",
    result: CaseResult = PASSED,
    before: Execution | None = None,
    work: TimeLedger = PLENTY,
    inverted: Inverted | None = OTHER,
    is_shared: bool = False,
) -> tuple[CaseResult, Audited]:
    seen = Audited()

    def run(_why: str, launch: Launch) -> Execution:
        seen.runs.append(launch)
        if isinstance(happened, BaseException):
            raise happened
        assert isinstance(happened, Execution)
        return happened

    def judge_run(execution: Execution) -> CaseResult:
        seen.judged.append(execution)
        return FAILED if execution.status else PASSED

    def ask(case: Case, _course: object) -> Execution | GraderError:
        seen.asked.append(case.id)
        return HostError(case.id)

    attempt: Any = SimpleNamespace(run=run, ledger=work, tried=Counter())
    attempt.may_run = partial(Attempt.may_run, attempt)
    monkeypatch.setattr(explaining, "reference_execution", ask)
    other = inverted and replace(inverted, before=before, doubt=doubt, is_shared=is_shared)
    found = explaining.audit_pass(result, other, attempt, judge_run)
    return found, seen


def test_a_pass_that_is_not_believed_is_ungraded(monkeypatch: pytest.MonkeyPatch) -> None:
    found, seen = audited(monkeypatch)
    assert (found.verdict, found.credit, found.forged) == (Verdict.UNGRADED, Fraction(0), "lies")
    assert "lies" not in found.message.text
    assert len(seen.runs) == 1


def test_nothing_is_changed_where_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert audited(monkeypatch, doubt=lambda *_: "")[0] is PASSED
    assert audited(monkeypatch, inverted=None)[0] is PASSED


def test_only_a_pass_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found, seen = audited(monkeypatch, result=FAILED)
    assert found is FAILED
    assert not seen.runs
    found, seen = audited(monkeypatch, result=FAILED, before=Execution())  # it came first, and is thrown away
    assert found is FAILED
    assert not seen.judged


def test_a_further_run_is_judged_as_the_first_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubt(inverted: Inverted, first: CaseResult, again: CaseResult, ask: Any) -> str:
        return f"{inverted.place} {first.verdict} {again.verdict} {ask()}"

    assert audited(monkeypatch, doubt=doubt)[0].forged == "t.py:3 passed passed inverted"
    found, seen = audited(monkeypatch, doubt=doubt, before=Execution(status=1))
    assert found.forged == "t.py:3 passed failed inverted"
    assert not seen.runs  # it had come before the one that counts


def test_a_further_run_that_cannot_be_had_hurts_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    assert audited(monkeypatch, HostError("no room"))[0] is PASSED
    assert audited(monkeypatch, HostError("no room"), work=TimeLedger(10))[0] is PASSED


def test_who_has_used_up_the_time_for_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = audited(monkeypatch, HostError("no time"), work=TimeLedger(0))
    assert (found.verdict, found.forged) == (Verdict.UNGRADED, "")
    assert "have used up" in found.message.text


def test_what_takes_as_long_as_all_methods_is_left_out_where_time_is_scarce(monkeypatch: pytest.MonkeyPatch) -> None:
    scarce = TimeLedger(10)
    scarce.settle(OTHER.launch, OTHER.launch, Execution(time=6))
    for is_shared, before, runs in ((True, None, 0), (False, None, 1), (True, Execution(), 0)):
        found, seen = audited(monkeypatch, is_shared=is_shared, before=before, work=scarce)
        assert (len(seen.runs), found is PASSED) == (runs, is_shared and before is None)


def test_a_fault_of_ours_takes_a_pass_from_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for fault in (ValueError("odd"), RecursionError("deep")):

        def raises(*_: object, fault: Exception = fault) -> str:
            raise fault

        assert audited(monkeypatch, doubt=raises)[0] is PASSED


def test_an_interrupt_is_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GradingStoppedError):
        audited(monkeypatch, GradingStoppedError())


@each_row
def test_the_staff_is_told_of_some(many: int, listed: int, last: str) -> None:
    cases = tuple(replace(PASSED, id=f"t{n}", forged="lies") for n in range(many))
    test = Test(name="t", points=Fraction(1), cases=(CASE,))
    found = explaining.list_forged(
        [TestResult(test=test, score=None, verdict=Verdict.UNGRADED, cases=(PASSED, *cases))]
    )
    assert [one.kind for one in found] == ["forged"] * listed
    assert not last or found[-1].message == last
