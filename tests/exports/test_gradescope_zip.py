import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import click
import pytest

import grader
from grader.core.reader.spec import load
from grader.exports.gradescope_inside import explain_failure, link
from grader.exports.gradescope_zip import packages, to_gradescope_zip
from tests.support.commands import run_grader
from tests.support.courses import ECHO, SPEC, course
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

ROOT = Path(grader.__file__).parent.parent
DATA = read_data(__file__)
HARMFUL = DATA["HARMFUL"]
AS_DOCKER = DATA["AS_DOCKER"]
WRONG = "import sys\nprint(*sys.argv[1:], file=sys.stderr)\n"


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder laid out as /autograder is, where another user may look, and an empty submission in it."""
    with tempfile.TemporaryDirectory(prefix="platform-") as name:
        root = Path(name)
        root.chmod(0o755)
        (root / "submission").mkdir()
        (root / "results").mkdir()
        monkeypatch.setenv("TMPDIR", str(root))
        yield root


@cache
def zipped(spec: str, **options: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return to_gradescope_zip(load(course(Path(folder), spec)), **options)


def install(root: Path, spec: str = SPEC, program: str | None = ECHO, **options: Any) -> None:
    """Unpack the zip as the platform does, but for its grader, give it this very one, and hand in a program."""
    unpack(root, spec, "grader/", **options)
    give_python(root)
    if program is not None:
        (root / "submission" / "echo.py").write_text(program)


def unpack(root: Path, spec: str, without: str = "/", **options: Any) -> None:
    with ZipFile(io.BytesIO(zipped(spec, **options))) as archive:
        for entry in (one for one in archive.infolist() if not one.filename.startswith(without)):
            path = Path(archive.extract(entry, root / "source"))
            path.chmod(entry.external_attr >> 16 & 0o777)


def give_python(root: Path) -> None:
    """Make a virtual environment with what this one has; where ours is in a home, another user cannot use it."""
    real = Path(sys.executable).resolve()
    if all(folder.stat().st_mode & stat.S_IXOTH for folder in real.parents):
        (root / "venv").symlink_to(sys.prefix)
        return
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", root / "venv"], check=True)
    (packages_folder,) = (root / "venv" / "lib").glob("python3*/site-packages")
    (packages_folder / "grader.pth").write_text(f"{ROOT}\n{Path(click.__file__).parent.parent}\n")


def autograde(root: Path, *outer: str, **environment: str) -> dict[str, Any]:
    """Grade as the platform does, inside of an outer command; return the results."""
    done = subprocess.run(
        [*outer, root / "source" / "run_autograder"],
        env={"PATH": "/usr/bin:/bin", "AUTOGRADER_ROOT": str(root), "TMPDIR": str(root), **environment},
        cwd=root,
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]
    assert not list(root.glob("autograder-*"))
    results: dict[str, Any] = json.loads((root / "results" / "results.json").read_bytes())
    return results


def score(results: dict[str, Any]) -> float:
    return float(results.get("score", sum(test.get("score", 0) for test in results["tests"])))


def is_graded(results: dict[str, Any]) -> bool:
    return "score" in results or any("score" in test for test in results["tests"])


# ---------------------------------------------------------------- the zip


def test_the_zip_holds_what_grades_and_nothing_else_of_the_course(tmp_path: Path) -> None:
    spec = course(tmp_path)
    (tmp_path / "submissions").mkdir()
    (tmp_path / "specs" / "other.yaml").write_text("spec: 1\n")
    with ZipFile(io.BytesIO(to_gradescope_zip(load(spec)))) as archive:
        names = archive.namelist()
        assert archive.read("course/specs/echo.yaml") == spec.read_bytes()
        assert archive.read("course/reference/echo.py") == ECHO.encode()
        assert archive.read("course/grader.yaml") == b"spec: echo\n"
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
    assert sorted(name for name in names if not name.startswith("grader/")) == DATA["WITHOUT_GRADER"]
    assert {"grader/pyproject.toml", "grader/grader/cli/shared.py", "grader/grader/core/build/toolchains.yaml"} <= set(
        names
    )
    assert not [name for name in names if "__pycache__" in name]
    assert {name for name, mode in modes.items() if mode & stat.S_IXUSR} == {"setup.sh", "run_autograder"}


def test_the_same_spec_makes_the_same_bytes(tmp_path: Path) -> None:
    spec = load(course(tmp_path))
    first = to_gradescope_zip(spec)
    os.utime(tmp_path / "reference" / "echo.py", (0, 0))
    assert to_gradescope_zip(spec) == first
    assert to_gradescope_zip(spec, sandbox="none") != first


def test_files_that_a_spec_names_are_in_the_zip(tmp_path: Path) -> None:
    spec = course(tmp_path, SPEC.replace("args: [a]", "stdin: {file: data/input.txt}"))
    with pytest.raises(grader.core.errors.SpecError, match="no file"):
        load(spec)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "input.txt").write_bytes(b"\xff")
    with ZipFile(io.BytesIO(to_gradescope_zip(load(spec)))) as archive:
        assert archive.read("course/data/input.txt") == b"\xff"


@each_row
def test_packages_are_those_that_the_commands_need(name: str, expected: set[str]) -> None:
    assert set(packages(load(ROOT / "specs" / f"{name}.yaml"))) == expected | {"bubblewrap", "util-linux"}


# ---------------------------------------------------------------- the parts in Python


@each_row
def test_a_submission_goes_by_its_students_names(tmp_path: Path, metadata: str | None, name: str | None) -> None:
    (tmp_path / "folder").mkdir()
    if metadata is not None:
        (tmp_path / "metadata.json").write_text(metadata)
    link(str(tmp_path / "metadata.json"), str(tmp_path), str(tmp_path / "folder"))
    (made,) = (tmp_path / "folder").iterdir()
    assert made.resolve() == tmp_path
    if name is None:
        assert re.fullmatch("[^/\n$`.-][^/\n$`]*", made.name)
    else:
        assert made.name == name


def test_what_went_wrong_is_told_and_cannot_break_the_json(tmp_path: Path) -> None:
    (tmp_path / "pending.json").write_text('{"output": "Not graded yet.", "tests": []}')
    (tmp_path / "log").write_bytes(b"x" * 9000 + b'\n"}\xff\x1b[31m no sandbox\n')
    explain_failure(str(tmp_path / "pending.json"), str(tmp_path / "log"), str(tmp_path))
    results = json.loads((tmp_path / "results.json").read_bytes())
    assert results["output"].startswith("This submission could not be graded.")
    assert results["output"].endswith('"}\\xff\\x1b[31m no sandbox')
    assert len(results["output"]) < 5000
    assert not is_graded(results)


# ---------------------------------------------------------------- the scripts


@pytest.mark.parametrize("name", ["setup.sh", "run_autograder"])
def test_the_scripts_are_sound(name: str) -> None:
    script = ROOT / "grader" / "exports" / "gradescope_container" / name
    shellcheck = Path(sys.executable).with_name("shellcheck")
    subprocess.run(["/bin/bash", "-n", script], check=True)
    subprocess.run([shellcheck, "--severity=style", script], check=True)


@pytest.mark.parametrize(
    ("level", "program", "points"),
    [("auto", ECHO, 12), ("auto", WRONG, 3), ("auto", None, 0), ("none", ECHO, 12)],
)
def test_a_submission_gets_its_score(platform: Path, level: str, program: str | None, points: float) -> None:
    install(platform, SPEC + DATA["SECRET"], program, sandbox=level)
    results = autograde(platform)
    assert is_graded(results)
    assert score(results) == points
    assert "sesame" not in json.dumps(results)
    assert stat.S_IMODE((platform / "source").stat().st_mode) == 0o700
    assert stat.S_IMODE((platform / "results" / "results.json").stat().st_mode) == 0o644


@pytest.mark.parametrize(
    "level",
    ["auto", pytest.param("none", marks=pytest.mark.skipif(os.geteuid() != 0, reason="needs a user id to give up"))],
)
def test_a_program_reaches_neither_results_nor_course(platform: Path, level: str) -> None:
    names = ("results/results.json", "source/course/specs/echo.yaml", "source/course/reference/echo.py")
    paths = [str(platform / name) for name in names]
    install(platform, program=HARMFUL.format(paths=paths), sandbox=level)
    assert score(autograde(platform)) == 10
    assert all(Path(path).stat().st_size for path in paths)


def test_metadata_is_no_part_of_a_command(platform: Path) -> None:
    install(platform)
    names = [f"$(touch {platform}/harm)", "`id`", "--spec=/etc/passwd", "a\nb; exit 0", "\u202e'\""]
    metadata = {"users": [{"name": name} for name in names]}
    (platform / "submission_metadata.json").write_text(json.dumps(metadata))
    assert score(autograde(platform)) == 10
    assert not (platform / "harm").exists()


# ---------------------------------------------------------------- no grade, and no zero either


@each_row
def test_without_a_grade_there_is_no_score(
    platform: Path, removed: list[str], written: dict[str, str], told: str
) -> None:
    install(platform)
    (platform / "results" / "results.json").write_text('{"score": 100}')  # of the image, or of a hostile mind
    for path in (platform / name for name in removed):
        path.unlink() if path.is_symlink() else shutil.rmtree(path)
    lay(platform, written)
    results = autograde(platform)
    assert not is_graded(results)
    assert told in results["output"]


def test_a_container_without_namespaces_is_told_with_its_remedy(platform: Path) -> None:
    install(platform)
    command = ["bwrap", "--unshare-user", "--uid", "1000", "--gid", "1000", "--disable-userns", "--dev-bind", "/", "/"]
    results = autograde(platform, *command)
    assert not is_graded(results)
    assert "user namespaces" in results["output"] or "user_namespaces" in results["output"]
    assert "systempaths=unconfined" in results["output"]


@pytest.mark.skipif(os.geteuid() != 0, reason="level container is for root, as who grades on the platform is")
@pytest.mark.parametrize(
    ("sandbox", "level"), [("auto", "container"), ("container", "container"), ("full", None), ("none", "none")]
)
def test_the_best_level_that_a_container_allows_is_taken(platform: Path, sandbox: str, level: str | None) -> None:
    install(platform, sandbox=sandbox)
    results = autograde(platform, sys.executable, "-c", AS_DOCKER, PYTHONPATH=str(ROOT))
    if level is None:
        assert not is_graded(results)
        assert "--sandbox container" in results["output"]
    else:
        assert (score(results), results["extra_data"]["sandbox"]) == (10, level)


def test_a_reference_that_fails_is_no_students_fault(platform: Path) -> None:
    install(platform)
    (platform / "source" / "course" / "reference" / "echo.py").write_text("raise SystemExit(127)\n")
    results = autograde(platform)
    assert "ungraded" in json.dumps(results).lower() or "not graded" in json.dumps(results).lower()
    assert not results.get("score")


# ---------------------------------------------------------------- setup.sh


@pytest.mark.timeout(180)
def test_setup_installs_a_grader_that_grades(platform: Path, tmp_path: Path) -> None:
    unpack(platform, SPEC)
    (platform / "submission" / "echo.py").write_text(ECHO)
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "apt-get").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n')  # the machine is not to change
    (bin_folder / "apt-get").chmod(0o755)
    env = os.environ | {"PATH": f"{bin_folder}:/usr/local/bin:/usr/bin:/bin", "AUTOGRADER_ROOT": str(platform)}
    subprocess.run([platform / "source" / "setup.sh"], env=env, cwd=platform, check=True, timeout=170)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked[0] == "update --quiet"
    assert asked[1].endswith("bubblewrap python3 util-linux")
    installed = (platform / "venv" / "lib").glob("python3*/site-packages/grader/exports/gradescope_container")
    assert {"setup.sh", "run_autograder"} <= {path.name for folder in installed for path in folder.iterdir()}
    assert score(autograde(platform)) == 10


# ---------------------------------------------------------------- the command


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return run_grader("export", "gradescope-zip", *arguments, cwd=folder)


def test_the_command_writes_the_zip(tmp_path: Path) -> None:
    course(tmp_path)
    done = command(tmp_path, "echo", "--minutes", "40")
    assert done.returncode == 0, done.stderr
    assert b"without a sandbox" not in done.stderr
    with ZipFile(tmp_path / "echo-gradescope.zip") as archive:
        assert archive.read("settings/seconds") == b"2340\n"
        assert archive.read("settings/sandbox") == b"auto\n"
    again = command(tmp_path, "specs/echo.yaml", "--minutes", "40", "--out", "-")
    assert again.stdout == (tmp_path / "echo-gradescope.zip").read_bytes()


def test_grading_without_a_sandbox_is_asked_for_and_warned_of(tmp_path: Path) -> None:
    course(tmp_path)
    done = command(tmp_path, "echo", "--sandbox", "none", "--out", "out.zip")
    assert done.returncode == 0
    assert b"without a sandbox" in done.stderr
    with ZipFile(tmp_path / "out.zip") as archive:
        assert archive.read("settings/sandbox") == b"none\n"


@each_row
def test_what_cannot_be_packed_is_told(tmp_path: Path, arguments: tuple[str, ...], told: bytes) -> None:
    course(tmp_path)
    done = command(tmp_path, *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert not list(tmp_path.glob("*.zip"))
