"""What a case has that passed, or would have but for a repair; what is kept of a run; which score counts."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from grader.core.model.execution import Execution, Measurement
from grader.core.model.layout import Submission
from grader.core.model.report import (
    CaseResult,
    Deviation,
    Examined,
    Job,
    Lateness,
    Message,
    Report,
    ReportedBuild,
    ReportedCase,
    ReportedDeviation,
    ReportedFinal,
    ReportedTest,
    Verdict,
    summarise,
    without_outputs,
)
from grader.core.model.spec import Case, Spec, Test
from grader.core.report.json import to_report
from grader.kinds.functions.model import Calls
from grader.kinds.memory_clean.model import Watched
from tests.support.report_samples import full_report
from tests.support.rows import each_row


@each_row
def test_what_a_repair_alone_keeps_from_passing_is_right(
    *, verdict: Verdict, credit: str, deviations: tuple[Deviation, ...], is_right: bool
) -> None:
    case = CaseResult(id="a", verdict=verdict, credit=Fraction(credit), command="", deviations=deviations)
    assert case.is_right is is_right


def test_a_job_is_of_all_tests_or_of_those_that_are_named() -> None:
    first, second, third = (Test(name=name, points=Fraction(1), cases=(Case(id=name),)) for name in "abc")
    spec = Spec(id="x", title="x", root=Path(), digest="", tests=(first, second, third), program=("./x",))
    asked: dict[str, Any] = {"spec": Path(), "submission": Submission(id="s", path=Path())}
    assert Job(**asked).tests_of(spec) == (first, second, third)
    assert Job(**asked, only=("c", "a")).tests_of(spec) == (first, third)
    assert Job(**asked, only=("d",)).tests_of(spec) == ()


def test_what_is_said_nowhere() -> None:
    """What a result has where nobody says: it keeps nothing, and was no run on a terminal."""
    assert Deviation(kind="wrong", stream="stdout", message="").keeps == 0
    assert not CaseResult(id="a", verdict=Verdict.PASSED, credit=Fraction(1), command="").terminal
    assert (Examined().total, Examined().defines) == (0, True)
    assert ReportedBuild(ok=True).time == 0
    assert not ReportedTest(name="a", points=1, score=1, verdict=Verdict.PASSED).bonus
    assert Lateness(due="", submitted="", days=0, takes=0, message="").points == 0


# ---------------------------------------------------------------- what is said of a case


def test_remarks_stand_before_and_behind_the_sentence() -> None:
    said = Message("It is wrong.").with_remark("a", "Why.").with_remark("b", "How.")
    assert said.text == "It is wrong. Why. How."
    said = said.with_remark("c", "One of two runs.", in_front=True).with_remark("d", "On a terminal.", in_front=True)
    assert said.text == "On a terminal. One of two runs. It is wrong. Why. How."
    assert said.with_remark("e", "") == said.with_remark("e", "", in_front=True) == said


@each_row
def test_a_sentence_is_without_the_lines_that_illustrate_it(message: str, sentence: str) -> None:
    assert ReportedDeviation(kind="wrong", stream="stdout", message=message, keeps=0).sentence == sentence


def test_a_case_counts_as_much_as_each_other_one_unless_it_has_a_weight() -> None:
    case = ReportedCase(id="a", verdict=Verdict.PASSED, credit=1, command="", message="")
    assert (case.counts, replace(case, weight=2.5).counts, replace(case, weight=0.0).counts) == (1, 2.5, 0)


# ---------------------------------------------------------------- what is kept of a run


@each_row
def test_whether_a_run_showed_no_sign_of_itself(run: Execution, calls: Calls | None, *, is_mute: bool) -> None:
    assert summarise(replace(run, facts=calls)).is_mute is is_mute


@each_row
def test_what_is_kept_of_a_partner(run: Execution, *, is_accepted: bool, roles: list[str]) -> None:
    kept = summarise(run)
    assert kept.is_accepted is is_accepted
    assert [role.name for role in kept.roles] == roles


def test_of_a_further_run_its_times_are_kept() -> None:
    further = Execution(time=3.0, cpu=2.0, waited=0.5, limit="cpu", stdout=b"n?")
    also = {"one": Watched(), "two": Watched(execution=further)}
    assert summarise(Execution(also=also)).watched == Measurement(time=3.0, cpu=2.0, waited=0.5, limit="cpu")
    assert summarise(Execution(also={"one": Watched()})).watched is None


def test_calls_are_the_same_where_they_came_to_the_same() -> None:
    marks = [summarise(Execution(facts=Calls(returned=(one,)))).facts_mark for one in (1, 1, 2)]
    assert (marks[0] == marks[1], marks[0] == marks[2]) == (True, False)
    assert summarise(Execution()).facts_mark == summarise(Execution(facts=Watched())).facts_mark == b""
    assert all(marks)


def test_of_long_outputs_the_first_8_mebibytes_are_compared() -> None:
    start = b"x" * (2**23 - 1)
    outputs = [start + end for end in (b"y", b"yz", b"z")]
    one, longer, other = (summarise(Execution(stdout=output)).stdout_mark for output in outputs)
    assert one == longer != other


# ---------------------------------------------------------------- which score counts


@each_row
def test_which_score_counts(
    verdict: Verdict,
    score: float | None,
    final: ReportedFinal | None,
    counted: float | None,
    *,
    is_excused: bool,
    lacks_score: bool,
) -> None:
    report: Report = replace(to_report(full_report()), verdict=verdict, score=score, final=final or msgspec.UNSET)
    assert (report.counted, report.is_excused, report.lacks_score) == (counted, is_excused, lacks_score)


def test_a_report_without_outputs_has_all_else_and_shares_what_is_the_same() -> None:
    report, known = to_report(full_report()), dict[bytes, Any]()
    lean, again = without_outputs(report, known), without_outputs(to_report(full_report()), known)
    texts = {"limits": None, "stdout": None, "stderr": None, "transcript": None, "expected_stdout": None}
    dropped: Any = {**texts, "expected_stderr": None, "input": msgspec.UNSET, "values": ()}
    tests = (replace(test, cases=tuple(replace(case, **dropped) for case in test.cases)) for test in report.tests)
    assert lean == again == without_outputs(report) == replace(report, tests=tuple(tests))
    assert lean.spec is again.spec
    assert lean.tests[0].cases[0].message is again.tests[0].cases[0].message
