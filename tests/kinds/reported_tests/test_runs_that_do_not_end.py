"""What counts of a report when the command that runs the tests was stopped, or ended in a way of its own."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.core.judge.ending import stopped
from grader.core.model.execution import Execution
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Judged
from grader.core.model.spec import Case
from grader.core.pipeline import grade, prepare
from grader.kinds.reported_tests.judge import judge
from grader.kinds.reported_tests.model import (
    ReportedOutcome,
    ReportedTestCase,
    TestOutcome,
    TestReport,
    TestsRun,
)

SPEC = """spec: 1
id: sums
title: Sums
language: python
files: {required: [sums.py]}
program: python3 sums.py
limits: {time: 1 s}
reference: python3 reference/sums.py
tests:
  - name: tap
    points: 3
    unit: {command: python3 tests/run.py, report: tap, with: [tests/run.py]}
"""
RUN = """
import sys
sys.path.insert(0, "."), print("1..3", flush=True)
import sums
for number, (name, a, b) in enumerate((("ones", 1, 1), ("twos", 2, 2), ("zero", 0, 0)), 1):
    print("ok" if sums.add(a, b) == a + b else "not ok", number, "-", name, flush=True)
"""
RIGHT = "def add(a, b):\n    return a + b\n"
FORGES = "import os, time\nos.write(1, b'{}')\n{}\n"
TWO, THREE = "ok 1 - ones\\nok 2 - twos\\n", "ok 1 - ones\\nok 2 - twos\\nok 3 - zero\\n"
SUBMISSIONS = {
    "right": (RIGHT, ["passed", "passed", "passed"]),
    "waits in the last test": (
        "import time\ndef add(a, b):\n    a or time.sleep(60)\n    return a + b\n",
        ["passed", "passed", "timeout"],
    ),
    "waits before any test": ("import time\ntime.sleep(60)\n", ["timeout", "timeout", "timeout"]),
    "forges two and waits": (FORGES.format(TWO, "time.sleep(60)"), ["passed", "passed", "timeout"]),
    "forges two and aborts": (FORGES.format(TWO, "os.abort()"), ["passed", "passed", "crashed"]),
    "forges two and exits": (FORGES.format(TWO, "os._exit(1)"), ["passed", "passed", "crashed"]),
    "forges all and waits": (FORGES.format(THREE, "time.sleep(60)"), ["crashed", "crashed", "crashed"]),
    "forges all and aborts": (FORGES.format(THREE, "os.abort()"), ["crashed", "crashed", "crashed"]),
    "forges all with two plans and waits": (FORGES.format(f"1..3\\n{THREE}", "time.sleep(60)"), ["crashed"] * 3),
    "forges all with two plans and aborts": (FORGES.format(f"1..3\\n{THREE}", "os.abort()"), ["crashed"] * 3),
    "forges all and exits": (FORGES.format(THREE, "os._exit(1)"), ["crashed", "crashed", "crashed"]),
}


@pytest.mark.usefixtures("shared_cache")
def test_results_before_the_end_count_however_it_came_and_full_marks_need_its_proof(tmp_path: Path) -> None:
    for name in ("specs", "tests", "reference", "ada"):
        (tmp_path / name).mkdir()
    (tmp_path / "reference/sums.py").write_text(RIGHT)
    (tmp_path / "tests/run.py").write_text(RUN)
    spec = tmp_path / "specs/sums.yaml"
    spec.write_text(SPEC)
    course = prepare(spec)
    for name, (source, verdicts) in SUBMISSIONS.items():
        (tmp_path / "ada/sums.py").write_text(source)
        report = grade(Job(spec=spec, submission=Submission(id="ada", path=tmp_path / "ada")), course)
        assert [str(case.verdict) for case in report.tests[0].cases] == verdicts, name


ENDS = "import os\nos._exit(127)\n"
COMMANDS = (
    ("python3 tests/run.py", RIGHT, "passed"),
    ("python3 tests/run.py", ENDS, "crashed"),
    ("nowhere", RIGHT, "ungraded"),
)


@pytest.mark.parametrize(("command", "source", "verdict"), COMMANDS)
def test_only_a_command_that_is_not_there_without_a_submission_is_ungraded(
    command: str, source: str, verdict: str, tmp_path: Path
) -> None:
    for name in ("specs", "tests", "ada"):
        (tmp_path / name).mkdir()
    (tmp_path / "tests/run.py").write_text(RUN)
    spec = tmp_path / "specs/sums.yaml"
    named = "report: tap, tests: [ones, twos, zero],"
    text = SPEC.replace("reference: python3 reference/sums.py\n", "").replace("report: tap,", named)
    spec.write_text(text.replace("python3 tests/run.py", f"sh -c '{command}'" if command == "nowhere" else command))
    (tmp_path / "ada/sums.py").write_text(source)
    report = grade(Job(spec=spec, submission=Submission(id="ada", path=tmp_path / "ada")), prepare(spec))
    assert [str(case.verdict) for case in report.tests[0].cases] == [verdict] * 3


STARVED, TIMED_OUT = {"limit": "time", "doubts": frozenset({"cpu_starved"})}, {"limit": "time"}
KILLED = {"status": None, "signal": 9, "doubts": frozenset({"killed_by_host"})}
VOID = TestReport(problem="there is no TAP in what the command wrote", is_void=True)


def _report(*outcomes: TestOutcome) -> TestReport:
    pairs = zip(("ones", "twos", "zero"), outcomes, strict=False)
    return TestReport(results=tuple(ReportedOutcome(name=name, full=name, outcome=outcome) for name, outcome in pairs))


@pytest.mark.parametrize(
    ("report", "ended", "verdicts"),
    [
        (_report("passed", "failed"), TIMED_OUT, [None, "failed", "timeout"]),
        (_report("passed", "failed"), STARVED, ["ungraded"] * 3),
        (_report("passed", "failed"), KILLED, ["ungraded"] * 3),
        (_report("passed", "failed", "passed"), TIMED_OUT, [None, "failed", None]),
        (_report("passed", "failed", "passed"), STARVED, ["ungraded"] * 3),
        (_report("passed", "passed", "passed"), TIMED_OUT, ["crashed"] * 3),
        (_report("passed", "passed", "passed"), STARVED, ["ungraded"] * 3),
        (_report(), TIMED_OUT, ["timeout"] * 3),
        (_report(), STARVED, ["ungraded"] * 3),
        (VOID, {"status": 0}, ["failed"] * 3),
        (VOID, TIMED_OUT, ["timeout"] * 3),
        (VOID, STARVED, ["ungraded"] * 3),
        (VOID, KILLED, ["ungraded"] * 3),
    ],
)
def test_a_run_that_the_machine_stopped_says_nothing(
    report: TestReport, ended: dict[str, Any], verdicts: list[str | None]
) -> None:
    tools = SimpleNamespace(errors=(), unreadable=())
    found = []
    for name in ("ones", "twos", "zero"):
        own = tuple(one for one in report.results if one.name == name)
        execution = Execution(facts=TestsRun(results=own, report=report), **ended)
        case = Case(id=name, payload=ReportedTestCase(commands=(), format="tap", name=name, total=3))
        context = cast("Any", SimpleNamespace(toolchain=tools, stopped=stopped(case, execution)))
        ending = judge(case, execution, None, context)
        found.append(None if isinstance(ending, Judged) else str(ending[0]))
    assert found == verdicts


@pytest.mark.parametrize(("number", "told"), [(11, "11 (SIGSEGV)"), (40, "40")])
@pytest.mark.parametrize("is_written", [True, False])
def test_a_test_without_a_result_is_told_with_the_signal_that_ended_all(
    number: int,
    told: str,
    is_written: bool,  # noqa: FBT001 - parametrized
) -> None:
    context = cast("Any", SimpleNamespace(toolchain=SimpleNamespace(errors=(), unreadable=()), stopped=None))
    facts = TestsRun(report=_report("failed"), is_written=is_written)
    case = Case(id="twos", payload=ReportedTestCase(commands=(), format="tap", name="twos", total=3))
    ending = judge(case, Execution(status=None, signal=number, facts=facts), None, context)
    assert not isinstance(ending, Judged)
    assert ending[1].text == f"`twos` was not finished: the tests were ended by signal {told}."
