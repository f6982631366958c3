"""What style tools find in sources: their formats, each tool for real, and students who want to be let off."""

import os
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec import defstruct
from msgspec.structs import replace

from grader.core import run
from grader.core.cache import user_cache
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.report import Examined
from grader.core.reader.spec import read
from grader.core.sandbox import choose
from grader.kinds.style import run as tool
from grader.kinds.style.findings import READERS
from grader.kinds.style.model import STYLE_TOOLS, FindingFormat, StyleCheck, StyleTool
from grader.kinds.style.run import shown_to_tool
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
IN_CI = ("ruff", "pycodestyle", "shellcheck")
"""those that `make test` installs: their tests never skip there"""

SARIF = DATA["SARIF"].encode()


@each_row
def test_each_format_is_read_from_either_stream(
    form: FindingFormat, written: bytes, found: list[tuple[str, int, str, str]]
) -> None:
    for streams in ((written, b""), (b"\n", written)):
        assert [(one.file, one.line, one.rule, one.what) for one in READERS[form](*streams)] == found


@each_row
def test_what_is_not_whole_is_not_taken_for_it(form: FindingFormat, written: bytes) -> None:
    with pytest.raises(ValueError, match=r"no |it "):
        READERS[form](written, b"")


# ---------------------------------------------------------------- tools, in the sandbox


def look(folder: Path, check: StyleCheck) -> Examined:
    """Let the tool of a check look at a folder, as grading does."""

    def start(launch: Launch) -> Execution:
        return run.runner.execute(choose("auto", tool.shown_to_tool(check.tool)), launch, Event())

    return tool.check_style(check, folder, (), start)


def asked(style: str, root: Path) -> StyleCheck:
    """Return what a spec asks of a tool."""
    head = "spec: 1\nid: x\ntitle: X\nprogram: x\ntests:\n"
    found = read(f"{head}  - name: style\n    style: {style}\n".encode(), "x.yaml", root).tests[0].cases[0].payload
    assert isinstance(found, StyleCheck)
    return found


def is_installed(name: str) -> bool:
    try:
        tool.find_style_tool(STYLE_TOOLS[name])
    except HostError:
        return name in IN_CI and "CI" in os.environ
    return True


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if is_installed(name) else pytest.mark.skip(f"{name} is not on this machine"))
        for name in STYLE_TOOLS
    ],
)
def test_no_comment_and_no_file_of_a_student_turns_a_tool_off(name: str, tmp_path: Path) -> None:
    rules, file, source, ignored, allowed = DATA["TOOLS"][name]
    (tmp_path / "rules.xml").write_text(DATA["RULES"])
    work = tmp_path / "work"
    work.mkdir()
    (work / file).write_text(source)
    for settings in ("setup.cfg", "tox.ini", ".shellcheckrc", "ruff.toml", ".clang-format", ".clang-format-ignore"):
        (work / settings).write_text("[pycodestyle]\nignore = E\n[lint]\nignore = ['ALL']\ndisable=all\n*\n")
    # Globs under which all of these would be handed to the tool as well.
    glob = f'files: ["{file}", "*.cfg"]' if name == "pycodestyle" else f'files: ["{file}"]'
    for suppress, total in (("ignored", ignored), ("allowed", allowed)):
        found = look(work, asked(f"{{run: {name}, {rules}, {glob}, suppress: {suppress}}}", tmp_path))
        assert (found.total, found.refused) == (total, ""), suppress
    if total := ignored:
        found = look(work, asked(f"{{run: {name}, {rules}}}", tmp_path))
        assert (found.total, found.files) == (total, (file,))


def test_files_with_odd_names_are_looked_at_under_their_own(tmp_path: Path) -> None:
    work = tmp_path / "work"
    names = ["-v.py", "a\nb.py", "x:1:y.py", "größe.py", "build/@a.py", "a b.py", os.fsdecode(b"\xff.py"), "a%20b.py"]
    for name in names:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("import os\n")
    (work / "link.py").symlink_to("/etc/passwd")
    (work / "ruff.toml").mkdir()
    (work / "ruff.toml" / "a.py").write_text("import os\n")
    (tmp_path / "ruff.toml").write_text('lint.select = ["F401"]\n')
    found = look(work, asked("{run: ruff, config: ruff.toml}", tmp_path))
    assert {(spot.file, spot.line, spot.rule, spot.source) for spot in found.spots} == {
        (name, 1, "F401", "import os") for name in names
    }
    assert found.total == len(names)


def own(*command: str, form: FindingFormat = "lines") -> StyleCheck:
    """A tool of a course's own that looks at all files of Python."""
    return StyleCheck(tool=StyleTool(name=command[0], command=command, format=form), options=(), files=("*.py",))


@each_row
def test_a_tool_that_fails_is_no_fault_of_the_student(
    command: list[str], form: FindingFormat, told: str, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("a\n")
    with pytest.raises(HostError, match=told):
        look(tmp_path, own(*command, form=form))


def test_a_tool_that_finds_nothing_has_ended_well_only_if_it_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a\n")
    assert look(tmp_path, own("echo", "b.py:1: x\na.py:9: E1 far\n/w/a.py:1: near\n")).total == 2
    assert look(tmp_path, own("true")).total == 0
    # Status 1 is that of findings, of which there are none; only who says nothing at all has ended well.
    done = [replace(own("sh", "-c", command).tool, done=(0, 1)) for command in ("exit 1", "echo no >&2; exit 1")]
    silent, speaking = (replace(own("true"), tool=one) for one in done)
    assert look(tmp_path, silent).total == 0
    with pytest.raises(HostError, match="failed: no"):
        look(tmp_path, speaking)


@each_row
def test_a_source_on_which_a_tool_fails_is_at_fault(
    script: str, form: FindingFormat, told: str, tmp_path: Path
) -> None:
    check = own("sh", "-c", script, "sh", form=form)
    (tmp_path / "a.py").write_text("a\n")
    (tmp_path / "b.py").write_text("bad\n")
    found = look(tmp_path, check)
    assert found.refused.startswith("`a.py`, `b.py` make sh fail, which works on empty files: ")
    assert told in found.refused
    (tmp_path / "b.py").write_text("good\n")
    assert not look(tmp_path, check).refused


@pytest.mark.parametrize("source", [f"x = {'-' * 400_000}1\n", ";" * 400_000])
def test_a_source_that_makes_ruff_crash_is_at_fault(source: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(source)
    refused = look(tmp_path, asked("{run: ruff, select: [E, F]}", tmp_path)).refused
    assert refused.startswith("`a.py` makes ruff fail, which works on empty files: ")


def test_a_busy_machine_is_not_the_fault_of_a_source(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("bad\n")
    failing = own("sh", "-c", 'grep -q bad "$@" && exit 3; true', "sh")

    def start(launch: Launch) -> Execution:
        return replace(
            run.runner.execute(choose("auto", shown_to_tool(failing.tool)), launch, Event()),
            doubts=frozenset({"cpu_starved"}),
        )

    with pytest.raises(HostError, match="status 3"):
        tool.check_style(failing, tmp_path, (), start)


def test_more_than_anybody_reads_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a\n")
    many = look(tmp_path, own("sh", "-c", "yes a.py:1: E1 | head -n 100000"))
    assert (many.total, len(many.spots)) == (100_000, 20)
    assert "more in these files than anybody reads" in look(tmp_path, own("sh", "-c", "yes a.py:1: E1")).refused
    (tmp_path / "b.py").write_text("x" * 2**21)
    assert "too much" in look(tmp_path, own("true")).refused


def test_the_versions_of_tools_are_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tests = "".join(f"  - {{name: {n}, style: {{run: ruff, select: [E]}}}}\n" for n in "ab")
    spec = read(f"spec: 1\nid: x\ntitle: X\nprogram: x\ntests:\n{tests}".encode(), "x.yaml", tmp_path)
    started: list[Launch] = []

    def start(tool: StyleTool, launch: Launch) -> Execution:
        started.append(launch)
        return run.runner.execute(choose("auto", shown_to_tool(tool)), launch, Event())

    monkeypatch.setattr(tool, "runner_for", lambda _course, tool: partial(start, tool))
    course: Any = defstruct("Course", ["spec", "cache", "versions"])(spec, user_cache(), {})
    for _ in range(2):
        versions = tool.prepare(course).versions
        assert versions["ruff"].startswith("ruff 0.")
    assert len(started) == 1


@pytest.mark.parametrize("declared", ["utf-7", "unicode_escape", "rot13"])
def test_a_source_in_an_encoding_that_hides_code_is_not_looked_at(declared: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"#!/usr/bin/python3\n# coding: {declared}\nimport os\n")
    ruff = StyleCheck(tool=STYLE_TOOLS["ruff"], options=("--isolated",))

    def never(_launch: Launch) -> Execution:
        raise AssertionError

    found = tool.check_style(ruff, tmp_path, (), never)
    assert f"`a.py` is in `{declared}`" in found.refused
