"""Drawn values from the secret to the report: per student, the same again, smaller where they fail."""

from pathlib import Path

import pytest

from grader.author.handout import to_handout
from grader.author.public import make_public
from grader.check.runner import asking, examine
from grader.core.errors import HostError
from grader.core.generate import NOBODY, find_secret, seed_for
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.model.spec import SECRET_FILE, Case, Spec
from grader.core.pipeline import Course, bench, generate_for, prepare
from grader.core.report.json import from_json, to_json
from grader.grading_class.grading import report_key
from grader.smallest import grade_and_search
from tests.support.classes import grader
from tests.support.courses import SPEC, course, submission
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
TESTS = DATA["TESTS"]
TOP = SPEC[: SPEC.index("  - name: words")].replace("tests:", "seed: student\ntests:")
ADD = "import sys\nnumbers = sys.argv[1:] or sys.stdin.read().split()\nprint(sum(map(int, numbers)))\n"
ADD_SMALL = ADD.replace("map(int, numbers)", "n for n in map(int, numbers) if n < 95")
MAKE_INPUT = "import random, sys\nrandom.seed(int(sys.argv[1]))\nfor _ in range(9): print(random.randint(80, 99))\n"
SECRET = "nobody guesses this one"  # noqa: S105 - of a test


def drawing(folder: Path, top: str = TOP, tests: str = TESTS, secret: str = SECRET) -> Path:
    path = course(folder, top + tests, ADD)
    lay(folder / "reference", {"make_input.py": MAKE_INPUT, "make.py": DATA["MAKE"]})
    if secret:
        (folder / SECRET_FILE).touch(0o600)
        (folder / SECRET_FILE).write_text(secret)
    return path


def cases(found: Spec) -> list[Case]:
    return [case for test in found.tests for case in test.cases]


def given(found: Spec) -> list[object]:
    return [(case.args, case.stdin, dict(case.files)) for case in cases(found)]


def drawn_for(name: str, ready: Course, path: Path) -> Spec:
    handed_in = Submission(id=name, path=submission(path.parent.parent, name))
    with bench(Job(spec=path, submission=handed_in), ready) as made:
        return made.course.spec


def test_each_student_has_values_of_their_own_and_the_same_ones_again(tmp_path: Path) -> None:
    path = drawing(tmp_path / "c")
    ready, again = prepare(path), prepare(path)
    ann, bo = drawn_for("ann", ready, path), drawn_for("bo", ready, path)
    assert given(ann) == given(generate_for(again, "ann").spec)
    for one, other, nobody in zip(cases(ann), cases(bo), cases(ready.spec), strict=True):
        assert one.id == other.id
        assert len({repr((case.args, case.stdin, case.files)) for case in (one, other, nobody)}) == 3
    assert all(one.stdin.count(b"\n") == 9 for one in cases(ann) if one.id == "lines")
    assert all(len(one.files["data.txt"]) == 3 and one.args[1] == "3" for one in cases(ann) if "made" in one.id)
    assert ann.max_score == ready.spec.max_score
    (tmp_path / "c" / SECRET_FILE).write_text("another secret, as good")
    changed = prepare(path)
    assert given(generate_for(changed, "ann").spec) != given(ann)
    assert report_key(changed) != report_key(ready)  # what is kept of the class is graded again


def test_a_seed_of_the_course_is_the_same_for_all(tmp_path: Path) -> None:
    path = drawing(tmp_path / "c", TOP.replace("student", "course"))
    ready = prepare(path)
    assert given(drawn_for("ann", ready, path)) == given(ready.spec) == given(drawn_for("bo", ready, path))


@each_row
def test_a_secret_that_is_none_grades_nobody(secret: str, mode: int, message: str, tmp_path: Path) -> None:
    (tmp_path / SECRET_FILE).write_text(secret)
    (tmp_path / SECRET_FILE).chmod(mode)
    with pytest.raises(HostError, match=message):
        find_secret(tmp_path)


def test_seeds_depend_on_secret_assignment_and_student(tmp_path: Path) -> None:
    ready = prepare(drawing(tmp_path / "c"))
    seeds = {seed_for(ready.spec, secret, student) for secret in ("", "a") for student in ("", "ann", "bo")}
    assert len(seeds) == 6
    assert not any("ann" in seed for seed in seeds)


def report_of(path: Path, program: str) -> Report:
    where = submission(path.parent.parent / str(len(program)), "bo", program)
    handed_in = Submission(id="bo", path=where)
    return grade_and_search(Job(spec=path, submission=handed_in), prepare(path))


def test_a_drawn_case_that_fails_is_made_smaller_within_what_can_be_drawn(tmp_path: Path) -> None:
    path = drawing(tmp_path / "c")
    report = report_of(path, ADD_SMALL)
    assert from_json(to_json(report)) == report
    assert report.spec.seed
    assert SECRET not in to_json(report).decode()
    sums, lines, made = report.tests
    assert sums.cases[0].smallest
    assert sums.cases[0].smallest.command == "python3 echo.py 100 0"
    assert sums.cases[0].command != sums.cases[0].smallest.command
    if lines.cases[0].smallest:  # nine numbers of twenty, of which five are too large: one in a thousand has none
        assert int(lines.cases[0].smallest.stdin) in range(95, 100)
    assert made.verdict == "passed"
    right = report_of(path, ADD)
    assert right.verdict == "passed"
    assert not any(case.smallest for test in right.tests for case in test.cases)


def test_a_command_grades_with_the_same(tmp_path: Path) -> None:
    drawing(tmp_path / "c")
    submission(tmp_path / "c", "bo", ADD)
    done = grader(tmp_path / "c", "run", "echo/bo", "--only", "sums", "--format", "json")
    assert done.returncode == 0, done.stderr
    commands = [case.command for test in from_json(done.stdout.encode()).tests for case in test.cases]
    expected = generate_for(prepare(tmp_path / "c" / "specs" / "echo.yaml"), "bo").spec.tests[0].cases
    assert commands == [f"python3 echo.py {' '.join(case.args)}" for case in expected]


def test_students_are_shown_values_with_which_nobody_is_graded(tmp_path: Path) -> None:
    ready = prepare(drawing(tmp_path / "c"))
    told = to_handout(ready)
    assert "What counts is drawn, for each student apart: argument 1 is a number from 100 to 900" in told
    assert "standard input is made by a program of the course" in told
    copy = make_public(ready).text.decode()
    nobody = generate_for(ready, NOBODY).spec
    assert "random" not in copy
    assert "seed" not in copy
    for page in (told, copy):
        assert nobody.tests[0].cases[0].args[0] in page
        assert ready.spec.tests[0].cases[0].args[0] not in page


@each_row
def test_lint_tells_what_is_not_meant(change: dict[str, str], secret: str, rules: set[str], tmp_path: Path) -> None:
    text = TOP + TESTS
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    found = examine(drawing(tmp_path / "c", text, "", secret), asking("auto", 1))
    assert {remark.rule for remark in found.remarks} == rules


@each_row
def test_generators_that_fail_or_waver_are_told(file: str, old: str, new: str, message: str, tmp_path: Path) -> None:
    path = drawing(tmp_path / "c")
    maker = tmp_path / "c" / "reference" / file
    assert old in maker.read_text()
    maker.write_text(maker.read_text().replace(old, new))
    found = examine(path, asking("auto", 1))
    told = [remark.message for remark in found.remarks] + list(found.unchecked.values())
    assert any(message in one for one in told), told
