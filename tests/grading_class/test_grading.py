"""When a class is graded again: what our own code is belongs to the key of a report."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import grader
from grader.grading_class.grading import digest_of_sources
from tests.support.classes import small_class

PACKAGE = Path(grader.__file__).parent


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def older(folder: Path) -> None:
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        (older, True),
        (lambda folder: write(folder, "core/__pycache__/a.cpython-311.pyc", "x"), True),
        (lambda folder: write(folder, "core/__pycache__/a.cpython-311.pyc.140012", "x"), True),
        (lambda folder: write(folder, "core/starter-x86_64", "x"), True),
        (lambda folder: (folder / "core/.#a.py").symlink_to("me@here.4711"), True),
        (lambda folder: write(folder, "core/a.py", "x = 2\n"), False),
        (lambda folder: write(folder, "core/b.yaml", ""), False),
        (lambda folder: (folder / "core/a.py").rename(folder / "a.py"), False),
    ],
)
def test_the_digest_of_our_code_is_that_of_its_content(
    tmp_path: Path, change: Callable[[Path], object], *, is_same: bool
) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, "core/a.py", "x = 1\n")
    change(tmp_path / "two")
    assert (digest_of_sources(tmp_path / "one") == digest_of_sources(tmp_path / "two")) is is_same
    assert digest_of_sources() == digest_of_sources(PACKAGE)


@pytest.mark.slow
def test_a_class_is_graded_again_when_our_code_changed(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "code/grader", ignore=shutil.ignore_patterns("__pycache__"))
    folder = small_class(tmp_path, 2)

    def graded() -> str:
        command = (sys.executable, "-P", "-m", "grader", "class", folder)
        environment = os.environ | {"PYTHONPATH": str(tmp_path / "code"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100, check=False
        )
        return done.stdout + done.stderr

    first, second = graded(), graded()
    assert "unchanged" not in first
    assert "unchanged" in second
    path = tmp_path / "code/grader/core/judge/totals.py"
    path.write_text(path.read_text() + "\n# another rule\n")
    assert "unchanged" not in graded()
