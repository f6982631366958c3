import sys
from pathlib import Path
from threading import Barrier, Event

import pytest
from msgspec.structs import replace

from grader.author.public import _files_of_reference
from grader.core import run
from grader.core.cache import Cache
from grader.core.errors import GradingStoppedError, UsageError
from grader.core.explain import reasons
from grader.core.model.execution import Execution, Launch
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, Verdict
from grader.core.pipeline import _make_folder, grade, prepare, work_on
from grader.core.reader.spec import load
from grader.core.sandbox.command import Sandbox
from tests.support.courses import ECHO, SPEC, course, submission
from tests.support.notebooks import notebook


def graded(folder: Path) -> Report:
    return grade(Job(spec=course(folder), submission=Submission(id="alice", path=submission(folder))))


def test_no_trace_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    graded(tmp_path / "course")
    assert list(folder.iterdir()) == []
    assert [path.name for path in (tmp_path / "course" / "echo" / "alice").iterdir()] == ["echo.py"]


@pytest.mark.parametrize("name", ["TMPDIR", "TEMP", "TMP"])
def test_work_is_done_in_the_folder_that_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for other in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(other, raising=False)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, "work")
    assert _make_folder().parent == tmp_path / "work"


def test_where_tmpdir_names_nothing_another_folder_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    report = graded(tmp_path)
    assert report.score == report.max_score > 0


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


def test_the_reference_answers_two_cases_at_a_time_where_two_of_a_submission_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = ", ".join(f"{{args: [{number}]}}" for number in "abc")
    tests = f"tests: [{{name: all, cases: [{cases}], expect: reference}}]\n"
    path = course(tmp_path, SPEC[: SPEC.index("tests:")] + tests)
    ready, meeting, execute = prepare(path, abreast=2), Barrier(2, timeout=30), run.runner.execute

    def meet(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
        if launch.folder is None and launch.argv[-1] != "a":  # the reference's; after the first, nobody comes alone
            meeting.wait()
        return execute(sandbox, launch, cancelled)

    monkeypatch.setattr(run.runner, "execute", meet)
    job = Job(spec=path, submission=Submission(id="alice", path=submission(tmp_path)))
    fresh = replace(ready, cache=Cache(folder=tmp_path / "cache"))
    assert [case.id for case in grade(job, fresh).tests[0].cases] == [f"all[{number}]" for number in range(1, 4)]


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
    assert report.tests[0].cases[0].message.endswith("a fault of the grader: ZeroDivisionError: oh")


def test_an_interrupt_while_a_reason_is_looked_for_is_no_fault_of_the_grader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise GradingStoppedError

    tests = 'tests: [{name: sum, stdin: "1\\n2\\n", expect: {stdout: "3\\n"}}]\n'
    path = course(tmp_path, SPEC[: SPEC.index("tests:")] + tests)
    handed_in = submission(tmp_path, program="print(input())")
    monkeypatch.setattr(reasons, "meaning_of_error", interrupted)
    with pytest.raises(GradingStoppedError):
        grade(Job(spec=path, submission=Submission(id="alice", path=handed_in)))


def test_a_reference_in_a_notebook_is_withheld_from_students(tmp_path: Path) -> None:
    spec = SPEC.replace("language: python", "language: notebook").replace("[echo.py]", "[echo.ipynb]")
    path = course(tmp_path, spec.replace("python3 reference/echo.py", "reference/echo.ipynb"))
    (tmp_path / "reference/echo.py").rename(tmp_path / "reference/echo.ipynb").write_bytes(notebook("print()"))
    assert _files_of_reference(load(path)) == {"reference/echo.ipynb"}


def test_a_thread_that_computes_does_not_hold_up_those_that_attend_to_programs(tmp_path: Path) -> None:
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        prepare(course(tmp_path, SPEC, ECHO), workers=2)
        assert sys.getswitchinterval() < 0.001
    finally:
        sys.setswitchinterval(before)
