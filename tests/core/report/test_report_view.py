from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal

import pytest
from msgspec.structs import replace

from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Deviation, Message, Verdict, summarise
from grader.core.model.spec import Test
from grader.core.report.document import build_problem, to_document
from grader.core.report.json import to_report, to_reported_test
from grader.core.report.plain import in_short
from grader.core.report.view import (
    Block,
    CasePlace,
    CauseKey,
    Text,
    blocks_of_test,
    case_summary,
    cause_of,
    describe_group,
    describe_groups,
    evidence,
    headline,
    is_shown,
    names,
    out_of_points,
    test_points,
    word_for,
    word_for_case,
)
from tests.support.report_samples import (
    broken_report,
    case_result,
    deviation,
    full_report,
    report_of,
    reported,
    scored_test,
    to_feedback,
    to_page,
)
from tests.support.rows import each_row

points_shown = test_points
del test_points  # pytest would take it for a test


@each_row
def test_who_sees_a_test(visibility: Literal["visible", "hidden", "after-due"], before: bool, after: bool) -> None:  # noqa: FBT001  a table
    test = Test(name="a", points=Fraction(1), cases=(), visibility=visibility)
    assert (is_shown(test), is_shown(test, after_due=True)) == (before, after)


@each_row
def test_people_read_what_the_points_are(verdict: str, score: float | None, most: float, word: str) -> None:
    assert word_for(verdict, score, most) == word


def test_a_case_has_no_part_of_points_that_its_test_does_not_give() -> None:
    half = replace(case_result("a[1]", Verdict.PARTIAL), credit=Fraction(1, 2))
    for score, word in ((0, "no points"), (5, "part of the points")):
        test = to_reported_test(scored_test("a", (half,), Verdict.FAILED, score, 10))
        assert word_for_case(test.cases[0], test) == word


def test_the_headline_says_it_all() -> None:
    assert headline(to_report(full_report())) == "Müller, Anna  39.17 of 100  part of the points"
    ungraded = report_of(student="a\nb", verdict=Verdict.UNGRADED, score=None)
    assert headline(to_report(ungraded)) == r"a\nb  ? of 0  ungraded"


def test_cases_with_one_sentence_are_told_once() -> None:
    cases = [case_result(f"usage[{n}]", message="no" if n != 2 else "other") for n in range(1, 7)]
    groups = describe_groups(to_reported_test(scored_test("usage", tuple(cases), Verdict.FAILED)))
    assert [names(group) for group in groups] == ["usage[1], usage[3], usage[4] and 2 more", "usage[2]"]


@each_row
def test_a_cause_is_what_is_not_quoted_or_counted(stories: list[str], same: bool) -> None:  # noqa: FBT001  a table
    one, other = (cause_of(reported(case_result(message=message))) for message in stories)
    assert (one == other) is same


def test_functions_are_told_apart_where_they_are_what_it_is_about() -> None:
    wrong = replace(deviation(), stream="call")
    cases = [
        case_result(deviations=(replace(wrong, message=f"There is no `{name}`."),))
        for name in ("isSafe", "place", "place")
    ]
    one, other, same = (cause_of(reported(case)) for case in cases)
    assert one != other == same


def test_what_ended_at_a_limit_has_one_cause_and_other_verdicts_have_others() -> None:
    slow = case_result(verdict=Verdict.TIMEOUT, message="a")
    cases = [
        replace(slow, message=Message(text), run=summarise(Execution(signal=9, limit="cpu")))
        for text in ("1 s.", "2 s.")
    ]
    assert len({cause_of(reported(case)) for case in cases}) == 1
    assert cause_of(reported(case_result())) != cause_of(reported(case_result(verdict=Verdict.CRASHED)))


R = Verdict.PASSED


@each_row
def test_where_a_cause_shows_is_told_once_for_all_its_cases(verdicts: dict[str, Verdict], told: str) -> None:
    first = next(name for name, verdict in verdicts.items() if verdict is not R)
    cases = tuple(
        case_result(f"t[{name}]", verdict, "" if verdict is R else "a." if name == first else "b.")
        for name, verdict in verdicts.items()
    )
    test = to_reported_test(scored_test("t", cases, Verdict.FAILED))
    group = [case for case in test.cases if case.verdict is verdicts[first]]
    assert describe_group(group, test) == told


def test_one_story_of_several_cases_needs_no_example() -> None:
    test = to_reported_test(scored_test("t", tuple(case_result(f"t[{n}]") for n in (1, 2)), Verdict.FAILED))
    assert describe_group(test.cases, test) == "The output differs."


def test_what_costs_nothing_is_told_all_the_same_and_what_is_right_is_not() -> None:
    right = case_result("a[1]", Verdict.PASSED, "")
    noted = replace(right, id="a[2]", deviations=(deviation("final-newline", "No newline.", 1),))
    groups = describe_groups(to_reported_test(scored_test("a", (right, noted), Verdict.PASSED, 10)))
    assert [[case.id for case in group] for group in groups] == [["a[2]"]]
    assert case_summary(reported(noted)) == "No newline."


def test_there_is_always_something_to_say() -> None:
    assert case_summary(reported(case_result(message="", verdict=Verdict.TIMEOUT))) == "The case is timeout."


def test_a_failed_build_is_told_once_and_by_no_case() -> None:
    report = broken_report()
    assert build_problem(to_report(report)) == "Queens.java:3: error: ';' expected"
    assert describe_groups(to_report(report).tests[0]) == []
    assert build_problem(to_report(full_report())) == ""


@pytest.mark.parametrize(
    ("points", "score", "bonus", "shown"),
    [(10, Fraction(1, 3), False, "0.33 of 10"), (0, 0, False, "not scored"), (2, None, True, "? of 2 (bonus)")],
)
def test_points_of_a_test(points: int, score: Fraction | int | None, bonus: bool, shown: str) -> None:  # noqa: FBT001  a table
    result = scored_test("a", (), Verdict.PASSED, score, points)
    assert points_shown(to_reported_test(replace(result, test=replace(result.test, bonus=bonus)))) == shown


@each_row
def test_the_word_after_points_agrees_with_the_last_number(score: int | None, most: float, shown: str) -> None:
    assert out_of_points(score, most) == shown


def test_no_view_says_1_points() -> None:
    report = to_report(report_of(scored_test("a", (case_result(),), Verdict.FAILED, points=1)))
    assert ": 0 of 1 point: " in to_feedback(report)
    assert b": 0 of 1 point " in to_page(report)
    assert in_short(report)[0] == "0 of 1 point."


def test_evidence_is_of_the_streams_in_question() -> None:
    on_stderr = replace(deviation(), stream="stderr")
    case = replace(
        case_result(stdout=b"x\n", stderr=b"y\n", expected=b"a\n", deviations=(on_stderr,)), expected_stderr="b\n"
    )
    assert [part.lines for part in evidence(reported(case))] == [["- b", "+ y"]]
    crashed = case_result(verdict=Verdict.CRASHED, stdout=b"x\n", stderr=b"y\n", expected=b"a\n")
    assert [part.lines for part in evidence(reported(crashed))] == [["- a", "+ x"], ["  y"]]
    moved = replace(case, deviations=(replace(on_stderr, kind="wrong-stream"),))
    assert len(evidence(reported(moved))) == 2
    assert evidence(reported(replace(case, verdict=Verdict.PASSED))) == []
    assert evidence(reported(replace(case, run=None))) == []


def test_a_stream_with_nothing_to_compare_it_with_is_shown_as_it_is() -> None:
    case = case_result(stdout=b"4 solutions\n", deviations=(deviation(),))
    assert [part.lines for part in evidence(reported(case))] == [["  4 solutions"]]


def test_a_wrong_exit_shows_no_stream() -> None:
    on_exit = replace(deviation("exit-status"), stream="exit")
    assert evidence(reported(case_result(stdout=b"x", expected=b"y", deviations=(on_exit,)))) == []


WRONG_CALL = replace(deviation(), stream="call")


@each_row
def test_a_cause_is_told_in_one_test(first: str, then: str, told: str | None) -> None:
    def case(name: str, message: str) -> CaseResult:
        deviations = () if message.startswith("Your program") else (replace(WRONG_CALL, message=message),)
        return case_result(f"{name}[1]", Verdict.CRASHED, message, deviations=deviations)

    tests = [
        scored_test(name, (case(name, message),), Verdict.CRASHED)
        for name, message in (("a", first), ("b", then), ("c", "Something else."))
    ]
    read = to_document(to_report(report_of(*tests))).tests
    assert sentences(read) == [first, told or then, "Something else."]
    assert repeats(read[1]) == (told is None)
    # What students do not see has told them nothing.
    first_hidden = replace(tests[0], test=replace(tests[0].test, visibility="after-due"))
    hidden = to_report(report_of(first_hidden, *tests[1:]))
    assert sentences(to_document(hidden).tests) == [then, "Something else."]
    assert to_document(hidden, after_due=True).tests[1] == read[1]


BUSY = (
    "Your program was stopped after 2.0 s of processor time (2.1 s by the clock); the limit is 2 s. It had printed "
    "{}. It was busy all the time: a loop may never end, or the method is too slow."
)
IDLE = BUSY.replace("busy all the time: either", "idle most of the time: or")
LETTERS, SPACES = deviation("case", "Letter case differs."), deviation("spaces", "Spaces within lines differ.")


def timed_out(message: str, cpu: float = 2.0) -> CaseResult:
    case = case_result("a", Verdict.TIMEOUT, message)
    assert case.run
    return replace(case, run=replace(case.run, limit="cpu" if cpu > 1 else "time", time=2.0, cpu=cpu))


def told_of(*cases: CaseResult) -> list[Sequence[Block]]:
    tests = [scored_test(f"t{n}", (case,), case.verdict) for n, case in enumerate(cases)]
    return [*to_document(to_report(report_of(*tests))).tests]


def sentences(tests: Iterable[Sequence[Block]]) -> list[str]:
    return [block.text for test in tests for block in test if isinstance(block, Text) and block.role == "sentence"]


def repeats(blocks: Sequence[Block]) -> bool:
    return any(isinstance(block, Text) and block.role == "command" for block in blocks)


def test_a_time_out_is_told_once_whatever_was_printed() -> None:
    first, other = BUSY.format("nothing"), IDLE.format("nothing")
    messages = (first, BUSY.format("3 lines, last `1.5`").replace("2.1", "2.25"), other)
    found = told_of(*map(timed_out, messages, (2.0, 1.9, 0.1)))
    assert sentences(found) == [first, "The cause is the same as in the test `t0`.", other]


def test_a_named_deviation_is_told_once_and_its_lines_stay_where_they_differ() -> None:
    def case(out: bytes, *found: Deviation) -> CaseResult:
        return case_result("a", Verdict.PARTIAL, found[0].message, stdout=out, expected=b"Sum\n", deviations=found)

    found = told_of(
        case(b"sum\n", LETTERS),
        case(b"sum\n", LETTERS),
        case(b"SUM\n", LETTERS),
        case(b"sum\n", SPACES),
        case(b"sum\n", LETTERS, deviation()),
        case(b"sum\n", replace(LETTERS, keeps=Fraction(1, 2))),
    )
    assert ["the same as in the test `t0`" in one for one in sentences(found)] == [
        False,
        True,
        True,
        False,
        False,
        False,
    ]
    assert [*map(repeats, found[:3])] == [True, False, True]


@each_row
def test_what_the_source_shows_is_told_in_one_test(told: str) -> None:
    hints = [told, told]
    found = told_of(
        *(
            case_result("a", message=f"{hint} It wrote {n}.", deviations=(deviation(message=f"It wrote {n}."),))
            for n, hint in enumerate(hints)
        )
    )
    assert sentences(found) == [f"{hints[0]} It wrote 0.", "The cause is the same as in the test `t0`."]


def test_a_read_that_goes_on_is_told_in_one_test() -> None:
    reads = "`a.c:9` goes on reading after the input has ended: test what `scanf` returns."
    messages = (f"{reads} {BUSY.format('nothing')}", f"{reads} {IDLE.format('nothing')}", BUSY.format("nothing"))
    found = told_of(*map(timed_out, messages))
    assert sentences(found) == [messages[0], "The cause is the same as in the test `t0`.", messages[2]]


@pytest.mark.parametrize(("number", "is_same"), [(0, True), (2, True), (3, False)])
def test_a_screen_refers_only_to_a_cause_that_it_shows(number: int, is_same: bool) -> None:  # noqa: FBT001 - a table
    """A test shows three of its causes on a screen; who has the fourth too is told it."""
    says = [f"Your program ended with an uncaught exception: `java.lang.E{one}Exception: x`." for one in "ABCD"]
    cases = [case_result(f"a[{at}]", Verdict.CRASHED, one) for at, one in enumerate(says)]
    other = case_result("b[1]", Verdict.CRASHED, says[number])
    tests = [scored_test("a", tuple(cases), Verdict.CRASHED), scored_test("b", (other,), Verdict.CRASHED)]
    known: dict[CauseKey, CasePlace] = {}
    _, second = (list(blocks_of_test(one, known=known, brief=True)) for one in to_report(report_of(*tests)).tests)
    assert ("the same as in `a`" in repr(second)) is is_same
