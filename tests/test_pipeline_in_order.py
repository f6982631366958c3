"""Cases of a test that share one working folder: what each finds there, of a program and of the reference."""

import os
from pathlib import Path

import pytest

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.execution import MAX_COLLECTED_FILES, Doubt, Execution, Launch
from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.oracle.answers import ask_reference
from grader.core.pipeline import grade, prepare
from grader.core.sandbox.folder import copy_out
from tests.support.courses import SPEC, course, submission

NOTES = """
import os, sys, time
command, *words = sys.argv[1:]
if command == "add":
    open("notes.txt", "a").write(words[0] + "\\n")
    print("added")
elif command == "sleep":
    time.sleep(60)
else:
    print(*open("notes.txt").read().split(), *sorted(os.listdir("box") if os.path.isdir("box") else []))
"""
TESTS = """tests:
  - name: keeps
    in-order: true
    points: 4
    expect: {stdout: reference}
    cases:
      - args: [add, milk]
      - {args: [add, tea], expect: {files: {notes.txt: reference}}}
      - args: [list]
      - {args: [add, salt], files: {notes.txt: {file: reference/seed.txt}}}
  - name: apart
    points: 1
    args: [list]
    expect: {stdout: '', exit: failure, crash: allowed}
"""
SAYING = 'open("log", "a").write("{}\\n"); print(open("log").read())'
TWO = """references:
  echo: {files: reference/first, program: python3 main.py}
  other: {files: reference/second, program: python3 main.py}
tests:
  - name: keeps
    in-order: true
    points: 3
    expect: {stdout: reference}
    cases: [{args: []}, {command: python3 other.py}, {args: []}]
"""

pytestmark = pytest.mark.usefixtures("shared_cache")


def graded_cases(folder: Path, program: str, tests: str = TESTS, sandbox: str = "auto") -> dict[str, tuple[float, str]]:
    path = course(folder, SPEC[: SPEC.index("tests:")] + tests, NOTES)
    (path.parents[1] / "reference/seed.txt").write_text("seed\n")
    job = Job(spec=path, submission=Submission(id="a", path=submission(folder, program=program)))
    report = grade(job, prepare(path, sandbox=sandbox, abreast=2))
    return {case.id: (float(case.credit), case.verdict) for test in report.tests for case in test.cases}


@pytest.mark.parametrize("sandbox", ["full", "container", "none"])
def test_each_finds_what_the_one_before_left(sandbox: str, tmp_path: Path) -> None:
    right = dict.fromkeys([f"keeps[{number}]" for number in (1, 2, 3, 4)] + ["apart"], (1, "passed"))
    assert graded_cases(tmp_path / "right", NOTES, sandbox=sandbox) == right
    forgetful = graded_cases(tmp_path / "wrong", NOTES.replace('"a"', '"w"'), sandbox=sandbox)
    assert [name for name, (credit, _) in forgetful.items() if credit != 1] == ["keeps[2]", "keeps[3]"]


def test_runs_of_one_case_begin_alike_and_the_reference_may_be_another_for_some(tmp_path: Path) -> None:
    assert graded_cases(tmp_path, NOTES, TESTS.replace("args: [add, milk]", "{args: [add, milk], repeat: 3}"))[
        "keeps[3]"
    ] == (1, "passed")


def test_references_of_two_programs_have_files_of_the_same_name(tmp_path: Path) -> None:
    path = course(tmp_path, SPEC[: SPEC.index("reference:")] + TWO, NOTES)
    given = path.parents[1] / "reference"
    for name in ("first", "second"):
        (given / name).mkdir()
        (given / name / "main.py").write_text(SAYING.format(name))
    work = submission(tmp_path, program=SAYING.format("first"))
    (work / "other.py").write_text(SAYING.format("second"))
    report = grade(Job(spec=path, submission=Submission(id="a", path=work)), prepare(path))
    assert [case.verdict for test in report.tests for case in test.cases] == ["passed"] * 3


@pytest.mark.parametrize("doubt", ["killed_by_host", "cpu_starved"])
def test_a_reference_that_the_machine_failed_in_an_earlier_case_says_nothing_of_a_later_one(
    doubt: Doubt, tmp_path: Path
) -> None:
    def run(launch: Launch) -> Execution:
        return Execution(signal=9, doubts=frozenset({doubt})) if launch.argv == ("first",) else Execution(status=0)

    first, second = (Launch(argv=(name,)) for name in ("first", "second"))
    with pytest.raises(HostError, match="signal 9"):
        ask_reference(second, files={}, before=[(first, {})], run=run, cache=Cache(folder=tmp_path))


def test_what_was_stopped_has_left_what_it_wrote(tmp_path: Path) -> None:
    tests = TESTS.replace(
        "      - args: [list]\n", "      - {args: [sleep], limits: {time: 1 s}, expect: {exit: any}}\n"
    )
    slow = NOTES.replace("    time.sleep(60)", "    open('notes.txt', 'a').write('x\\n'); time.sleep(60)")
    found = graded_cases(tmp_path, slow, tests.replace("stdout: reference}\n    cases", "exit: 0}\n    cases"))
    assert [found["keeps[3]"], found["keeps[4]"]] == [(0, "timeout"), (1, "passed")]


def test_a_case_may_be_there_for_what_it_leaves_alone(tmp_path: Path) -> None:
    cases = "[{args: [add, milk]}, {args: [list], expect: {stdout: reference}}]"
    tests = f"tests:\n  - {{name: keeps, in-order: true, points: 4, cases: {cases}}}\n"
    assert set(graded_cases(tmp_path, NOTES, tests).values()) == {(1, "passed")}


def test_behind_a_case_that_is_ungraded_nothing_is_known(tmp_path: Path) -> None:
    found = graded_cases(tmp_path, NOTES, TESTS.replace("args: [add, milk]", "args: [unknown, milk]"))
    assert [found[name] for name in ("keeps[1]", "keeps[4]", "apart")] == [(0, "ungraded")] * 2 + [(1, "passed")]


def test_what_is_copied_of_what_was_left(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "a/b").mkdir(parents=True)
    (work / "a/run").write_bytes(b"#!")
    (work / "a/run").chmod(0o700)
    os.utime(work / "a/run", ns=(5, 7))
    (work / "link").symlink_to("/etc/passwd")
    (work / "sealed").touch(mode=0)
    far = os.open(work, os.O_RDONLY)
    for name in ["f" * 250] * 20:  # a path that is too long for the kernel
        os.mkdir(name, dir_fd=far)
        before, far = far, os.open(name, os.O_RDONLY, dir_fd=far)
        os.close(before)
    os.close(os.open("end", os.O_CREAT, dir_fd=far))
    os.close(far)
    os.mkfifo(work / "pipe")
    with (work / "large").open("wb") as file:
        file.truncate(65 * 2**20)
    folder = os.open(work, os.O_RDONLY)
    try:
        for _ in range(2):
            copy_out(folder, tmp_path / "copy")
        (work / "many").mkdir()
        for number in range(MAX_COLLECTED_FILES):
            (work / f"many/{number}").touch()
        copy_out(folder, tmp_path / "some")
    finally:
        os.close(folder)
    names = {path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*")}
    assert {name for name in names if name[0] != "f"} == {"a", "a/b", "a/run"}
    assert max(map(len, names)) < 3500  # with the folder before it, the next case can be given it
    assert (tmp_path / "copy/a/run").stat().st_mtime_ns == 7
    assert os.access(tmp_path / "copy/a/run", os.X_OK)
    assert len(list((tmp_path / "some").rglob("*"))) < MAX_COLLECTED_FILES
