"""Tests that a command runs with a submission: what a right one gets, and what is said of all others."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from msgspec.structs import replace

from grader.check.runner import asking, examine
from grader.core.judge.ending import stopped
from grader.core.model.execution import Execution
from grader.core.model.report import Judged
from grader.core.model.spec import Case
from grader.core.pipeline import prepare
from grader.kinds.reported_tests.judge import _JEST_CAUSE, judge
from grader.kinds.reported_tests.model import ReportedOutcome, ReportedTestCase, TestOutcome, TestReport, TestsRun
from grader.kinds.reported_tests.run import folder_of_reference
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]

RIGHT = "def add(a, b):\n    return a + b\n"


def _course(folder: Path, spec: str) -> Path:
    for name in ("specs", "tests", "reference"):
        (folder / name).mkdir()
    (folder / "reference" / "sums.py").write_text(RIGHT)
    (folder / "tests" / "run.py").write_text(DATA["RUN"])
    path = folder / "specs" / "sums.yaml"
    path.write_text(spec)
    return path


def test_the_folder_of_the_reference_is_not_that_of_an_interpreter_with_a_dot_in_its_name(tmp_path: Path) -> None:
    spec = SPEC.replace("reference: python3 ", "reference: python3.11 ")
    assert folder_of_reference(prepare(_course(tmp_path, spec)).spec) == "reference"


@each_row
def test_the_cause_stands_below_the_heading_of_jest(detail: str, cause: str | None) -> None:
    found = _JEST_CAUSE.match(detail)
    assert (found and found["cause"]) == cause


def test_lint_asks_the_reference_which_tests_there_are(tmp_path: Path) -> None:
    spec = _course(tmp_path, SPEC)
    assert {one.rule for one in examine(spec, asking("auto", 1)).remarks} == {"unit-tests-alone"}
    spec.write_text(SPEC.replace("{adds: 3}", "{adds: 2, adds more: 2}"))
    found = {one.rule for one in examine(spec, asking("auto", 1)).remarks}
    assert found == {"unit-tests-alone", "weights-without-effect"}


@each_row
def test_tests_that_all_passed_count_only_where_their_command_ended(ended: Execution, verdict: str | None) -> None:
    results = (ReportedOutcome(name="adds", full="adds", outcome="passed"),)
    case = Case(id="tap[adds]", payload=ReportedTestCase(commands=(), format="tap", name="adds", total=1))
    execution = replace(ended, facts=TestsRun(results=results, report=TestReport(results=results)))
    tools = SimpleNamespace(errors=(), unreadable=())
    context = cast("Any", SimpleNamespace(toolchain=tools, stopped=stopped(case, execution)))
    found = judge(case, execution, None, context)
    assert (None if isinstance(found, Judged) else found[0].value) == verdict


@each_row
def test_what_the_reference_skips_as_often_is_no_failure(
    outcomes: list[TestOutcome], skips: int, verdict: str | None
) -> None:
    results = tuple(ReportedOutcome(name="adds", full="adds", outcome=outcome) for outcome in outcomes)
    case = Case(id="tap[adds]", payload=ReportedTestCase(commands=(), format="tap", name="adds", skips=skips))
    execution = Execution(status=0, facts=TestsRun(results=results, report=TestReport(results=results)))
    context = cast("Any", SimpleNamespace(toolchain=SimpleNamespace(errors=(), unreadable=()), stopped=None))
    found = judge(case, execution, None, context)
    assert (None if isinstance(found, Judged) else found[0].value) == verdict


def test_what_ends_in_many_blanks_is_judged() -> None:
    case = Case(id="tap[adds]", payload=ReportedTestCase(commands=(), format="tap", name="adds", total=1))
    execution = Execution(status=1, stderr=b"no" + b"\n" * 2**20, facts=TestsRun(is_written=False))
    context = cast("Any", SimpleNamespace(toolchain=SimpleNamespace(errors=(), unreadable=()), stopped=None))
    found = judge(case, execution, None, context)
    assert not isinstance(found, Judged)
    assert found[1].text.startswith("The tests wrote no report: the command that runs the tests ended with status 1")
