"""A wrong program is run once more under another input, and what that shows is said only when it shows it."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from grader.core.attempt import Attempt
from grader.core.explain.further_runs import describe_typed, typed_runs
from grader.core.model.execution import Execution, Launch
from grader.core.model.judgement import Job
from grader.core.model.report import Report
from grader.core.model.spec import Case, Interactor
from grader.core.model.submission import Submission
from grader.core.pipeline import grade, prepare
from grader.core.run.ledger import TimeLedger
from tests.support.languages import is_here

SPEC = """\
spec: 1
id: sum
title: Sum
language: python
files: {required: [sum.py]}
program: python3 sum.py
limits: {time: 10 s}
tests:
  - name: sum
    points: 2
    cases:
      - {stdin: "3\\n4\\n", expect: {stdout: "Sum: 7\\n"}}
      - {stdin: "30\\n4\\n", expect: {stdout: "Sum: 34\\n"}}
"""
TYPED = (
    "Your program is right when its input is typed on a terminal. "
    "The assignment gives it through a pipe, where it is wrong."
)
AHEAD = "def read():\n    return int(open(0, closefd=False).readline() or 0)\n"
WORKS = {
    "right": ("print('Sum:', int(input()) + int(input()))", ""),
    "wrong": ("print('Sum:', int(input()) * int(input()))", ""),
    "a new reader for each line": (f"{AHEAD}print('Sum:', read() + read())", TYPED),
    "a new reader for each line, and wrong": (f"{AHEAD}print('Sum:', read() - read())", ""),
    "without its newline": (f"{AHEAD}print('Sum:', read() + read(), end='')", TYPED),
    "crashes": (f"{AHEAD.replace(' or 0', '')}print('Sum:', read() + read())", TYPED),
    "right on a terminal alone": (
        "import pathlib, sys\nprint('Sum:', int(input()) + int(input()) + (0 if sys.stdin.isatty() else 1))",
        TYPED,
    ),
    "silent": ("pass", ""),
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """Grade each of the works."""
    root = tmp_path_factory.mktemp("course")
    (root / "specs").mkdir()
    (root / "specs/sum.yaml").write_text(SPEC)
    course = prepare(root / "specs/sum.yaml")
    found = {}
    for number, (name, (text, _)) in enumerate(WORKS.items()):
        (root / str(number)).mkdir()
        (root / str(number) / "sum.py").write_text(f"{text}\n")
        job = Job(spec=root / "specs/sum.yaml", submission=Submission(id=str(number), path=root / str(number)))
        found[name] = grade(job, course)
    return found


@pytest.mark.parametrize("name", list(WORKS))
def test_only_what_a_further_run_has_shown_is_said(name: str, reports: dict[str, Report]) -> None:
    cases = [case for test in reports[name].tests for case in test.cases]
    told = WORKS[name][1]
    assert all(told in case.message for case in cases), [case.message for case in cases]
    assert told or not any(TYPED in case.message for case in cases)
    # The contract is the input that the assignment gives, so nothing of it changes the credit.
    assert [case.credit for case in cases] == [int(name == "right")] * 2


PLAIN = Launch(argv=("x",), stdin=b"3\n2\n")
WRONG = Execution(status=0, stdout=b"x\n")


@pytest.mark.parametrize(
    ("case", "launch", "execution", "runs"),
    [
        (Case(id="a"), PLAIN, WRONG, 3),
        (Case(id="a", both=True), PLAIN, WRONG, 0),
        (Case(id="a"), Launch(argv=("x",), stdin=b"1\n"), WRONG, 0),
        (Case(id="a"), Launch(argv=("x",), stdin=b"3\n" * 99), WRONG, 0),
        (Case(id="a"), Launch(argv=("x",)), WRONG, 0),
        (Case(id="a"), Launch(argv=("x",), stdin=b"1\n2\n", terminal=True), WRONG, 0),
        (Case(id="a", command=("make",)), PLAIN, WRONG, 0),
        (Case(id="a", kind="interactive", payload=Interactor(program="x")), PLAIN, WRONG, 0),
        (Case(id="a"), PLAIN, Execution(signal=9, limit="time"), 0),
        (Case(id="a"), PLAIN, Execution(signal=9, doubts=frozenset({"cpu_starved"})), 0),
    ],
)
def test_which_runs_are_tried(case: Case, launch: Launch, execution: Execution, runs: int) -> None:
    assert len(typed_runs(case, launch, execution)) == runs


def test_what_was_tried_in_vain_is_not_tried_for_ever() -> None:
    attempt = cast("Attempt", SimpleNamespace(tried=Counter(terminal=2), ledger=TimeLedger(10)))
    assert not Attempt.may_run(attempt, "terminal")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("int a = new Scanner(System.in).nextInt();", ": a new `Scanner` for each line reads ahead"),
        ("r = new  BufferedReader (x);", ": a new `BufferedReader` for each line reads ahead"),
        ("int a = 1;", "where it is wrong."),
    ],
)
def test_the_reader_is_named_where_the_source_has_one(source: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/Main.java").write_text(source)
    launch = Launch(argv=("x",), stdin=b"1\n2\n", folder=tmp_path)
    assert told in describe_typed(launch)


IN_JAVA = """\
import java.io.*;
import java.util.Scanner;

public class Main {{
    static int read() throws IOException {{
        return {read};
    }}

    public static void main(String[] args) throws IOException {{
        System.out.println("Sum: " + (read() + read()));
    }}
}}
"""
SCANNER = f"{TYPED.removesuffix('.')}: a new `Scanner` for each line reads ahead; make one for all lines."
JAVA_WORKS = {
    "new Scanner(System.in).nextInt()": SCANNER,
    "Integer.parseInt(new Scanner(System.in).nextLine())": SCANNER,
    "Integer.parseInt(new BufferedReader(new InputStreamReader(System.in)).readLine().trim())": SCANNER.replace(
        "Scanner", "BufferedReader"
    ),
    "2 * new Scanner(System.in).nextInt()": "",
}


@pytest.mark.slow
@pytest.mark.skipif(not is_here("java"), reason="no JDK is on this machine")
def test_a_reader_of_java_for_each_line_is_told(tmp_path: Path) -> None:
    build = "build: {run: javac Main.java, produces: ['*.class']}\nprogram: java Main"
    text = SPEC.replace("python3 sum.py", "java Main").replace("sum.py", "Main.java").replace("python", "java")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/sum.yaml").write_text(text.replace("program: java Main", build))
    course = prepare(tmp_path / "specs/sum.yaml")
    for number, (read, told) in enumerate(JAVA_WORKS.items()):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "Main.java").write_text(IN_JAVA.format(read=read))
        job = Job(spec=tmp_path / "specs/sum.yaml", submission=Submission(id=str(number), path=tmp_path / str(number)))
        messages = [case.message for test in grade(job, course).tests for case in test.cases]
        assert all("uncaught exception" in message for message in messages), messages
        assert all(told in message for message in messages), messages
        assert told or not any("typed on a terminal" in message for message in messages), messages
