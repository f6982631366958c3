import sys
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, Verdict
from grader.core.pipeline import grade, prepare, work_on
from grader.core.report.json import to_json
from tests.support.courses import ECHO, SPEC, course, submission

pytestmark = pytest.mark.usefixtures("shared_cache")


def graded(
    folder: Path, program: str = ECHO, *, spec: str = SPEC, reference: str = ECHO, only: tuple[str, ...] = ()
) -> Report:
    path = course(folder, spec, reference)
    handed_in = submission(folder, program=program)
    return grade(Job(spec=path, submission=Submission(id="alice", path=handed_in), only=only))


def verdicts(report: Report) -> dict[str, str]:
    return {result.name: result.verdict for result in report.tests}


def messages(report: Report) -> set[str]:
    return {case.message for result in report.tests for case in result.cases}


def test_a_right_program_has_full_marks(tmp_path: Path) -> None:
    report = graded(tmp_path)
    assert (report.verdict, report.score, report.max_score) == (Verdict.PASSED, 10, 10)
    assert report.sandbox.level == "full"
    assert report.toolchain["python3"].startswith("Python 3")
    assert [case.id for result in report.tests for case in result.cases] == ["words[1]", "words[2]", "nothing"]


def test_what_needs_a_failed_test_is_skipped(tmp_path: Path) -> None:
    report = graded(tmp_path, "print('x')")
    assert verdicts(report) == {"words": "failed", "nothing": "skipped"}
    assert report.score == 0
    assert "Not run, because words did not pass." in messages(report)


@pytest.mark.parametrize(
    ("program", "score", "told"),
    [
        (ECHO, 10, []),
        (f"{ECHO}\nif sys.argv[1:] == ['b']: sys.exit(3)", 9, ["The test `tidy` is not right. This costs 1 point."]),
        (f"{ECHO}\nsys.exit(3)", 8, ["The test `tidy` is not right. This costs 2 points."]),
        ("import sys\nsys.exit(3)", 0, ["The test `tidy` is not right. This costs 2 points."]),
    ],
)
def test_a_test_takes_points_off_for_the_part_of_it_that_is_not_right(
    program: str, score: float, told: list[str], tmp_path: Path
) -> None:
    spec = SPEC + "  - {name: tidy, costs: 2, each: {n: [a, b]}, args: ['{n}'], expect: {exit: 0}}\n"
    report = graded(tmp_path, program, spec=spec)
    assert (report.score, report.max_score) == (score, 10)
    assert [one.message for one in report.on_top or ()] == told


def test_what_is_charged_once_is_charged_in_one_test_and_keeps_none_from_being_run(tmp_path: Path) -> None:
    spec = SPEC.replace("tests:", "tolerate: {letter-case: 50%, final-newline: 50%}\nonce: [letter-case]\ntests:", 1)
    spec += "  - {name: last, points: 20, needs: [words], args: [c], expect: reference}\n"
    report = graded(tmp_path, "import sys; print(*map(str.upper, sys.argv[1:]))", spec=spec)
    assert {test.name: (test.score, test.verdict) for test in report.tests} == {
        "words": (6, "passed"),
        "nothing": (4, "passed"),
        "last": (10, "partial"),
    }
    assert report.score == 20
    (words, _), _, (last,) = (test.cases for test in report.tests)
    assert [(one.keeps, one.counted_in) for one in words.deviations] == [(1, "last")]
    assert words.message.endswith("It is charged only in test `last`.")
    assert to_json(report).count(b"counted_in") == len(words.deviations) + 1
    assert last.message.endswith("This costs 50 % of the credit.")


@pytest.mark.parametrize(
    ("program", "verdict", "score"),
    [
        ("import sys; sys.stderr.write(' '.join(sys.argv[1:]) + '\\n')", Verdict.FAILED, 3),
        ("import os; os.abort()", Verdict.FAILED, 0),
        ("print(", Verdict.FAILED, 0),
        (ECHO.replace("[1:]", "[1:2]"), Verdict.FAILED, 3),
    ],
)
def test_scores(tmp_path: Path, program: str, verdict: Verdict, score: float) -> None:
    report = graded(tmp_path, program)
    assert (report.verdict, report.score) == (verdict, score)


@pytest.mark.parametrize("reference", ["1 / 0", "import os; os.abort()", "import sys; sys.exit(open('nothing'))"])
def test_a_reference_that_crashes_makes_ungraded_and_never_zero(tmp_path: Path, reference: str) -> None:
    report = graded(tmp_path, reference=reference)
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)
    assert verdicts(report)["words"] == "ungraded"
    assert any("the reference failed (python3 reference/echo.py a)" in message for message in messages(report))


def test_a_missing_reference_makes_ungraded(tmp_path: Path) -> None:
    path = course(tmp_path)
    (tmp_path / "reference" / "echo.py").unlink()
    report = grade(Job(spec=path, submission=Submission(id="alice", path=submission(tmp_path))))
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)


def test_a_case_that_needs_no_reference_is_graded_all_the_same(tmp_path: Path) -> None:
    report = graded(tmp_path, spec=SPEC.replace("    needs: [words]\n", ""), reference="1 / 0")
    assert verdicts(report) == {"words": "ungraded", "nothing": "passed"}
    assert report.score is None


def test_a_build_that_fails_fails_every_case(tmp_path: Path) -> None:
    spec = SPEC.replace("program:", "build: {run: sh build.sh, produces: [echo]}\nprogram:")
    report = graded(tmp_path, spec=spec)
    assert set(verdicts(report).values()) == {"build-failed"}
    assert (report.verdict, report.score, report.build.ok) == (Verdict.FAILED, 0, False)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    path = course(tmp_path)
    empty = tmp_path / "echo" / "bob"
    empty.mkdir(parents=True)
    report = grade(Job(spec=path, submission=Submission(id="bob", path=empty)))
    assert report.score == 0
    assert any("echo.py is missing" in message for message in messages(report))


def test_only_runs_what_was_asked_for(tmp_path: Path) -> None:
    report = graded(tmp_path, only=("nothing",))
    assert verdicts(report) == {"nothing": "passed"}
    assert (report.score, report.max_score) == (4, 4)


def test_no_trace_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    graded(tmp_path / "course")
    assert list(folder.iterdir()) == []
    assert [path.name for path in (tmp_path / "course" / "echo" / "alice").iterdir()] == ["echo.py"]


def test_a_case_cannot_leave_anything_for_the_next(tmp_path: Path) -> None:
    program = "import os, sys\nprint(*(sys.argv[1:] if not os.path.exists('x') else 'y'))\nopen('x', 'w')\n"
    assert graded(tmp_path, program).score == 10


@pytest.mark.slow
def test_the_student_does_not_see_the_reference_or_the_spec(tmp_path: Path) -> None:
    # Not in /usr, which is the machine's own: hundreds of thousands of files, which a cold disk gives slowly.
    program = (
        f"{ECHO}import os\n"
        "for top in set(os.listdir('/')) - {'usr', 'proc', 'sys'}:\n"
        "    for root, _, names in os.walk('/' + top):\n"
        "        assert 'echo.yaml' not in names, root\n"
        "assert not os.path.exists('reference')\n"
    )
    assert graded(tmp_path, program).score == 10


@pytest.mark.slow
def test_a_time_limit_missed_by_a_hair_is_measured_again(tmp_path: Path) -> None:
    spec = SPEC.replace("time: 5 s", "time: 4 s")
    report = graded(tmp_path, "import time; time.sleep(4.1)", spec=spec, only=("nothing",))
    (case,) = report.tests[0].cases
    assert case.verdict == Verdict.TIMEOUT
    assert case.exit == {"status": 0}  # it was let end, both times
    assert isinstance(case.measured, tuple)
    assert [run.limit for run in case.measured] == ["time", "time"]


def test_several_at_a_time_come_in_order_and_right(tmp_path: Path) -> None:
    path = course(tmp_path)
    programs = {f"s{number}": ECHO if number % 3 else "print('wrong')" for number in range(12)}
    jobs = [
        Job(spec=path, submission=Submission(id=name, path=submission(tmp_path, name, program)))
        for name, program in programs.items()
    ]
    reports = list(work_on(jobs, prepare(path, workers=3), grade, workers=3))
    assert [report.submission.id for report in reports] == list(programs)
    assert [report.score for report in reports] == [10 if program == ECHO else 0 for program in programs.values()]


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    path = course(tmp_path)
    (tmp_path / "alice").write_text("hello")
    with pytest.raises(UsageError, match="neither a folder nor"):
        grade(Job(spec=path, submission=Submission(id="alice", path=tmp_path / "alice")))


def test_a_fault_of_the_judge_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("grader.core.judge.case.judge", broken)
    report = graded(tmp_path)
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)
    assert "a fault of the grader: ZeroDivisionError: oh" in messages(report)


JAVA_SPEC = """\
spec: 1
id: hello
title: Hello
language: java
files: {required: [Hello.java, Makefile]}
build: {run: make, produces: ["*.class"]}
program: java Hello
tests: [{name: a, expect: {stdout: "a\\n"}}]
"""
MAKEFILE = "Hello.class: Hello.java\n\tjavac Hello.java\n"
LOST = """\
class Hello {
  public static void main(String[] args) {
    String[] names = new String[1];
    System.out.println(names[0].length());
  }
}
"""
NULL = 'Your program ended with an uncaught exception: `java.lang.NullPointerException: … because "names[0]" is null`'
PACKED = "There is no class `Hello` to start: it is in a package in line 1 of `Hello.java`, `package hello;`"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (LOST, f"{NULL} in line 4 of `Hello.java`, `System.out.println(names[0].length());`."),
        (f"package hello;\n{LOST}", f"{PACKED}, so take that line out."),
    ],
    ids=["variables", "package"],
)
def test_java_is_told_in_the_words_of_its_source(source: str, told: str, tmp_path: Path) -> None:
    path = course(tmp_path, JAVA_SPEC, "")
    folder = tmp_path / "alice"
    folder.mkdir()
    (folder / "Hello.java").write_text(source)
    (folder / "Makefile").write_text(MAKEFILE)
    report = grade(Job(spec=path, submission=Submission(id="alice", path=folder)))
    assert messages(report) == {told}
    assert "JAVAC" not in report.build.log


def test_whoever_writes_far_more_than_what_is_right_is_stopped(tmp_path: Path) -> None:
    tests = """\
  - name: short
    points: 1
    expect: {stdout: reference}
  - name: pattern
    points: 1
    expect: {stdout: {contains: Echo}}
  - name: said
    points: 1
    limits: {output: 4 MiB}
    expect: {stdout: {lines: reference, only: Echo}}
"""
    path = course(tmp_path, SPEC[: SPEC.index("tests:")] + f"tests:\n{tests}", "print('Echo')\n")
    work = submission(tmp_path, program="print('Echo')\nprint('debugging ' * 150_000)\n")
    report = grade(Job(spec=path, submission=Submission(id="alice", path=work)))
    assert [test.verdict for test in report.tests] == ["output", "passed", "passed"]
    (stopped,) = report.tests[0].cases
    assert stopped.message.startswith("Your program was stopped because it wrote more than 1 MiB to standard output.")
    assert stopped.limits
    assert stopped.limits.output == 2**20


def test_a_thread_that_computes_does_not_hold_up_those_that_attend_to_programs(tmp_path: Path) -> None:
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        prepare(course(tmp_path, SPEC, ECHO), workers=2)
        assert sys.getswitchinterval() < 0.001
    finally:
        sys.setswitchinterval(before)
