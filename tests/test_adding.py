"""The steps of CONTRIBUTING.md for an addition are carried out in a copy, just these, and the result is used."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.packages import lay
from tests.support.rows import read_data

ROOT = Path(__file__).parents[1]
STEP = re.compile(
    r"""\[`(?P<new>[^`]+)`\]\((?P<example>tests/adding/[^)]+)\)
        |^\ *```\w+\ in="(?P<file>[^"]+)"\ after="(?P<after>(?:\\"|[^"])*)"\n(?P<text>.*?)^\ *```$""",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
LISTS = ("grader/core/build/toolchains.yaml", "tests/core/build/programs.yaml")
"""an example of an entry is added at the end of these"""
DATA = read_data(__file__)
ADDITIONS = DATA["ADDITIONS"]


class Step(NamedTuple):
    """A file to write, or lines to insert after a line of one, or at its end."""

    file: str
    text: str
    after: str | None = None

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def is_new(self) -> bool:
        return not (ROOT / self.file).exists()


def steps(title: str) -> list[Step]:
    """Return the steps under the heading "How to add a ..." that can be carried out."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    section = re.search(rf"^## How to add an? {title}\n(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL)
    assert section, title
    return [to_step(match) for match in STEP.finditer(section[1])]


def to_step(match: re.Match[str]) -> Step:
    if match["new"]:
        return Step(match["new"], (ROOT / match["example"]).read_text())
    # A block in a list is indented by three blanks more than what stands in it.
    text = "".join(line.removeprefix("   ") for line in match["text"].splitlines(keepends=True))
    return Step(match["file"], text, match["after"].replace('\\"', '"'))


def carry_out(step: Step, copy: Path) -> None:
    """Write a new file, or insert lines: behind the one that is named, which stands there once, or at the end."""
    path = copy / step.file
    if step.after is None:
        path.write_text((path.read_text() if path.exists() else "") + step.text)
        return
    after, before = f"\n{step.after}\n", path.read_text()
    assert before.count(after) == 1, (step.file, after)
    path.write_text(before.replace(after, after + step.text))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the program, and what makes its pages."""
    folder = tmp_path / "copy"
    for name in ("grader", "docs/generate", "tests/core/build", "tests/support"):
        shutil.copytree(ROOT / name, folder / name)  # with what is compiled: a change has another time
    return folder


def run(copy: Path, words: str, work: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the copy, or a program of Python with it."""
    env = {**os.environ, "PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(copy / "cache"), "COLUMNS": "120"}
    own = ["-m", *shlex.split(words)] if words.startswith("grader ") else ["-c", words]
    return subprocess.run(
        [sys.executable, *own], cwd=work, env=env, capture_output=True, text=True, timeout=100, check=False
    )


def fits(found: Any, wanted: Any) -> bool:
    """Whether a value is the one that is stated; `…` in a text stands for any text of a line."""
    if not isinstance(wanted, str):
        return bool(found == wanted)
    return re.fullmatch(re.escape(wanted).replace("…", ".*"), found) is not None


def check_run(copy: Path, work: Path, asked: Mapping[str, Any]) -> None:
    spec = work / "specs" / "echo.yaml"
    before = spec.read_text() if spec.exists() else ""
    for old, new in asked.get("change", {}).items():
        assert old in before
        spec.write_text(before.replace(old, new))
    done = run(copy, asked["run"].replace("SPEC", str(spec)), work)
    said = f"\n{done.stdout}{done.stderr}"
    assert done.returncode == asked.get("code", 0), said
    for text in asked.get("says", ()):
        assert re.search(re.escape(text).replace("…", ".*"), said), said
    if "change" in asked:
        spec.write_text(before)


@pytest.mark.parametrize("title", ADDITIONS)
def test_every_step_names_a_place_that_is_there(title: str) -> None:
    found, most = steps(title), ADDITIONS[title].get("lines", [])
    assert found
    for step in found:
        assert (ROOT / step.file).parent.is_dir()
        assert step.is_new == (step.after is None and step.file not in LISTS), step.file
    assert len(most) in (0, len(found))
    assert all(step.lines <= lines for step, lines in zip(found, most, strict=False))
    assert len({step.file for step in found}) <= ADDITIONS[title].get("files", len(found))


def test_every_example_is_a_step() -> None:
    linked = re.findall(r"\]\((tests/adding/[^)]+)\)", (ROOT / "CONTRIBUTING.md").read_text())
    kept = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests/adding").glob("*/*.*")}
    assert kept == set(linked)


@pytest.mark.slow
@pytest.mark.parametrize("title", ADDITIONS)
def test_an_addition_by_the_steps_works(title: str, copy: Path, tmp_path: Path) -> None:
    for step in steps(title):
        carry_out(step, copy)
    asked, work = ADDITIONS[title], tmp_path / "work"
    programs = {
        f"echo/{name}/{asked.get('named', 'echo.py')}": text for name, text in asked.get("programs", {}).items()
    }
    lay(work, {**programs, **asked.get("texts", {})})
    if "spec" in asked:
        words = {"LANGUAGE": "python", "PROGRAM": "python3", "TOLERATE": "", **asked["spec"]}
        text = re.sub("|".join(map(re.escape, words)), lambda found: words[found[0]], DATA["SPEC"])
        lay(work, {"specs/echo.yaml": text.replace("STDOUT", "a")})
    for command in asked.get("first", ()):
        check_run(copy, work, command)
    for name, wanted in asked.get("cases", {}).items():
        ran = run(copy, f"grader run echo/{name} --spec echo --format json", work)
        assert ran.stdout, ran.stderr
        case = json.loads(ran.stdout)["tests"][0]["cases"][0]
        case["kinds"] = [one["kind"] for one in case["deviations"]]
        assert {key: case.get(key) for key in wanted if not fits(case.get(key), wanted[key])} == {}
    for command in asked.get("then", ()):
        check_run(copy, work, command)
