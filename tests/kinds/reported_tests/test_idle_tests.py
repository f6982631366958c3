"""Tests that are skipped, or marked as TODO, with the reference: no cases, and no help to a submission that skips."""

from pathlib import Path

import pytest

from grader.check.runner import asking, examine
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC, RUN, TAP = (DATA[name] for name in ("SPEC", "RUN", "TAP"))

RIGHT = "def add(a, b):\n    return a + b\n"


def _course(folder: Path, spec: str, run: str) -> Path:
    for name in ("specs", "tests", "reference"):
        (folder / name).mkdir()
    (folder / "reference" / "sums.py").write_text(RIGHT)
    (folder / "tests" / "run.py").write_text(run)
    path = folder / "specs" / "sums.yaml"
    path.write_text(spec)
    return path


@pytest.mark.slow
@each_row
def test_lint_names_what_the_reference_skips(tmp_path: Path, keys: str, rule: str, message: str) -> None:
    spec = SPEC.replace("FORMAT,", f"tap, {keys}," if keys else "tap,")
    found = examine(_course(tmp_path, spec, TAP), asking("auto", 1)).remarks
    assert any(one.rule == rule and message in one.message for one in found), [one.message for one in found]


@each_row
def test_lint_counts_what_a_forged_report_may_leave_out(tmp_path: Path, keys: str, more: str, told: str) -> None:
    spec = SPEC.replace("FORMAT,", f"tap, {keys}," if keys else "tap,") + more
    found = examine(_course(tmp_path, spec, TAP), asking("auto", 1)).remarks
    messages = [one.message for one in found if one.rule == "uncounted-test"]
    assert [message[: len(told)] for message in messages] == ([told] if told else [])


@each_row
def test_lint_names_a_todo_of_jest_that_its_report_has_as_passed(tmp_path: Path, todo: str, told: bool) -> None:  # noqa: FBT001
    run = f"{RUN}\nprint('<testsuite><testcase name=\"group idea\"/></testsuite>')\n# {todo}\n"
    found = examine(_course(tmp_path, SPEC.replace("FORMAT", "junit"), run), asking("auto", 1)).remarks
    messages = [one.message for one in found if one.rule == "todo-test"]
    assert [message[:28] for message in messages] == ["`group idea` is a test.todo,"] * told


SKIPPED_GROUP = (
    RUN + "print('# Subtest: net\\n    1..0 # SKIP no net\\nok 1 - net # SKIP no net\\nok 2 - ones\\n1..2')\n"
)


def test_a_group_without_tests_is_skipped_and_no_problem_of_the_report(tmp_path: Path) -> None:
    found = examine(_course(tmp_path, SPEC.replace("FORMAT", "tap"), SKIPPED_GROUP), asking("auto", 1)).remarks
    assert [one.rule for one in found] == ["idle-test", "unit-tests-alone"]
