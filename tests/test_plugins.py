"""Formats and style tools of an installed package: a folder on the path is one, with the facts that pip writes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.core import plugins
from grader.core.errors import UsageError
from grader.exports.registry import EXPORTS, find_export
from grader.imports.registry import IMPORTERS
from tests.support.courses import SPEC, course
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

ROOT = Path(__file__).parent.parent
DATA = read_data(__file__)
MODULE = DATA["MODULE"]
ENTRIES = DATA["ENTRIES"]
STYLE = SPEC[: SPEC.index("tests:")] + "tests:\n  - {name: marks, points: 10, style: {run: marks}}\n"


def install(folder: Path, name: str = "acme-grader", version: str = "1.0", entries: str = ENTRIES) -> None:
    facts = {"METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "entry_points.txt": entries}
    lay(folder / f"{name.replace('-', '_')}.dist-info", facts)
    (folder / "acme_grader.py").write_text(MODULE)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(tmp_path / "packages")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'packages'}{os.pathsep}{ROOT}")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    course(tmp_path / "work")
    programs = {"alice/echo.py": "import sys\nprint(*sys.argv[1:])\n", "bob/echo.py": "print()  # TODO\n"}
    lay(tmp_path / "work" / "submissions", programs)
    return tmp_path / "work"


def call(work: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", *words]
    return subprocess.run(command, check=False, cwd=work, capture_output=True, text=True, timeout=100)


def test_exporters_and_report_formats_come_from_a_package(work: Path) -> None:
    assert call(work, "class", "submissions", "--spec", "echo", "--out", "out").returncode == 0
    exported = call(work, "export", "names", "out")
    assert (exported.returncode, exported.stdout, exported.stderr) == (0, "alice\nbob\n", "")
    report = call(work, "export", "short", "out", "--student", "alice", "--after-due")
    assert (report.returncode, report.stdout) == (0, "alice 10.0 True\n")
    assert "--student" in call(work, "export", "short", "out").stderr
    # What is ours nobody replaces.
    assert call(work, "export", "csv", "out").returncode == 0


def test_an_importer_comes_from_a_package(work: Path) -> None:
    (work / "one.txt").write_text("hello\n")
    done = call(work, "import", "one", "one.txt", "--id", "hello")
    assert (done.returncode, done.stderr) == (0, "")
    assert '"hello\\n"' in (work / "specs" / "hello.yaml").read_text()


@each_row
def test_what_is_broken_is_a_wrong_usage(work: Path, monkeypatch: pytest.MonkeyPatch, name: str, told: str) -> None:
    monkeypatch.syspath_prepend(str(work.parent / "packages"))
    # Another test in this process may have asked what is installed, and another will.
    monkeypatch.setattr(plugins, "_installed", plugins.__dict__["_installed"].__wrapped__)
    with pytest.raises(UsageError) as refused:
        find_export(name)
    sys.modules.pop("acme_grader", None)
    assert told in str(refused.value)


def test_what_is_in_several_packages_is_a_wrong_usage(work: Path) -> None:
    twice = "[grader.exports]\ntwice = acme_grader:names\n"
    install(work.parent / "packages", entries=twice)
    install(work.parent / "packages", "other-grader", "2.0", twice)
    done = call(work, "export", "twice", ".")
    assert done.returncode == 2
    assert "in several installed packages: acme-grader 1.0, other-grader 2.0; uninstall" in done.stderr


@each_row
def test_what_is_not_there_is_a_wrong_usage(work: Path, command: str, told: tuple[str, ...]) -> None:
    done = call(work, command, "nope", ".")
    assert done.returncode == 2
    assert "there is no format 'nope'; there are\n" in done.stderr
    assert [words for words in told if f"\n  {words}" not in done.stderr] == []


def test_a_style_tool_of_a_package_judges_and_its_version_is_part_of_the_grade(work: Path) -> None:
    (work / "specs" / "echo.yaml").write_text(STYLE)

    def graded() -> tuple[str, dict[str, float], str]:
        done = call(work, "class", "submissions", "--spec", "echo", "--out", "out")
        assert done.returncode == 0, done.stderr
        reports = [json.loads((work / "out" / name / "report.json").read_text()) for name in ("alice", "bob")]
        return done.stdout, {one["submission"]["id"]: one["score"] for one in reports}, reports[0]["toolchain"]["marks"]

    _, scores, version = graded()
    assert scores == {"alice": 10, "bob": 0}
    assert version.endswith("(acme-grader 1.0)")
    again, _, _ = graded()
    assert "2 of them are unchanged" in again
    install(work.parent / "packages", version="1.1")
    assert "unchanged" not in graded()[0]
    # Whoever works on a package changes no version.
    module = work.parent / "packages" / "acme_grader.py"
    module.write_text(MODULE.replace('"TODO"', '"import"'))
    assert graded()[1:] == ({"alice": 0, "bob": 10}, version.replace("1.0", "1.1"))


@each_row
def test_a_spec_that_asks_for_no_tool_has_a_mistake(work: Path, name: str, told: str) -> None:
    (work / "specs" / "echo.yaml").write_text(STYLE.replace("marks}", f"{name}}}"))
    done = call(work, "lint", "specs/echo.yaml")
    assert done.returncode == 2
    assert told in done.stderr + done.stdout


def test_packages_are_looked_for_only_when_a_name_is_not_ours() -> None:
    code = DATA["FINDS_OURS"].format(exports=list(EXPORTS), importers=list(IMPORTERS))
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=ROOT)
