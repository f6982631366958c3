"""How a test shares its points: weights of cases, and steps of credit, from the spec to the score."""

from fractions import Fraction
from pathlib import Path

from msgspec.structs import replace

from grader.core.judge.totals import judge_test, least_share_lost
from grader.core.model.report import CaseResult, Deviation, Verdict
from grader.core.model.spec import Interactor, ScoreGroup, Test
from grader.core.reader.spec import load
from grader.core.report.json import to_reported_test
from tests.support.rows import each_row, read_data

SPEC = read_data(__file__)["SPEC"]


def _test(folder: Path, keys: str) -> Test:
    (folder / "one.yaml").write_text(f"{SPEC}    {keys}\n")
    return load(folder / "one.yaml").tests[0]


def _result(test: Test, shares: list[Fraction], keeps: Fraction = Fraction(1)) -> list[CaseResult]:
    repair = Deviation(kind="repaired", stream="build", message="", keeps=keeps)
    made = []
    for case, credit in zip(test.cases, shares, strict=True):
        verdict = Verdict.PASSED if credit * keeps == 1 else Verdict.PARTIAL if credit else Verdict.FAILED
        repairs = (repair,) if credit and keeps < 1 else ()
        made.append(CaseResult(id=case.id, verdict=verdict, credit=credit * keeps, command="", deviations=repairs))
    return made


def _score(test: Test, right: int, partly: Fraction = Fraction(0), keeps: Fraction = Fraction(1)) -> Fraction | None:
    shares = [Fraction(place < right) or partly for place in range(len(test.cases))]
    return judge_test(test, tuple(_result(test, shares, keeps))).score


@each_row
def test_steps_count_right_cases(keys: str, scores: dict[int, int], tmp_path: Path) -> None:
    test = _test(tmp_path, keys)
    assert {right: _score(test, right) for right in scores} == scores


def test_what_is_partly_right_is_not_right_and_has_its_part_of_a_share(tmp_path: Path) -> None:
    test = _test(tmp_path, "credit: {5: 50%, 7: share}")
    assert _score(test, 4, Fraction(9, 10)) == 0
    assert _score(test, 5, Fraction(9, 10)) == 45
    assert _score(test, 8, Fraction(1, 2)) == 85


def test_a_repair_takes_its_part_of_a_step(tmp_path: Path) -> None:
    test = _test(tmp_path, "credit: {5: 50%, 9: 100%}")
    assert _score(test, 6, keeps=Fraction(8, 10)) == 36
    assert _score(test, 9, keeps=Fraction(8, 10)) == 72
    spared = _result(test, [Fraction(place < 6) for place in range(9)], Fraction(8, 10))
    spared[0] = replace(spared[0], verdict=Verdict.PASSED, credit=Fraction(1), deviations=())
    assert judge_test(test, tuple(spared)).score == 36


def test_all_cases_are_the_last_step_however_few_were_collected(tmp_path: Path) -> None:
    test = _test(tmp_path, "credit: {5: 50%, 9: 100%}")
    fewer = Test(name="one", points=test.points, credit=test.credit, cases=test.cases[:3])
    assert _score(fewer, 3) == 90
    assert _score(fewer, 2) == 0


def test_weights_share_in_their_proportions(tmp_path: Path) -> None:
    test = _test(tmp_path, 'weights: {n=9: 2, "n=*": 0.5}')
    assert [case.weight for case in test.cases] == [Fraction(1, 2)] * 8 + [2]
    assert _score(test, 8) == 60
    assert _score(test, 1) == Fraction(15, 2)


def test_a_case_without_weight_counts_only_where_none_has_any(tmp_path: Path) -> None:
    test = _test(tmp_path, "weights: {n=1: 0, n=2: 0}")
    some = replace(test, cases=test.cases[:2])
    assert [_score(test, right) for right in (0, 2, 3, 9)] == [0, 0, Fraction(90, 7), 90]
    assert [_score(some, right) for right in (0, 1, 2)] == [0, 45, 90]
    assert least_share_lost(some, some.cases[0], Fraction(0), 1) == 0
    steps = _test(tmp_path, "credit: {5: 50%, 7: 100%}\n    weights: {n=1: 0, n=2: 0}")
    assert [_score(steps, right) for right in (5, 7, 8, 9)] == [0, 45, 45, 90]
    assert _score(replace(steps, cases=steps.cases[:2]), 2) == 0


def test_a_case_that_the_spec_could_not_know_weighs_1(tmp_path: Path) -> None:
    test = _test(tmp_path, "weights: {n=9: 2}")
    fewer = replace(test, cases=test.cases[8:])
    cases = _result(test, [Fraction(place == 8) for place in range(9)])
    assert judge_test(fewer, (cases[8], cases[0], cases[1])).score == 45


def test_a_report_says_how_many_are_right(tmp_path: Path) -> None:
    test = _test(tmp_path, "credit: {5: 50%, 9: 100%}")
    notes = []
    for right in (1, 5, 9):
        found = _result(test, [Fraction(place < right) for place in range(9)])
        notes.append(to_reported_test(judge_test(test, tuple(found))).note or "")
    assert notes == [
        "1 of 9 cases is right, which gives no points; the next step is at 5.",
        "5 of 9 cases are right, which gives 45 of 90 points; the next step is at 9.",
        "",
    ]


@each_row
def test_what_a_mutant_loses_at_least(keys: str, credit: Fraction, failed: int, lost: Fraction, tmp_path: Path) -> None:
    test = _test(tmp_path, keys)
    assert least_share_lost(test, test.cases[0], credit, failed) == lost
    scored = replace(test, scoring=ScoreGroup(program=Interactor(program="score.py"), cases=9))
    assert least_share_lost(scored, test.cases[0], credit, failed) == 0
