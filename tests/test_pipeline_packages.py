"""Packages that an assignment requires: installed once, seen by all that the course runs, and only read by students.

The package is a wheel that the test makes itself; no network is needed.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.commands import run_grader_text
from tests.support.packages import lay
from tests.support.rows import read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
PROGRAM = DATA["PROGRAM"]
COURSE = DATA["COURSE"]
UNIT = DATA["UNIT"]
WRITER = DATA["WRITER"]


@pytest.fixture(scope="module")
def course() -> Iterator[Path]:
    """Lay out a course with its cache, in a folder that every user can enter, since programs run as others."""
    folder = Path(tempfile.mkdtemp(prefix="packages-", dir="/var/tmp"))
    folder.chmod(0o755)
    lay(
        folder,
        {
            "specs/tiny.yaml": SPEC,
            "reference/main.py": PROGRAM,
            "reference/course.py": COURSE,
            "reference/test_main.py": UNIT,
            "work/alice/main.py": PROGRAM,
            "work/shadow/main.py": PROGRAM,
            "work/shadow/tiny_numbers.py": "def twice(n):\n    return 0\n",
            "work/writer/main.py": WRITER,
        },
    )
    make_wheel(folder / "wheels", "1.2", "def twice(n):\n    return 2 * n\n")
    yield folder
    shutil.rmtree(folder)


def make_wheel(folder: Path, version: str, source: str) -> None:
    """Write a wheel with one module."""
    folder.mkdir(exist_ok=True)
    info = f"tiny_numbers-{version}.dist-info"
    with ZipFile(folder / f"tiny_numbers-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_numbers.py", source)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: tiny-numbers\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", f"tiny_numbers.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")


def grader(course: Path, *words: str, cache: str = "cache") -> subprocess.CompletedProcess[str]:
    return run_grader_text(*words, cwd=course, environment={"XDG_CACHE_HOME": str(course / cache)})


def scores(course: Path, name: str, *options: str) -> dict[str, tuple[str, str]]:
    grader(course, "run", f"work/{name}", "--spec", "tiny", *options)
    report = json.loads((course / f"reports/tiny/{name}/report.json").read_bytes())
    return {test["name"]: (test["verdict"], test["cases"][0]["stdout"]) for test in report["tests"]}


def test_what_is_not_installed_is_no_zero(course: Path) -> None:
    told = (
        "tiny-numbers>=1.0 is not installed for Python 3.11, and the assignment requires it: run `grader packages "
        "tiny` once on this machine"
    ).replace("3.11", system_version())
    graded = grader(course, "run", "work/alice", "--spec", "tiny", cache="empty")
    assert (graded.returncode, graded.stderr) == (3, f"grader: {told}\n")
    assert not (course / "reports").exists()
    linted = grader(course, "lint", "specs/tiny.yaml", cache="empty")
    assert linted.returncode == 0
    assert f"({told}" in linted.stderr


def system_version() -> str:
    shown = subprocess.run(["/usr/bin/python3", "--version"], capture_output=True, text=True, check=True).stdout
    return ".".join(shown.split()[1].split(".")[:2])


@pytest.mark.slow
def test_packages_are_installed_once_and_all_see_them(course: Path) -> None:
    refused = grader(course, "packages", "tiny", "--wheels", "specs")
    assert refused.returncode == 3
    assert "pip cannot install the packages: No matching distribution found for tiny-numbers>=1.0" in refused.stderr
    first = grader(course, "packages", "tiny", "--wheels", "wheels", "--format", "json")
    assert first.returncode == 0, first.stderr
    made = json.loads(first.stdout)["environments"][0]
    assert (made["packages"], made["new"]) == ({"tiny-numbers": "1.2"}, True)
    assert "already installed" in grader(course, "packages", "tiny").stdout

    for options in (["--sandbox", "full"], ["--sandbox", "container"], ["--sandbox", "none"]):
        if options[1] == "container" and os.geteuid() != 0:
            continue
        assert {name: verdict for name, (verdict, _) in scores(course, "alice", *options).items()} == dict.fromkeys(
            ("program", "function", "unit", "checked", "drawn"), "passed"
        ), options
    report = json.loads((course / "reports/tiny/alice/report.json").read_bytes())
    assert report["toolchain"]["tiny-numbers"] == "tiny-numbers 1.2"

    # A module of the student's is in place of it in their program, and not in the course's unit test.
    shadowed = {name: verdict for name, (verdict, _) in scores(course, "shadow").items()}
    assert shadowed == {name: "failed" for name in shadowed if name != "unit"} | {"unit": "passed"}
    assert scores(course, "writer")["program"][1] == "wrote [] True\n"
    if os.geteuid() == 0:
        assert scores(course, "writer", "--sandbox", "container")["program"][1] == "wrote [] True\n"

    # Another version is another answer of the reference.
    make_wheel(course / "wheels", "1.3", "def twice(n):\n    return 2 * n + 0\n")
    again = grader(course, "packages", "tiny", "--wheels", "wheels", "--fresh")
    assert "tiny-numbers 1.3" in again.stdout
    assert scores(course, "alice")["drawn"][0] == "passed"
