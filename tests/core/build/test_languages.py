"""Each language for real: programs that cannot be read, that crash, that take all memory, that never end."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from grader.core.errors import HostError
from grader.core.model.spec import LANGUAGES
from grader.core.pipeline import Course, prepare
from tests.support.courses import grade_files
from tests.support.languages import IN_CI, TOOLCHAINS, each
from tests.support.packages import lay
from tests.support.rows import read_data, read_yaml

SPEC = read_data(__file__)["SPEC"]
PROGRAMS: Any = read_yaml(Path(__file__).with_name("programs.yaml"))
MEMORY = {"memory": "96 MiB"}


def course_in(language: str, root: Path, cpu: str) -> Course:
    told = PROGRAMS[language]
    build = f"build: {{run: {told['build']}, produces: {told['produces']}}}\n" if "build" in told else ""
    text = SPEC.format(
        language=language,
        file=told["file"],
        build=build,
        program=told["program"],
        cpu=cpu,
        **MEMORY | told.get("limits", {}),
    )
    return prepare(lay(root, {"specs/one.yaml": text}) / "specs/one.yaml")


def test_every_language_beyond_the_first_has_programs_that_go_wrong() -> None:
    assert [name for name in LANGUAGES if name in PROGRAMS] == list(PROGRAMS)
    assert set(LANGUAGES) - set(PROGRAMS) == {"java", "python", "c", "cpp", "prolog", "shell"}
    assert len(IN_CI & set(PROGRAMS)) >= 5


@pytest.mark.slow
@each(*PROGRAMS)
def test_what_goes_wrong_is_told(language: str, tmp_path: Path) -> None:
    course, told = course_in(language, tmp_path, "4 s"), PROGRAMS[language]
    for kind in ("broken", "crash", "memory", "loop"):
        if kind not in told:
            continue
        if kind == "loop":
            course = course_in(language, tmp_path, told.get("cpu", "300 ms"))
        text = told[kind] if kind == "loop" else told[kind]["text"]
        report = grade_files(tmp_path / "specs/one.yaml", tmp_path / kind, {told["file"]: text}, course)
        case = report.tests[0].cases[0]
        verdicts = {
            "broken": "build-failed" if "build" in told or told["file"].endswith(".ipynb") else "crashed",
            "crash": "crashed",
            "loop": "timeout",
        }
        assert (kind, case.verdict) == (kind, verdicts.get(kind, "memory")), case.message
        if kind != "loop":
            assert told[kind].get("told", "").replace("`", "") in case.message.replace("`", "")


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_pattern_ends_soon_whatever_a_program_says(name: str) -> None:
    found = TOOLCHAINS[name]
    patterns = (*found.crash, *found.unreadable, *found.cannot_start, *found.frames, *found.end_of_input)
    patterns += (*found.uncaught, *found.load_errors, *found.out_of_memory, *found.out_of_stack, *found.errors)
    hostile = [b"a:1: " * 6000, b"/a" * 15000, b"\n" * 30000, b"at a line 1,\n" * 2500, b"    at (/a" * 3000]
    for pattern in patterns:
        for said in hostile:
            re.search(pattern.encode(), said)  # the suite's own limit of time ends what does not


def test_a_language_that_is_missing_is_no_failure_of_a_student(tmp_path: Path) -> None:
    tools = "zig: {version: [zig-that-is-not-here, version], package: zig}\n"
    text = SPEC.format(language="zig", file="a.zig", build="", program="./a", cpu="1 s", **MEMORY)
    lay(tmp_path, {"toolchains.yaml": tools, "specs/one.yaml": text})
    with pytest.raises(HostError, match=r"zig-that-is-not-here is missing .*apt-get install zig"):
        prepare(tmp_path / "specs/one.yaml")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")
@each("javascript")
def test_at_level_container_its_configuration_can_be_read(language: str, tmp_path: Path) -> None:
    course_in(language, tmp_path, "4 s")
    course, told = prepare(tmp_path / "specs/one.yaml", sandbox="container"), PROGRAMS[language]
    files = {told["file"]: told["crash"]["text"]}
    report = grade_files(tmp_path / "specs/one.yaml", tmp_path / "work", files, course)
    assert report.tests[0].cases[0].verdict == "crashed"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")
@each("csharp")
def test_what_works_at_one_level_is_not_taken_to_work_at_another(language: str, tmp_path: Path) -> None:
    """At level `container` mono cannot look into /proc, and no student's work may be said to be at fault."""
    assert course_in(language, tmp_path, "4 s").versions
    with pytest.raises(HostError, match="mcs --version does not work in the sandbox"):
        prepare(tmp_path / "specs/one.yaml", sandbox="container")
