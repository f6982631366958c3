"""A program of the course that speaks with the student's: what is told of each way in which that can go."""

import json
import re
from pathlib import Path

import pytest

from grader.author.handout import to_handout
from grader.check.verification import verify_spec
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, ReportedCase, Verdict
from grader.core.model.spec import Case
from grader.core.pipeline import Course, assess, grade, prepare
from grader.core.reader.spec import load
from grader.core.report.json import to_json
from tests.support.courses import course, submission
from tests.support.payloads import interactor_in

SPEC = """
spec: 1
id: echo
title: Twice
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/player.py
limits: {time: 1 s}
tests:
  - name: twice
    points: 10
    interactor: {program: reference/other.py, args: [input], input: "SECRET 21 4"}
"""
OTHER = """
import helper, sys, time
from pathlib import Path
_, *numbers = Path(sys.argv[1]).read_text().split()
for number in numbers:
    print(number)
    answer = sys.stdin.readline(100).strip()
    if answer == "wait": time.sleep(1.5)
    elif answer == "crash": raise KeyError(answer)
    elif answer == "nothing": sys.exit(0)
    elif answer == "share":
        Path("feedback/score.txt").write_text("0.25")
        print("Only a quarter.", file=sys.stderr)
        break
    elif answer == "odd":
        Path("feedback/score.txt").write_text("much")
        break
    elif answer == "again":
        Path("feedback/nextpass.in").write_text("9")
        break
    elif answer == "team":
        Path("feedback/teammessage.txt").write_text("\\nFor you alone\\nsecond line")
        print("SECRET", file=sys.stderr)
        sys.exit(43)
    elif answer != helper.twice(number):
        print(f"Twice {number} is not {answer[:20]!r}.", file=sys.stderr)
        sys.exit(43)
sys.exit(42)
"""
HELPER = "def twice(number): return str(2 * int(number))\n"
PLAYER = "import sys\nfor line in sys.stdin:\n    print(2 * int(line), flush=True)\n"
SAYS = "input()\nprint({!r}, flush=True)\ninput()\n"

SPY = """
import os
input()
folders = ("/proc", "/tmp", ".", "/work", "/root")
found = [path for folder in folders for path, _, files in os.walk(folder) if {"other.py", "helper.py"} & {*files}]
processes = [name for name in os.listdir("/proc") if name.isdigit()]
found += [name for name in processes if b"other" in open(f"/proc/{name}/cmdline", "rb").read()]
print(found or 42, flush=True)
print(2 * int(input()), flush=True)
"""
UNFLUSHED = (
    "Your program waits for input while the interactor waits for a line from it; `42` came only when its input was "
    "closed: flush standard output after each line."
)
ENDS = {
    "right": (PLAYER, "passed", ""),
    "goes on when it is over": (f"{PLAYER}while True: pass", "passed", ""),
    "fails when it is over": (f"{PLAYER}raise ValueError", "passed", ""),
    "other side takes longer than the limit": ("input()\nprint('wait', flush=True)\ninput()\nprint(8)", "passed", ""),
    "wrong": (SAYS.format("7"), "failed", "Twice 21 is not '7'."),
    "sentence for the team": (SAYS.format("team"), "failed", "For you alone."),
    "share": (SAYS.format("share"), "partial", "Only a quarter."),
    "ends first": ("input()\nprint(42)", "failed", "Twice 4 is not ''. Your program had ended first (status 0)."),
    "crashes": ("input()\nprint(42, flush=True)\n1 / 0", "crashed", "…ZeroDivisionError…Twice 4 is not ''."),
    "unflushed": (
        PLAYER.replace(", flush=True", "").replace("in sys.stdin", "in iter(sys.stdin.readline, '')"),
        "timeout",
        UNFLUSHED,
    ),
    "silent": ("input()\ninput()", "timeout", "…; your program had written nothing. …"),
    "silent later": ("input()\nprint(42)\ninput()\ninput()", "timeout", "…; all that it wrote had arrived. …"),
    "sleeps": ("import time\ninput()\ntime.sleep(60)", "timeout", "…was stopped after 1… s …; the limit is 1 s. …"),
    "talks without end": ("while True: print(1)", "failed", "Twice 21 is not '1'."),
    "kills all it can": (f"import os, signal\nsignal.signal(15, lambda *_: 0)\nos.kill(0, 15)\n{PLAYER}", "passed", ""),
    "interactor fails": (SAYS.format("crash"), "ungraded", "a fault of the interactor: …`KeyError…"),
    "interactor says nothing": (SAYS.format("nothing"), "ungraded", "…status 0 instead of 42 for right or 43 …"),
    "share that is none": (SAYS.format("odd"), "ungraded", "…`much`, which is not a number between 0 and 1"),
    "pass that is not allowed": (SAYS.format("again"), "ungraded", "…`passes` in the spec allows only 1"),
    "looks for the secret": (SPY, "passed", ""),
}  # fmt: skip


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Course]:
    return laid_out(tmp_path_factory.mktemp("course"))


def laid_out(folder: Path, spec: str = SPEC, other: str = OTHER) -> tuple[Path, Course]:
    path = course(folder, spec)
    for name, text in {"other.py": other, "helper.py": HELPER, "player.py": PLAYER}.items():
        (folder / "reference" / name).write_text(text)
    return path, prepare(path)


def graded(prepared: tuple[Path, Course], folder: Path, program: str) -> Report:
    path, ready = prepared
    return grade(Job(spec=path, submission=Submission(id="a", path=submission(folder, program=program))), ready)


def only_case(report: Report) -> ReportedCase:
    ((case,),) = (result.cases for result in report.tests)
    return case


@pytest.mark.parametrize("end", ENDS)
def test_each_end_has_its_verdict_and_its_sentence(prepared: tuple[Path, Course], tmp_path: Path, end: str) -> None:
    program, verdict, message = ENDS[end]
    case = only_case(graded(prepared, tmp_path, program))
    assert re.fullmatch(re.escape(message).replace("…", ".*"), case.message), case.message
    assert case.verdict == verdict


def test_who_said_what_is_in_the_report_and_no_more(prepared: tuple[Path, Course], tmp_path: Path) -> None:
    report = graded(prepared, tmp_path, SAYS.format("7"))
    turns = [(turn.who, turn.text) for turn in only_case(report).transcript or ()]
    assert turns[:3] == [("grader", "21\n"), ("program", "7\n"), ("grader", "[end of input]")]
    assert b"SECRET" not in to_json(report)


def test_the_interactor_belongs_to_what_a_report_depends_on(tmp_path: Path) -> None:
    path = course(tmp_path, SPEC)
    digests = set()
    for name, text in (("other.py", "1"), ("other.py", "2"), ("helper.py", "3")):
        (tmp_path / "reference" / name).write_text(text)
        digests.add(load(path).digest)
    assert len(digests) == 3


def test_passes_start_the_program_again_with_what_was_left(tmp_path: Path) -> None:
    other = """
import os, sys
number = int(open("input").read())
print(number)
if int(input()) != 2 * number: sys.exit(43)
with open("feedback/seen", "a") as seen: seen.write(f"{number} ")
if number < 3: open("feedback/nextpass.in", "w").write(str(number + 1))
else: print(open("feedback/seen").read(), file=sys.stderr)
open("feedback/score.txt", "w").write("0.5")
sys.exit(42)
"""
    spec = SPEC.replace("args: [input]", "passes: 3").replace("SECRET 21 4", "1")
    case = only_case(graded(laid_out(tmp_path / "course", spec, other), tmp_path, PLAYER))
    assert (case.verdict, case.message) == (Verdict.PARTIAL, "In pass 3: 1 2 3.")
    assert [turn.text for turn in case.transcript or () if turn.who == "program"] == ["2\n", "4\n", "6\n"]


def test_what_cases_say_is_laid_over_what_their_test_says(tmp_path: Path) -> None:
    spec = f"""{SPEC}
    cases:
      - interactor: {{args: [a]}}
      - interactor: {{input: other, limits: {{time: 3 s}}}}
"""
    course(tmp_path, spec)
    (tmp_path / "reference" / "other.py").write_text("")

    def given(case: Case) -> tuple[object, ...]:
        assert interactor_in(case)
        return interactor_in(case).args, interactor_in(case).input, dict(interactor_in(case).limits)

    found = [given(case) for case in load(tmp_path / "specs" / "echo.yaml").tests[0].cases]
    assert found == [(("a",), b"SECRET 21 4", {}), (("input",), b"other", {"time": 3.0})]


@pytest.mark.parametrize(
    ("other", "survivors"),
    [
        (OTHER, set()),
        ("import sys\nprint(1)\nsys.stdin.readline()\nsys.exit(42)", {"silent", "rubbish"}),
        ("import sys\nprint(1)\nsys.exit(42 if int(input()) == 2 else 43)", {"silent", "rubbish"}),
    ],
    ids=["careful", "takes anything", "fails on rubbish"],
)
def test_wrong_players_show_what_an_interactor_forgets(tmp_path: Path, other: str, survivors: set[str]) -> None:
    path, ready = laid_out(tmp_path, other=other)
    found = verify_spec(path, ready, most=0)
    assert not any(one.is_wrong for one in found.answered)
    told = {trial.mutant.name.rpartition("/")[2] for trial in found.trials if trial.outcome == "survived"}
    assert survivors <= told
    assert bool(survivors) == (not found.is_right)


def test_an_interactor_in_a_compiled_language_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    spec = SPEC.replace("other.py", "other.c").replace("reference: python3 reference/player.py\n", "")
    (tmp_path / "course" / "reference").mkdir(parents=True)
    path = tmp_path / "course" / "specs" / "echo.yaml"
    path.parent.mkdir()
    path.write_text(spec)
    source = tmp_path / "course" / "reference" / "other.c"
    source.write_text('#include <stdio.h>\nint main(void) { int n = 0; puts("3"); fflush(stdout); '
                      'return scanf("%d", &n) == 1 && n == 6 ? 42 : 43; }')  # fmt: skip
    ready = prepare(path)
    job = Job(spec=path, submission=Submission(id="a", path=submission(tmp_path, program=PLAYER)))
    assert assess(job, ready).verdict == Verdict.PASSED
    kept = sorted((tmp_path / "cache").rglob("*"))
    prepare(path)
    assert sorted((tmp_path / "cache").rglob("*")) == kept
    json.loads(to_json(grade(job, ready)))


def test_students_are_told_that_somebody_speaks_and_not_what_is_secret(tmp_path: Path) -> None:
    cases = "    cases:\n      - interactor: {args: [input]}\n      - interactor: {args: [input, HIDDEN]}\n"
    _, ready = laid_out(tmp_path, SPEC.replace("args: [input], ", "") + cases)
    told = to_handout(ready)
    assert told.count("`python3 echo.py`, and another program speaks with it") == 1
    assert "  other    21\n  program  42\n" in told
    assert "SECRET" not in told
    assert "HIDDEN" not in told
