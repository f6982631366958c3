"""A large class from the samples, through all that a course does with it: kill, resume, regrade, compare, export.

`make test-slow` takes forty students, `make soak` three hundred.
"""

import csv
import json
import shutil
import signal
import subprocess
import time
from collections.abc import Collection
from pathlib import Path

import pytest
import yaml

from grader import load
from grader.check.samples import read_samples
from tests.support.chromium import open_page
from tests.support.classes import command, finals, graded_names, grader
from tests.support.expected import ROOT
from tests.support.make_class import Class, make_class

SIZES = (40, pytest.param(300, marks=pytest.mark.soak))
ID = "mit-eight-queens"
OUT = Path("reports") / ID
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module", params=SIZES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Class:
    """Grade the class once: killed at a third, resumed."""
    folder = tmp_path_factory.mktemp("course")
    size: int = request.param
    made = make_class(folder, ID, size)
    keep_tests(made.spec, {"four"})
    with subprocess.Popen(arguments(), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + 300
        while len(list((folder / OUT).glob("s*"))) < size // 3 and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    done = grader(folder, *arguments()[3:])
    assert done.returncode == 0, done.stderr
    assert "are unchanged since they were graded" in done.stdout
    return made


def keep_tests(spec: Path, names: Collection[str]) -> None:
    """Leave only these tests in a spec, and nothing that is about the others."""
    tree = yaml.safe_load(spec.read_text())
    tree["tests"] = [test for test in tree["tests"] if test["name"] in names]
    assert {test["name"] for test in tree["tests"]} == set(names)
    tree.pop("equivalent", None)
    spec.write_text(yaml.safe_dump(tree, sort_keys=False, allow_unicode=True))


def arguments(*more: str) -> list[str]:
    return command("class", "submissions", "--spec", ID, "--roster", "roster.csv", *more)


def root(made: Class) -> Path:
    return made.spec.parents[1]


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "grades.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_everybody_on_the_roster_has_a_line_and_the_grade_of_their_sample(made: Class) -> None:
    samples = {sample.submission.id: sample for sample in read_samples(load(ROOT / "specs" / f"{ID}.yaml"))}
    lines = {row["id"]: row for row in rows(root(made) / OUT)}
    assert set(lines) == set(made.truth)
    for student, sample in made.truth.items():
        row = lines[student]
        if not sample:
            assert (row["verdict"], row["score"]) == ("nothing handed in", "")
            continue
        is_right = "four" not in samples[sample].tests
        assert (row["score"] == row["max_score"]) is is_right, (student, sample)
        assert row["verdict"] != "ungraded"
    assert any(not sample for sample in made.truth.values())


def test_nothing_is_run_again_and_the_files_stay_as_they_are(made: Class) -> None:
    before = finals(root(made) / OUT)
    done = grader(root(made), *arguments()[3:])
    assert graded_names(done.stdout) == []
    assert finals(root(made) / OUT) == before


def test_one_change_regrades_one_and_the_comparison_names_the_student(made: Class, tmp_path: Path) -> None:
    folder = tmp_path / "course"
    shutil.copytree(root(made), folder)
    shutil.copytree(folder / OUT, tmp_path / "old")
    worse = next(s for s, sample in made.truth.items() if sample == "alice" and (folder / "submissions" / s).is_dir())
    (folder / "submissions" / worse / "four_queens.py").write_text("print('no queens at all')\n")
    done = grader(folder, *arguments()[3:])
    assert graded_names(done.stdout) == [worse]
    compared = grader(folder, "diff", tmp_path / "old", OUT)
    assert compared.returncode == 1
    assert worse in compared.stdout
    assert sum(student in compared.stdout for student in made.truth) == 1
    assert grader(folder, "diff", tmp_path / "old", OUT, "--allow-lower").returncode == 0
    explained = grader(folder, "explain", OUT, worse)
    assert explained.returncode == 0
    assert "four_queens.py" in explained.stdout


@pytest.mark.parametrize("form", ["csv", "github-summary"])
def test_the_class_is_exported(made: Class, form: str) -> None:
    done = grader(root(made), "export", form, OUT, "--out", "-")
    assert done.returncode == 0, done.stderr
    assert "nothing handed in" in done.stdout


def test_every_report_is_one_of_this_class(made: Class) -> None:
    for path in (root(made) / OUT).glob("s*/report.json"):
        report = json.loads(path.read_bytes())
        assert report["submission"]["id"] == path.parent.name
        assert report["verdict"] in {"passed", "failed"}


def test_the_page_of_the_class_is_read_in_a_browser(made: Class) -> None:
    with open_page(root(made) / OUT / "index.html", width=360) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.messages() == []
        links = page.evaluate("[...document.querySelectorAll('tbody a')].map(a => a.getAttribute('href'))")
    handed_in = [student for student, sample in made.truth.items() if sample]
    for student in handed_in:
        assert f"{student}/feedback.html" in links
        assert (root(made) / OUT / student / "feedback.html").is_file()
