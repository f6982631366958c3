"""Each language for real: right programs that ask much of the sandbox, at every level of it."""

import json
import os
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from grader.core.model.execution import Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import LANGUAGES
from grader.core.pipeline import prepare
from grader.core.run.runner import execute
from grader.core.sandbox import choose
from tests.support.courses import grade_files
from tests.support.languages import each
from tests.support.packages import lay
from tests.support.rows import read_data

DATA = read_data(__file__)
PROGRAMS: Any = DATA["PROGRAMS"]
SPEC = DATA["SPEC"]
COPIED, OK = r'stdout: "one\ntwo\n", stderr: "done\n"', r'stdout: "ok\n"'
LEVELS = pytest.mark.parametrize(
    "level",
    [
        "full",
        pytest.param("container", marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can do this")),
        "none",
    ],
)


def test_every_language_opens_its_streams() -> None:
    # The cells of a notebook are Python; tests/scenarios/notebooks runs them.
    assert list(LANGUAGES) == [*PROGRAMS, "notebook"]
    assert all("names" in told for told in PROGRAMS.values())


def verdict_of(language: str, kind: str, level: str, root: Path) -> tuple[str, str]:
    told = PROGRAMS[language]
    build = f"build: {{run: {told['build']}, produces: {told['produces']}}}\n" if "build" in told else ""
    expect, program = COPIED if kind == "names" else OK, json.dumps(told["program"])
    text = SPEC.format(language=language, file=told["file"], build=build, program=program, expect=expect)
    spec = lay(root, {"specs/one.yaml": text}) / "specs/one.yaml"
    report = grade_files(spec, root / "work", {told["file"]: told[kind]}, prepare(spec, sandbox=level))
    case = report.tests[0].cases[0]
    return case.verdict, case.message


@LEVELS
@each(*PROGRAMS)
def test_streams_are_opened_by_name(language: str, level: str, tmp_path: Path) -> None:
    if level not in PROGRAMS[language].get("levels", [level]):
        pytest.skip(f"{language} does not work at level {level}")
    assert verdict_of(language, "names", level, tmp_path) == ("passed", "")


@each(*PROGRAMS)
def test_limits_are_of_what_is_used(language: str, tmp_path: Path) -> None:
    kinds = [kind for kind in ("deep", "untouched", "threads") if kind in PROGRAMS[language]]
    for kind in kinds:  # others have no usual way in this language
        assert verdict_of(language, kind, "full", tmp_path / kind) == ("passed", ""), kind


@LEVELS
def test_a_terminal_is_opened_by_name(level: str) -> None:
    script = "head -n 1 /dev/stdin > /dev/stdout; echo done > /dev/stderr; test -t 0 < /dev/stdin"
    launch = Launch(argv=("sh", "-c", script), stdin=b"one\n", terminal=True, limits=Limits(time=20))
    found = execute(choose(level), launch, Event())
    assert (found.status, found.stdout, found.stderr) == (0, b"one\n", b"done\n")
