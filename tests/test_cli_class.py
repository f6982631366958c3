"""`grader class` as its users call it: real processes, killed, interrupted, resumed."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.cli.classes import time_left
from tests.support.classes import command, finals, graded_names, grader, small_class
from tests.support.courses import SPEC
from tests.support.rows import each_row, read_data

OUT = Path("reports/echo")
DATA = read_data(__file__)
CHECKED = DATA["CHECKED"]
CHECKS = DATA["CHECKS"]


def rows(folder: Path) -> dict[str, list[str]]:
    lines = (folder / OUT / "grades.csv").read_text().splitlines()
    return {line.split(",")[0]: line.split(",") for line in lines[1:]}


def test_a_class_gets_a_report_each_and_a_gradebook(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 6)
    done = grader(tmp_path, "class", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(graded_names(done.stdout)) == [f"s{n:03}" for n in range(6)]
    for name in ("report.json", "junit.xml", "feedback.md"):
        assert len(list((tmp_path / OUT).glob(f"s*/{name}"))) == 6
    scores = {name: (row[7], row[8]) for name, row in rows(tmp_path).items()}
    assert scores["s000"] == ("passed", "10")
    assert scores["s001"] == ("failed", "3")
    assert scores["s005"] == ("failed", "0")
    assert {"grades.csv", "grades.db"} <= {path.name for path in (tmp_path / OUT).iterdir()}


def test_only_what_has_changed_is_graded_again(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 6)
    grader(tmp_path, "class", folder)
    first = finals(tmp_path / OUT)

    again = grader(tmp_path, "class", folder)
    assert graded_names(again.stdout) == []
    assert "6 of them are unchanged since they were graded" in again.stdout
    assert finals(tmp_path / OUT) == first

    (folder / "s003" / "echo.py").write_text((folder / "s000" / "echo.py").read_text())
    assert graded_names(grader(tmp_path, "class", folder).stdout) == ["s003"]
    assert rows(tmp_path)["s003"][8] == "10"

    for name in ("reference/echo.py", "specs/echo.yaml"):
        with (tmp_path / name).open("a") as file:
            file.write("\n# another version\n")
        assert len(graded_names(grader(tmp_path, "class", folder).stdout)) == 6, name
    assert len(graded_names(grader(tmp_path, "class", folder, "--fresh").stdout)) == 6
    for path in [path for path in folder.iterdir() if path.name != "s003"]:
        shutil.rmtree(path)
    assert "; 1 of them is unchanged since" in grader(tmp_path, "class", folder).stdout


DECIDED = "adjustments:\n  - {submission: s000, reason: Ill., points: -1}\n"
FOR_ANOTHER = "  - {submission: s002, reason: Lost., with: {echo.py: {file: reference/echo.py}}}\n"


def test_what_is_decided_for_one_grades_nobody_else_again(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 3)
    spec = tmp_path / "specs" / "echo.yaml"
    before = spec.read_text()
    for text, again, score in (
        (before, ["s000", "s001", "s002"], "10"),
        (before + "\n" + DECIDED, ["s000"], "9"),
        (DECIDED + before, [], "9"),
        (DECIDED + FOR_ANOTHER + before, ["s002"], "9"),
        (DECIDED.replace("-1", "-2") + FOR_ANOTHER + before, ["s000"], "8"),
        (before.replace("title: Echo", "title: Echoes") + DECIDED, ["s000", "s001", "s002"], "9"),
    ):
        spec.write_text(text)
        done = grader(tmp_path, "class", folder)
        assert (sorted(graded_names(done.stdout)), rows(tmp_path)["s000"][8]) == (again, score), done.stderr
    assert rows(tmp_path)["s002"][8] != "10"


def test_a_report_that_was_damaged_or_removed_is_written_again_without_a_run(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 3)
    grader(tmp_path, "class", folder)
    first = finals(tmp_path / OUT)
    (tmp_path / OUT / "s000" / "report.json").write_text("{}")
    shutil.rmtree(tmp_path / OUT / "s001")
    (tmp_path / OUT / "s002" / ".report.json.0123456789abcdef").write_text("half of it")
    again = grader(tmp_path, "class", folder)
    assert graded_names(again.stdout) == []
    assert finals(tmp_path / OUT) == first


def test_one_that_we_fail_to_grade_does_not_stop_the_others_and_is_told_last(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 6, CHECKED)
    (tmp_path / "reference" / "checks.py").write_text(CHECKS)
    done = grader(tmp_path, "class", folder)
    assert done.returncode == 3
    assert len(graded_names(done.stdout)) == 6
    assert "1 ungraded, so without a grade" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("  s002: ")
    assert "our own fault" in done.stdout.splitlines()[-1]
    assert rows(tmp_path)["s002"][7:9] == ["ungraded", ""]

    quiet = grader(tmp_path, "class", folder, "--quiet")
    assert quiet.returncode == 3
    assert len(quiet.stdout.splitlines()) == 2
    (tmp_path / "reference" / "checks.py").write_text(CHECKS.replace("RuntimeError", "Wrong"))
    assert grader(tmp_path, "class", folder, "--quiet").stdout == ""


def test_an_ungraded_one_is_tried_again_each_time(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 3, CHECKED)
    (tmp_path / "reference" / "checks.py").write_text(CHECKS)
    grader(tmp_path, "class", folder)
    assert graded_names(grader(tmp_path, "class", folder).stdout) == ["s002"]


def test_what_cannot_be_read_is_the_students_to_hand_in_again_and_keeps_no_exit_code_at_3(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 1)
    (folder / "Cy_3_assignsubmission_file_").mkdir()
    (folder / "Cy_3_assignsubmission_file_" / "echo.rar").write_bytes(b"Rar!\x1a\x07\0")
    (folder / "Di_4_assignsubmission_file_echo.7z").write_bytes(b"7z\xbc\xaf\x27\x1c")
    (folder / "ed.zip").write_bytes(b"PK\x03\x04 cut off")
    for _ in range(2):
        done = grader(tmp_path, "class", folder, "--platform", "Moodle")  # which two of four names alone do not show
        assert (done.returncode, done.stderr) == (0, "")
        assert "4 submissions: 1 with full marks, 3 not readable" in done.stdout
        assert "3 not readable, so without a grade; to be handed in again:\n  Cy: echo.rar: this is" in done.stdout
    assert graded_names(done.stdout) == []
    assert {name: row[7:9] for name, row in rows(tmp_path).items() if name != "s000"} == {
        name: ["not readable", ""] for name in ("Cy", "Di", "ed")
    }
    report = json.loads((tmp_path / OUT / "Cy" / "report.json").read_text())
    assert (report["verdict"], report["score"], report["tests"][0]["score"]) == ("not readable", None, None)
    assert (
        "## The submission cannot be read\n\necho.rar: this is an archive"
        in (tmp_path / OUT / "Cy" / "feedback.md").read_text()
    )
    for name in ("Cy/feedback.html", "Cy/feedback.md", "index.html", "summary.md", "junit.xml"):
        told = (tmp_path / OUT / name).read_text()
        assert "build failed" not in told.lower()
        assert "not readable" in told or "kind RAR" in told
    alone = grader(tmp_path, "run", folder / "ed.zip", "--spec", "echo")
    assert alone.returncode == 1
    assert "The submission cannot be read\n  │ the archive is damaged or cut off, so hand it in again" in alone.stdout
    explained = grader(tmp_path, "explain", OUT, "Cy").stdout
    assert "not readable" in explained
    assert "build failed" not in explained


CANVAS_DOWNLOAD = DATA["CANVAS_DOWNLOAD"]


def test_nobody_is_graded_for_what_somebody_else_s_file_is_called(tmp_path: Path) -> None:
    works = small_class(tmp_path, 2)
    folder = tmp_path / "download"
    folder.mkdir()
    for name, work in CANVAS_DOWNLOAD.items():
        shutil.make_archive(str(folder / name.removesuffix(".zip")), "zip", works / work)
    (tmp_path / "roster.csv").write_text("id,name,login\n1001,Ada,a\n1002,Bo,b\n1004,Mallory,mallory\n")
    for more in ((), ("--platform", "canvas")):
        done = grader(tmp_path, "class", folder, "--roster", "roster.csv", "--latest", "--spec", "echo", *more)
        assert (done.returncode, done.stderr) == (0, "")
        scores = {name: (row[7], row[8]) for name, row in rows(tmp_path).items()}
        assert scores == {"1001": ("passed", "10"), "1002": ("nothing handed in", ""), "1004": ("failed", "3")}
        assert "1 on the roster has handed in nothing: 1002 (Bo)" in done.stdout
    wrong = grader(tmp_path, "class", folder, "--platform", "canvass")
    assert wrong.returncode == 2
    assert "canvas" in wrong.stderr
    assert all(
        name in wrong.stderr for name in ("moodle", "blackboard", "brightspace", "gradescope", "github", "plain")
    )


def test_who_is_in_doubt_stops_nobody_and_is_told_how_to_settle_it(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 1)
    (folder / "s000").rename(folder / "bo")
    for name in ("mallory_1_2_a.zip", "mallory_1_3_b.zip"):
        (folder / name).write_bytes(b"PK\x05\x06" + bytes(18))
    (tmp_path / "roster.csv").write_text("id,name,folder\nbo,Bo,\nm,Mallory,\nzoe,Zoe,\n")
    done = grader(tmp_path, "class", folder, "--roster", "roster.csv")
    assert (done.returncode, done.stderr) == (3, "")
    assert graded_names(done.stdout) == ["bo"]
    assert done.stdout.splitlines()[-3:] == [
        "1 in doubt, so not graded; say what counts, and the same command grades it:",
        (
            "  m: mallory_1_2_a.zip, mallory_1_3_b.zip: all of m (Mallory) (line 3 of the roster), and one counts; "
            "write its name there, in the column folder; --latest takes the latest"
        ),
        "1 on the roster has handed in nothing: zoe (Zoe)",
    ]
    assert {name: row[7] for name, row in rows(tmp_path).items()} == {
        "bo": "passed",
        "m": "in doubt",
        "zoe": "nothing handed in",
    }
    for name in ("index.html", "summary.md"):
        assert "In doubt" in (tmp_path / OUT / name).read_text()
    exported = grader(tmp_path, "export", "gradescope", OUT, "--student", "m")
    assert "there is no report of m: it is in doubt which submission counts (mallory_1_2_a.zip, " in exported.stderr
    assert grader(tmp_path, "diff", OUT, OUT).returncode == 3

    settled = grader(tmp_path, "class", folder, "--roster", "roster.csv", "--latest")
    assert (settled.returncode, graded_names(settled.stdout)) == (0, ["m"])
    told = "mallory_1_3_b.zip counts, the latest; not graded: mallory_1_2_a.zip"
    assert told in (tmp_path / OUT / "grades.csv").read_text()


def test_json_is_a_report_a_line(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 3)
    for _ in range(2):
        done = grader(tmp_path, "class", folder, "--format", "json")
        reports = [json.loads(line) for line in done.stdout.splitlines()]
        assert sorted(report["submission"]["id"] for report in reports) == ["s000", "s001", "s002"]


def test_what_is_hidden_until_the_due_date_is_shown_after_it_without_a_run(tmp_path: Path) -> None:
    spec = SPEC.replace("  - name: words\n", "  - name: words\n    visibility: after-due\n")
    folder = small_class(tmp_path, 4, spec)
    grader(tmp_path, "class", folder)
    feedback = tmp_path / OUT / "s003" / "feedback.md"
    assert "Print all words" not in feedback.read_text()
    done = grader(tmp_path, "class", folder, "--after-due")
    assert graded_names(done.stdout) == []
    assert "Print all words" in feedback.read_text()


def test_a_due_date_counts_in_a_run_where_the_course_names_the_spec_by_its_path(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 1, SPEC.replace("  - name: words\n", "  - name: words\n    visibility: after-due\n"))
    (spec,) = (tmp_path / "specs").iterdir()
    (tmp_path / "grader.yaml").write_text(f"spec: specs/{spec.name}\ndue: 2020-01-01 12:00 UTC\n")
    (student,) = folder.iterdir()
    assert "Of a hidden test" not in grader(tmp_path, "run", student).stdout


@contextmanager
def started(folder: Path, *arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    log = (folder / "log").open("ab")
    with log, subprocess.Popen(command(*arguments), cwd=folder, stdout=log, stderr=log) as process:
        try:
            yield process
        finally:
            process.kill()


def timed(run: Callable[[], subprocess.CompletedProcess[str]]) -> float:
    before = time.monotonic()
    assert run().returncode == 0
    return time.monotonic() - before


@pytest.mark.timeout(300)
@pytest.mark.parametrize("times", [5, pytest.param(20, marks=pytest.mark.soak)])
def test_killed_at_random_moments_and_resumed_it_gives_what_an_undisturbed_run_does(times: int, tmp_path: Path) -> None:
    size, dice = 15, random.Random(4)  # noqa: S311 - the same moments each time
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    whole = small_class(tmp_path / "whole", size)
    taken = [timed(lambda: grader(tmp_path / "whole", "class", whole)) for _ in range(2)]

    folder = small_class(tmp_path / "killed", size)
    log = tmp_path / "killed" / "log"
    for number in range(times):
        with started(tmp_path / "killed", "class", folder) as process:
            while not number and not graded_names(log.read_text()):  # the first one while it grades, on any machine
                time.sleep(0.01)
            time.sleep(dice.uniform(0.05, taken[1] + taken[0] / 2))  # the second run is the start and the end alone
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=30)
    killed_names = graded_names(log.read_text())
    last = grader(tmp_path / "killed", "class", folder)
    assert last.returncode == 0
    names = [*killed_names, *graded_names(last.stdout)]
    assert len(set(names)) == len(names), "somebody was graded twice"
    assert len(killed_names) > 0
    assert finals(tmp_path / "killed" / OUT) == finals(tmp_path / "whole" / OUT)


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupted_class_says_how_far_it_is_and_goes_on_there(times: int, tmp_path: Path) -> None:
    """Who presses Ctrl-C twice gets all the files as well."""
    folder = small_class(tmp_path, 30)
    with started(tmp_path, "class", folder, "--jobs", "2") as process:
        end = time.monotonic() + 60
        while len(graded_names((tmp_path / "log").read_text())) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        # The second may come when all is written: then it ends us at once, which a shell calls 130 as well.
        assert process.wait(timeout=90) in {130, -signal.SIGINT}
    log = (tmp_path / "log").read_text()
    assert "grader: interrupted; what was finished is kept" in log
    kept = re.search(r"(?m)^graded (\d+) of 30 submissions, in reports/echo; the same command continues", log)
    assert kept
    assert {row[7] for row in rows(tmp_path).values()} >= {"passed", "not graded yet"}
    assert {"index.html", "junit.xml", "summary.md"} <= {path.name for path in (tmp_path / OUT).iterdir()}
    if times == 1:
        rest = graded_names(grader(tmp_path, "class", folder).stdout)
        # Of two jobs and two that waited, what is stored while we are interrupted is neither told nor counted.
        assert 30 - 4 <= len(rest) + int(kept[1]) <= 30
        assert not set(rest) & set(graded_names(log))


def test_the_folders_of_several_assignments_are_not_one_class(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 2)
    (tmp_path / "specs/sums.yaml").write_text(SPEC.replace("id: echo", "id: sums"))
    for name in ("echo", "sums"):
        shutil.copytree(folder / "s000", tmp_path / "samples" / name / "s000")
    done = grader(tmp_path, "class", "samples", "--spec", "echo")
    assert done.returncode == 2
    assert "samples has folders of 2 assignments (echo, sums), which are not one class" in done.stderr
    # Nor is the folder above a class one submission of it.
    shutil.copytree(folder, tmp_path / "above/class")
    (tmp_path / "roster.csv").write_text("id\ns000\ns001\n")
    for roster in ((), ("--roster", "roster.csv")):
        done = grader(tmp_path, "class", "above", "--spec", "echo", *roster)
        assert (done.returncode, "above/class seems to hold a whole class" in done.stderr) == (2, True)
    (tmp_path / "samples/sums").rename(tmp_path / "samples/somebody")
    assert grader(tmp_path, "class", "samples", "--spec", "echo").returncode == 0


def test_more_ctrl_c_at_the_end_prints_no_traceback(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 8)
    with started(tmp_path, "class", folder) as process:
        end = time.monotonic() + 60
        while not graded_names((tmp_path / "log").read_text()) and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        while "interrupted" not in (tmp_path / "log").read_text() and time.monotonic() < end:
            time.sleep(0.001)
        while process.poll() is None and time.monotonic() < end:
            process.send_signal(signal.SIGINT)
            time.sleep(0.002)
    assert process.returncode in {130, -signal.SIGINT}
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_class_whose_reader_goes_away_leaves_its_files(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 6)
    piped = [*command("class", folder, "--jobs", "1")]
    with subprocess.Popen(piped, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        told = process.stderr.read()
        assert process.wait(timeout=60) == 1
    assert "of 6 submissions, in reports/echo; the same command continues" in told
    assert {row[7] for row in rows(tmp_path).values()} >= {"not graded yet"}


@each_row
def test_the_time_left(seconds: float, done: int, left: int, told: str) -> None:
    assert time_left(seconds, done, left) == told


def test_a_second_grader_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 30)
    with started(tmp_path, "class", folder, "--jobs", "1") as process:
        end = time.monotonic() + 60
        while not graded_names((tmp_path / "log").read_text()) and time.monotonic() < end:
            time.sleep(0.01)
        second = grader(tmp_path, "class", folder)
        assert second.returncode == 2
        assert f"another grader (process {process.pid}) is at work in" in second.stderr
    assert grader(tmp_path, "class", folder).returncode == 0


def test_a_full_disk_exits_with_3_and_what_was_graded_is_kept(tmp_path: Path) -> None:
    """The results lie on a disk of half a megabyte of its own."""
    folder = small_class(tmp_path, 40)
    (tmp_path / "disk").mkdir()
    unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    script = (
        "mount -t tmpfs -o size=600k tmpfs disk && "
        '"$@" class echo --out disk --sandbox none; code=$?; cp -a disk kept; exit $code'
    )
    full = subprocess.run(
        [*unshare, "sh", "-c", script, "sh", *command()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert full.returncode == 3, full.stderr
    assert "make room on that disk" in full.stderr
    names = graded_names(full.stdout)
    assert 0 < len(names) < 40
    rest = grader(tmp_path, "class", folder, "--out", "kept", "--sandbox", "none")
    assert rest.returncode == 0, rest.stderr
    assert set(names) <= {f"s{n:03}" for n in range(40)} - set(graded_names(rest.stdout))
