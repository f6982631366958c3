"""`grader diff`, `explain` and `merge` as their users call them, over classes that are really graded."""

import json
import re
from pathlib import Path

import pytest

from tests.support.classes import PROGRAMS, finals, grader, small_class
from tests.support.command_rows import AtCourse, check_commands
from tests.support.courses import ECHO, SPEC, submission
from tests.support.rows import each_row

HIDDEN = SPEC.replace("  - name: nothing\n    points: 4", "  - name: nothing\n    visibility: hidden\n    points: 4")


@pytest.fixture(autouse=True)
def at_the_course(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.chdir(tmp_path)


def files(folder: Path) -> dict[str, bytes]:
    """Return all files of a class with their times; its store and its lock are no such files."""
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("grades."))
    return {str(path.relative_to(folder)): path.read_bytes() for path in [*paths, folder / "grades.csv"]}


def change_spec(folder: Path, *pairs: tuple[str, str]) -> None:
    path = folder / "specs" / "echo.yaml"
    text = path.read_text()
    for was, will_be in pairs:
        assert was in text
        text = text.replace(was, will_be)
    path.write_text(text)


@each_row
def test_commands_at_a_course(tmp_path: Path, given: AtCourse) -> None:
    check_commands(given, tmp_path, lambda _grader, *words: grader(tmp_path, *words))


# ---------------------------------------------------------------- diff


def test_a_stricter_spec_is_why_a_grade_falls(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 4)
    grader(tmp_path, "class", folder, "--out", "old")
    change_spec(tmp_path, ("final-newline: 100%", "final-newline: 50%"))
    (folder / "s003" / "echo.py").write_text(ECHO)
    submission(tmp_path, "new")
    grader(tmp_path, "class", folder, "--out", "new")

    done = grader(tmp_path, "diff", "old", "new")
    assert (done.returncode, done.stderr) == (1, "")
    assert max(map(len, done.stdout.splitlines())) <= 60
    for part in (
        "  │ tests[words].tolerate.final-newline: 100% -> 50%\n",
        "Falls: 1\n  student  before  now  by\n  s002          6    3  -3\n  s002: because of the spec\n",
        "Rises: 1\n  student  before  now  by\n  s003          3   10  +7\n",
        "  s003: because of the submission and the spec\n",
        "words: 3 -> 6 of 6 (part of the points -> full marks)\n",
        "New: 1\n  student  before  now  by\n  new           -   10",
        "Unchanged: 2\n",
    ):
        assert part in done.stdout
    assert re.search(r"final-newline keeps 50 % of the\s+│\s+credit; before, 100 %.", done.stdout)
    assert grader(tmp_path, "diff", "old", "new", "--allow-lower").returncode == 0
    assert grader(tmp_path, "diff", "new", "old").returncode == 1


def test_another_reference_and_another_tool_are_told_apart(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 1)
    grader(tmp_path, "class", folder, "--out", "old")
    (tmp_path / "reference" / "echo.py").write_text(ECHO.replace("*sys", "*sys.argv[:0], *sys") + "# x\n")
    grader(tmp_path, "class", folder, "--out", "same")
    done = grader(tmp_path, "diff", "old", "same", "--format", "json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["unchanged"], found["changes"]) == (0, 1, [])
    assert [one["cause"] for one in found["differences"]] == ["reference"]

    (tmp_path / "reference" / "echo.py").write_text(ECHO.replace("print(", "print('x', "))
    grader(tmp_path, "class", folder, "--out", "new", "--sandbox", "none")
    found = json.loads(grader(tmp_path, "diff", "old", "new", "--format", "json").stdout)
    assert found["changes"][0]["causes"] == ["reference", "sandbox"]
    assert "because of the reference and the sandbox" in grader(tmp_path, "diff", "old", "new").stdout


def test_who_is_gone_or_ungraded_is_no_silent_loss(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 2)
    grader(tmp_path, "class", folder, "--out", "old")
    (folder / "s001" / "echo.py").unlink()
    (folder / "s001").rmdir()
    grader(tmp_path, "class", folder, "--out", "fewer")
    assert grader(tmp_path, "diff", "old", "fewer").returncode == 1
    assert grader(tmp_path, "diff", "fewer", "old").returncode == 0

    (tmp_path / "reference" / "echo.py").write_text("raise ValueError('broken')\n")
    assert grader(tmp_path, "class", folder, "--out", "broken").returncode == 3
    done = grader(tmp_path, "diff", "fewer", "broken", "--allow-lower")
    assert done.returncode == 3
    assert "Ungraded: whether it falls is not known: 1" in done.stdout
    assert grader(tmp_path, "diff", "broken", "broken").returncode == 3
    assert grader(tmp_path, "diff", "broken", "fewer").returncode == 0


def test_folders_of_single_reports_are_compared_too(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 2)
    grader(tmp_path, "run", folder / "s000", folder / "s001", "--out", "old")
    change_spec(tmp_path, ("points: 6", "points: 4"))
    grader(tmp_path, "class", folder, "--out", "new")
    done = grader(tmp_path, "diff", "old", "new")
    assert done.returncode == 1  # s001 had 3 of 10 and has 2 of 8
    assert "The maximum was 10 and is 8" in done.stdout
    assert "  │ tests[words].points: 6 -> 4\n" in done.stdout
    assert "  s001     3 of 10, 30 %  2 of 8, 25 %  -1\n" in done.stdout
    one = grader(tmp_path, "diff", "old/s000", "new")
    assert (one.returncode, "New: 1" in one.stdout) == (0, True)


def test_hidden_tests_stay_hidden(tmp_path: Path) -> None:
    spec = HIDDEN.replace('expect: {stdout: "\\n"}', 'args: [canary1]\n    expect: {stdout: "canary1\\n"}')
    folder = small_class(tmp_path, 2, spec)
    grader(tmp_path, "class", folder, "--out", "old")
    change_spec(tmp_path, ("canary1\\n", "canary2\\n"))
    grader(tmp_path, "class", folder, "--out", "new")
    for command in (["diff", "old", "new"], ["explain", "new", "s000"]):
        for form in ("text", "json"):
            done = grader(tmp_path, *command, "--format", form)
            assert "nothing" in done.stdout
            assert "canary" not in done.stdout + done.stderr
            assert "canary" in grader(tmp_path, *command, "--format", form, "--hidden").stdout


@each_row
def test_wrong_usage_of_results_exits_with_2(tmp_path: Path, words: list[str], message: str) -> None:
    small_class(tmp_path, 1)
    grader(tmp_path, "run", "echo/s000", "--out", "old")
    if words[0] == "merge":
        grader(tmp_path, "class", "echo", "--out", "old")
    done = grader(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


# ---------------------------------------------------------------- explain


def test_a_grade_is_explained_and_can_be_repeated(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 3)
    (tmp_path / "roster.csv").write_text("id,name,email\ns001,Alice Müller,alice@example.org\ns002,Bob,\ns009,Eve,\n")
    (folder / "s000" / "echo.py").unlink()
    (folder / "s000").rmdir()
    grader(tmp_path, "class", "echo", "--roster", "roster.csv", "--out", "out")
    done = grader(tmp_path, "explain", "out", "alice müller")
    assert (done.returncode, done.stderr) == (0, "")
    for part in (
        "s001  3 of 10  part of the points\n  Alice Müller (s001, alice@example.org)\n",
        "words: 3 of 6, part of the points\n  6 points * (2 * 50 %) / 2 cases = 3\n",
        "  │ wrong-stream (stdout) keeps 50 %\n",
        "  $ python3 echo.py a\n  $ python3 echo.py a b\n",
    ):
        assert part in done.stdout
    assert grader(tmp_path, "explain", "out", "alice müller").stdout == done.stdout
    repeat = re.search(r"\$ grader (run .*)", done.stdout)
    assert repeat
    again = grader(tmp_path, *repeat[1].split())
    assert "s001  3 of 10  part of the points" in again.stdout
    assert grader(tmp_path, "explain", "reports/echo", "s001").stdout.startswith("s001  3 of 10  part of the points\n")
    nothing = grader(tmp_path, "explain", "out", "eve")
    assert (nothing.returncode, "nothing handed in" in nothing.stdout) == (0, True)

    found = json.loads(grader(tmp_path, "explain", "out", "s001", "--format", "json").stdout)
    report = json.loads((tmp_path / "out/s001/report.json").read_text())
    assert found["provenance"]["submission"][1] == report["submission"]["digest"]
    assert found["provenance"]["spec"][1] == report["spec"]["digest"]
    assert re.fullmatch("[0-9a-f]{64}", found["provenance"]["reference"][0])
    assert found["provenance"]["tools"] == [f"python3: {report['toolchain']['python3']}"]


# ---------------------------------------------------------------- merge


def test_shards_become_the_class_that_one_machine_grades(tmp_path: Path) -> None:
    size = 7
    folder = small_class(tmp_path, size)
    (folder / "note.txt").write_text("no submission")
    for number in (1, 2, 3):
        assert grader(tmp_path, "class", folder, "--shard", f"{number}/3", "--out", f"part{number}").returncode == 0
    merged = grader(tmp_path, "merge", "part3", "part1", "part2", "--out", "merged")
    assert (merged.returncode, merged.stderr) == (0, "")
    assert merged.stdout.startswith(f"{size} submissions: ")
    before = files(tmp_path / "merged")
    assert len(before) > size * 3

    again = grader(tmp_path, "class", folder, "--out", "merged")
    assert f"{size} of them are unchanged since they were graded" in again.stdout
    assert files(tmp_path / "merged") == before
    grader(tmp_path, "class", folder, "--out", "whole")
    assert finals(tmp_path / "merged") == finals(tmp_path / "whole")


def test_a_missing_shard_is_told_last(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 3)
    for number in (1, 3):
        grader(tmp_path, "class", folder, "--shard", f"{number}/3", "--out", f"part{number}")
    done = grader(tmp_path, "merge", "part1", "part3", "--out", "merged")
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.splitlines()[-1] == "Missing: the parts 2/3; nobody in them has a line"
    grades = (tmp_path / "merged/grades.csv").read_text().splitlines()[1:]
    assert [line.split(",")[0] for line in grades] == ["s000", "s002"]


def test_shards_of_two_specs_are_refused(tmp_path: Path) -> None:
    folder = small_class(tmp_path, len(PROGRAMS))
    grader(tmp_path, "class", folder, "--shard", "1/2", "--out", "part1")
    change_spec(tmp_path, ("points: 6", "points: 7"))
    grader(tmp_path, "class", folder, "--shard", "2/2", "--out", "part2")
    done = grader(tmp_path, "merge", "part1", "part2", "--out", "merged")
    assert (done.returncode, "not made with the same spec" in done.stderr) == (2, True)
    assert not (tmp_path / "merged").exists()
