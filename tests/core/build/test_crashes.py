"""Each language for real: an uncaught exception, or a program that cannot be read, earns nothing for its status."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.core.model import LANGUAGES, Job, Submission
from grader.core.pipeline import grade, prepare
from tests.support.languages import is_here

CRASHES: Any = yaml.safe_load(Path(__file__).with_name("crashes.yaml").read_text())
SPEC = """\
spec: 1
id: one
title: One
language: {language}
files: {{required: [{required}]}}
{build}program: {program}
tests:
  - {{name: named, expect: {{exit: {status}}}}}
  - {{name: failure, expect: {{exit: failure}}}}
  - {{name: allowed, expect: {{exit: {status}, crash: allowed}}}}
"""
VERDICTS = {
    "right": ("passed", "passed", "passed"),
    "crash": ("crashed", "crashed", "passed"),
    "unreadable": ("crashed", "crashed", "crashed"),
}
"""of a kind of program the verdict in each of these tests"""
LANGUAGE_OF = {name: told.get("language", name) for name, told in CRASHES.items()}


def test_every_language_of_whose_crashes_we_know_is_tried() -> None:
    assert set(LANGUAGES) - set(LANGUAGE_OF.values()) == {"c", "typescript", "kotlin"}  # as cpp, javascript, java


@pytest.mark.usefixtures("shared_cache")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if is_here(LANGUAGE_OF[name]) else pytest.mark.skip(f"there is no {name} here"))
        for name in CRASHES
    ],
)
def test_a_crash_earns_nothing_for_its_status(name: str, tmp_path: Path) -> None:
    told = CRASHES[name]
    build = f"build: {{run: {told['build']}, produces: [{told.get('produces', 'main')}]}}\n" if "build" in told else ""
    (tmp_path / "specs").mkdir()
    spec = tmp_path / "specs/one.yaml"
    spec.write_text(SPEC.format(**told | {"language": LANGUAGE_OF[name], "build": build, "required": told["file"]}))
    course = prepare(spec)
    for kind, verdicts in VERDICTS.items():
        for number, text in enumerate(told.get(kind, ())):
            work = tmp_path / f"{kind}-{number}"
            (work / told["file"]).parent.mkdir(parents=True)
            (work / told["file"]).write_text(text)
            report = grade(Job(spec=spec, submission=Submission(id=work.name, path=work)), course)
            found = tuple(test.cases[0].verdict for test in report.tests)
            if LANGUAGE_OF[name] == "cpp":  # a signal is no exit, but its very status may be named
                assert found == ("passed", "crashed", "passed")
            else:
                assert (text, found) == (text, verdicts), report.tests[0].cases[0].message


@pytest.mark.usefixtures("shared_cache")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if is_here(LANGUAGE_OF[name]) else pytest.mark.skip(f"there is no {name} here"))
        for name in CRASHES
        if "build" not in CRASHES[name] and name != "r"  # Rscript says so on standard output
    ],
)
def test_a_program_whose_file_is_missing_earns_nothing_for_its_status(name: str, tmp_path: Path) -> None:
    told = CRASHES[name]
    spec, work = tmp_path / "specs/one.yaml", tmp_path / "work"
    spec.parent.mkdir()
    spec.write_text(SPEC.format(**told | {"language": LANGUAGE_OF[name], "build": "", "required": "notes.txt"}))
    work.mkdir()
    (work / "notes.txt").write_text("The program is not here.\n")
    report = grade(Job(spec=spec, submission=Submission(id="work", path=work)), prepare(spec))
    assert not [test.name for test in report.tests if test.cases[0].verdict == "passed"]
