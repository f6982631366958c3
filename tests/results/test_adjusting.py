"""What somebody decides by hand: of ungraded tests, of students without a submission, of the excused; and undone."""

import csv
import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from grader.core.errors import NotConfirmedError, UsageError
from grader.core.model.gradebook import Entry, Grade, Gradebook
from grader.core.model.report import ByHand, Lateness, ReportedFinal
from grader.core.report.json import to_report
from grader.core.report.view import describe_final
from grader.decisions.adjustments import Line, describe_adjustment
from grader.exports.registry import make_export
from grader.exports.request import Request, Template
from grader.results.adjusting import Adjustable, Adjusted, add_adjustment, open_adjustable, rules_now, undo_adjustment
from grader.results.diff import compare_gradebooks
from grader.results.explain import explain_grade
from grader.results.statistics import statistics_of
from grader.results.store import open_results
from grader.results.view import count_outcomes, describe_changes, grade_view
from tests.support.commands import run_grader_text
from tests.support.layouts import small_class
from tests.support.report_samples import full_report
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
TESTS = DATA["TESTS"]
CHECK = 'def judge(output):\n    if output == b"x":\n        raise RuntimeError("nobody knows")\n'


def grade(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run_grader_text(*words, cwd=folder)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Grade a class of which `cy` is ungraded in two tests: a check fails, and `last` needs what it judges."""
    folder = tmp_path_factory.mktemp("course")
    small_class(folder)
    spec = folder / "specs" / "echo.yaml"
    spec.write_text(spec.read_text().partition("  - name: nothing")[0] + TESTS)
    (folder / "reference" / "checks.py").write_text(CHECK)
    done = grade(folder, "class", "submissions", "--roster", "roster.csv")
    assert done.returncode == 3, done.stdout + done.stderr
    return folder


@pytest.fixture
def target(graded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adjustable:
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return open_adjustable(Path("reports/echo"))


def give(target: Adjustable, name: str, score: float, test: str = "", **options: Any) -> Adjusted:
    return add_adjustment(target, name, ByHand(why="Read by hand.", test=test, score=score), **options)


def row_of(name: str) -> dict[str, str]:
    with Path("reports/echo/grades.csv").open() as file:
        return next(row for row in csv.DictReader(file) if row["id"] == name)


def lines_about(target: Adjustable, student: str) -> list[Line]:
    with open_results(target.folder) as opened:
        return [line for line in rules_now(target, opened.book).lines if line.student == student]


def lines_of(done: Adjusted) -> list[str]:
    return describe_final(done.grade.final, 12, done.grade.report) if done.grade else []


def test_there_is_no_score_before_every_ungraded_test_is_decided(target: Adjustable) -> None:
    first = give(target, "cy", 2.5, "nothing")
    assert first.grade
    assert (first.grade.counted, grade_view(first.grade).outcome) == (None, "ungraded")
    assert lines_of(first)[0] == "Graded: 6 of 6 points, without `nothing` (4 points) and `last` (2 points)."
    assert lines_of(first)[-1] == "Final: ? of 12 points; `last` is still to be decided."
    assert "failed on this submission" in Path("reports/echo/cy/feedback.md").read_text()
    assert row_of("cy")["final_score"] == ""

    second = give(target, "cy", 0, "last")
    assert second.grade
    assert (second.grade.counted, grade_view(second.grade).outcome) == (8.5, "decided by hand")
    report = json.loads(Path("reports/echo/cy/report.json").read_bytes())
    assert (report["verdict"], report["score"], report["final"]["score"]) == ("ungraded", None, 8.5)
    assert [test["score"] for test in report["tests"]] == [6, None, None]
    assert report["final"]["by_hand"][0]["score"] == 2.5
    row = row_of("cy")
    assert [row[key] for key in ("verdict", "score", "by_hand", "final_score")] == ["decided by hand", "", "2.5", "8.5"]
    for name in ("feedback.md", "feedback.html"):
        page = Path("reports/echo/cy", name).read_text()
        assert ("8.5 of 12" in page, "failed on this submission" in page) == (True, False)
    assert 'name="final_score" value="8.5"' in Path("reports/echo/cy/junit.xml").read_text()
    assert "1 decided by hand" in Path("reports/echo/summary.md").read_text()
    page = Path("reports/echo/index.html").read_text()
    assert (">Ungraded</h2>" in page, "graded </span>" in page) == (False, False)


@pytest.mark.slow
def test_a_class_in_which_all_is_decided_ends_well_and_is_retried(target: Adjustable) -> None:
    give(target, "cy", 1, "nothing")
    give(target, "cy", 2, "last")
    add_adjustment(target, "bo", ByHand(why="Ill.", excused=True))
    done = grade(Path(), "class", "submissions", "--roster", "roster.csv")
    assert (done.returncode, "Decided by hand, where the grading gave no score: 1." in done.stdout) == (0, True)
    Path("reference/checks.py").write_text("def judge(output):\n    pass\n")
    done = grade(Path(), "class", "submissions", "--roster", "roster.csv")
    told = "look again at cy: When this was decided, `nothing` was not graded, and now it is: 2 of 4."
    assert told in done.stdout
    assert (row_of("cy")["score"], row_of("cy")["final_score"]) == ("8", "9")  # what was decided stands


def test_points_on_top_need_something_below(target: Adjustable) -> None:
    change = ByHand(why="W", test="nothing", points=1.0)
    with pytest.raises(UsageError, match=r"`nothing` of cy is ungraded, .* give its points with --score"):
        add_adjustment(target, "cy", change)
    give(target, "cy", 2.5, "nothing")
    give(target, "cy", 2, "last")
    done = add_adjustment(target, "cy", change)
    assert done.grade
    assert done.grade.counted == 11.5
    with pytest.raises(UsageError, match=r"decided in line 3 already .*grader adjust cy --undo --line 3"):
        give(target, "cy", 1, "nothing")


@each_row
def test_what_leads_above_the_maximum_is_confirmed(name: str, by_hand: ByHand, told: str, target: Adjustable) -> None:
    with pytest.raises(NotConfirmedError, match=told):
        add_adjustment(target, name, by_hand)
    assert not Path("adjustments.yaml").exists()
    assert add_adjustment(target, name, by_hand, above_maximum=True).line.number == 3
    assert add_adjustment(target, name, ByHand(why="A comment.")).line.number > 3 if name != "dee" else True


def test_points_of_somebody_who_handed_in_nothing(target: Adjustable) -> None:
    for wrong in (ByHand(why="W"), ByHand(why="W", points=3.0), ByHand(why="W", test="words", score=3.0)):
        with pytest.raises(
            UsageError, match="dee has no graded submission that could be changed; --score gives points"
        ):
            add_adjustment(target, "Dee Dupont", wrong)
    done = give(target, "Dee Dupont", 7.5)
    assert done.grade
    assert grade_view(done.grade).headline(12) == "dee  7.5 of 12  decided by hand"
    assert lines_of(done) == [
        "Nothing was handed in.",
        "By hand: 7.5 points in all. Read by hand.",
        "Final: 7.5 of 12 points.",
    ]
    row = row_of("dee")
    assert (row["final_score"], row["notes"]) == ("7.5", "By hand: 7.5 points in all. Read by hand")
    with open_results(target.folder) as opened:
        explained = explain_grade(done.grade, opened)
        assert explained.headline == "dee  7.5 of 12  decided by hand"
        assert explained.after == tuple(lines_of(done))
        found = statistics_of(opened.book)
    assert found.outcomes["decided by hand"] == 1
    assert (found.outcomes["nothing handed in"], found.spread and found.spread.lowest) == (0, 5)


def test_the_excused_have_no_score_and_are_in_no_figure(target: Adjustable) -> None:
    for name in ("bo", "dee", "cy"):
        add_adjustment(target, name, ByHand(why="Ill.", excused=True))
    with open_results(target.folder) as opened:
        book = opened.book
    found = statistics_of(book)
    assert [found.outcomes[word] for word in ("graded", "excused", "ungraded", "nothing handed in")] == [1, 3, 0, 0]
    assert found.spread
    assert (found.spread.lowest, found.tests[0].count) == (12, 1)
    assert count_outcomes(book.grades) == "1 with full marks, 3 excused"
    assert [row_of(name)["final_score"] for name in ("ada", "bo", "cy", "dee")] == ["12", "", "", ""]
    assert row_of("bo")["verdict"] == "excused"
    for name in ("bo", "cy"):
        report = json.loads(Path(f"reports/echo/{name}/report.json").read_bytes())
        assert (report["final"]["score"], report["final"]["by_hand"][0]["excused"]) == (None, True)
        page = Path(f"reports/echo/{name}/feedback.html").read_text()
        assert ("excused" in page, "failed on this submission" in page, "? of 12" in page.partition("<table")[0]) == (
            True,
            False,
            False,
        )


def exported(form: str, student: str = "", template: str = "", **options: Any) -> tuple[str, Sequence[str]]:
    with open_results(Path("reports/echo")) as opened:
        grades = [one for one in opened.book.grades if student in {"", one.entry.id}]
        book = replace(opened.book, grades=tuple(grades))
        file = Template(name=template, content=Path(template).read_bytes()) if template else None
        made = make_export(form, Request(book=book, file=opened.file, template=file, **options))
    assert not any("bo" in line or "dee" in line for line in made.left_out)
    return made.content.decode(), (*made.notes, *made.left_out)


def test_platforms_get_points_by_hand_and_excuses_each_in_its_form(target: Adjustable) -> None:
    add_adjustment(target, "bo", ByHand(why="Ill.", excused=True))
    give(target, "dee", 6)
    give(target, "cy", 1, "nothing")
    give(target, "cy", 2, "last")
    canvas = Path("Grades.csv")
    canvas.write_text(canvas.read_text() + '"Dupont, Dee",104,s4,dee,B,\n')
    made, told = exported("canvas", template="Grades.csv", assignment="Echo", scale=True)
    cells = {line.split('"')[1]: line.rpartition(",")[2] for line in made.splitlines()[2:]}
    assert cells == {"Abara, Ada": "10", "Berg, Bo": "EX", "Costa, Cy": "7.5", "Dupont, Dee": "5"}
    assert "bo in row 4 is excused" in told
    moodle = Path("Grades-Echo.csv")
    moodle.write_text(
        moodle.read_text().replace("10.00", "12.00") + "Participant 4,Dee Dupont,No submission,,12.00,Yes,-,\n"
    )
    made, told = exported("moodle", template="Grades-Echo.csv")
    rows = {row["Full name"]: row for row in csv.DictReader(made.splitlines())}
    assert [rows[name]["Grade"] for name in ("Ada Abara", "Bo Berg", "Cy Costa", "Dee Dupont")] == ["12", "", "9", "6"]
    assert "By hand: 6 points in all. Read by hand." in rows["Dee Dupont"]["Feedback comments"]
    assert any("bo in row 3 is excused, which this file cannot say" in line for line in told)

    found = json.loads(exported("gradescope", "cy")[0])
    assert (found["score"], [test.get("score") for test in found["tests"]]) == (9, [6, 1, 2])
    assert "score" not in json.loads(exported("gradescope", "bo")[0])
    assert json.loads(exported("prairielearn", "cy")[0])["score"] == 0.75
    assert json.loads(exported("prairielearn", "bo")[0])["gradable"] is False
    assert sum(json.loads(exported("autolab", "cy")[0])["scores"].values()) == 9
    for form, name, why in (("autolab", "bo", "is excused"), ("gradescope", "dee", "nothing was handed in")):
        with pytest.raises(UsageError, match=why):
            exported(form, name)


def test_a_run_that_is_compared_tells_what_was_decided(target: Adjustable) -> None:
    with open_results(target.folder) as opened:
        before = opened.book
    give(target, "dee", 6)
    add_adjustment(target, "bo", ByHand(why="Ill.", excused=True))
    with open_results(target.folder) as opened:
        found = compare_gradebooks(before, opened.book, keys=({}, {}))
    changes = {change.id: (change.kind, change.causes, change.reasons) for change in found.changes}
    assert changes["dee"] == ("graded", ("after",), ("By hand: 6 points in all. Read by hand.",))
    assert changes["bo"] == ("gone", ("after",), ("By hand: excused. Ill.",))


def test_undo_takes_the_last_or_the_chosen_and_keeps_the_rest(target: Adjustable) -> None:
    file = Path("adjustments.yaml")
    file.write_text(DATA["BEFORE_UNDO"])
    numbers = [line.number for line in lines_about(target, "bo")]
    assert numbers == [5, 12]
    with pytest.raises(UsageError, match=r"(?s)no adjustment about ada in line 5 to undo.*line 3: ada: Good"):
        undo_adjustment(target, "ada", number=5)
    done = undo_adjustment(target, "bo", test="words")
    assert done.grade
    assert (describe_adjustment(done.line), done.grade.counted) == ("bo, words: +1 point. One.", 7)
    assert file.read_text() == DATA["AFTER_UNDO"]
    assert describe_adjustment(undo_adjustment(target).line) == "bo: +2 points. Two."
    undo_adjustment(target, "ada", number=3)
    with pytest.raises(UsageError, match="there is no adjustment to undo"):
        undo_adjustment(target)
    assert "Another assignment" in file.read_text()
    assert row_of("bo")["score"] == "5"


def test_the_last_line_of_all_leaves_comments_and_can_be_followed(target: Adjustable) -> None:
    file = Path("adjustments.yaml")
    file.write_text("# ours\nadjustments:\n  # bo\n  - {spec: echo, student: bo, points: +1, why: One.}\n# end\n")
    undo_adjustment(target, "bo")
    assert file.read_text() == "# ours\n# bo\n# end\n"
    give(target, "bo", 4)
    assert file.read_text().startswith("# ours\n# bo\n# end\nadjustments:\n")
    assert [line.by_hand.score for line in lines_about(target, "bo")] == [4]


def test_a_comment_on_a_line_of_code(target: Adjustable) -> None:
    add_adjustment(target, "bo", ByHand(why="A good name.", file="echo.py", line=2))
    assert "By hand, echo.py:2: A good name." in Path("reports/echo/bo/feedback.md").read_text().replace("\\", "")
    (line,) = lines_about(target, "bo")
    assert (line.by_hand.file, line.by_hand.line, line.by_hand.score) == ("echo.py", 2, UNSET)


def test_late_work_is_counted_whether_or_not_it_lost_points() -> None:
    late = Lateness(due="", submitted="2026-11-22", days=2, takes=0.2, message="")
    kinds = [
        msgspec.structs.replace(late, points=-0.6),
        late,  # of nothing, nothing is lost
        msgspec.structs.replace(late, days=0, takes=0.0),
        msgspec.structs.replace(late, submitted="", days=0, takes=0.0),
    ]
    report = to_report(full_report())
    grades = tuple(
        Grade(
            entry=Entry(id=str(number), path=Path(), students=()),
            report=msgspec.structs.replace(report, final=ReportedFinal(score=1, late=one)),
        )
        for number, one in enumerate(kinds)
    )
    told = describe_changes(Gradebook(spec=report.spec, max_score=1, grades=grades))
    assert told == "2 late, 1 late within the time of grace, 1 whose time of submission is not known"
