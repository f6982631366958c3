"""`grader run --smallest`: the smallest input that shows what is wrong, and nothing else is changed by it."""

from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import grade, prepare
from grader.core.report.json import from_json, to_json
from grader.smallest import grade_and_search
from tests.support.classes import grader
from tests.support.courses import SPEC, course, submission
from tests.support.rows import each_row, read_data

TOP = SPEC[: SPEC.index("  - name: words")]
DATA = read_data(__file__)
DOUBLE = DATA["DOUBLE"]
SUM = "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n"
TRIPLE = "import sys\nn = int(sys.argv[1])\nprint(3 * n)\n"
LAST = "def last(values):\n    return values[-1] if values else None\n"
EACH = "  - {name: t, each: {n: [15]}, args: ['{n}'], expect: {stdout: reference, exit: reference}}\n"
PLAIN = "  - {name: t, args: ['15'], expect: {stdout: reference, exit: reference}}\n"
LITERAL = "  - {name: t, args: ['15'], expect: {stdout: \"30\\n\"}}\n"
FILLED = "  - {name: t, each: {n: [15]}, args: ['{n}'], expect: {stdout: {contains: '{n}'}}}\n"
STDIN = '  - {name: t, stdin: "12\\n4\\n-7\\n9\\n", expect: reference}\n'
CALLS = DATA["CALLS"]


def searched(folder: Path, tests: str, program: str, reference: str, seconds: float = 60) -> tuple[Report, Report]:
    """Return the report with what was found, and the one without looking for it."""
    path = course(folder, TOP + tests, reference)
    job = Job(spec=path, submission=Submission(id="alice", path=submission(folder, program=program)))
    ready = prepare(path)
    return grade_and_search(job, ready, seconds), grade(job, ready)


def found(report: Report) -> list[tuple[str, str]]:
    assert from_json(to_json(report)) == report
    cases = (case for test in report.tests for case in test.cases)
    return [(case.smallest.command, case.smallest.stdin) for case in cases if case.smallest]


@each_row
def test_the_smallest_input_that_fails_alike_is_found(
    tmp_path: Path, tests: str, program: str, reference: str, smallest: tuple[str, str]
) -> None:
    report, _ = searched(tmp_path, tests, program, reference)
    assert found(report) == [smallest]


@each_row
def test_where_there_is_none_the_report_is_the_usual_one(
    tmp_path: Path, tests: str, program: str, reference: str, seconds: float
) -> None:
    report, usual = searched(tmp_path, tests, program, reference, seconds)
    assert not found(report)
    assert report.score == usual.score
    assert b'"smallest"' not in to_json(report)


def test_no_grade_is_changed(tmp_path: Path) -> None:
    report, usual = searched(tmp_path, EACH + STDIN.replace("name: t", "name: u"), DOUBLE.replace("2 * n", "n"), DOUBLE)
    assert found(report)

    def judgements(one: Report) -> list[object]:
        return [(case.verdict, case.credit, case.message) for test in one.tests for case in test.cases]

    assert (report.verdict, report.score, judgements(report)) == (usual.verdict, usual.score, judgements(usual))
    without = (replace(case, smallest=UNSET) for test in report.tests for case in test.cases)
    assert [case.id for case in without] == [case.id for test in usual.tests for case in test.cases]


def test_it_is_told_by_the_command(tmp_path: Path) -> None:
    course(tmp_path, TOP + EACH, DOUBLE)
    handed_in = submission(tmp_path, program=DOUBLE.replace("2 * n", "2 * n + (n > 6)"))
    done = grader(tmp_path, "run", handed_in, "--spec", "echo", "--smallest", "--smallest-time", "60")
    assert done.returncode == 1
    assert "the smallest input that shows it:\n  │   $ python3 echo.py 7\n" in done.stdout
    assert "expected `14`" in done.stdout.split("the smallest input")[1]


def test_of_several_causes_each_has_tries_enough_below_what_was_drawn(tmp_path: Path) -> None:
    test = "  - {name: NAME, each: {n: {random: 1..900000}}, args: ['{n}'], expect: {stdout: reference}}\n"
    path = course(tmp_path, TOP + "".join(test.replace("NAME", name) for name in "abcd"), TRIPLE)
    program = TRIPLE.replace("3 * n", "3 * n + (n > 1000)")
    job = Job(spec=path, submission=Submission(id="alice", path=submission(tmp_path, program=program)))
    commands = [command for command, _ in found(grade_and_search(job, prepare(path)))]
    assert len(commands) == 4
    assert all(1000 < int(command.split()[-1]) < 2000 for command in commands)


@each_row
def test_what_was_drawn_is_made_smaller_unasked_and_within_its_range(
    tests: str, program: str, reference: str, smallest: str, tmp_path: Path
) -> None:
    path = course(tmp_path, TOP + tests, reference)
    job = Job(spec=path, submission=Submission(id="alice", path=submission(tmp_path, program=program)))
    ready = prepare(path)
    report = grade_and_search(job, ready)
    assert found(report) == [(smallest, "")]
    assert not found(grade(job, ready))
