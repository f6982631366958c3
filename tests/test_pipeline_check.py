"""A whole course with a check in it, from the spec to the report."""

from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, Verdict
from grader.core.pipeline import grade
from tests.support.courses import course, submission

SPEC = """\
spec: 1
id: echo
title: Echo
language: python
files: {required: [echo.py]}
program: python3 echo.py
limits: {time: 5 s, cpu: 5 s, processes: 16}
tests:
  - name: even
    points: 4
    each: {n: [4, 6]}
    args: ["{n}"]
    tolerate: {wrong-stream: 50%}
    expect: {stdout: {check: "reference/checks.py:even", above: "{n}"}}
  - name: plain
    points: 6
    expect: {exit: 0}
"""
CHECKS = """\
from grader import Wrong
import numbers_of

def even(output: bytes, above: str) -> None:
    number = numbers_of.first(output)
    if number % 2 or number <= int(above):
        raise Wrong(f"{number} is not an even number above {above}.\\n\\n  {number}\\n  ^")
"""
OTHER_STREAM = "The text is right, but it was written to standard error; the assignment asks for standard output."
HELPER = "def first(output):\n    return int(output or b'0')\n"


pytestmark = pytest.mark.usefixtures("shared_cache")


def graded(folder: Path, program: str, checks: str = CHECKS) -> Report:
    path = course(folder, SPEC)
    (folder / "reference" / "checks.py").write_text(checks)
    (folder / "reference" / "numbers_of.py").write_text(HELPER)
    handed_in = submission(folder, program=program)
    return grade(Job(spec=path, submission=Submission(id="alice", path=handed_in)))


@pytest.mark.parametrize(
    ("program", "score", "messages"),
    [
        ("print(8)", 10, {""}),
        ("import sys; print(2 * int(sys.argv[1]) if sys.argv[1:] else 0)", 10, {""}),
        (
            "import sys; sys.stderr.write('x'); print(6 if sys.argv[1:] == ['6'] else 8)",
            8,
            {"", "6 is not an even number above 6."},
        ),
        ("print(6)", 8, {"", "6 is not an even number above 6."}),
        ("print(7)", 6, {"", "7 is not an even number above 4.", "7 is not an even number above 6."}),
        (
            "import sys; sys.stderr.write('8')",
            8,
            {"", f"{OTHER_STREAM} This costs 50 % of the credit."},
        ),
    ],
)
def test_many_answers_are_right(program: str, score: int, messages: set[str], tmp_path: Path) -> None:
    report = graded(tmp_path, program)
    assert report.score == score
    assert {case.message for result in report.tests for case in result.cases} == messages


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        (
            "def even(output):\n    pass\n",
            "reference/checks.py:1: the spec cannot call reference/checks.py:even: got an",
        ),
        ("def odd(output, above):\n    pass\n", "reference/checks.py: there is no function even"),
        ("def even(output, above)\n", "reference/checks.py:1: SyntaxError"),
        (CHECKS, "reference/numbers_of.py:2: ValueError: invalid literal for int() with base 10: b'x\\n'; this is a"),
    ],
)
def test_a_fault_of_the_check_makes_its_cases_ungraded_and_no_others(checks: str, message: str, tmp_path: Path) -> None:
    report = graded(tmp_path, "print('x')", checks)
    even, plain = report.tests
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)
    assert (even.verdict, plain.verdict, plain.score) == (Verdict.UNGRADED, Verdict.PASSED, 6)
    assert all(case.message.startswith(message) for case in even.cases), even.cases[0].message
