"""Each language for real: right programs that open their standard streams by name, at every level of the sandbox."""

import json
import os
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import yaml

from grader.core.model import LANGUAGES, Job, Launch, Limits, Submission
from grader.core.pipeline import grade, prepare
from grader.core.run import execute
from grader.core.sandbox import choose
from tests.support.languages import each

STREAMS: Any = yaml.safe_load(Path(__file__).with_name("streams.yaml").read_text())
SPEC = """\
spec: 1
id: one
title: One
language: {language}
files: {{required: [{file}]}}
{build}program: {program}
limits: {{time: 20 s, cpu: 10 s}}
tests:
  - name: names
    cases: [{{stdin: "one\\ntwo\\n"}}]
    expect: {{stdout: "one\\ntwo\\n", stderr: "done\\n"}}
"""


LEVELS = pytest.mark.parametrize(
    "level",
    [
        "full",
        pytest.param("container", marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can do this")),
        "none",
    ],
)


def test_every_language_opens_its_streams() -> None:
    assert [name for name in LANGUAGES if name in STREAMS] == list(STREAMS)
    assert set(LANGUAGES) == set(STREAMS)


@LEVELS
@each(*STREAMS)
def test_streams_are_opened_by_name(language: str, level: str, tmp_path: Path) -> None:
    told = STREAMS[language]
    if level not in told.get("levels", [level]):
        pytest.skip(f"{language} does not work at level {level}")
    build = f"build: {{run: {told['build']}, produces: {told['produces']}}}\n" if "build" in told else ""
    (tmp_path / "specs").mkdir()
    spec = tmp_path / "specs/one.yaml"
    spec.write_text(SPEC.format(language=language, file=told["file"], build=build, program=json.dumps(told["program"])))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / told["file"]).write_text(told["names"])
    course = prepare(spec, sandbox=level)
    case = grade(Job(spec=spec, submission=Submission(id="work", path=tmp_path / "work")), course).tests[0].cases[0]
    assert (case.verdict, case.message) == ("passed", "")


@LEVELS
def test_a_terminal_is_opened_by_name(level: str) -> None:
    script = "head -n 1 /dev/stdin > /dev/stdout; echo done > /dev/stderr; test -t 0 < /dev/stdin"
    launch = Launch(argv=("sh", "-c", script), stdin=b"one\n", terminal=True, limits=Limits(time=20))
    found = execute(choose(level), launch, Event())
    assert (found.status, found.stdout, found.stderr) == (0, b"one\n", b"done\n")
