"""What is skipped after several cases in a row that ran out of time, or when the budget is spent: and what is not."""

from pathlib import Path

from msgspec.structs import replace

from grader.author.handout import to_handout
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.model.spec import Toolchain
from grader.core.pipeline import Course, bench, grade, prepare
from grader.core.reader.spec import load
from grader.core.run.measuring import TimeLedger
from tests.support.courses import SPEC, course, submission
from tests.support.rows import each_row, read_data

BURN = "import sys\nif sys.argv[1] in '{}': exec('while True: pass')\nprint(sys.argv[1])\n"
"""loops for ever with some of its arguments"""
DATA = read_data(__file__)
TEST = DATA["TEST"]
LIMITS = "limits: {time: 5 s, cpu: 200 ms}\n"


def prepared(folder: Path, tests: str, top: str = "") -> Course:
    return prepare(course(folder, SPEC[: SPEC.index("limits:")] + top + LIMITS + f"tests:\n{tests}"))


def graded(course: Course, folder: Path, program: str) -> Report:
    work = Submission(id="alice", path=submission(folder, program=program))
    return grade(Job(spec=course.spec.root / "specs" / "echo.yaml", submission=work), course)


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
MORE = DATA["MORE"]


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


@each_row
def test_how_large_it_is(top: str, tests: str, expected: tuple[float, bool], tmp_path: Path) -> None:
    text = SPEC[: SPEC.index("limits:")] + top + LIMITS + f"tests:\n{tests}"
    budget = TimeLedger.of(load(course(tmp_path, text)), Toolchain(name="python"))
    assert (budget.budget, budget.of_ended) == expected


@each_row
def test_the_handout_tells_a_budget_that_can_be_spent(top: str, limit: str, told: str, tmp_path: Path) -> None:
    handout = to_handout(prepared(tmp_path, FOUR + f"    limits: {{time: {limit}}}\n", top))
    assert told in handout
    assert handout.count("the rest is not run.") == (2 if told else 1)  # that of patience
