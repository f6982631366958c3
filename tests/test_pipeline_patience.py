"""What is skipped after several cases in a row that ran out of time, or when the budget is spent: and what is not."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.author.handout import to_handout
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.model.spec import Toolchain
from grader.core.pipeline import Course, bench, grade, prepare
from grader.core.reader.spec import load
from grader.core.run.measuring import TimeLedger
from tests.support.courses import SPEC, course, submission

BURN = "import sys\nif sys.argv[1] in '{}': exec('while True: pass')\nprint(sys.argv[1])\n"
"""loops for ever with some of its arguments"""
SLEEP = "import time\ntime.sleep(60)\n"
TEST = """\
  - name: same
    points: 8
    each: {n: 1..8}
    args: ["{n}"]
    expect: {stdout: "{n}\\n"}
"""
LIMITS = "limits: {time: 5 s, cpu: 300 ms}\n"


pytestmark = pytest.mark.usefixtures("shared_cache")


def prepared(folder: Path, tests: str, top: str = "", abreast: int = 1) -> Course:
    return prepare(course(folder, SPEC[: SPEC.index("limits:")] + top + LIMITS + f"tests:\n{tests}"), abreast=abreast)


def graded(course: Course, folder: Path, program: str) -> Report:
    work = Submission(id="alice", path=submission(folder, program=program))
    return grade(Job(spec=course.spec.root / "specs" / "echo.yaml", submission=work), course)


def verdicts(report: Report) -> str:
    """The first letter of each verdict of the first test."""
    return "".join(case.verdict[0] for case in report.tests[0].cases)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tests", "top", "program", "expected"),
    [
        pytest.param(TEST, "", BURN.format("12345678"), "tttsssss", id="three without a word about it"),
        pytest.param(TEST + "    limits: {time: 300 ms}\n", "", SLEEP, "tttsssss", id="also of a program that sleeps"),
        pytest.param(TEST, "", BURN.format("124567"), "ttptttss", id="three in a row"),
        pytest.param(TEST, "", BURN.format("245"), "ptpttppp", id="no three in a row"),
        pytest.param(TEST, "patience: 1\n", BURN.format("3"), "pptsssss", id="as the spec says"),
        pytest.param(TEST + "    patience: 2\n", "patience: 1\n", BURN.format("34"), "ppttssss", id="as the test says"),
        pytest.param(TEST + "    patience: all\n", "", BURN.format("1234"), "ttttpppp", id="never"),
        pytest.param(
            "  - name: same\n    points: 2\n    patience: 1\n    expect: {stdout: any}\n"
            "    cases: [{args: ['1']}, {args: ['2'], limits: {time: 9 s}}]\n",
            "",
            BURN.format("1"),
            "tp",
            id="what is left has more time",
        ),
        pytest.param(
            TEST + "    repeat: {times: 2, counts: best}\n",
            "patience: 2\n",
            BURN.format("12"),
            "ttssssss",
            id="repeated",
        ),
    ],
)
def test_the_rest_is_skipped_after_so_many_in_a_row(
    tests: str, top: str, program: str, expected: str, tmp_path: Path
) -> None:
    report = graded(prepared(tmp_path, tests, top), tmp_path, program)
    assert verdicts(report) == expected
    assert report.score == expected.count("p")


def test_two_cases_at_a_time_are_lost_and_told_as_one_by_one(tmp_path: Path) -> None:
    report = graded(prepared(tmp_path, TEST, abreast=2), tmp_path, BURN.format("345"))
    assert verdicts(report) == "pptttsss"
    cases = report.tests[0].cases
    assert [case.id for case in cases] == [f"same[n={n}]" for n in range(1, 9)]
    assert [case.stdout for case in cases[:2]] == ["1\n", "2\n"]


def test_it_says_why_and_whoever_needs_it_is_skipped_and_the_next_test_runs(tmp_path: Path) -> None:
    needing = "  - {name: needing, needs: [same], args: [x], expect: {stdout: any, exit: 0}}\n"
    other = "  - {name: other, args: ['9'], expect: {stdout: {numbers: [9]}}}\n"
    begun: list[str] = []
    watched = replace(prepared(tmp_path, TEST + needing + other), on_case_start=lambda case: begun.append(case.id))
    report = graded(watched, tmp_path, BURN.format("12345678"))
    assert [test.verdict for test in report.tests] == ["timeout", "skipped", "passed"]
    assert {case.message for case in report.tests[0].cases[3:]} == {
        "Not run, because 3 cases in a row ran out of time (`patience: all` in the spec runs all)."
    }
    assert all(case.time is None for case in report.tests[0].cases[3:])
    assert "a loop may never end" in report.tests[0].cases[0].message
    assert begun == ["same[n=1]", "same[n=2]", "same[n=3]", "other"]


def test_the_handout_says_so_where_it_may_happen(tmp_path: Path) -> None:
    few = "  - {name: few, args: ['9'], expect: {stdout: any, exit: 0}}\n"
    told = "When 3 cases in a row ran out of time, the rest is not run."
    handout = to_handout(prepared(tmp_path, TEST + few))
    assert handout.count(told) == 1
    assert handout.index("## same") < handout.index(told) < handout.index("## few")


# ---------------------------------------------------------------- the budget of a submission

SLOW = "import sys, time\ntime.sleep(0.6)\nprint(sys.argv[1])\n"
FOUR = TEST.replace("1..8", "1..4")
MORE = """\
  - {name: more, args: [x], expect: {stdout: {contains: x}}}
  - {name: needing, needs: [more], args: [x], expect: {stdout: {contains: x}}}
"""
SPENT = "Not run, because the runs before it took more than 1 s in all (`budget` in the spec)."


def test_all_runs_have_one_budget(tmp_path: Path) -> None:
    report = graded(prepared(tmp_path, FOUR + MORE, "budget: 1 s\n"), tmp_path, SLOW)
    assert verdicts(report) == "ppss"
    assert [test.verdict for test in report.tests[1:]] == ["skipped", "skipped"]
    messages = [case.message for test in report.tests for case in test.cases if case.verdict == "skipped"]
    assert messages == [SPENT, SPENT, SPENT, "Not run, because more did not pass."]
    assert (report.score, report.max_score) == (4, 10)


def test_without_one_only_what_a_limit_ended_counts_and_no_case_is_left_in_its_midst(tmp_path: Path) -> None:
    repeated = FOUR + "    repeat: 2\n    limits: {time: 300 ms}\n"
    ready = prepared(tmp_path, repeated + MORE.replace("more, args", "more, limits: {time: 9 s}, args"))
    job = Job(spec=tmp_path, submission=Submission(id="alice", path=submission(tmp_path, program=SLOW)))
    first, more, _ = ready.spec.tests
    with bench(job, ready) as made:
        left = replace(made, course=replace(made.course, ledger=TimeLedger(budget=0.4, of_ended=True)))
        lost = left.grade_test(replace(first, patience=None), [])
        skipped = left.grade_test(more, [])
        kept = replace(made, course=replace(made.course, ledger=TimeLedger(budget=0.4, of_ended=True))).grade_test(
            more, []
        )
    assert [case.verdict for case in lost.cases] == ["timeout", "skipped", "skipped", "skipped"]
    assert skipped.cases[0].message.text == (
        "Not run, because the runs stopped before it took more than 0.4 s in all (`budget: all` in the spec runs all)."
    )
    assert kept.verdict == "passed"  # however long it takes


@pytest.mark.parametrize(
    ("top", "tests", "expected"),
    [
        ("budget: 2 min\n", FOUR, (120, False)),
        ("budget: all\n", FOUR, (float("inf"), False)),
        ("", FOUR, (300, True)),
        ("", FOUR + "    repeat: 5\n    run: both\n    limits: {time: 20 s}\n", (400, True)),
    ],
)
def test_how_large_it_is(top: str, tests: str, expected: tuple[float, bool], tmp_path: Path) -> None:
    text = SPEC[: SPEC.index("limits:")] + top + LIMITS + f"tests:\n{tests}"
    budget = TimeLedger.of(load(course(tmp_path, text)), Toolchain(name="python"))
    assert (budget.budget, budget.of_ended) == expected


@pytest.mark.parametrize(
    ("top", "limit", "told"),
    [
        ("budget: 1 s\n", "5 s", "When all runs together have taken more than 1 s, the rest is not run."),
        ("", "200 s", "When runs that were ended at a limit have taken more than 400 s, the rest is not run."),
        ("", "70 s", ""),
        ("budget: all\n", "200 s", ""),
    ],
)
def test_the_handout_tells_a_budget_that_can_be_spent(top: str, limit: str, told: str, tmp_path: Path) -> None:
    handout = to_handout(prepared(tmp_path, FOUR + f"    limits: {{time: {limit}}}\n", top))
    assert told in handout
    assert handout.count("the rest is not run.") == (2 if told else 1)  # that of patience
