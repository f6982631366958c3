import dataclasses
from typing import Literal

import pytest
from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.core.model.gradebook import Gradebook
from grader.core.model.report import Report, ReportedBuild, ReportedCase, Verdict
from grader.results.diff import GradeChange, compare_gradebooks
from grader.results.store import ReportKey
from tests.support.past_samples import book, case, grade, record, scored
from tests.support.rows import each_row

KEY = ReportKey(submission="s", spec="p", reference="r", toolchain="t", grader="0")
FULL, HALF, NONE = record(scored("usage", 10)), record(scored("usage", 5)), record(scored("usage", 0))
SUBMISSION, SPEC = HALF.submission, HALF.spec
UNGRADED = record(scored("usage", None))
NOTHING, WAITING = grade("a", None, path=None), grade("a", None)
GRADES = {"full": FULL, "half": HALF, "none": NONE, "ungraded": UNGRADED}
BOOKS = {name: book(grade("a", report)) for name, report in GRADES.items()}
BOOKS |= {"nothing": book(NOTHING), "waiting": book(WAITING), "not there": book()}


def changed(old: Gradebook, new: Gradebook) -> GradeChange:
    (change,) = compare_gradebooks(old, new).changes
    return change


def reasons(old: Report, new: Report, *, hidden: bool = False, spec_texts: tuple[str, str] = ("", "")) -> list[str]:
    before, after = book(grade("a", old), spec_text=spec_texts[0]), book(grade("a", new), spec_text=spec_texts[1])
    (change,) = compare_gradebooks(before, after, hidden=hidden).changes
    return [*change.reasons, *(reason for test in change.tests for reason in test.reasons)]


@each_row
def test_every_way_in_which_a_grade_can_change(old: str, new: str, kind: str | None, *, is_lower: bool) -> None:
    comparison = compare_gradebooks(BOOKS[old], BOOKS[new])
    assert [change.kind for change in comparison.changes] == ([kind] if kind else [])
    assert comparison.unchanged == (kind is None)
    assert any(change.is_lower for change in comparison.changes) == is_lower


@each_row
def test_with_another_maximum_the_share_of_it_counts(
    old: tuple[float, float], new: tuple[float, float], kind: str
) -> None:
    before, after = (book(grade("a", record(scored("usage", *pair))), max_score=pair[1]) for pair in (old, new))
    assert changed(before, after).kind == kind


def test_who_falls_deepest_comes_first() -> None:
    old = book(*(grade(name, FULL) for name in "abc"), grade("d", HALF), grade("e", FULL))
    new = book(grade("a", HALF), grade("b", NONE), grade("c", FULL), grade("d", FULL))
    comparison = compare_gradebooks(old, new)
    found = [(change.id, change.kind, change.delta) for change in comparison.changes]
    assert found == [("b", "falls", -10), ("a", "falls", -5), ("e", "gone", 0), ("d", "rises", 5)]
    assert comparison.unchanged == 1


def test_points_that_move_between_tests_are_no_fall() -> None:
    old = record(scored("usage", 5), scored("count", 0))
    new = record(scored("usage", 0), scored("count", 5))
    change = changed(book(grade("a", old)), book(grade("a", new)))
    assert (change.kind, [test.name for test in change.tests]) == ("shifts", ["usage", "count"])


def test_a_name_is_found_as_reports_show_it() -> None:
    comparison = compare_gradebooks(book(grade("a\udcff\x1b", FULL)), book(grade(r"a\xff\x1b", HALF)))
    assert [(change.id, change.kind) for change in comparison.changes] == [(r"a\xff\x1b", "falls")]


def test_two_reports_of_one_name_are_not_compared() -> None:
    with pytest.raises(UsageError, match="both called a"):
        compare_gradebooks(book(grade("a", FULL), grade("a", HALF)), book())


# ---------------------------------------------------------------- why


@each_row
def test_a_change_names_what_is_not_what_it_was(new: Report, key: dict[str, str], causes: tuple[str, ...]) -> None:
    keys = {"a": KEY}, {"a": dataclasses.replace(KEY, **key)}
    comparison = compare_gradebooks(book(grade("a", FULL)), book(grade("a", new)), keys=keys)
    (change,) = comparison.changes
    assert (change.causes, change.is_known) == (causes, True)
    assert {difference.cause for difference in comparison.differences} == set(causes)
    if new.toolchain != FULL.toolchain:
        assert [one.text for one in comparison.differences] == ["cc: 1 -> 2", "make: none -> 4"]


def test_without_keys_the_reference_is_not_known() -> None:
    change = changed(book(grade("a", FULL)), book(grade("a", HALF)))
    assert (change.causes, change.is_known) == ((), False)


def with_cases(*cases: ReportedCase, score: float) -> Report:
    return record(scored("usage", score, cases=cases))


@each_row
def test_a_test_tells_what_its_case_shows(old: ReportedCase, new: ReportedCase, wanted: str) -> None:
    assert reasons(with_cases(old, score=10 * old.credit), with_cases(new, score=10 * new.credit)) == [wanted]


def test_many_cases_are_told_once_for_each_direction() -> None:
    names = [f"usage[{n}]" for n in range(1, 6)]
    before = [case(1, name=name) for name in names[:4]] + [case(0, "Bad.", name=names[4])]
    after = [case(0, "Worse.", name=name) for name in names[:4]] + [case(1, name=names[4])]
    assert reasons(with_cases(*before, score=8), with_cases(*after, score=2)) == [
        "usage[1] and 3 more: Worse.",
        "usage[5]: passed now; before: Bad.",
    ]


@pytest.mark.parametrize("verdict", [Verdict.BUILD_FAILED, Verdict.UNGRADED])
def test_what_stops_everything_is_told_once(verdict: Verdict) -> None:
    stopped = replace(case(0, "No such compiler."), verdict=verdict)
    before = record(*(scored(name, 10, cases=[case(1)]) for name in ("one", "two")))
    score = None if verdict is Verdict.UNGRADED else 0
    after = record(*(scored(name, score, cases=[stopped]) for name in ("one", "two")))
    if verdict is Verdict.BUILD_FAILED:
        after = replace(after, build=ReportedBuild(ok=False, message="No such compiler."))
        assert reasons(before, after) == ["The build fails: No such compiler."]
        assert reasons(after, before) == ["Before: The build fails: No such compiler."]
    else:
        assert reasons(before, after) == ["usage is ungraded: No such compiler."]


def test_a_test_tells_what_the_spec_changed_about_it_and_nothing_of_the_others() -> None:
    old = record(scored("usage", 10, cases=[case(1, keeps={"order": 1})]), scored("count", 10))
    new = replace(
        record(scored("usage", 4, 8, cases=[case(0.5, keeps={"order": 0.5})]), scored("count", 9, 9)),
        spec=replace(old.spec, digest="x"),
    )
    texts = (
        "tolerate: {order: 100%}\ntests: [{name: usage, points: 10}, {name: count, points: 10}]",
        "tolerate: {order: 50%, wording: 1%}\ntests: [{name: usage, points: 8}, {name: count, points: 9}]",
    )
    assert reasons(old, new, spec_texts=texts) == [
        "usage: order keeps 50 % of the credit; before, 100 %.",
        "tolerate.order: 100% -> 50%",
        "tests[usage].points: 10 -> 8",
        "tests[count].points: 10 -> 9",
    ]
    same_spec = replace(new, spec=old.spec)
    assert reasons(old, same_spec, spec_texts=texts) == ["usage: order keeps 50 % of the credit; before, 100 %."]


@pytest.mark.parametrize("visibility", ["hidden", "after-due"])
def test_of_a_hidden_test_there_are_the_points_alone(visibility: Literal["hidden", "after-due"]) -> None:
    sides = [
        record(
            replace(
                scored("usage", score, cases=[case(score / 10, "canary", keeps={"canary": 0})]), visibility=visibility
            )
        )
        for score in (10, 0)
    ]
    comparison = compare_gradebooks(book(grade("a", sides[0])), book(grade("a", sides[1])))
    assert "canary" not in str(comparison)
    (test,) = comparison.changes[0].tests
    assert (test.name, test.old_score, test.new_score, test.new_verdict) == ("usage", 10, 0, None)
    assert reasons(*sides, hidden=True) == ["usage: canary"]


def test_a_hidden_test_that_is_ungraded_does_not_say_why() -> None:
    broken = replace(case(0, "canary", name="canary"), verdict=Verdict.UNGRADED)
    new = record(scored("usage", None, cases=[broken], visibility="hidden"))
    assert reasons(FULL, new) == ["usage is ungraded."]
    assert reasons(FULL, new, hidden=True) == ["canary is ungraded: canary"]


def test_a_test_that_came_or_went_says_so() -> None:
    old, new = record(scored("old", 5)), record(scored("new", 4))
    assert reasons(old, new) == ["There is no such test any more.", "The test is new."]
