import dataclasses
from fractions import Fraction
from statistics import correlation

import pytest
from msgspec.structs import replace

from grader.core.model.report import Judgement, TestResult, Verdict
from grader.results.statistics import SMALL_GROUP, Statistics, needs_help, statistics_of
from grader.results.view import count_outcomes
from tests.support.class_samples import class_of, sample_class
from tests.support.report_samples import broken_report, case_result, report_of, scored_test


def report(*scores: Fraction | int, points: int = 10) -> Judgement:
    tests = [
        scored_test(
            f"test {number}",
            (case_result(f"test {number}[1]", Verdict.PASSED if score == points else Verdict.FAILED),),
            Verdict.PASSED if score == points else Verdict.FAILED,
            score,
            points,
        )
        for number, score in enumerate(scores)
    ]
    return report_of(*tests, score=sum(map(Fraction, scores), Fraction(0)))


def figures(*reports: Judgement) -> Statistics:
    return statistics_of(class_of({f"s{number:03}": one for number, one in enumerate(reports)}).book)


def test_the_scores_of_a_class() -> None:
    found = figures(*(report(score) for score in (0, 2, 4, 10, 10)))
    assert found.spread is not None
    assert (found.spread.mean, found.spread.median, found.spread.full) == (5.2, 4, 2)
    assert (found.spread.lower, found.spread.upper) == (2, 10)
    assert (found.spread.lowest, found.spread.highest) == (0, 10)
    assert [number for _, _, number in found.bins] == [1, 0, 1, 0, 1, 0, 0, 0, 0, 2]
    assert [(test.passed, test.count, test.mean) for test in found.tests] == [(2, 5, 5.2)]


def test_what_came_of_a_class_is_counted_in_words() -> None:
    reports = {str(score) + name: report(score) for score in (0, 4, 10) for name in "ab"[: 1 + (score == 4)]}
    book = class_of(reports, nothing=["n"]).book
    told = "1 with full marks, 2 with part of the points, 1 with no points, 1 nothing handed in"
    assert count_outcomes(book.grades) == told


def test_work_of_nobody_on_the_roster_is_counted_and_in_no_figure() -> None:
    book = class_of({"a": report(4), "b": report(10), "broken": broken_report()}, nothing=["n"]).book
    grades = [
        dataclasses.replace(grade, entry=dataclasses.replace(grade.entry, is_unknown=grade.entry.id in {"b", "broken"}))
        for grade in book.grades
    ]
    book = dataclasses.replace(book, grades=tuple(grades))
    found = statistics_of(book)
    assert found.counts == ["1 graded", "1 nothing handed in", "2 of nobody on the roster"]
    assert found.spread is not None
    assert (found.spread.mean, found.tests[0].count) == (4, 1)
    helped = {grade.entry.id for grades in needs_help(book).values() for grade in grades}
    assert helped == {"n"}


def test_one_score_is_its_own_mean_and_quartiles() -> None:
    spread = figures(report(7)).spread
    assert spread is not None
    assert {spread.mean, spread.median, spread.lower, spread.upper, spread.lowest, spread.highest} == {7}


def test_bonus_points_and_borders_lie_in_the_bin_that_starts_with_them() -> None:
    bonus = replace(report(10), score=Fraction(13))
    assert [number for _, _, number in figures(report(9), bonus, report(8)).bins] == [0] * 8 + [1, 2]


def test_what_has_no_score_is_counted_and_changes_nothing() -> None:
    ungraded = report_of(
        scored_test("test 0", (case_result(),), Verdict.UNGRADED, None), verdict=Verdict.UNGRADED, score=None
    )
    reports = {"a": report(4), "b": report(8), "c": ungraded, "d": broken_report()}
    found = statistics_of(class_of(reports, nothing=["n", "m"], waiting=["w"]).book)
    assert {word: number for word, number in found.outcomes.items() if number} == {
        "graded": 3,
        "ungraded": 1,
        "not graded yet": 1,
        "nothing handed in": 2,
    }
    assert found.unbuilt == 1
    assert found.spread is not None
    assert found.spread.mean == pytest.approx(4)


def test_discrimination_is_the_correlation_with_the_other_tests() -> None:
    rows = [(n % 11, (n * n) % 11, (3 * n) % 7) for n in range(SMALL_GROUP + 5)]
    found = figures(*(report(*row) for row in rows)).tests
    for number, test in enumerate(found):
        own = [row[number] for row in rows]
        others = [sum(row) - row[number] for row in rows]
        assert test.discrimination == pytest.approx(correlation(own, others))


@pytest.mark.parametrize(
    ("rows", "remark"),
    [
        ([(n % 10, n % 10) for n in range(SMALL_GROUP - 1)], "too few submissions"),
        ([(n % 10,) for n in range(SMALL_GROUP)], "the only test"),
        ([(5, n % 10) for n in range(SMALL_GROUP)], "no differences"),
        ([(n % 10, 5) for n in range(SMALL_GROUP)], "no differences"),
        ([(Fraction("6.67"), n % 10) for n in range(SMALL_GROUP + 2)], "no differences"),  # their mean is not 6.67
        ([(n % 10, 9 - n % 10) for n in range(SMALL_GROUP)], "negative"),
        ([(n % 10, n // 10 * 5) for n in range(SMALL_GROUP)], "low"),
        ([(n % 10, n % 10) for n in range(SMALL_GROUP)], ""),
    ],
)
def test_a_discrimination_that_says_nothing_says_why(rows: list[tuple[Fraction | int, ...]], remark: str) -> None:
    test = figures(*(report(*row) for row in rows)).tests[0]
    assert test.remark == remark
    assert (test.discrimination is None) == (remark not in {"", "low", "negative"})


def test_what_was_never_run_says_nothing_of_a_test() -> None:
    built = [report(n % 10, n % 9) for n in range(SMALL_GROUP)]
    zeros = scored_test("test 0", (case_result("test 0", Verdict.BUILD_FAILED),), Verdict.BUILD_FAILED)
    other = scored_test("test 1", (case_result("test 1", Verdict.BUILD_FAILED),), Verdict.BUILD_FAILED)
    alone = figures(*built).tests[0]
    mixed = figures(*built, *[report_of(zeros, other)] * 10).tests[0]
    assert mixed.discrimination == alone.discrimination
    assert mixed.count == alone.count + 10


def test_a_test_without_points_is_known_by_who_passed_it() -> None:
    reports = [
        replace(report(n % 10), tests=(*report(n % 10).tests, _unscored(is_passed=n % 10 > 4)))
        for n in range(SMALL_GROUP)
    ]
    assert (figures(*reports).tests[1].discrimination or 0) > 0.8


def _unscored(*, is_passed: bool) -> TestResult:
    verdict = Verdict.PASSED if is_passed else Verdict.FAILED
    return scored_test("practice", (case_result("practice", verdict),), verdict, 0, 0)


def test_a_large_class_adds_up() -> None:
    book = sample_class(300).book
    found = statistics_of(book)
    assert sum(found.outcomes.values()) == 300
    assert sum(number for _, _, number in found.bins) == found.outcomes["graded"]
