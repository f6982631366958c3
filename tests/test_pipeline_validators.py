"""A whole course whose checks are programs, or ask by name for what they need."""

from pathlib import Path

import pytest

from grader.author.handout import to_handout
from grader.check.runner import asking, examine
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, Verdict
from grader.core.pipeline import Course, grade, prepare
from tests.support.courses import course, submission

SPEC = """\
spec: 1
id: echo
title: Echo
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
limits: {time: 5 s, cpu: 5 s, processes: 16}
tests:
"""
VALIDATOR = """\
import sys
given, answer, feedback, *flags = sys.argv[1:]
kind = open(given).read().strip()
wanted, have = open(answer).read().split(), sys.stdin.read().split()
if kind == "fault":
    sys.exit("no word")
if kind == "score":
    open(feedback + "/score.txt", "w").write("1.5")
elif kind == "multiplier":
    open(feedback + "/score_multiplier.txt", "w").write("0.75")
    open(feedback + "/judgemessage.txt", "w").write("\\nThree of four\\n")
elif kind == "slow":
    while True: pass
elif have != wanted:
    open(feedback + "/teammessage.txt", "w").write(f"It is not {' '.join(flags)}\\x1b")
    sys.exit(43)
sys.exit(42)
"""
IN_C = """\
#include <stdio.h>
#include "number.h"
int main(void) { int n; return scanf("%d", &n) == 1 && n == WANTED ? 42 : 43; }
"""
ECHO = "import sys\nopen('left.txt', 'w').write('x')\nprint(*sys.argv[1:])\n"
CASES = ("right", "multiplier", "fault", "score", "slow")
VALIDATORS = f"""\
  - name: python
    cases: [{", ".join(f"{{stdin: {kind}}}" for kind in CASES)}]
    args: ["7", "8"]
    expect:
      stdout: {{check: {{validator: reference/validate.py, args: ["so"], limits: {{time: 2 s, cpu: 300 ms}}}}}}
  - name: compiled
    args: ["7"]
    expect: {{stdout: {{all: [{{check: {{validator: reference/number.c}}}}, {{contains: "7"}}]}}}}
  - name: answer
    args: ["9"]
    expect:
      files: {{left.txt: {{check: {{validator: reference/validate.py, answer: "x"}}}}}}
"""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def laid_out(folder: Path, tests: str, **files: str) -> Path:
    path = course(folder, SPEC + tests, ECHO)
    for name, content in files.items():
        (folder / "reference" / name.replace("__", ".")).write_text(content)
    return path


def graded(course: Course, folder: Path, program: str, name: str = "alice") -> Report:
    work = Submission(id=name, path=submission(folder, name, program))
    return grade(Job(spec=course.spec.root / "specs" / "echo.yaml", submission=work), course)


def told(report: Report) -> list[tuple[Verdict, str]]:
    return [(case.verdict, case.message) for test in report.tests for case in test.cases]


def test_programs_of_the_course_judge_as_functions_do(tmp_path: Path) -> None:
    path = laid_out(tmp_path, VALIDATORS, validate__py=VALIDATOR, number__c=IN_C, number__h="#define WANTED 7\n")
    course = prepare(path)
    fault = "a fault of the validator reference/validate.py: "
    faults = [
        (
            Verdict.UNGRADED,
            f"{fault}it ended with status 1 instead of 42 for right or 43 for wrong: `no word`",
        ),
        (Verdict.UNGRADED, f"{fault}its score.txt says `1.5`, which is not a number between 0 and 1"),
        (Verdict.UNGRADED, f"{fault}it went over its limit of processor time"),
    ]
    right = graded(course, tmp_path, ECHO)
    assert told(right) == [
        (Verdict.PASSED, ""),
        (Verdict.PARTIAL, "Three of four. This costs 25 % of the credit."),
        *faults,
        (Verdict.PASSED, ""),
        (Verdict.PASSED, ""),
    ]
    assert (right.verdict, right.score) == (Verdict.UNGRADED, None)
    wrong = graded(course, tmp_path, "print(8)\n", "bob")
    assert told(wrong) == [
        (Verdict.FAILED, "It is not so\\x1b."),
        (Verdict.PARTIAL, "Three of four. This costs 25 % of the credit."),
        *faults,
        (Verdict.FAILED, "Standard output is not what the assignment asks for. `7` does not occur in standard output."),
        (Verdict.FAILED, "`left.txt` is missing after the run."),
    ]


PASSING = """\
import sys
given, answer, feedback, least = sys.argv[1:]
number = int(open(given).read())
with open(feedback + "/judgemessage.txt", "a") as told: told.write(f"{number} comes to {open(answer).read()}\\n")
if int(sys.stdin.read(20)) != 2 * number: sys.exit(43)
if number % 10 < int(least): open(feedback + "/nextpass.in", "w").write(str(number + 1))
sys.exit(42)
"""
PASSES = """\
  - name: doubles
    expect: {exit: success, stdout: {check: {validator: reference/pass.py, args: [3], answer: nought, passes: 3}}}
    cases: [{stdin: "1"}, {stdin: "11"}, {stdin: "21"}, {stdin: "31"}, {stdin: "40"}, {stdin: "3"}]
"""
DOUBLES = """\
import os, sys
number = int(input())
print(7 if number == 12 else 2 * number, flush=True)
if number == 21: sys.exit(3)
if number == 32: os.kill(os.getpid(), 11)
"""


def test_a_validator_may_have_a_program_run_again_with_another_input(tmp_path: Path) -> None:
    path = laid_out(tmp_path, PASSES, pass__py=PASSING)
    (tmp_path / "reference" / "echo.py").write_text("print(2 * int(input()))\n")
    ready = prepare(path, abreast=2)
    assert "`1` on standard input, and started again, 3 times at most, with an input made of" in to_handout(ready)
    report = graded(ready, tmp_path, DOUBLES)
    crash = report.tests[0].cases[3].message
    again = "it left nextpass.in for another pass, but `passes` in the spec allows only 3"
    assert told(report) == [
        (Verdict.PASSED, ""),
        (Verdict.FAILED, "In pass 2: 12 comes to nought."),
        (Verdict.FAILED, "Your program ended with status 3; the assignment asks for 0."),
        (Verdict.CRASHED, crash),
        (Verdict.UNGRADED, f"a fault of the validator: {again}"),
        (Verdict.PASSED, ""),
    ]
    assert "SIGSEGV" in crash
    turns = [(turn.who, turn.text) for turn in report.tests[0].cases[0].transcript or ()]
    assert turns[:3] == [("grader", "1"), ("grader", "[end of input]"), ("program", "2\n")]
    assert [text for who, text in turns if who == "program"] == ["2\n", "4\n", "6\n"]


def test_what_cannot_be_compiled_is_told_before_anybody_is_graded(tmp_path: Path) -> None:
    tests = "  - name: c\n    expect: {stdout: {check: {validator: reference/number.c}}}\n"
    path = laid_out(tmp_path, tests, number__c="int main(void) { return x; }\n")
    remarks = [str(remark) for remark in examine(path, asking("auto", 1)).remarks]
    assert any("reference/number.c of the course cannot be built: " in one for one in remarks)


# ---------------------------------------------------------------- functions that ask by name

BY_NAME = """\
from fractions import Fraction

def all_of_it(text, stdout, stderr, args, input, status, files, expected, expected_stderr, *, least):
    assert (text, stdout, stderr, args, input) == (b"1\\n2\\n", b"1\\n2\\n", b"oh\\n", ["7", "8"], b"in\\xff")
    assert (status, files["left.txt"], expected, expected_stderr, least) == (3, b"x", b"7 8\\n", b"", "2")
    return Fraction(1, 2), "1 of 2 words is there.\\n  drawn"

def by_file(output, files, expected_files):
    assert output == files["left.txt"] == expected_files["left.txt"] == b"x"
    return 0.1, "A tenth."

def other(output):
    return 1e-1, "More!"

def of_value(output, returned, args):
    assert (output, returned, args) == (b"[1, 2]", [1, 2], [1, [2]])
    return "1/3", "A third."
"""
NAMED = """\
  - name: named
    points: 3
    args: ["7", "8"]
    stdin: {file: reference/in.bin}
    expect: {stdout: {check: "reference/checks.py:all_of_it", least: 2}}
  - name: whole
    points: 3
    all_or_nothing: true
    expect: {files: {left.txt: {check: "reference/checks.py:by_file"}}}
  - name: parts
    points: 100
    tolerate: {exit-status: 50%}
    expect:
      exit: 0
      files: {left.txt: {all: [{check: "reference/checks.py:by_file"}, {check: "reference/checks.py:other"}]}}
  - name: value
    points: 3
    functions:
      in: echo
      declare: def pair(a, b)
      calls: [{args: [1, [2]], expect: {returns: {check: "reference/checks.py:of_value"}}}]
"""
PROGRAM = """import sys
def pair(a, b):
    return [a, *b]
if __name__ == "__main__":
    open("left.txt", "w").write("x")
    print("1\\n2"); print("oh", file=sys.stderr); sys.exit(3)
"""


def test_a_function_gets_what_it_names_and_may_give_a_share(tmp_path: Path) -> None:
    path = laid_out(tmp_path, NAMED, checks__py=BY_NAME)
    (tmp_path / "reference" / "in.bin").write_bytes(b"in\xff")
    report = graded(prepare(path), tmp_path, PROGRAM)
    assert told(report) == [
        (Verdict.PARTIAL, "1 of 2 words is there. This costs 50 % of the credit."),
        (Verdict.PARTIAL, "A tenth. This costs 90 % of the credit."),
        (
            Verdict.PARTIAL,
            (
                "A tenth. More! This costs 99 % of the credit. Your program ended with status 3; the assignment asks "
                "for 0. This costs 50 % of the credit; 0.5 % remains."
            ),
        ),
        (Verdict.PARTIAL, "A third. This costs 66.67 % of the credit."),
    ]
    assert [test.score for test in report.tests] == [1.5, 0, 0.5, 1]
