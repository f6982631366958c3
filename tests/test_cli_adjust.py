"""One class, graded once: then what comes after the grading, on every page, and nothing is run again."""

import csv
import fcntl
import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.commands import run_grader_text
from tests.support.layouts import small_class
from tests.support.rows import each_row

DUE = "2026-11-20 23:59 Europe/Zurich"
WHY = "Either <b>stream</b> is `fine`; ask=cmd"
TOLD = "By hand, words: +2 points. Either <b>stream</b> is `fine`; ask=cmd."
LATE = "Late: -0.6 points. Handed in at 2026-11-22 09:13:05, 1 day 9 h 15 min after it was due"


def call(*words: str | Path, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = run_grader_text(*words, cwd=cwd)
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    small_class(folder)
    (folder / "grader.yaml").write_text(f"spec: echo\ndue: {DUE}\nlate: {{per-day: -10 %, grace: 15 min}}\n")
    (folder / "roster.csv").write_text(
        "id,name,submitted\nada,Ada Abara,2026-11-20T22:59:40Z\nbo,Bo Berg,2026-11-22T08:13:05Z\ncy,Cy Costa,\ndee,D,\n"
    )
    done = call("class", "submissions", "--roster", "roster.csv", cwd=folder)
    assert "After the grading: 1 late, 1 whose time of submission is not known." in done.stdout
    call("class", "submissions", "--roster", "roster.csv", "--out", "before", "--quiet", cwd=folder)
    done = call("adjust", "Bo Berg", "--test", "words", "--points", "+2", "--why", WHY, cwd=folder)
    assert done.stdout.splitlines() == [
        "bo  4.4 of 10  part of the points",
        "  Graded: 3 of 10 points.",
        f"  {LATE} ({DUE}): 2 started days at 10 % of the graded points each, so 20 % of them.",
        f"  {TOLD}",
        "  Final: 4.4 of 10 points.",
        "Written to adjustments.yaml, line 3.",
    ]
    return folder


def test_every_page_has_it_apart(graded: Path) -> None:
    out = graded / "reports" / "echo"
    report = json.loads((out / "bo" / "report.json").read_bytes())
    assert (report["score"], report["verdict"], report["final"]["score"]) == (3, "failed", 4.4)
    late, (by_hand,) = report["final"]["late"], report["final"]["by_hand"]
    assert (late["days"], late["takes"], late["points"], late["submitted"]) == (
        2,
        0.2,
        -0.6,
        "2026-11-22 09:13:05 +0100",
    )
    assert by_hand == {"why": WHY, "test": "words", "points": 2, "graded": 3, "changed": ""}
    assert "final" not in json.loads((out / "ada" / "report.json").read_bytes())
    for name in ("bo/feedback.html", "index.html"):
        page = (out / name).read_text()
        assert "Either &lt;b&gt;stream&lt;/b&gt; is " in page
        assert ("4.4" in page, "-0.6 points. Handed in" in page, "<b>stream" in page) == (True, True, False)
    assert "graded 3" in (out / "index.html").read_text()
    markdown = (out / "bo" / "feedback.md").read_text()
    assert ": 4.4 of 10 points: " in markdown
    assert "- By hand, words: +2 points. Either \\<b>stream" in markdown
    properties = {one.get("name"): one.get("value") for one in ET.parse(out / "bo" / "junit.xml").iter("property")}  # noqa: S314
    assert (properties["score"], properties["final_score"], properties["after_grading.2"]) == ("3", "4.4", TOLD)
    assert "After the grading: 1 late, 1 changed by hand" in (out / "summary.md").read_text()
    with (out / "grades.csv").open() as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    cells = [
        [rows[name][key] for key in ("score", "late", "by_hand", "final_score")] for name in ("ada", "bo", "cy", "dee")
    ]
    assert cells == [["10", "", "", "10"], ["3", "-0.6", "2", "4.4"], ["6", "", "", "6"], ["", "", "", ""]]
    assert "The time of submission is not known, so nothing is deducted" in rows["cy"]["notes"]
    assert "Mean 6.8 of 10" in (out / "summary.md").read_text()


def test_explain_and_diff_tell_it(graded: Path) -> None:
    told = " ".join(call("explain", "reports/echo", "bo", cwd=graded).stdout.replace("│", "").split())
    assert "bo 4.4 of 10 part of the points" in told
    assert "After the grading Graded: 3 of 10 points. " + LATE in told
    explained = json.loads(call("explain", "reports/echo", "bo", "--format", "json", cwd=graded).stdout)
    assert (explained["score"], explained["final"]["score"], len(explained["after"])) == (3, 4.4, 4)
    told = " ".join(call("diff", "before", "reports/echo", cwd=graded).stdout.replace("│", "").split())
    assert "Rises: 1" in told
    assert "bo: because of what came after the grading " + TOLD in told
    assert "Falls: 1" in call("diff", "reports/echo", "before", cwd=graded, code=1).stdout


def test_exports_have_the_score_that_counts(graded: Path) -> None:
    assert "bo" in call("export", "csv", "reports/echo", cwd=graded).stdout
    words = {"canvas": ("Grades.csv", "--assignment", "Echo (40231)"), "moodle": ("Grades-Echo.csv",)}
    for form, (template, *more) in words.items():
        filled = call("export", form, "reports/echo", "--template", template, *more, cwd=graded).stdout
        (row,) = [line for line in filled.splitlines() if "Berg" in line]
        assert ",4.4" in row
        assert form == "canvas" or "By hand, words: +2 points. Either &lt;b&gt;" in row
    made = {
        form: json.loads(call("export", form, "reports/echo", "--student", "bo", cwd=graded).stdout)
        for form in ("gradescope", "prairielearn", "autolab")
    }
    assert (made["gradescope"]["score"], TOLD in made["gradescope"]["output"]) == (4.4, True)
    assert made["prairielearn"]["score"] == 0.44
    assert sum(made["autolab"]["scores"].values()) == pytest.approx(4.4)


@each_row
def test_what_cannot_be_meant_is_told(words: tuple[str, ...], message: str, graded: Path) -> None:
    before = (graded / "adjustments.yaml").read_bytes()
    assert message in call("adjust", *words, cwd=graded, code=2).stderr
    assert (graded / "adjustments.yaml").read_bytes() == before


def test_it_survives_a_regrade_and_tells_when_the_test_changed(graded: Path) -> None:
    again = call("class", "submissions", "--roster", "roster.csv", "--after-due", cwd=graded).stdout
    assert "3 of them are unchanged since they were graded" in again
    assert "look again" not in again
    spec = graded / "specs" / "echo.yaml"
    before = spec.read_text()
    spec.write_text(before.replace("wrong-stream: 50%", "wrong-stream: 25%"))
    again = call("class", "submissions", "--roster", "roster.csv", "--out", "changed", cwd=graded).stdout
    assert "look again at bo: When this was decided, `words` was graded 3, and now 1.5 of 6." in again
    page = (graded / "changed" / "bo" / "feedback.html").read_text()
    assert "was graded 3, and now 1.5 of 6." in page
    assert json.loads((graded / "changed" / "bo" / "report.json").read_bytes())["final"]["score"] == 3.2
    spec.write_text(before)


def test_two_commands_at_once_both_write(graded: Path) -> None:
    starter = [sys.executable, "-P", "-m", "grader", "adjust", "ada", "--why"]
    both = [subprocess.Popen([*starter, f"Note {n}."], cwd=graded, stdout=subprocess.PIPE, text=True) for n in range(3)]
    assert [one.wait(100) for one in both] == [0, 0, 0], [one.communicate() for one in both]
    for one in both:
        assert "ada  10 of 10  full marks" in one.communicate()[0]
    report = json.loads((graded / "reports" / "echo" / "ada" / "report.json").read_bytes())
    assert {one["why"] for one in report["final"]["by_hand"]} == {"Note 0.", "Note 1.", "Note 2."}


def test_run_has_it_and_says_that_the_time_is_not_known(graded: Path) -> None:
    told = " ".join(call("run", "submissions/bo", "--out", "runs", cwd=graded, code=1).stdout.replace("│", "").split())
    assert "bo 5 of 10 part of the points" in told
    assert "Late work: The time of submission is not known, so nothing is deducted" in told
    assert TOLD in told
    done = call("adjust", "bo", "--results", "runs", "--spec", "echo", "--why", "Of a run.", cwd=graded)
    assert "The next `grader run` of bo shows it." in done.stdout


def test_an_unknown_student_in_the_file_is_told_and_stops_nothing(graded: Path) -> None:
    file = graded / "adjustments.yaml"
    before = file.read_text()
    file.write_text(before + "  - {spec: echo, student: bob, points: +1, why: W}\n")
    number = len(file.read_text().splitlines())
    told = f'adjustments.yaml, line {number}, is not used: there is no "bob" in this class; did you mean "bo"?'
    assert told in call("class", "submissions", "--out", "other", cwd=graded).stdout.splitlines()
    assert told in call("adjust", "bo", "--results", "other", "--why", "Seen.", cwd=graded).stderr.splitlines()
    file.write_text(before)


def test_parts_of_a_class_have_it_and_so_has_the_whole(graded: Path) -> None:
    for part in "12":
        call(
            "class", "submissions", "--roster", "roster.csv", "--shard", f"{part}/2", "--out", f"part{part}", cwd=graded
        )
    call("merge", "part1", "part2", "--out", "whole", cwd=graded)
    for name in ("grades.csv", "bo/report.json"):
        assert b"4.4" in (graded / "whole" / name).read_bytes()
    done = call("adjust", "cy", "--results", "part1", "--why", "Only a part.", cwd=graded)
    assert "  By hand: Only a part." in done.stdout
    again = call("class", "submissions", "--roster", "roster.csv", cwd=graded).stdout
    assert "3 of them are unchanged" in again
    assert b"Only a part." in (graded / "reports" / "echo" / "cy" / "feedback.html").read_bytes()


@each_row
def test_a_score_out_of_the_usual_range_is_told(points: str, told: str, graded: Path) -> None:
    before = (graded / "adjustments.yaml").read_bytes()
    done = call("adjust", "ada", "--points", points, "--why", "W", "--above-maximum", cwd=graded)
    assert told in done.stdout.splitlines()
    call("adjust", "ada", "--undo", cwd=graded)
    assert (graded / "adjustments.yaml").read_bytes() == before


def test_what_is_not_used_is_told(graded: Path) -> None:
    file = graded / "adjustments.yaml"
    before = file.read_text()
    file.write_text(before + "  - {spec: echo, student: dee, points: +1, why: W}\n")
    call("class", "submissions", "--roster", "roster.csv", "--quiet", cwd=graded)
    with (graded / "reports" / "echo" / "grades.csv").open() as csv_file:
        (row,) = [row for row in csv.DictReader(csv_file) if row["id"] == "dee"]
    assert row["notes"] == "what adjustments.yaml says of it is not used: nothing of it was graded"
    file.write_text(before)


def test_hidden_tests_open_when_the_work_is_due(graded: Path) -> None:
    spec = graded / "specs" / "echo.yaml"
    spec.write_text(spec.read_text().replace("  - name: nothing", "  - name: nothing\n    visibility: after-due"))
    words = {"2001-01-01 12:00 Z": "cy", "2999-01-01 12:00 Z": "cy"}
    shown = []
    for due, name in words.items():
        (graded / "grader.yaml").write_text(f"spec: echo\ndue: {due}\n")
        call("class", "submissions", "--out", "opened", cwd=graded)
        shown.append("hidden" in (graded / "opened" / name / "feedback.md").read_text())
        made = call("export", "gradescope", "opened", "--student", name, cwd=graded).stdout
        assert ("output" in json.loads(made)["tests"][1]) != shown[-1]
    assert shown == [False, True]


def test_a_team_s_grade_names_whom_it_changes_and_results_are_named_as_they_are(tmp_path: Path) -> None:
    small_class(tmp_path)
    (tmp_path / "roster.csv").write_text("id,name,team\nada,Ada Abara,owls\nbo,Bo Berg,owls\ncy,Cy Costa,\n")
    (tmp_path / "submissions" / "ada").rename(tmp_path / "submissions" / "owls")
    shutil.rmtree(tmp_path / "submissions" / "bo")
    for out in ("echo", "again"):
        call("class", "submissions", "--roster", "roster.csv", "--out", f"reports/{out}", cwd=tmp_path)
    done = call("adjust", "Bo Berg", "--why", "x", cwd=tmp_path, code=2)
    assert done.stderr == "grader: which results? Choose with --results DIR: reports/again, reports/echo\n"
    done = call("review", "--no-browser", cwd=tmp_path, code=2)
    assert done.stderr == "grader: which results? Choose with grader review RESULTS: reports/again, reports/echo\n"
    done = call("adjust", "Bo Berg", "--why", "x", "--results", "reports/again", cwd=tmp_path)
    assert "  This is the grade of Ada Abara and Bo Berg, who handed in together.\n" in done.stdout
    with (tmp_path / "reports" / "again" / "grades.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = call("adjust", "cy", "--why", "x", "--results", "reports/again", cwd=tmp_path, code=2)
    assert ("is at work in" in done.stderr, "--out" in done.stderr) == (True, False)
