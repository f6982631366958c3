"""A case that is run more than once: through pipes and on a terminal, and again and again."""

from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, ReportedCase, Verdict
from grader.core.pipeline import grade
from grader.core.report.json import from_json, to_json
from tests.support.courses import ECHO, SPEC, course, submission

ONLY_PIPED = "import sys\nprint('menu' if sys.stdout.isatty() else ' '.join(sys.argv[1:]))\n"
ONLY_ON_TERMINAL = ONLY_PIPED.replace("if sys", "if not sys")
NEITHER = "import sys\nprint('menu' if sys.stdout.isatty() else 'none')\n"
CLOCK = "import time\nprint(time.time_ns())\n"
DICE = "import random, sys\nprint(*sys.argv[1:], *random.choice([['six'], []]))\n"
HUNG = "import random, sys, time\nrandom.random() < 0.5 and time.sleep(60)\nprint(*sys.argv[1:])\n"
CALLED = """\
  - name: next
    points: 1
    functions: {in: echo, declare: "def add(n)", calls: [{args: [1], expect: {returns: 2}}]}
"""
DICE_CALLED = "import random\ndef add(n): return n + random.choice([1, 2])\n"
ANY = "    expect: {stdout: {regex: '[0-9]+'}}"


pytestmark = pytest.mark.usefixtures("shared_cache")


def graded(folder: Path, tests: str, program: str, reference: str = ECHO) -> Report:
    path = course(folder, SPEC[: SPEC.index("  - name: words")] + tests, reference)
    return grade(Job(spec=path, submission=Submission(id="alice", path=submission(folder, program=program))))


def only_case(
    folder: Path, keys: str, program: str, *, expect: str = "    expect: reference", **more: str
) -> ReportedCase:
    report = graded(folder, f"  - name: words\n    points: 6\n    args: [a]\n    {keys}\n{expect}\n", program, **more)
    assert from_json(to_json(report)) == report
    assert report.max_score == 6
    (case,) = report.tests[0].cases
    return case


@pytest.mark.parametrize(
    ("program", "credit", "message"),
    [
        (ECHO, 1, ""),
        (ONLY_PIPED, 0, "Your program is right through a pipe and wrong on a terminal. "),
        (ONLY_ON_TERMINAL, 0, "Your program is right on a terminal and wrong through a pipe. "),
        (NEITHER, 0, "Through a pipe: "),
        (ECHO.replace("[1:]", "[2:]"), 0, "Your program wrote nothing to standard output"),
        (
            "import sys\nsys.stdout.isatty() and sys.exit(print('a', end=''))\nprint('a')",
            0.5,
            "Your program is right thro",
        ),
        (
            "import sys\nprint('a')\nassert not sys.stdout.isatty()",
            0,
            "Your program is right through a pipe and wrong on a terminal. Your program ended",
        ),
    ],
)
def test_it_has_to_be_right_through_pipes_and_on_a_terminal(
    tmp_path: Path, program: str, credit: float, message: str
) -> None:
    case = only_case(tmp_path, "run: both\n    tolerate: {final-newline: 50%}", program)
    assert (case.credit, case.message[: len(message)]) == (credit, message)
    assert isinstance(case.runs, tuple)
    assert [run.on for run in case.runs] == ["pipe", "terminal"]


def test_what_is_right_may_be_another_answer_on_a_terminal(tmp_path: Path) -> None:
    assert only_case(tmp_path, "run: both", ONLY_PIPED, reference=ONLY_PIPED).verdict == Verdict.PASSED


@pytest.mark.parametrize(
    ("keys", "program", "verdict", "message"),
    [
        ("repeat: 3", ECHO, Verdict.PASSED, ""),
        ("repeat: 3", ECHO.replace("[1:]", "[2:]"), Verdict.FAILED, "Your program wrote nothing to standard output"),
        ("repeat: 3", CLOCK, Verdict.FAILED, "3 runs gave 3 different answers, and none was right; the worst counts. "),
        ("repeat: 20", DICE, Verdict.FAILED, "20 runs gave 2 different answers, and "),
        ("repeat: {times: 20, counts: best}", DICE, Verdict.PASSED, "20 runs gave 2 different answers, and "),
        ("repeat: 12\n    limits: {time: 500 ms}", HUNG, Verdict.TIMEOUT, "12 runs gave 2 different answers, and "),
        ("repeat: 2\n    run: both", CLOCK, Verdict.FAILED, "Through a pipe: 2 runs gave 2 different answers"),
        (
            "repeat: 2\n    run: both",
            ONLY_PIPED,
            Verdict.FAILED,
            "Your program is right through a pipe and wrong on a terminal. ",
        ),
    ],
)
def test_an_unstable_program_is_said_to_be_unstable(
    tmp_path: Path, keys: str, program: str, verdict: Verdict, message: str
) -> None:
    case = only_case(tmp_path, keys, program)
    assert (case.verdict, case.message[: len(message)]) == (verdict, message)
    assert isinstance(case.runs, tuple)
    assert len(case.runs) >= 3


def test_answers_that_are_all_right_may_differ(tmp_path: Path) -> None:
    case = only_case(tmp_path, "repeat: 3", CLOCK, expect=ANY)
    assert (case.verdict, case.message) == (Verdict.PASSED, "")


def test_a_function_that_returns_something_else_each_time_is_unstable(tmp_path: Path) -> None:
    (case,) = graded(tmp_path, f"{CALLED}    repeat: 20\n", DICE_CALLED).tests[0].cases
    assert case.verdict == Verdict.FAILED
    assert case.message.startswith("20 runs gave 2 different answers, and ")


def test_an_ungraded_run_leaves_the_case_ungraded(tmp_path: Path) -> None:
    case = only_case(tmp_path, "run: both", ECHO, reference="import sys\nprint('a')\nassert not sys.stdout.isatty()")
    assert case.verdict == Verdict.UNGRADED
    assert "the reference failed" in case.message


@pytest.mark.parametrize("program", ["print(", "import sys; sys.exit(3)"])
def test_what_is_not_run_is_told_once(tmp_path: Path, program: str) -> None:
    tests = "  - {name: first, args: [a], expect: reference}\n"
    tests += "  - {name: second, needs: [first], run: both, repeat: 2, expect: {stdout: x}}\n"
    (case,) = graded(tmp_path, tests, program).tests[1].cases
    assert (case.verdict, case.message) == (Verdict.SKIPPED, "Not run, because first did not pass.")


def test_a_case_that_is_run_once_has_no_list_of_runs(tmp_path: Path) -> None:
    assert b'"runs"' not in to_json(graded(tmp_path, "  - {name: words, args: [a], expect: reference}\n", ECHO))


SAYS = "import sys\nprint('w.sh: line 1: ./helpers: No such file', 'no f', sep='\\n', file=sys.stderr)\n"
TOLD = "Your program wrote nothing to standard output; expected: "
ALSO = "Its standard error says `w.sh: line 1: ./helpers: No such file`."


@pytest.mark.parametrize(
    ("keys", "program", "begin", "is_told"),
    [
        ("expect: {stdout: reference}", SAYS, TOLD, True),
        ("expect: {stdout: reference, exit: 0}", SAYS, TOLD, True),
        ("expect: {stdout: reference}", "x = 1", TOLD, False),
        ("expect: {stdout: reference}", SAYS + "print('x')", "", False),
        ("expect: {stdout: reference, stderr: {text: ''}}", SAYS, "", False),
        ("expect: {stdout: reference}", "import sys\nprint(*sys.argv[1:], file=sys.stderr)", "", False),
    ],
)
def test_a_program_that_only_complains_is_told_of_what(
    tmp_path: Path, keys: str, program: str, begin: str, *, is_told: bool
) -> None:
    case = only_case(tmp_path, "about: words", program, expect=f"    {keys}")
    assert case.verdict == Verdict.FAILED
    assert case.message.startswith(begin)
    assert (ALSO in case.message) == is_told
    assert case.message.count("tandard error") == is_told or begin != TOLD
