"""Tests that are all or nothing and end at their first failure: what is run, and that no point depends on it."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader.author.handout import to_handout
from grader.core.errors import GradingStoppedError
from grader.core.explain import sources
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import Course, grade, prepare
from tests.support.courses import SPEC, course, submission

TEST = """\
  - name: same
    points: 8
    all_or_nothing: true
    stop: first-failure
    each: {n: 1..5}
    args: ["{n}"]
    expect: {stdout: reference}
"""
REFERENCE = "import sys\nprint(*sys.argv[1:])\nassert sys.argv[1:] != ['{}']\n"
SLIP = "  - {name: slip, points: 2, args: [x], tolerate: {wrong-stream: 50%}, expect: {stdout: reference}}\n"


pytestmark = pytest.mark.usefixtures("shared_cache")


def prepared(folder: Path, tests: str, reference: str = "") -> Course:
    once = "once: [wrong-stream]\n" if "slip" in tests else ""
    spec = f"{SPEC[: SPEC.index('tests:')]}{once}tests:\n{tests}"
    return prepare(course(folder, spec, REFERENCE.format(reference)))


def graded(course: Course, work: Path) -> Report:
    return grade(Job(spec=Path(), submission=Submission(id="alice", path=work)), course)


def never_stopping(course: Course) -> Course:
    tests = tuple(replace(test, stops=False) for test in course.spec.tests)
    return replace(course, spec=replace(course.spec, tests=tests))


@pytest.mark.parametrize(
    ("tests", "reference", "program", "verdicts"),
    [
        pytest.param(TEST, "", "print(sys.argv[1].replace('3', 'x'))", "ppfss", id="wrong in the third"),
        pytest.param(TEST, "", "print(1 / (int(sys.argv[1]) - 2))", "fssss", id="a crash is never reached"),
        pytest.param(TEST + "    limits: {cpu: 300 ms}\n", "", "while True: pass", "tssss", id="out of time"),
        pytest.param(TEST + "    repeat: 2\n", "", "print(sys.argv[1].replace('2', 'x'))", "pfsss", id="repeated"),
        pytest.param(
            TEST,
            "2",
            "print(sys.argv[1].replace('4', 'x'))",
            "pupfs",
            id="what we failed in is none of theirs",
        ),
        pytest.param(
            TEST + "    tolerate: {wrong-stream: 50%}\n" + SLIP,
            "",
            "print(sys.argv[1], file=sys.stderr)",
            "ppppp",
            id="what costs nothing in the end",
        ),
        pytest.param(
            TEST + "    tolerate: {wrong-stream: 50%}\n",
            "",
            "print(sys.argv[1], file=sys.stderr)",
            "pssss",
            id="what costs a part costs all",
        ),
    ],
)
def test_a_test_ends_at_its_first_failure_and_no_point_depends_on_it(
    tests: str, reference: str, program: str, verdicts: str, tmp_path: Path
) -> None:
    ready = prepared(tmp_path, tests, reference)
    work = submission(tmp_path, program=f"import sys\n{program}\n")
    report = graded(ready, work)
    cases = report.tests[0].cases
    assert "".join(case.verdict[0] for case in cases) == verdicts
    other = graded(never_stopping(ready), work)
    assert (report.score, report.verdict, [test.verdict for test in report.tests]) == (
        other.score,
        other.verdict,
        [test.verdict for test in other.tests],
    )
    failed = next((case.id for case in cases if case.verdict[0] in "ft"), cases[0].id)
    why = f"Not run, because {failed} failed, and this test is all or nothing (`stop` in the spec)."
    assert {case.message for case in cases if case.verdict == "skipped"} == ({why} if "s" in verdicts else set())


def test_students_are_told(tmp_path: Path) -> None:
    ready = prepared(tmp_path, TEST)
    told = "All of it has to be right: there are no points for a part. It ends at the first case that fails"
    assert told in to_handout(ready)


READS = """\
  - name: sum
    points: 1
    stdin: "1\\n2\\n"
    expect: {stdout: "3\\n"}
"""


def test_an_interrupt_while_a_reason_is_looked_for_is_no_fault_of_the_grader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = prepared(tmp_path, READS)

    def interrupted(*_: Any) -> Any:
        raise GradingStoppedError

    monkeypatch.setattr(sources, "hint_in_source", interrupted)
    with pytest.raises(GradingStoppedError):
        graded(course, submission(tmp_path, program="print(input())"))
