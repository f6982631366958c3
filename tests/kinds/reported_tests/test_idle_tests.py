"""Tests that are skipped, or marked as TODO, with the reference: no cases, and no help to a submission that skips."""

from pathlib import Path

import pytest

from grader.check.runner import asking, examine
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import grade, prepare

pytestmark = pytest.mark.usefixtures("shared_cache")

SPEC = """spec: 1
id: sums
title: Sums
language: python
files: {required: [sums.py]}
program: python3 sums.py
reference: python3 reference/sums.py
tests:
  - name: unit
    points: 4
    unit: {command: python3 tests/run.py, report: FORMAT, with: [tests/run.py]}
"""
RUN = """
import sys
sys.path.insert(0, ".")
import sums
ones, twos = sums.add(1, 1) == 2, sums.add(2, 2) == 4
skips = getattr(sums, "skips", False)
"""
WRITERS = {
    "tap": RUN
    + """
print("1..4")
print("ok" if ones else "not ok", "1 - ones", "# SKIP" if skips else "")
print("ok" if twos else "not ok", "2 - twos")
print("ok 3 - later # SKIP not yet")
print("not ok 4 - idea # TODO some day")
""",
    "junit": RUN
    + """
print('<testsuite><testcase name="ones">')
print("<skipped/>" if skips else "" if ones else "<failure/>")
print('</testcase><testcase name="twos">', "" if twos else "<failure/>", "</testcase>")
print('<testcase name="later"><skipped/></testcase><testcase name="idea" status="notrun"/></testsuite>')
""",
    "cargo": RUN
    + """
print("running 4 tests")
print("test ones ...", "ignored" if skips else "ok" if ones else "FAILED")
print("test twos ...", "ok" if twos else "FAILED")
print("test later ... ignored\\ntest idea ... ignored, some day")
""",
    "unity": RUN
    + """
print("t.c:1:ones:" + ("IGNORE" if skips else "PASS" if ones else "FAIL"))
print("t.c:2:twos:" + ("PASS" if twos else "FAIL"))
print("t.c:3:later:IGNORE\\nt.c:4:idea:IGNORE: some day")
print("4 Tests 0 Failures 2 Ignored")
""",
    "go": RUN
    + """
import json
outcomes = {"ones": "skip" if skips else "pass" if ones else "fail", "twos": "pass" if twos else "fail"}
for name, outcome in {**outcomes, "later": "skip", "idea": "skip"}.items():
    print(json.dumps({"Action": "run", "Package": "sums", "Test": name}))
    print(json.dumps({"Action": outcome, "Package": "sums", "Test": name}))
print(json.dumps({"Action": "pass", "Package": "sums"}))
""",
}
RIGHT = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return 2\n"
SKIPS = f"{RIGHT}skips = True\n"


def _course(folder: Path, spec: str, run: str) -> Path:
    for name in ("specs", "tests", "reference"):
        (folder / name).mkdir()
    (folder / "reference" / "sums.py").write_text(RIGHT)
    (folder / "tests" / "run.py").write_text(run)
    path = folder / "specs" / "sums.yaml"
    path.write_text(spec)
    return path


def _grade(spec: Path, source: str) -> Report:
    work = spec.parent.parent / "submission"
    work.mkdir(exist_ok=True)
    (work / "sums.py").write_text(source)
    return grade(Job(spec=spec, submission=Submission(id="ada", path=work)), prepare(spec))


@pytest.mark.parametrize("form", WRITERS)
def test_what_the_reference_skips_is_no_case_and_who_skips_a_case_does_not_pass_it(tmp_path: Path, form: str) -> None:
    spec = _course(tmp_path, SPEC.replace("FORMAT", form), WRITERS[form])
    for source, score in ((RIGHT, 4), (WRONG, 2), (SKIPS, 2)):
        report = _grade(spec, source)
        (test,) = report.tests
        assert [case.id for case in test.cases] == ["unit[ones]", "unit[twos]"]
        assert report.score == score, [case.message for case in test.cases]


@pytest.mark.parametrize(
    ("keys", "rule", "message"),
    [
        ("", "idle-test", "`later` is skipped with the reference, so no case"),
        ("", "idle-test", "`idea` is marked as TODO with the reference, so no case"),
        ("only: [ones, later]", "reference-fails", "`later` is skipped with the reference, so it is no case"),
        ("only: ['i*']", "reference-fails", "`idea` is marked as TODO with the reference, so it is no case"),
        ("only: ['*e*']", "idle-test", "`later` is skipped"),
        ("weights: {later: 2}", "reference-fails", "`later` is skipped with the reference, so it is no case"),
        ("tests: [ones, later]", "reference-fails", "`later` does not pass with the reference either"),
    ],
)
def test_lint_names_what_the_reference_skips(tmp_path: Path, keys: str, rule: str, message: str) -> None:
    spec = SPEC.replace("FORMAT,", f"tap, {keys}," if keys else "tap,")
    found = examine(_course(tmp_path, spec, WRITERS["tap"]), asking("auto", 1)).remarks
    assert any(one.rule == rule and message in one.message for one in found), [one.message for one in found]


MORE = """  - name: more
    unit: {command: python3 tests/run.py, report: tap, with: [tests/run.py], only: [twos]}
"""


@pytest.mark.parametrize(
    ("keys", "more", "told"),
    [
        ("", "", ""),
        ("only: [ones]", "", "of 2 tests in the reference's report 1 counts nowhere"),
        ("weights: {ones: 0}", "", "of 2 tests in the reference's report 1 counts nowhere"),
        ("tests: [ones]", "", "of 2 tests in the reference's report 1 counts nowhere"),
        ("only: [ones]", MORE, ""),
    ],
)
def test_lint_counts_what_a_forged_report_may_leave_out(tmp_path: Path, keys: str, more: str, told: str) -> None:
    spec = SPEC.replace("FORMAT,", f"tap, {keys}," if keys else "tap,") + more
    found = examine(_course(tmp_path, spec, WRITERS["tap"]), asking("auto", 1)).remarks
    messages = [one.message for one in found if one.rule == "uncounted-test"]
    assert [message[: len(told)] for message in messages] == ([told] if told else [])


@pytest.mark.parametrize(
    ("todo", "told"),
    [("test.todo('idea')", True), ('it.todo( "idea");', True), ("test('idea')", False), ("test.todo('other')", False)],
)
def test_lint_names_a_todo_of_jest_that_its_report_has_as_passed(tmp_path: Path, todo: str, told: bool) -> None:  # noqa: FBT001
    run = f"{RUN}\nprint('<testsuite><testcase name=\"group idea\"/></testsuite>')\n# {todo}\n"
    found = examine(_course(tmp_path, SPEC.replace("FORMAT", "junit"), run), asking("auto", 1)).remarks
    messages = [one.message for one in found if one.rule == "todo-test"]
    assert [message[:28] for message in messages] == ["`group idea` is a test.todo,"] * told


def test_tests_that_are_all_skipped_are_ungraded(tmp_path: Path) -> None:
    report = _grade(_course(tmp_path, SPEC.replace("FORMAT", "tap"), "print('1..1\\nok 1 - ones # SKIP')\n"), RIGHT)
    assert report.score is None
    assert "Every test in the reference's report is skipped" in report.tests[0].cases[0].message


TWICE = (
    RUN
    + """
print("1..2\\nok 1 - ones # SKIP old")
print("ok" if ones else "not ok", "2 - ones", "# SKIP" if skips else "")
"""
)


def test_of_two_tests_of_one_name_the_one_that_runs_counts(tmp_path: Path) -> None:
    spec = _course(tmp_path, SPEC.replace("FORMAT", "tap"), TWICE)
    for source, score in ((RIGHT, 4), ("def add(a, b):\n    return 3\n", 0), (SKIPS, 0)):
        report = _grade(spec, source)
        assert ([case.id for case in report.tests[0].cases], report.score) == (["unit[ones]"], score)


FORGED = "1..2\\nok 1 - ones\\nok 2 - twos\\n"


def test_a_report_without_what_is_skipped_needs_the_same_end(tmp_path: Path) -> None:
    spec = _course(tmp_path, SPEC.replace("FORMAT", "tap"), WRITERS["tap"])
    report = _grade(spec, f"import os\nos.write(1, b'{FORGED}')\nos._exit(3)\n")
    assert report.score == 0
    assert "ended with status 3" in report.tests[0].cases[0].message


SKIPPED_GROUP = (
    RUN + "print('# Subtest: net\\n    1..0 # SKIP no net\\nok 1 - net # SKIP no net\\nok 2 - ones\\n1..2')\n"
)


def test_a_group_without_tests_is_skipped_and_no_problem_of_the_report(tmp_path: Path) -> None:
    report = _grade(_course(tmp_path, SPEC.replace("FORMAT", "tap"), SKIPPED_GROUP), RIGHT)
    assert ([case.id for case in report.tests[0].cases], report.score) == (["unit[ones]"], 4)
    found = examine(tmp_path / "specs/sums.yaml", asking("auto", 1)).remarks
    assert [one.rule for one in found] == ["idle-test", "unit-tests-alone"]


NAMED_TWICE = RUN + "print('1..2\\nok 1 - ones\\n' + ('ok' if ones else 'not ok') + ' 2 - ones')\n"


def test_a_test_that_the_spec_names_may_have_as_many_results_as_with_the_reference(tmp_path: Path) -> None:
    spec = _course(tmp_path, SPEC.replace("FORMAT", "tap, tests: [ones]"), NAMED_TWICE)
    assert [_grade(spec, source).score for source in (RIGHT, "def add(a, b):\n    return 3\n")] == [4, 0]
