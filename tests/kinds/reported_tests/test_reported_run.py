"""Tests that a command runs with a submission: what a right one gets, and what is said of all others."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.check.runner import asking, examine
from grader.core.judge.ending import stopped
from grader.core.model.execution import Execution
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Judged, Report
from grader.core.model.spec import Case
from grader.core.pipeline import grade, prepare
from grader.kinds.reported_tests.judge import _JEST_CAUSE, judge
from grader.kinds.reported_tests.model import ReportedOutcome, ReportedTestCase, TestReport, TestsRun
from grader.kinds.reported_tests.run import folder_of_reference

pytestmark = pytest.mark.usefixtures("shared_cache")

SPEC = """spec: 1
id: sums
title: Sums
language: python
files: {required: [sums.py]}
program: python3 sums.py
reference: python3 reference/sums.py
tests:
  - name: tap
    points: 4
    unit: {command: python3 tests/run.py, report: tap, with: [tests/run.py], weights: {adds: 3}}
"""
RUN = """
import sys
sys.path.insert(0, "."), print("1..2", flush=True)
import sums
for number, (name, a, b) in enumerate((("adds", 1, 2), ("adds more", 2, 2)), 1):
    print("ok" if sums.add(a, b) == a + b else "not ok", number, "-", name, flush=True)
"""
RIGHT = "def add(a, b):\n    return a + b\n"
SUBMISSIONS = {
    "right": (RIGHT, 4, ["", ""]),
    "wrong": (
        "def add(a, b):\n    return 3\n",
        3,
        ["", "`adds more` failed: the report does not say why."],
    ),
    "ends": (
        "import sys\nsys.exit(0)\n",
        0,
        ["`adds` has no result in the report: the report announces 2 tests and has 0;"],
    ),
    "raises": ("def add(a, b):\n    return a + b if a == 1 else nothing\n", 3, ["", "`adds more` has no result"]),
    "broken": (
        "def add(a b):\n    return a + b\n",
        0,
        ["`adds` has no result in the report: the report announces 2 tests and has 0; the command that runs the tests"],
    ),
    "prints": (
        "print('ok 1 - adds\\nok 2 - extra')\ndef add(a, b):\n    return 0\n",
        0,
        ["`adds` has 2 results in the report; the tests of the course give it 1 result."],
    ),
    "status": (
        RIGHT + "import atexit, os\natexit.register(lambda: os._exit(3))\n",
        0,
        ["All tests passed by their report, but the command that runs them ended with status 3"],
    ),
}


def _course(folder: Path, spec: str, run: str = RUN, reference: str = RIGHT) -> Path:
    for name in ("specs", "tests", "reference"):
        (folder / name).mkdir()
    (folder / "reference" / "sums.py").write_text(reference)
    (folder / "tests" / "run.py").write_text(run)
    path = folder / "specs" / "sums.yaml"
    path.write_text(spec)
    return path


def _grade(spec: Path, source: str, **files: str) -> Report:
    work = spec.parent.parent / "submission"
    work.mkdir(exist_ok=True)
    for name, text in {"sums.py": source, **files}.items():
        (work / name).write_text(text)
    return grade(Job(spec=spec, submission=Submission(id="ada", path=work)), prepare(spec))


def test_each_test_of_a_report_is_a_case(tmp_path: Path) -> None:
    spec = _course(tmp_path, SPEC)
    for name, (source, score, messages) in SUBMISSIONS.items():
        report = _grade(spec, source)
        (test,) = report.tests
        assert [case.id for case in test.cases] == ["tap[adds]", "tap[adds more]"], name
        assert report.score == score, (name, [case.message for case in test.cases])
        for case, message in zip(test.cases, messages, strict=False):
            assert case.message.startswith(message), name
            assert bool(case.message) == bool(message), name


def test_a_report_that_was_handed_in_is_not_read(tmp_path: Path) -> None:
    spec = SPEC.replace("report: tap,", "report: tap, from: r.tap,")
    course = _course(tmp_path, spec, RUN + "open('r.tap', 'w').write('1..1\\nok 1 - adds\\n')\n")
    report = _grade(course, "import os\nos._exit(0)\n", **{"r.tap": "1..1\nok 1 - adds\n"})
    assert (report.score, report.tests[0].cases[0].verdict) == (0, "crashed")


@pytest.mark.parametrize(
    ("command", "run", "cause"),
    [
        ("no-such-framework", RUN, "no-such-framework"),
        (
            "python3 tests/run.py",
            "import sys\nsys.exit('the extension dom is missing')\n",
            "the extension dom is missing",
        ),
    ],
)
def test_tests_that_cannot_be_run_with_the_reference_are_ungraded(
    tmp_path: Path, command: str, run: str, cause: str
) -> None:
    report = _grade(_course(tmp_path, SPEC.replace("python3 tests/run.py", command), run), RIGHT)
    assert report.score is None
    assert cause in report.tests[0].cases[0].message


@pytest.mark.parametrize(
    ("run", "reference", "source", "expected"),
    [
        (RUN, "def add(a, b):\n    return 3\n", "def add(a, b):\n    return 3\n", ["passed", "ungraded"]),
        (RUN, "def add(a, b):\n    return 3\n", RIGHT, ["passed", "passed"]),
        (RUN, "def add(a, b):\n    return 3\n", "def add(a, b):\n    return 5\n", ["failed", "ungraded"]),
    ],
)
def test_nobody_fails_a_test_that_the_reference_does_not_pass(
    tmp_path: Path, run: str, reference: str, source: str, expected: list[str]
) -> None:
    cases = (
        _grade(_course(tmp_path, SPEC, run.replace("1..2", f"1..{len(expected)}"), reference), source).tests[0].cases
    )
    assert [str(case.verdict) for case in cases] == expected
    assert all("with the reference either" in case.message for case in cases if case.verdict == "ungraded")


def test_the_folder_of_the_reference_is_not_that_of_an_interpreter_with_a_dot_in_its_name(tmp_path: Path) -> None:
    spec = SPEC.replace("reference: python3 ", "reference: python3.11 ")
    assert folder_of_reference(prepare(_course(tmp_path, spec)).spec) == "reference"


def test_names_in_the_spec_need_no_reference(tmp_path: Path) -> None:
    spec = SPEC.replace("reference: python3 reference/sums.py\n", "").replace(
        "weights: {adds: 3}", 'tests: [adds, never], only: ["a*", never]'
    )
    report = _grade(_course(tmp_path, spec), RIGHT)
    assert [(case.id, str(case.verdict)) for case in report.tests[0].cases] == [
        ("tap[adds]", "passed"),
        ("tap[never]", "crashed"),
    ]
    assert report.score == 2


MORE = RUN.replace("adds", "more")
FORGED = "1..4\nok 1 - adds\nok 2 - adds more\nok 3 - more\nok 4 - more more\n"
SEVERAL = {
    "right": (RIGHT, [4, 4]),
    "wrong": ("def add(a, b):\n    return 3\n", [2, 2]),
    # A document of its own, before those of the tests, and a plan behind them.
    "forges": (f"import os\nos.write(1, {FORGED.encode()!r})\nos._exit(0)\n", [0, 0]),
    "plans": (RIGHT + "import atexit\natexit.register(print, '1..1')\n", [0, 0]),
    "prints": (RIGHT + "print('1..9')\n", [4, 4]),
}


@pytest.mark.slow
def test_several_commands_write_a_document_each(tmp_path: Path) -> None:
    command = "[python3 tests/run.py, python3 tests/more.py]"
    text = SPEC.replace("command: python3 tests/run.py", f"command: {command}").replace(", weights: {adds: 3}", "")
    spec = _course(tmp_path, text.replace("[tests/run.py]", "[tests/run.py, tests/more.py]"))
    (tmp_path / "tests/more.py").write_text(MORE)
    found = {}
    for name, (source, _) in SEVERAL.items():
        report = _grade(spec, source)
        cases = {case.id: case.credit for case in report.tests[0].cases}
        assert list(cases) == ["tap[adds]", "tap[adds more]", "tap[more]", "tap[more more]"]
        kept = list(cases.values())
        found[name] = [sum(kept[:2]) * 2, sum(kept[2:]) * 2]
    assert found == {name: points for name, (_, points) in SEVERAL.items()}


JEST = "\n".join(
    (
        *("● Test suite failed to run", "", "    Jest could not load a file", "     • advice", "", "    Details:", ""),
        *(
            "    SyntaxError: /box/sum.js: Unexpected token (1:40)",
            "",
            "    > 1 | SyntaxError: quoted",
            "      at x (y.js:1:2)",
        ),
    )
)


@pytest.mark.parametrize(
    ("detail", "cause"),
    [
        (JEST, "SyntaxError: /box/sum.js: Unexpected token (1:40)"),
        (
            "● Test suite failed to run\n\n    ReferenceError: foo is not defined\n\n    > 1 | foo()",
            "ReferenceError: foo is not defined",
        ),
        (
            "● Test suite failed to run\n\n    Cannot find module './sum' from 'tests/a.test.js'\n\n    > 1 | x",
            "Cannot find module './sum' from 'tests/a.test.js'",
        ),
        ("● Test suite failed to run", None),
        ("Error: 3 is not 4\n  SyntaxError: of a text", None),
    ],
)
def test_the_cause_stands_below_the_heading_of_jest(detail: str, cause: str | None) -> None:
    found = _JEST_CAUSE.match(detail)
    assert (found and found["cause"]) == cause


def test_lint_asks_the_reference_which_tests_there_are(tmp_path: Path) -> None:
    spec = _course(tmp_path, SPEC)
    assert {one.rule for one in examine(spec, asking("auto", 1)).remarks} == {"unit-tests-alone"}
    spec.write_text(SPEC.replace("{adds: 3}", "{adds: 2, adds more: 2}"))
    found = {one.rule for one in examine(spec, asking("auto", 1)).remarks}
    assert found == {"unit-tests-alone", "weights-without-effect"}


@pytest.mark.parametrize(
    ("ended", "verdict"),
    [
        ({"status": 0}, None),
        ({"status": 0, "doubts": frozenset({"cpu_starved"})}, None),
        ({"limit": "time"}, "crashed"),
        ({"limit": "time", "doubts": frozenset({"cpu_starved"})}, "ungraded"),
        ({"status": None, "signal": 9, "doubts": frozenset({"killed_by_host"})}, "ungraded"),
    ],
)
def test_tests_that_all_passed_count_only_where_their_command_ended(ended: dict[str, Any], verdict: str | None) -> None:
    results = (ReportedOutcome(name="adds", full="adds", outcome="passed"),)
    case = Case(id="tap[adds]", payload=ReportedTestCase(commands=(), format="tap", name="adds", total=1))
    execution = Execution(facts=TestsRun(results=results, report=TestReport(results=results)), **ended)
    tools = SimpleNamespace(errors=(), unreadable=())
    context = cast("Any", SimpleNamespace(toolchain=tools, stopped=stopped(case, execution)))
    found = judge(case, execution, None, context)
    assert (None if isinstance(found, Judged) else found[0].value) == verdict


def test_what_ends_in_many_blanks_is_judged() -> None:
    case = Case(id="tap[adds]", payload=ReportedTestCase(commands=(), format="tap", name="adds", total=1))
    execution = Execution(status=1, stderr=b"no" + b"\n" * 2**20, facts=TestsRun(is_written=False))
    context = cast("Any", SimpleNamespace(toolchain=SimpleNamespace(errors=(), unreadable=()), stopped=None))
    found = judge(case, execution, None, context)
    assert not isinstance(found, Judged)
    assert found[1].text.startswith("The tests wrote no report: the command that runs the tests ended with status 1")
