"""The course's files beside a spec, and the way from the graded score to the final one."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import GraderError, SpecError, UsageError
from grader.core.model.gradebook import Afterwards, Entry, Student
from grader.core.model.report import ByHand, Lateness, Report
from grader.core.model.spec import Spec
from grader.core.reader.spec import load
from grader.core.report.json import to_report
from grader.core.report.view import describe_final, headline
from grader.decisions.post_grading import (
    Rules,
    afterwards_of,
    apply_post_grading,
    find_rules,
    is_open,
    unknown_students,
)
from grader.results.adjusting import Decisions
from tests.support.courses import course, submission
from tests.support.past_samples import book
from tests.support.report_samples import full_report
from tests.support.rows import each_row

DUE = "2026-11-20 23:59 Europe/Zurich"


def laid_out(folder: Path, course_file: str = "", by_hand: str = "") -> Spec:
    spec = load(course(folder))
    submission(folder)
    if course_file:
        (folder / "grader.yaml").write_text(course_file)
    if by_hand:
        (folder / "adjustments.yaml").write_text(by_hand)
    return spec


def rules_of(folder: Path, spec: Spec, start: str = ".", handed_in: Sequence[str] = ("echo/alice",)) -> Rules:
    submissions = [folder / name for name in handed_in]
    return find_rules(spec, folder / "specs" / "echo.yaml", submissions, folder / start)


def add_line(rules: Rules, spec: Spec, student: str, by_hand: ByHand, due: str = "") -> int:
    change = Decisions(rules, spec, book())
    change.add(student, by_hand, due)
    change.save()
    return change.lines[-1].number


def line(**keys: str) -> str:
    whole = {"spec": "echo", "student": "alice", "why": "So it is.", **keys}
    return f"  - {{{', '.join(f'{key}: {value}' for key, value in whole.items())}}}\n"


@each_row
def test_whose_due_date_it_is(course_file: str, due: str, tmp_path: Path) -> None:
    rules = rules_of(tmp_path, laid_out(tmp_path, course_file), start="echo")
    assert (rules.due.written if rules.due else "") == due


@each_row
def test_mistakes_are_told_with_their_place(course_file: str, by_hand: str, problem: str, tmp_path: Path) -> None:
    spec = laid_out(tmp_path, course_file, by_hand and f"adjustments:\n{by_hand}")
    with pytest.raises(SpecError) as caught:
        rules_of(tmp_path, spec)
    assert problem in str(caught.value)
    assert len(caught.value.problems) == 1


def test_what_was_graded_then_may_be_any_number(tmp_path: Path) -> None:
    spec = laid_out(tmp_path, by_hand=f"adjustments:\n{line(points='+2', graded='33.333')}")
    assert [one.by_hand.graded for one in rules_of(tmp_path, spec).lines] == [33.333]


def test_nothing_is_taken_from_what_was_handed_in(tmp_path: Path) -> None:
    spec = laid_out(tmp_path)
    handed_in = tmp_path / "echo" / "alice"
    for folder in (handed_in, handed_in.parent):
        (folder / "adjustments.yaml").write_text(f"adjustments:\n{line(points='+100')}")
        (folder / "grader.yaml").write_text("spec: echo\ndue: 2099-01-01 00:00 Z\nlate: {per-day: -1 %}\n")
    for start in (".", "echo", "echo/alice"):
        rules = rules_of(tmp_path, spec, start=start)
        assert (rules.lines, rules.due) == ((), None)
    # Right beside a submission, nobody can tell whose it is.
    (tmp_path / "adjustments.yaml").write_text(f"adjustments:\n{line(points='+100')}")
    assert len(rules_of(tmp_path, spec).lines) == 1
    with pytest.raises(UsageError, match="nothing of the course's is taken from there"):
        rules_of(tmp_path, spec, handed_in=["bob"])


def test_a_line_is_added_and_nothing_else_changes(tmp_path: Path) -> None:
    written = f"# ours\nadjustments:   # all of them\n{line(points='+2')}\n  # the end\n"
    spec = laid_out(tmp_path, f"spec: echo\ndue: {DUE}\n", written)
    rules = rules_of(tmp_path, spec)
    added = ByHand(why='He said: "# 1"', test="words", points=-0.5, graded=3)
    assert add_line(rules, spec, "08", added) > 3
    assert add_line(rules, spec, "08", ByHand(why="Ill."), due="2026-11-25 23:59 Europe/Zurich")
    text = (tmp_path / "adjustments.yaml").read_text()
    assert text.startswith(written.partition("\n  # the end")[0])
    assert text.count("# the end") == 1
    first, second, third = rules_of(tmp_path, spec).lines
    assert (first.by_hand.points, second.student, second.by_hand, third.due is None) == (2, "08", added, False)
    wrong = {
        "": r"adjustments\.yaml:14:5",
        "soon": "--due: wanted a date",
        "2026-11-20 12:00 Z": "this is no later than",
    }
    for due, problem in wrong.items():
        with pytest.raises(GraderError, match=problem):
            add_line(rules, spec, "09" if due else "08", ByHand(why="Again.") if due else added, due=due)
        assert (tmp_path / "adjustments.yaml").read_text() == text
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == set()


@pytest.mark.parametrize("text", ["adjustments: {a: 1}\n", "adjustments: []\n", "a: &b 1\nadjustments:\n"])
def test_a_file_that_cannot_be_added_to_stays(text: str, tmp_path: Path) -> None:
    spec = laid_out(tmp_path)
    (tmp_path / "adjustments.yaml").write_text(text)
    with pytest.raises(GraderError, match=r"write it there yourself: \{spec: echo, student: \"alice\", why: \"W\"\}"):
        add_line(Rules(file=tmp_path / "adjustments.yaml"), spec, "alice", ByHand(why="W"))
    assert (tmp_path / "adjustments.yaml").read_text() == text


LATE = Lateness(due=DUE, submitted="then", days=2, takes=0.2, message="Two days.")
REPORT = replace(to_report(full_report()), score=87.53, max_score=100)


@each_row
def test_the_final_score(report: Report, after: Afterwards, final: float | None, late: float | None) -> None:
    found = apply_post_grading(report, after)
    assert found.final
    assert (found.score, found.counted, found.final.score) == (report.score, final, final)
    assert (found.final.late.points if found.final.late else None) == late
    assert apply_post_grading(report, Afterwards(due="2026-11-20T22:59:00Z")) is report


@pytest.mark.parametrize(("graded", "changed"), [(87.53, ""), (80.0, "the whole was graded 80, and now 87.53 of 100.")])
def test_what_was_decided_of_other_points_is_told(graded: float, changed: str) -> None:
    found = apply_post_grading(REPORT, Afterwards(by_hand=(ByHand(why="W", points=1.0, graded=graded),)))
    assert found.final
    assert found.final.by_hand[0].changed.endswith(changed)
    assert bool(found.final.by_hand[0].changed) == bool(changed)
    test = REPORT.tests[0]
    found = apply_post_grading(REPORT, Afterwards(by_hand=(ByHand(why="W", test=test.name, points=1.0, graded=-1.0),)))
    assert f"`{test.name}` was graded" in " ".join(describe_final(found.final or None, found.max_score, found))


def test_full_marks_are_those_that_count() -> None:
    report = replace(REPORT, score=100, verdict="passed")
    assert headline(report).endswith("full marks")
    assert headline(apply_post_grading(report, Afterwards(late=LATE))).endswith("80 of 100  part of the points")
    less = replace(REPORT, score=98, verdict="failed")
    assert headline(apply_post_grading(less, Afterwards(by_hand=(ByHand(why="W", points=2.0),)))).endswith("full marks")


def test_a_student_with_a_later_date(tmp_path: Path) -> None:
    later = "2099-11-25 23:59 Europe/Zurich"
    spec = laid_out(
        tmp_path,
        "spec: echo\ndue: 2001-11-20 23:59 Europe/Zurich\nlate: {per-day: -10 %}\n",
        f"adjustments:\n{line(due=later, why='Ill.')}",
    )
    rules = rules_of(tmp_path, spec)
    alice, bob = (afterwards_of(name, "2026-11-22 00:00 Z", rules) for name in ("alice", "bob"))
    assert (alice.late, bob.late and bob.late.takes) == (None, 1)
    assert alice.by_hand[0].why == f"Due at {later} instead: Ill."
    assert (is_open(alice), is_open(bob), is_open(Afterwards())) == (False, True, False)


def test_whom_nobody_knows_is_told_with_the_name_that_may_be_meant(tmp_path: Path) -> None:
    spec = laid_out(tmp_path, "", f"adjustments:\n{line(student='alcie')}{line(student='zoe')}{line()}")
    rules, entry = rules_of(tmp_path, spec), Entry(id="alice", path=None, students=(Student(id="alice"),))
    assert unknown_students([entry], rules) == (
        'adjustments.yaml, line 2, is not used: there is no "alcie" in this class; did you mean "alice"?',
        'adjustments.yaml, line 3, is not used: there is no "zoe" in this class',
    )
