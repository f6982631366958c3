"""A pass that is not believed: ungraded, with a neutral sentence, and the reason for the staff alone."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core import rechecking
from grader.core.errors import GradingStoppedError, HostError
from grader.core.model import Case, CaseResult, Execution, Launch, Test, TestResult, Verdict
from grader.kinds.base import Rechecking

PASSED = CaseResult(id="t[a]", verdict=Verdict.PASSED, credit=Fraction(1), command="")
FAILED = replace(PASSED, verdict=Verdict.FAILED, credit=Fraction(0))
CASE = Case(id="t[a]")
COURSE: Any = SimpleNamespace(execute=lambda launch: Execution(status=int(launch.argv[0])))


def rechecked(monkeypatch: pytest.MonkeyPatch, recheck: object, result: CaseResult = PASSED) -> CaseResult:
    kind = SimpleNamespace(recheck=recheck, read_record=None)
    monkeypatch.setattr(rechecking, "kind_of", lambda _: kind)

    def judge_run(execution: Execution) -> CaseResult:
        return FAILED if execution.status else PASSED

    found = rechecking.recheckable(result, CASE, Launch(argv=("0",)), Execution(stdout=b"much"), judge_run)
    if isinstance(found, CaseResult):
        return found
    assert not found.passed.execution.stdout  # it waits until its test has been run
    return rechecking.recheck_pass(found, [found.passed], course=COURSE, ask=lambda case, _course: HostError(case.id))


def test_a_pass_that_is_not_believed_is_ungraded(monkeypatch: pytest.MonkeyPatch) -> None:
    found = rechecked(monkeypatch, lambda *_: "lies")
    assert (found.verdict, found.credit, found.forged) == (Verdict.UNGRADED, Fraction(0), "lies")
    assert "lies" not in found.message


@pytest.mark.parametrize("result", [PASSED, FAILED])
def test_nothing_is_changed_where_nothing_is_said(monkeypatch: pytest.MonkeyPatch, result: CaseResult) -> None:
    assert rechecked(monkeypatch, lambda *_: "", result) is result
    assert rechecked(monkeypatch, None, result) is result


def test_only_a_pass_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rechecked(monkeypatch, lambda *_: "lies", FAILED) is FAILED


def test_a_further_run_is_judged_as_the_first_was(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def recheck(_case: object, _launch: object, _result: object, _course: object, further: Rechecking) -> str:
        asked.extend(further.run_again(Launch(argv=(status,))).verdict for status in "01")
        asked.append(str(further.ask(Case(id="other"))))
        return ""

    rechecked(monkeypatch, recheck)
    assert asked == [Verdict.PASSED, Verdict.FAILED, "other"]


def test_a_further_run_that_cannot_be_had_hurts_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> str:
        raise HostError("no room")

    assert rechecked(monkeypatch, fails) is PASSED


def test_an_interrupt_is_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*_: object) -> str:
        raise GradingStoppedError

    with pytest.raises(GradingStoppedError):
        rechecked(monkeypatch, stops)


@pytest.mark.parametrize(
    ("many", "listed", "last"), [(0, 0, ""), (2, 2, "t1 lies"), (7, 6, "the same is so in 2 more cases")]
)
def test_the_staff_is_told_of_some(many: int, listed: int, last: str) -> None:
    cases = tuple(replace(PASSED, id=f"t{n}", forged="lies") for n in range(many))
    test = Test(name="t", points=Fraction(1), cases=(CASE,))
    found = rechecking.list_forged(
        [TestResult(test=test, score=None, verdict=Verdict.UNGRADED, cases=(PASSED, *cases))]
    )
    assert [one.kind for one in found] == ["forged"] * listed
    assert not last or found[-1].message == last
