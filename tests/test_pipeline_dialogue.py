import json
from pathlib import Path
from threading import Event

import pytest

from grader.core.model.execution import Execution, Launch
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, ReportedCase, Verdict
from grader.core.pipeline import grade, prepare
from grader.core.report.json import to_json
from grader.core.run.runner import execute
from grader.core.sandbox.command import Sandbox
from tests.support.courses import course, submission

SPEC = r"""
spec: 1
id: echo
title: Twice
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
limits: {time: 5 s}
tests:
  - name: talk
    points: 6
    tolerate: {unflushed: 50%}
    each: {n: [4]}
    dialogue:
      - {expect: "Enter n: ", within: 1 s}
      - send: "{n}"
      - {expect: {regex: "twice: [0-9]+\n"}, within: 1 s}
      - {expect: "again? ", within: 1 s}
      - send: no
      - {eof: true, within: 1 s}
    expect: {stdout: reference, exit: 0}
"""
RIGHT = """
print("Enter n: ", end="", flush=True)
n = int(input())
print("twice:", 2 * n)
print("again? ", end="", flush=True)
input()
"""
UNFLUSHED = RIGHT.replace(", flush=True", "").replace("input()", "__import__('sys').stdin.readline()")
HANGS = "while True: pass"


pytestmark = pytest.mark.usefixtures("shared_cache")


def graded(folder: Path, program: str, spec: str = SPEC, reference: str = RIGHT) -> Report:
    path = course(folder, spec, reference)
    return grade(Job(spec=path, submission=Submission(id="alice", path=submission(folder, program=program))))


def only_case(report: Report) -> ReportedCase:
    ((case,),) = (result.cases for result in report.tests)
    return case


@pytest.mark.parametrize(
    ("program", "verdict", "score", "message"),
    [
        pytest.param(RIGHT, Verdict.PASSED, 6, "", id="right"),
        pytest.param(
            UNFLUSHED,
            Verdict.PARTIAL,
            3,
            "Your program wrote `Enter n: ` only after its input was closed; "
            "flush standard output before waiting for an answer. This costs 50 % of the credit.",
            id="not flushed",
        ),
        pytest.param(
            RIGHT.replace("Enter n", "Enter m"),
            Verdict.FAILED,
            0,
            "Your program did not print `Enter n: ` within 1 s; it had printed `Enter m: ` and was waiting for input.",
            id="another prompt",
        ),
        pytest.param(
            RIGHT.replace("2 *", "3 *"),
            Verdict.FAILED,
            0,
            "Line 1 of standard output is `Enter n: twice: 12`, expected `Enter n: twice: 8`.",
            id="another answer",
        ),
        pytest.param(
            RIGHT + "input()\n",
            Verdict.FAILED,
            0,
            "Your program should have ended, but was still running after 1 s; it had printed nothing more. "
            "It waits for more input than the assignment sends.",
            id="asks for more",
        ),
        pytest.param(
            RIGHT.replace("n = ", "1 / 0 #"),
            Verdict.CRASHED,
            0,
            "Your program ended with an uncaught exception: `ZeroDivisionError: division by zero` in line 3 of "
            "`echo.py`, `1 / 0 #int(input())`. Your program ended (status 1) "
            "while text that matches `twice: [0-9]+` was still expected; "
            "it had printed `ZeroDivisionError: division by zero`.",
            id="crashes",
        ),
        pytest.param(
            HANGS,
            Verdict.FAILED,
            0,
            "Your program did not print `Enter n: ` within 1 s; it had printed nothing.",
            id="hangs",
        ),
        pytest.param(
            "while True: print('x' * 9999)",
            Verdict.OUTPUT,
            0,
            "Your program was stopped because it wrote more than 1 MiB to standard output. `Enter n: ` was "
            "still expected.",
            id="prints for ever",
        ),
    ],
)
def test_a_dialogue_is_graded(tmp_path: Path, program: str, verdict: Verdict, score: int, message: str) -> None:
    report = graded(tmp_path, program)
    case = only_case(report)
    assert (case.verdict, report.score, case.message) == (verdict, score, message)
    transcript = json.loads(to_json(report))["tests"][0]["cases"][0]["transcript"]
    assert bool(transcript) is (program != HANGS)


SCREEN = """
spec: 1
id: echo
title: Pyramid
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
limits: {time: 5 s, output: 64 KiB}
tests:
  - name: all
    dialogue: [{expect: "Height: "}, {reject: "-1"}, {send: 2}, {eof: true}]
    expect: reference
  - name: left alone
    dialogue: [{expect: "Height: "}, {reject: "-1"}, {reject: "0"}]
    expect: {screen: reference, exit: 0}
  - name: by name
    dialogue: [{expect: "Height: "}, {send: 1}, {eof: true}]
    expect: {stdout: {regex: "#$"}}
"""
PYRAMID = """
n = 0
while n < 1:
    n = int(input("Height: "))
for k in range(1, n + 1):
    print("#" * k)
"""
PRINTED = PYRAMID.replace("int(input", "int(ask").replace(
    "n = 0",
    """
def ask(text):
    print(text, end="", flush=True)
    return input()
n = 0""",
)
IN_C = r"""
#include <stdio.h>
int main(void) {
    int n = 0;
    while (n < 1) { printf("Height: "); fflush(stdout); scanf("%d", &n); }
    for (int k = 1; k <= n; k++) { for (int i = 0; i < k; i++) putchar('#'); puts(""); }
}
"""
BUILT = SCREEN.replace("python\n", "c\nbuild: {run: gcc -x c -o echo echo.py, produces: [echo]}\n", 1)
BUILT = BUILT.replace("program: python3 echo.py", "program: ./echo")


@pytest.mark.parametrize(
    ("program", "spec", "passed"),
    [
        pytest.param(PYRAMID, SCREEN, [True, True, True], id="input()"),
        pytest.param(PRINTED, SCREEN, [True, True, True], id="print, flush"),
        pytest.param(
            PRINTED.replace("flush=True", "file=__import__('sys').stderr"),
            SCREEN,
            [True, True, True],
            id="to standard error",
        ),
        # It asks for ever when there is no more input, of which nothing is said.
        pytest.param(IN_C, BUILT, [True, True, True], id="printf, fflush"),
        pytest.param(PYRAMID.replace("n < 1", "n == 0"), SCREEN, [False, False, True], id="takes -1"),
        pytest.param(
            PYRAMID.replace("n < 1", "n < 0").replace("n = 0", "n = -1"), SCREEN, [True, False, True], id="takes 0"
        ),
        pytest.param(PYRAMID.replace('"#"', '"+"'), SCREEN, [False, True, False], id="draws something else"),
    ],
)
def test_a_person_sees_one_screen_whoever_wrote_to_it(
    tmp_path: Path, program: str, spec: str, passed: list[bool]
) -> None:
    report = graded(tmp_path, program, spec, PYRAMID)
    assert [test.verdict == Verdict.PASSED for test in report.tests] == passed


def test_a_crash_is_seen_behind_a_prompt_and_stands_on_the_screen(tmp_path: Path) -> None:
    report = graded(tmp_path, PYRAMID.replace('"))', '")) // 0'), SCREEN, PYRAMID)
    case = report.tests[0].cases[0]
    assert case.verdict == Verdict.CRASHED
    assert case.message.startswith("Your program ended with an uncaught exception: `ZeroDivisionError: ")
    assert (case.stdout or "").startswith("Height: Traceback")


def test_a_reference_that_does_not_keep_the_dialogue_makes_ungraded(tmp_path: Path) -> None:
    report = graded(tmp_path, RIGHT, reference="print('Hello')")
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)
    assert "step 1 of the dialogue failed: `Enter n: ` did not come" in only_case(report).message


@pytest.mark.slow
def test_a_pattern_that_takes_for_ever_makes_ungraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.5)
    spec = SPEC.replace("twice: [0-9]+", "(a|a)+b").replace("reference, exit", '"", exit')
    report = graded(tmp_path, RIGHT.replace('"twice:"', "'a' * 50"), spec=spec)
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)
    assert "the pattern `(a|a)+b\n` of a dialogue took over 0.5 s" in only_case(report).message


@pytest.mark.slow
@pytest.mark.parametrize(("program", "times"), [(HANGS, 1), (RIGHT.replace("Enter", "enter"), 0), (RIGHT, 0)])
def test_who_was_busy_is_asked_once_more_alone(
    tmp_path: Path, program: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[Launch] = []

    def counted(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
        again.append(launch)
        return execute(sandbox, launch, cancelled)

    spec = SPEC.replace("within: 1 s", "within: 500 ms").replace("reference, exit", "any, exit")
    path = course(tmp_path, spec, RIGHT)
    job = Job(spec=path, submission=Submission(id="alice", path=submission(tmp_path, program=program)))
    prepared = prepare(path)
    monkeypatch.setattr("grader.core.run.measuring.execute", counted)
    grade(job, prepared)
    assert [launch.dialogue[0].text for launch in again] == ["Enter n: "] * times
