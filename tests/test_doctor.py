"""`grader doctor` on this machine, and on the same one with something taken away."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader import cli
from grader import doctor as doctor_module
from grader.core import languages, sandbox
from grader.core.errors import HostError
from grader.core.model.spec import LANGUAGES, Requirement
from grader.core.sandbox import outer
from grader.doctor import diagnose, is_fit, machine_requirements, requirements_to_json, requirements_to_text
from grader.kinds.style.model import STYLE_TOOLS
from tests.support.commands import run_grader_text
from tests.support.languages import is_here
from tests.support.rows import each_row


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def by_name(findings: tuple[Requirement, ...]) -> dict[str, Requirement]:
    return {finding.name: finding for finding in findings}


def doctor(*words: str) -> subprocess.CompletedProcess[str]:
    return run_grader_text("doctor", *words)


def test_everything_that_the_tests_need_works_here() -> None:
    done = doctor("--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    findings = tuple(Requirement(**finding) for finding in told["findings"])
    assert [finding.name for finding in findings] == [
        "sandbox",
        *LANGUAGES,
        "pypy",
        *("pytest", "junit", "test reports", "grammars", *STYLE_TOOLS, "valgrind"),
        *("make", "grader", "temporary", "cache"),
    ]
    missing = {finding.name: finding.found for finding in findings if finding.state != "ok"}
    heavy = {"checkstyle", "clang-format", "pypy"}
    assert {
        name: found for name, found in missing.items() if name not in heavy and (name not in LANGUAGES or is_here(name))
    } == {}
    found = by_name(findings)
    assert "level full" in found["sandbox"].found
    assert "its starter and the starter's library " in found["sandbox"].found
    assert "javac 1" in found["java"].found or "javac 2" in found["java"].found
    assert all("a small program works" in found[name].found for name in LANGUAGES if is_here(name))
    assert told["ok"]


def test_of_all_languages_those_alone_that_are_named() -> None:
    done = doctor("shell", "python", "shell")
    assert (done.returncode, done.stderr) == (0, "")
    table = [line.split() for line in done.stdout.splitlines()]
    assert [(name, state) for name, state, *_ in table][:4] == [
        ("sandbox", "ok"),
        ("shell", "ok"),
        ("python", "ok"),
        ("pytest", "ok"),
    ]
    assert [name for name, *_ in table][4:] == [
        "junit",
        "test",  # reports
        "grammars",
        *STYLE_TOOLS,
        "valgrind",
        "make",
        "grader",
        "temporary",
        "cache",
    ]


def test_a_language_that_nobody_knows_is_a_wrong_usage() -> None:
    done = doctor("shell", "cobol")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'cobol' is not one of" in done.stderr


def test_without_bubblewrap_nothing_is_fit_and_the_command_exits_with_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(outer, "PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["grader", "doctor"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["sandbox", "broken"]
    assert "apt-get install bubblewrap" in lines[0]
    assert "/usr/bin/javac, not tried" in lines[1]


def test_too_few_open_files_break_the_sandbox_and_all_else_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise HostError("a program may open 256 files, and the grader itself only 64")

    monkeypatch.setattr(sandbox, "raise_open_files", refuse)
    found = by_name(diagnose(["shell"]))
    assert (found["sandbox"].state, found["sandbox"].found[:22]) == ("broken", "a program may open 256")
    assert found["shell"].found.endswith("sh, not tried")


def test_a_missing_tool_is_told_with_its_package_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sh", "python3"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    monkeypatch.setattr(languages, "SYSTEM_PATH", str(tmp_path))
    findings = diagnose()
    found = by_name(findings)
    assert is_fit(findings)
    assert (found["prolog"].state, found["prolog"].remedy) == ("missing", "apt-get install swi-prolog-nox")
    assert (found["make"].state, found["make"].remedy) == ("missing", "apt-get install make")
    assert (found["python"].state, found["shell"].state) == ("ok", "ok")
    told = [" ".join(line.split()) for line in requirements_to_text(findings).splitlines()]
    assert "prolog missing there is no swipl; apt-get install swi-prolog-nox" in told


def test_required_packages_are_missing_where_there_is_no_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/mean.yaml").write_text("requires: [tiny-numbers]\n")
    (tmp_path / "specs/.#mean.yaml").symlink_to("ada@desk.4711")  # as Emacs marks a file with unsaved changes
    monkeypatch.setattr(languages, "SYSTEM_PATH", str(tmp_path))
    (packages,) = doctor_module.package_requirements(tmp_path)
    assert (packages.name, packages.state, packages.remedy) == ("packages", "missing", "grader packages mean")
    assert "python3" in packages.found


def test_a_cache_in_a_folder_that_another_user_closed_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lets_in(path: Path, mode: int) -> bool:  # as the kernel answers a user that is not root
        return mode == os.F_OK and Path(path) != closed / "grader" / "answers-4" and closed not in Path(path).parents

    closed = tmp_path / "cache"
    monkeypatch.setattr(doctor_module, "why_untrusted", lambda _: "")
    monkeypatch.setattr(os, "access", lets_in)
    cache = by_name(tuple(machine_requirements()))["cache"]
    assert (cache.state, cache.remedy) == ("missing", "name another folder in XDG_CACHE_HOME")
    assert cache.found == f"this user cannot write to {closed}, so {closed}/grader/answers-4 cannot be used"


@each_row
def test_a_toolchain_that_does_not_work_is_told(
    hello: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "toolchains.yaml"
    data.write_text(f"shell:\n  version: [sh, -c, echo a shell]\n  package: dash\n  hello: {hello}\n")
    monkeypatch.setattr(doctor_module, "TOOLCHAINS_FILE", data)
    shell = by_name(diagnose())["shell"]
    assert (shell.state, shell.remedy) == ("missing", "apt-get install dash")
    assert shell.found.startswith("a shell, but a small program does not work: ")
    assert fault in shell.found


def test_a_temporary_folder_that_cannot_be_used_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/dev/null")
    found = {finding.name: finding for finding in machine_requirements()}
    assert found["temporary"].state == "broken"
    assert "TMPDIR" in found["temporary"].remedy
    assert not is_fit(tuple(found.values()))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert is_fit(tuple(machine_requirements()))


def test_json_says_what_the_table_says() -> None:
    findings = (Requirement(name="sandbox", state="broken", found="it is not there", remedy="install it"),)
    assert json.loads(requirements_to_json(findings)) == {
        "ok": False,
        "findings": [{"name": "sandbox", "state": "broken", "found": "it is not there", "remedy": "install it"}],
    }
    assert requirements_to_text(findings) == "sandbox  broken   it is not there; install it"
