"""What was handed in decides nothing: neither the spec, nor where results are, nor what the grader imports."""

import csv
import subprocess
import sys
from pathlib import Path

from grader.core.report.json import safe_name
from tests.support.classes import grader
from tests.support.courses import course, submission
from tests.support.packages import lay
from tests.support.rows import each_row


def scores(out: Path) -> dict[str, dict[str, str]]:
    with (out / "grades.csv").open() as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def test_a_class_that_is_called_like_our_files_is_graded_whole(tmp_path: Path) -> None:
    course(tmp_path)
    names = "grades.db grades.csv index.html junit.xml summary.md grades.lock reports grades.db-wal"
    odd = names.split()
    for name in odd:
        submission(tmp_path, name)
    done = grader(tmp_path, "class", "echo", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert {id_: row["score"] for id_, row in scores(tmp_path / "out").items()} == dict.fromkeys(odd, "10")
    folders = {path.name for path in (tmp_path / "out").iterdir() if path.is_dir()}
    ours = {path.name for path in (tmp_path / "out").iterdir() if path.is_file()}
    assert len(folders) == len(odd)
    assert {safe_name(name) for name in ours}.isdisjoint(ours)


@each_row
def test_results_never_lie_in_what_was_handed_in(
    command: str, word: str, where: str, better: str, tmp_path: Path
) -> None:
    spec = course(tmp_path)
    submission(tmp_path)
    (tmp_path / "echo" / "alice" / "deep").mkdir()
    out = [] if better else ["--out", "echo/alice/out"]
    word = word if where != "echo/alice/deep" else ".."
    done = grader(tmp_path / where, command, word, "--spec", spec, *out)
    assert done.returncode == 2
    assert f"--out {better or 'reports/echo'}" in done.stderr
    assert not list(tmp_path.glob("**/report.json"))


def test_a_link_among_the_submissions_leads_nowhere(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path)
    lay(tmp_path, {"precious/exam": "kept", "echo/bob_1_2_echo.py": "print()"})
    (tmp_path / "echo" / ".handed-in").mkdir()
    (tmp_path / "echo" / ".handed-in" / "bob").symlink_to(tmp_path / "precious")
    done = grader(tmp_path / "echo", "class", ".", "--spec", "../specs/echo.yaml", "--out", ".")
    assert done.returncode == 2
    assert (tmp_path / "precious" / "exam").read_text() == "kept"


def test_the_spec_that_is_used_is_told_and_never_a_student_s(tmp_path: Path) -> None:
    course(tmp_path)
    submission(tmp_path)
    easy = "spec: 1\nid: echo\ntitle: T\nprogram: echo\ntests: [{name: t, points: 100, expect: {exit: any}}]\n"
    lay(tmp_path / "echo/specs", {"echo.yaml": easy, "echo.py": ""})
    done = grader(tmp_path, "class", "echo")
    assert "Spec: specs/echo.yaml\n" in done.stdout
    assert {id_: row["max_score"] for id_, row in scores(tmp_path / "reports" / "echo").items()} == {
        "alice": "10",
        "specs": "10",
    }
    done = grader(tmp_path / "echo", "class", ".", "--spec", "echo", "--out", "../out")
    assert (done.returncode, "--spec, such as ../specs/echo.yaml" in done.stderr) == (2, True)


def test_the_module_imports_nothing_from_the_working_folder(tmp_path: Path) -> None:
    course(tmp_path)
    where = submission(tmp_path, "mallory")
    for name in ("click", "msgspec", "yaml", "json", "rich", "jinja2", "pexpect", "tempfile"):
        (where / f"{name}.py").write_text(f"open({str(tmp_path / 'canary')!r}, 'w').close()\n")
    command = [sys.executable, "-m", "grader", "run", ".", "--spec", "../../specs/echo.yaml", "--out", "../../out"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100, cwd=where)
    assert (done.returncode, (tmp_path / "canary").exists()) == (0, False), done.stderr
