"""`grader course`, and free late days, with real classes of a tiny course: the same numbers wherever lateness costs."""

import csv
import json
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grader.core.report.json import from_json
from tests.support.chromium import open_page
from tests.support.classes import grader
from tests.support.rows import read_data
from tests.support.small_course import BROKEN, RIGHT, WRONG, hand_in, lay_out_course

DATA = read_data(__file__)
Z = "Europe/Zurich"
PROGRAMS = {"right": RIGHT, "wrong": WRONG, "broken": BROKEN}
WORKS: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    spec: (
        {student: PROGRAMS[work] for student, work in works.items()},
        {student: time and f"{time} {Z}" for student, time in times.items()},
    )
    for spec, (works, times) in DATA["WORKS"].items()
}


def grade(course: Path, spec: str) -> subprocess.CompletedProcess[str]:
    folder, roster = course / "handed-in" / spec, course / f"roster-{spec}.csv"
    done = grader(course, "class", folder, "--spec", spec, "--roster", roster)
    assert (done.returncode, done.stderr) == (0, "")
    return done


def free_days(course: Path, spec: str) -> dict[str, tuple[int, float | None]]:
    """Return the free days and the final score that the report of each student has."""
    return days_in(course / "reports" / spec)


def days_in(out: Path) -> dict[str, tuple[int, float | None]]:
    found = {}
    for path in sorted(out.glob("*/report.json")):
        report = from_json(path.read_bytes())
        late = report.final.late if report.final else None
        found[path.parent.name] = ((late and late.free) or 0, report.counted)
    return found


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course of which three classes were graded, the second before the first."""
    course = lay_out_course(tmp_path_factory.mktemp("course") / "c")
    for spec, (works, times) in WORKS.items():
        hand_in(course, spec, works, times)
    grade(course, "two")
    assert free_days(course, "two") == {"s1": (2, 10), "s2": (0, 0), "s3": (1, 10)}
    done = grade(course, "one")
    assert "free late days changed for 2 submissions in reports/two; its grades are up to date" in done.stdout
    grade(course, "three")
    return course


@pytest.mark.slow
def test_free_late_days_are_taken_in_the_order_of_the_due_dates(graded: Path) -> None:
    assert free_days(graded, "one") == {"s1": (1, 10), "s2": (0, 0), "s3": (2, 10), "s4": (0, 10)}
    assert free_days(graded, "two") == {"s1": (1, 5), "s2": (0, 0), "s3": (0, 5)}
    page = (graded / "reports" / "two" / "s1" / "feedback.md").read_text()
    assert "2 started days, of which 1 is free, the rest at 50 % of the graded points each" in page
    assert "0 of 2 free late days are left" in page
    with (graded / "reports" / "two" / "grades.csv").open() as file:
        assert {row["id"]: (row["late"], row["final_score"]) for row in csv.DictReader(file)}["s1"] == ("-5", "5")
    done = grader(graded, "explain", "reports/two", "s3")
    assert "1 started day at 50 %" in " ".join(done.stdout.replace("│", "").split())
    # 34 days late: nothing counts any more, so no free day is spent.
    assert free_days(graded, "three")["s2"] == (0, 0)


@pytest.mark.slow
def test_another_due_date_for_one_student_gives_their_free_days_to_later_work(graded: Path, tmp_path: Path) -> None:
    course = Path(shutil.copytree(graded, tmp_path / "c"))
    why = ("--due", f"2026-11-07 23:59 {Z}", "--why", "Was ill.")
    done = grader(course, "adjust", "s1", "--spec", "one", *why)
    assert done.returncode == 0
    assert done.stderr == "free late days changed for 1 submission in reports/two; its grades are up to date\n"
    assert free_days(course, "two")["s1"] == (2, 10)


DAYS = {"s1": f"2026-11-14 20:00 {Z}", "s2": f"2026-11-14 20:00 {Z}"}


@pytest.fixture(scope="module")
def one_graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course in which s1 took both free days for the first assignment, and is late again for the second."""
    course = lay_out_course(tmp_path_factory.mktemp("days") / "c")
    hand_in(course, "one", {"s1": RIGHT, "s2": RIGHT}, {"s1": f"2026-11-08 20:00 {Z}", "s2": f"2026-11-06 20:00 {Z}"})
    hand_in(course, "two", {"s1": RIGHT, "s2": RIGHT}, DAYS)
    grade(course, "one")
    return course


def grade_elsewhere(course: Path) -> Path:
    return grade_second(course, course.parent / "elsewhere")


def grade_in_parts(course: Path) -> Path:
    parts = [grade_second(course, course.parent / f"p{k}", "--shard", f"{k}/2") for k in (1, 2)]
    done = grader(course.parent, "merge", *parts, "--out", "both")
    assert (done.returncode, (course.parent / "both").exists()) == (2, False)
    assert "p1 has free late days, which only its course's grader.yaml can count" in done.stderr
    assert grader(course, "merge", *parts, "--out", "reports/two").returncode == 0
    return course / "reports" / "two"


def grade_in_another_checkout(course: Path) -> Path:
    other = course.rename(course.parent / "checkout")
    shutil.rmtree(other / "reports")
    return grade_second(other, other / "reports" / "two")


def grade_beside_a_damaged_store(course: Path) -> Path:
    (course / "reports" / "one" / "grades.db").write_bytes(b"damaged" * 1000)
    return grade_second(course, course / "reports" / "two")


def grade_second(course: Path, out: Path, *more: str) -> Path:
    roster = ("--roster", course / "roster-two.csv")
    done = grader(course, "class", course / "handed-in" / "two", "--spec", "two", *roster, "--out", out, *more)
    assert (done.returncode, done.stderr) == (0, "")
    return out


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [grade_elsewhere, grade_in_parts, grade_in_another_checkout, grade_beside_a_damaged_store]
)
def test_a_free_day_is_free_once_wherever_and_in_whichever_parts_a_class_is_graded(
    one_graded: Path, tmp_path: Path, how: Callable[[Path], Path]
) -> None:
    out = how(Path(shutil.copytree(one_graded, tmp_path / "c")))
    assert days_in(out) == {"s1": (0, 5), "s2": (1, 10)}


@pytest.mark.slow
def test_a_course_brings_free_days_up_to_date_with_its_rule(one_graded: Path, tmp_path: Path) -> None:
    course = Path(shutil.copytree(one_graded, tmp_path / "c"))
    grade(course, "two")
    file = course / "grader.yaml"
    file.write_text(file.read_text().replace("free-days: 2 days", "free-days: 3 days"))
    done = grader(course, "course")
    assert done.stderr == "".join(
        f"free late days changed for {count} in reports/{spec}; its grades are up to date\n"
        for spec, count in (("one", "1 submission"), ("two", "2 submissions"))
    )
    assert days_in(course / "reports" / "two") == {"s1": (1, 10), "s2": (1, 10)}
    file.unlink()
    done = grader(course, "course")
    assert (done.returncode, "reports/one has free late days, which only its course's" in done.stderr) == (2, True)


@pytest.mark.slow
def test_what_nobody_knows_of_an_earlier_assignment_is_told(one_graded: Path, tmp_path: Path) -> None:
    course = Path(shutil.copytree(one_graded, tmp_path / "c"))
    (course / "late-days.json").unlink()
    done = grade(course, "two")
    told = "free late days are given as if none were taken by one, due before and not yet in "
    assert [told in line for line in done.stdout.splitlines()].count(True) == 1
    done = grader(course, "course")
    assert "free late days changed for 1 submission in reports/two; its grades are up to date" in done.stderr
    assert days_in(course / "reports" / "two") == {"s1": (0, 5), "s2": (1, 10)}
    (course / "late-days.json").write_text("{")
    roster = ("--roster", course / "roster-two.csv")
    done = grader(course, "class", course / "handed-in" / "two", "--spec", "two", *roster)
    assert (done.returncode, "late-days.json cannot be read" in done.stderr) == (2, True)


@pytest.mark.slow
def test_a_course_on_one_page(graded: Path) -> None:
    done = grader(graded, "course")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == DATA["PRINTED"]
    with (graded / "reports" / "course.csv").open() as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert [rows["s1"][name] for name in ("one", "two", "three", "trend percent", "free days left")] == [
        *("10", "5", "0", "-75", "0")
    ]
    assert (rows["s4"]["two verdict"], rows["s4"]["enrolled"], rows["s4"]["mean percent"]) == (
        *("not in the class", "yes", "100"),
    )
    document = json.loads(grader(graded, "course", "--format", "json").stdout)
    assert document["students"][0]["free_days"] == {"used": 2, "of": 2}
    assert document["students"][0]["grades"]["two"] == {"verdict": "passed", "score": 5, "late_days": 2, "free_days": 1}
    assert document == json.loads((graded / "reports" / "course.json").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("width", [1400, 360])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_of_a_course_fits_and_asks_for_nothing(graded: Path, width: int, dark: bool) -> None:  # noqa: FBT001
    path = graded / "reports" / "course.html"
    if not path.exists():
        grader(graded, "course")
    with open_page(path, width=width, dark=dark) as page:
        scroll, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert scroll <= window == width
        assert page.messages() == []
        assert page.requests() == [path.resolve().as_uri()]
        assert page.faint() == []
        links = page.evaluate("[...document.querySelectorAll('main a')].map(link => link.getAttribute('href'))")
        files = [link.partition("#")[0] for link in links if not link.startswith("#")]
        assert "two/s1/feedback.html" in files
        assert all((path.parent / file).is_file() for file in files)
        parts = page.evaluate("[...document.querySelectorAll('h2')].map(head => head.textContent)")
        assert parts == ["Who needs help", "Assignments", "Students"]
