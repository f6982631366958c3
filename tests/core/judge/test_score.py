"""Cases -> test -> submission, and what is charged once in all of it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.deviations.search import credit
from grader.core.judge import charge_once, judge_test, meets_need, overall
from grader.core.judge.case import describe_deviations, verdict_of
from grader.core.model import Case, CaseResult, Deviation, Test, TestResult, Verdict

PASSED, PARTIAL, FAILED = Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED
CRASHED, TIMEOUT, SKIPPED, UNGRADED = Verdict.CRASHED, Verdict.TIMEOUT, Verdict.SKIPPED, Verdict.UNGRADED


def case(verdict: Verdict, credit: Fraction | None = None) -> CaseResult:
    credit = Fraction(verdict == PASSED) if credit is None else credit
    return CaseResult(id="case", verdict=verdict, credit=credit, command="")


HALF = case(PARTIAL, Fraction(1, 2))


def scored(points: str, *cases: CaseResult, all_or_nothing: bool = False, bonus: bool = False) -> TestResult:
    asked = tuple(Case(id=result.id) for result in cases)
    test = Test(name="test", points=Fraction(points), cases=asked, all_or_nothing=all_or_nothing, bonus=bonus)
    return judge_test(test, cases)


@pytest.mark.parametrize(
    ("cases", "score", "verdict"),
    [
        ([case(PASSED), case(PASSED)], Fraction(10), PASSED),
        ([case(PASSED), case(FAILED), case(FAILED)], Fraction(10, 3), PARTIAL),
        ([case(PASSED), HALF], Fraction(15, 2), PARTIAL),
        ([HALF, case(TIMEOUT)], Fraction(5, 2), PARTIAL),
        ([case(FAILED)], Fraction(0), FAILED),
        ([case(CRASHED), case(CRASHED)], Fraction(0), CRASHED),
        ([case(CRASHED), case(TIMEOUT)], Fraction(0), FAILED),
        ([case(SKIPPED), case(SKIPPED)], Fraction(0), SKIPPED),
        ([case(Verdict.BUILD_FAILED)], Fraction(0), Verdict.BUILD_FAILED),
        ([case(PASSED), case(UNGRADED)], None, UNGRADED),
        ([case(FAILED), case(UNGRADED)], None, UNGRADED),
    ],
)
def test_cases_share_the_points(cases: list[CaseResult], score: Fraction | None, verdict: Verdict) -> None:
    result = scored("10", *cases)
    assert (result.score, result.verdict, result.cases) == (score, verdict, tuple(cases))


@pytest.mark.parametrize(
    ("cases", "score", "verdict"),
    [
        ([case(PASSED), case(PASSED)], Fraction(10), PASSED),
        ([case(PASSED), case(TIMEOUT)], Fraction(0), TIMEOUT),
        ([case(PASSED), HALF], Fraction(0), FAILED),
        ([case(PASSED), HALF, case(CRASHED)], Fraction(0), CRASHED),
        ([case(PASSED), case(UNGRADED)], None, UNGRADED),
    ],
)
def test_all_or_nothing(cases: list[CaseResult], score: Fraction | None, verdict: Verdict) -> None:
    result = scored("10", *cases, all_or_nothing=True)
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize(("verdict", "expected"), [(PASSED, PASSED), (FAILED, FAILED)])
def test_a_test_without_points_has_a_verdict(verdict: Verdict, expected: Verdict) -> None:
    result = scored("0", case(verdict))
    assert (result.score, result.verdict) == (Fraction(0), expected)


@pytest.mark.parametrize(
    ("tests", "verdict", "score"),
    [
        ([scored("10", case(PASSED)), scored("0.5", case(PASSED))], PASSED, Fraction(21, 2)),
        ([scored("10", case(PASSED)), scored("5", case(FAILED), bonus=True)], PASSED, Fraction(10)),
        ([scored("10", case(FAILED)), scored("10", case(PASSED), bonus=True)], FAILED, Fraction(10)),
        ([scored("10", case(PASSED)), scored("0", case(FAILED))], PASSED, Fraction(10)),
        ([scored("10", HALF)], FAILED, Fraction(5)),
        ([scored("10", case(FAILED)), scored("0", case(UNGRADED))], UNGRADED, None),
        ([scored("10", case(Verdict.NOT_READABLE), case(Verdict.NOT_READABLE))], Verdict.NOT_READABLE, None),
    ],
)
def test_overall(tests: list[TestResult], verdict: Verdict, score: Fraction | None) -> None:
    assert overall(tests) == (verdict, score)


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
        id="case", verdict=verdict_of(share), credit=share, command="", message=told, deviations=deviations
    )


def scores(*tests: TestResult) -> list[Fraction | None]:
    return [result.score for result in charge_once(tests, ONCE)]


SLIP, BOTH, WORSE = deviating("wording"), deviating("wording", "order"), deviating("wording", "wrong")


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        # The costliest test is charged, all of its cases with it; of two that cost the same, the first.
        ([scored("2", SLIP), scored("33", SLIP, SLIP), scored("4", SLIP)], ["2", "297/10", "4"]),
        ([scored("10", SLIP), scored("10", SLIP)], ["9", "10"]),
        ([scored("40", SLIP, case(PASSED), case(PASSED), case(PASSED)), scored("20", SLIP)], ["40", "18"]),
        # Other deviations of a case stay charged, and so does what keeps nothing, or is ended by something else.
        ([scored("30", BOTH), scored("60", SLIP)], ["20", "54"]),
        ([scored("30", WORSE), scored("10", SLIP)], ["0", "9"]),
        ([scored("30", case(CRASHED), SLIP), scored("10", SLIP)], ["27/2", "10"]),
        # Each kind has a test of its own in which it is charged.
        ([scored("10", SLIP), scored("10", deviating("letter-case")), scored("8", SLIP)], ["9", "5", "8"]),
        ([scored("10", deviating("order")), scored("10", deviating("order"))], ["20/3", "20/3"]),
        ([scored("10", SLIP, all_or_nothing=True), scored("20", SLIP)], ["0", "20"]),
        ([scored("10", SLIP, all_or_nothing=True), scored("200", SLIP)], ["10", "180"]),
        ([scored("0", SLIP), scored("0", SLIP)], ["0", "0"]),
    ],
)
def test_a_slip_is_charged_where_it_costs_most(tests: list[TestResult], expected: list[str]) -> None:
    assert scores(*tests) == [Fraction(score) for score in expected]


def test_what_is_ungraded_neither_bears_a_charge_nor_is_changed_by_one() -> None:
    ungraded = scored("50", case(UNGRADED), SLIP)
    found = charge_once((ungraded, scored("10", SLIP), scored("5", SLIP)), ONCE)
    assert found[0] == ungraded
    assert [result.score for result in found[1:]] == [9, 5]


def test_a_charge_that_is_counted_elsewhere_is_told_and_named() -> None:
    tests = [scored("10", SLIP), scored("3", BOTH), scored("2", SLIP)]
    (home,), (other,), (free,) = (result.cases for result in charge_once(tests, ONCE))
    assert home == SLIP
    assert free.message == "It differs. This is counted once, in `test`."
    assert other.message == "It differs. This is counted once, in `test`. It differs. This costs 33.33 % of the credit."
    assert (free.verdict, other.verdict) == (PASSED, PARTIAL)
    assert [(one.kind, one.keeps, one.counted_in) for one in other.deviations] == [
        ("wording", 1, "test"),
        ("order", Fraction(2, 3), ""),
    ]


@pytest.mark.parametrize(
    ("result", "is_met"),
    [
        (scored("10", SLIP), True),
        (scored("10", case(PASSED)), True),
        (scored("10", BOTH), False),
        (scored("10", WORSE), False),
        (scored("10", case(UNGRADED)), False),
    ],
)
def test_a_slip_keeps_no_later_test_from_being_run(result: TestResult, *, is_met: bool) -> None:
    assert meets_need(result, ONCE) is is_met


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
