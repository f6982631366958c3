"""Courses inside courses: a student's is refused, and the instructor's own is listed by the outer one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.reader.locate import find_spec, require_own, root_at
from tests.support.commands import run_grader_text
from tests.support.courses import SPEC
from tests.support.courses import course as lay_course
from tests.support.packages import lay
from tests.support.rows import each_row

HOSTILE_CHECK = "open('{canary}', 'w').close()\n\n\ndef fine(output):\n    pass\n"
HOSTILE_TOOLS = "evil:\n  like: c\n  version: [sh, -c, 'touch {canary}']\n"


def _spec(root: Path, name: str = "echo", text: str = SPEC) -> Path:
    return lay(root / "specs", {f"{name}.yaml": text}) / f"{name}.yaml"


@each_row
def test_a_course_in_a_course_is_refused(inner: str, configuration: str | None, tmp_path: Path) -> None:
    spec = _spec(tmp_path)
    if configuration is not None:
        (tmp_path / "grader.yaml").write_text(configuration)
    own = _spec(tmp_path / inner)
    looks: list[Callable[[], Path]] = [
        lambda: find_spec("echo", (), own.parents[1]),
        lambda: find_spec("echo", (), own.parent),
        lambda: find_spec(str(own), (), tmp_path),
        lambda: find_spec(str(own), [tmp_path / "elsewhere" / "bob"], tmp_path),
        lambda: find_spec("echo", [tmp_path / "elsewhere" / "bob"], own.parents[1]),
        lambda: find_spec(None, [tmp_path / "elsewhere" / "bob"], own.parents[1]),
        lambda: root_at(own.parents[1]),
    ]
    for look in looks:
        with pytest.raises(UsageError, match="a student may have written them, and nothing there is used"):
            look()
    assert find_spec("echo", (), tmp_path) == spec


@pytest.mark.parametrize("marker", ["grader.yaml", "toolchains.yaml", "specs/own.yaml"])
def test_each_file_of_a_course_makes_one(marker: str, tmp_path: Path) -> None:
    _spec(tmp_path)
    inner = tmp_path / "handed-in" / "mallory"
    (inner / "specs").mkdir(parents=True)
    assert find_spec("echo", (), inner) == tmp_path / "specs" / "echo.yaml"
    (inner / marker).write_text("spec: ../../specs/easy.yaml\n")
    with pytest.raises(UsageError, match="lies inside the course"):
        find_spec("echo", (), inner)


@pytest.mark.parametrize("pattern", ["examples/*", "examples/bank", "./examples/bank/", "/examples/bank", "*/b*"])
def test_a_course_that_is_listed_is_the_instructor_s(pattern: str, tmp_path: Path) -> None:
    _spec(tmp_path)
    (tmp_path / "grader.yaml").write_text(f"courses: ['{pattern}']\n")
    own = _spec(tmp_path / "examples" / "bank")
    assert find_spec("echo", (), own.parents[1]) == own
    assert root_at(own.parents[1]) == own.parents[1]


def test_a_list_in_what_was_handed_in_counts_for_nothing(tmp_path: Path) -> None:
    _spec(tmp_path)
    mallory = tmp_path / "handed-in" / "mallory"
    own = _spec(mallory / "inner")
    (mallory / "grader.yaml").write_text("courses: [inner]\n")
    with pytest.raises(UsageError, match="lies inside the course"):
        require_own(own.parents[1])


def test_a_configuration_in_what_was_handed_in_is_not_read(tmp_path: Path) -> None:
    mallory = tmp_path / "submissions" / "mallory"
    own = _spec(mallory / "inner")
    (mallory / "grader.yaml").write_text("courses: [[]]\n")
    with pytest.raises(UsageError, match="where work is handed in"):
        require_own(own.parents[1])


def test_a_spec_above_that_nobody_may_read_makes_no_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unreadable = _spec(tmp_path)
    own = _spec(tmp_path / "teaching")
    monkeypatch.setattr("os.access", lambda path, _: path != unreadable)  # whatever root may read
    require_own(own.parents[1])


def test_a_link_to_what_was_handed_in_is_no_way_around(tmp_path: Path) -> None:
    _spec(tmp_path / "course")
    own = _spec(tmp_path / "course" / "handed-in" / "mallory")
    (tmp_path / "shortcut").symlink_to(own.parents[1])
    with pytest.raises(UsageError, match="lies inside the course"):
        find_spec("echo", (), tmp_path / "shortcut")


@pytest.mark.parametrize("text", ["openapi: 3.0.0\n", "spec: 10\n", ""])
def test_other_people_s_folder_named_specs_makes_no_course(text: str, tmp_path: Path) -> None:
    _spec(tmp_path, "api", text)
    own = _spec(tmp_path / "teaching")
    assert find_spec("echo", (), own.parents[1]) == own


def test_the_root_of_the_spec_that_a_configuration_names_is_a_course(tmp_path: Path) -> None:
    own = _spec(tmp_path / "teaching")
    (tmp_path / "grader.yaml").write_text("spec: teaching/specs/echo.yaml\n")
    assert find_spec("echo", (), own.parents[1]) == own


def test_specs_may_be_in_folders_of_specs(tmp_path: Path) -> None:
    _spec(tmp_path)
    path = lay(tmp_path / "specs/week1", {"echo.yaml": SPEC}) / "echo.yaml"
    assert find_spec(str(path), (), tmp_path) == path


@each_row
@pytest.mark.slow
def test_no_command_runs_a_check_of_the_folder_that_somebody_works_in(words: list[str], tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    lay_course(tmp_path)
    mallory = tmp_path / "handed-in" / "mallory"
    spec = lay_course(
        mallory, SPEC.replace("expect: reference", 'expect: {stdout: {check: "reference/checks.py:fine"}}')
    )
    hostile = {"reference/checks.py": HOSTILE_CHECK, "toolchains.yaml": HOSTILE_TOOLS}
    lay(mallory, {"queens": spec.read_text(), **{name: text.format(canary=canary) for name, text in hostile.items()}})
    lay(tmp_path, dict.fromkeys(("handed-in/bob/echo.py", "others/bob/echo.py"), "print()\n"))
    done = run_grader_text(*words, cwd=mallory)
    assert (done.returncode, canary.exists()) == (2, False), done.stdout + done.stderr
    assert "a student may have written them" in done.stderr or words[0] == "export", done.stderr
