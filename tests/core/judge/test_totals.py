"""Cases -> test -> submission, and what is charged once in all of it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from grader.core.deviations.search import credit
from grader.core.judge.case import describe_deviations, verdict_of
from grader.core.judge.totals import (
    charge_once,
    charge_repair,
    judge_test,
    meets_need,
    overall,
    refuse_constant_output,
    share_lost,
    shows_answer,
)
from grader.core.model.execution import Execution
from grader.core.model.layout import Change, Repair, Repaired
from grader.core.model.report import CaseResult, Deviation, Message, OnTop, TestResult, Verdict, summarise
from grader.core.model.spec import Case, Expectation, Leaf, Test
from grader.kinds.functions.model import FunctionCall, FunctionCase, Signature
from tests.support.rows import each_row

PASSED, PARTIAL, FAILED = Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED
CRASHED, TIMEOUT, SKIPPED, UNGRADED = Verdict.CRASHED, Verdict.TIMEOUT, Verdict.SKIPPED, Verdict.UNGRADED


def case(verdict: Verdict, credit: Fraction | None = None) -> CaseResult:
    credit = Fraction(verdict == PASSED) if credit is None else credit
    return CaseResult(id="case", verdict=verdict, credit=credit, command="")


HALF = case(PARTIAL, Fraction(1, 2))
NOT_READABLE = case(Verdict.NOT_READABLE)
RIGHT, WRONG, CRASH, HANG, LEFT_OUT, UNKNOWN_CASE = map(case, (PASSED, FAILED, CRASHED, TIMEOUT, SKIPPED, UNGRADED))


def scored(points: str, *cases: CaseResult, all_or_nothing: bool = False, bonus: bool = False) -> TestResult:
    asked = tuple(Case(id=result.id) for result in cases)
    test = Test(name="test", points=Fraction(points), cases=asked, all_or_nothing=all_or_nothing, bonus=bonus)
    return judge_test(test, cases)


class Scored(Struct, frozen=True):
    """A test of a row: its points, and what its cases came to."""

    points: str
    cases: tuple[CaseResult, ...]
    all_or_nothing: bool = False
    bonus: bool = False

    @property
    def result(self) -> TestResult:
        """What the judge makes of it."""
        return scored(self.points, *self.cases, all_or_nothing=self.all_or_nothing, bonus=self.bonus)


@each_row
def test_cases_share_the_points(cases: list[CaseResult], score: Fraction | None, verdict: Verdict) -> None:
    result = scored("10", *cases)
    assert (result.score, result.verdict, result.cases) == (score, verdict, tuple(cases))
    assert share_lost(result) == 1 - (score or 0) / 10


@each_row
def test_all_or_nothing(cases: list[CaseResult], score: Fraction | None, verdict: Verdict) -> None:
    result = scored("10", *cases, all_or_nothing=True)
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize(("verdict", "expected"), [(PASSED, PASSED), (FAILED, FAILED)])
def test_a_test_without_points_has_a_verdict(verdict: Verdict, expected: Verdict) -> None:
    result = scored("0", case(verdict))
    assert (result.score, result.verdict) == (Fraction(0), expected)


@each_row
def test_overall(tests: list[Scored], verdict: Verdict, score: Fraction | None) -> None:
    assert overall([one.result for one in tests]) == (verdict, score)


@each_row
def test_what_is_on_top_is_added_and_never_leads_below_0(points: list[str], verdict: Verdict, score: str) -> None:
    on_top = [OnTop(kind="adjustment", message="", points=Fraction(one)) for one in points]
    assert overall([scored("10", case(PASSED))], on_top) == (verdict, Fraction(score))


# ---------------------------------------------------------------- what is charged once

ONCE = ("wording", "letter-case")
SHARES = {"wording": Fraction(9, 10), "letter-case": Fraction(1, 2), "order": Fraction(2, 3), "wrong": Fraction(0)}


def deviating(*kinds: str) -> CaseResult:
    deviations = tuple(
        Deviation(kind=kind, stream="stdout", message="It differs.", keeps=SHARES[kind]) for kind in kinds
    )
    share = credit(kinds, SHARES)
    told = describe_deviations(deviations) if kinds else "It differs."
    return CaseResult(
        id="case", verdict=verdict_of(share), credit=share, command="", message=Message(told), deviations=deviations
    )


def scores(*tests: TestResult) -> list[Fraction | None]:
    return [result.score for result in charge_once(tests, ONCE)]


ORDER, LETTER_CASE = deviating("order"), deviating("letter-case")
SLIP, BOTH, WORSE = deviating("wording"), deviating("wording", "order"), deviating("wording", "wrong")


@each_row
def test_a_slip_is_charged_where_it_costs_most(tests: list[Scored], expected: list[Fraction]) -> None:
    assert scores(*(one.result for one in tests)) == expected


FREE = Deviation(kind="wording", stream="stdout", message="It differs.", keeps=Fraction(1))


@each_row
def test_a_slip_is_counted_only_where_it_costs_something(other: CaseResult) -> None:
    tests = (scored("0", other), scored("0", SLIP))
    assert charge_once(tests, ONCE) == tests


def test_what_is_free_is_counted_nowhere() -> None:
    slips = deviating("letter-case")
    mixed = replace(slips, deviations=(*slips.deviations, FREE))
    found = charge_once((scored("10", SLIP), scored("20", slips), scored("5", mixed)), ONCE)
    assert [one.counted_in for one in found[2].cases[0].deviations] == ["test", ""]


def test_a_share_that_an_interactor_gives_stays_where_a_slip_is_counted_elsewhere() -> None:
    shared = replace(SLIP, credit=SLIP.credit / 2)
    assert scores(scored("10", SLIP), scored("4", shared)) == [9, 2]
    assert scores(scored("10", SLIP), scored("100", replace(BOTH, credit=BOTH.credit / 2))) == [10, 30]


def test_what_is_ungraded_neither_bears_a_charge_nor_is_changed_by_one() -> None:
    ungraded = scored("50", case(UNGRADED), SLIP)
    found = charge_once((ungraded, scored("10", SLIP), scored("5", SLIP)), ONCE)
    assert found[0] == ungraded
    assert [result.score for result in found[1:]] == [9, 5]


def test_a_charge_that_is_counted_elsewhere_is_told_and_named() -> None:
    tests = [scored("10", SLIP), scored("3", BOTH), scored("2", SLIP)]
    (home,), (other,), (free,) = (result.cases for result in charge_once(tests, ONCE))
    assert home == SLIP
    assert free.message.text == "It differs. It is charged only in test `test`."
    assert (
        other.message.text
        == "It differs. This costs 33.33 % of the credit. It differs. It is charged only in test `test`."
    )
    assert (free.verdict, other.verdict) == (PASSED, PARTIAL)
    assert [(one.kind, one.keeps, one.counted_in) for one in other.deviations] == [
        ("wording", 1, "test"),
        ("order", Fraction(2, 3), ""),
    ]


@each_row
def test_a_slip_keeps_no_later_test_from_being_run(result: TestResult, *, is_met: bool) -> None:
    assert meets_need(result, ONCE) is is_met


# ---------------------------------------------------------------- what a repair costs


def repaired(result: TestResult, *spared: str, keeps: str = "3/5") -> TestResult:
    repair = Repair(name="renamed", about="`a.c` was renamed.", when="missing", change=Change(), keeps=Fraction(keeps))
    done = Repaired(repairs=(repair,), messages=("`a.c` was renamed.",), command="make", log=b"", time=0.1)
    return charge_repair(result, done, spared)


@each_row
def test_a_repair_takes_its_share_of_what_a_case_has(
    cases: list[CaseResult], spared: tuple[str, ...], score: str, verdict: Verdict
) -> None:
    result = repaired(scored("10", *cases), *spared)
    assert (result.score, result.verdict) == (Fraction(score), verdict)


def test_a_repair_is_told_behind_what_a_case_deviates_in_and_a_case_without_credit_stays() -> None:
    slip, failed = repaired(scored("10", SLIP, case(FAILED))).cases
    assert failed == case(FAILED)
    assert (slip.verdict, slip.credit) == (PARTIAL, Fraction(27, 50))
    assert slip.deviations == (
        *SLIP.deviations,
        Deviation(kind="renamed", stream="build", message="`a.c` was renamed.", keeps=Fraction(3, 5)),
    )


def test_a_repair_that_costs_everything_leaves_a_failed_case() -> None:
    assert repaired(scored("10", case(PASSED)), keeps="0").cases[0].verdict == FAILED


@each_row
def test_all_or_nothing_of_a_repaired_work_is_what_it_has_where_it_has_least(
    cases: list[CaseResult], spared: tuple[str, ...], score: str
) -> None:
    assert repaired(scored("10", *cases, all_or_nothing=True), *spared).score == Fraction(score)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 40),
            st.lists(st.lists(st.sampled_from(sorted(SHARES)), unique=True, max_size=3), min_size=1, max_size=3),
            st.booleans(),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_nobody_loses_by_it_and_nobody_gets_it_for_nothing(drawn: list[tuple[int, list[list[str]], bool]]) -> None:
    tests = [
        scored(str(points), *(deviating(*kinds) for kinds in cases), all_or_nothing=strict)
        for points, cases, strict in drawn
    ]
    charged = charge_once(tests, ONCE)
    assert charge_once(charged, ONCE) == charged
    for before, after in zip(tests, charged, strict=True):
        assert before.score is not None
        assert after.score is not None
        assert before.score <= after.score
        assert [case.verdict for case in before.cases if not case.credit] == [
            case.verdict for case in after.cases if not case.credit
        ]
    for kind in ONCE:
        having = [
            one for one in tests if any(kind in {d.kind for d in case.deviations} and case.credit for case in one.cases)
        ]
        homes = [
            result
            for result in charged
            if any(
                case.credit and one.kind == kind and not one.counted_in
                for case in result.cases
                for one in case.deviations
            )
        ]
        assert len(homes) == bool(having)


def written(output: bytes, credit: int, name: str = "c") -> CaseResult:
    verdict = Verdict.PASSED if credit else Verdict.FAILED
    ran = Execution(status=0, stdout=output)
    return CaseResult(id=name, verdict=verdict, credit=Fraction(credit), command="", run=summarise(ran))


@each_row
def test_one_answer_to_everything_earns_nothing(before: list[tuple[bytes, int]], output: bytes, score: int) -> None:
    boards, none = Test(name="boards", points=Fraction(4), cases=()), Test(name="none", points=Fraction(4), cases=())
    none = replace(none, unlike=("boards",))
    earlier = [judge_test(boards, tuple(written(*one) for one in before))] if before else []
    result = refuse_constant_output(judge_test(none, (written(output, 1),)), earlier)
    assert result.score == score
    what = "the same" if output.strip() else "nothing"
    message = f"No points: your program also writes {what} in `boards`, where that is wrong."
    assert result.cases[0].message.text == ("" if score else message)


def test_a_function_that_prints_nothing_is_not_alike_a_program_that_wrote_nothing() -> None:
    heading = Signature(text="def f(n)", name="f")
    calls = Case(
        id="c", kind="functions", payload=FunctionCase(within=("a",), calls=(FunctionCall(signature=heading),))
    )
    boards = Test(name="boards", points=Fraction(4), cases=())
    functions = Test(name="f", points=Fraction(4), cases=(calls,), unlike=("boards",))
    earlier = [judge_test(boards, (written(b"", 0),))]
    assert refuse_constant_output(judge_test(functions, (written(b"", 1),)), earlier).score == 4
    other = replace(functions, cases=(replace(calls, id="d"),))
    assert refuse_constant_output(judge_test(other, (written(b"", 1, "d"),)), earlier).score == 4
    called = [judge_test(replace(boards, cases=(calls,)), (written(b"", 0),))]
    none = Test(name="none", points=Fraction(4), cases=(Case(id="d"),), unlike=("boards",))
    assert refuse_constant_output(judge_test(none, (written(b"", 1, "d"),)), called).score == 4
    printing = replace(calls, expect=Expectation(stdout=Leaf(how="text", want=("",))))
    style = Case(id="c", kind="style", expect=printing.expect)
    assert [shows_answer(one) for one in (calls, printing, Case(id="c"), style)] == [False, True, True, False]


def test_a_case_without_points_keeps_what_is_said_of_it() -> None:
    boards = judge_test(Test(name="boards", points=Fraction(4), cases=()), (written(b"none", 0),))
    none = Test(name="none", points=Fraction(4), cases=(), unlike=("boards",))
    cases = (written(b"none", 0), written(b"0", 1, "d"))
    assert refuse_constant_output(judge_test(none, cases), [boards]).cases == cases


UNKNOWN = CaseResult(id="b", verdict=Verdict.UNGRADED, credit=Fraction(0), command="")


@pytest.mark.parametrize(
    "earlier",
    [
        UNKNOWN,
        replace(written(b"", 0), run=summarise(Execution(limit="time"))),
        replace(written(b"", 0), run=summarise(Execution(status=0, stderr=b"usage"))),
    ],
    ids=["ungraded", "stopped", "something else on standard error"],
)
def test_what_shows_no_other_answer_takes_no_points(earlier: CaseResult) -> None:
    boards = Test(name="boards", points=Fraction(4), cases=())
    none = Test(name="none", points=Fraction(4), cases=(), unlike=("boards",))
    assert refuse_constant_output(judge_test(none, (written(b"", 1),)), [judge_test(boards, (earlier,))]).score == 4
