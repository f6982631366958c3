"""The rows of the page on other frameworks: each command is run as it stands there, where its tool is there."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.core.errors import HostError
from grader.core.languages import find_tool
from grader.core.model.report import Report
from grader.core.pipeline import prepare
from tests.support.courses import grade_files
from tests.support.layouts import ROOT
from tests.support.packages import lay
from tests.support.rows import read_yaml

PAGE = ROOT / "docs" / "how-to" / "use-other-test-frameworks.md"
_ROW = re.compile(r"\|[^|]*\| (?P<command>`[^|]*) \| (?P<report>`(?:junit|tap|go|cargo|unity)`|that of [^|]*) \|")
TABLE: Mapping[str, Any] = read_yaml(Path(__file__).with_name("frameworks.yaml"))
ROWS, NOT_TRIED = TABLE["rows"], TABLE["not tried"]
IN_CI = ("make", "node", "perl")
"""tools that `make test` installs, or that are there anyway: their rows never skip there"""


def rows() -> Mapping[str, tuple[str, str]]:
    """Return the commands of the page by how they begin, each with its report: TAP where a program of ours decides."""
    written = [match for line in PAGE.read_text().splitlines() if (match := _ROW.match(line))]
    commands = {row["command"].strip("`").partition("`")[0]: row["report"].strip("`") for row in written}
    begins = (*ROWS, *NOT_TRIED)
    assert all(command.startswith(begins) for command in commands), [*commands]
    return {
        next(one for one in begins if command.startswith(one)): (command, report if " " not in report else "tap")
        for command, report in commands.items()
    }


def is_here(tool: str) -> bool:
    """Whether a sandbox has a tool, in a version that is told behind its name or a later one."""
    if tool.startswith("/"):
        return Path(tool).exists()
    tool, _, oldest = tool.partition(" ")
    if oldest:
        version = subprocess.run(["/usr/bin/env", tool, "--version"], capture_output=True, text=True, check=False)
        if int((re.findall(r"\d+", version.stdout) or ["0"])[0]) < int(oldest):
            return False
    try:
        return bool(find_tool(tool, tool))
    except HostError:
        return False


def test_each_row_is_tried_or_says_why_not() -> None:
    assert sorted(rows()) == sorted((*ROWS, *NOT_TRIED))


@pytest.mark.parametrize("begin", ROWS)
def test_the_command_of_a_row_grades(begin: str, tmp_path: Path) -> None:
    row = ROWS[begin]
    tool, name, right, files = (row[key] for key in ("tool", "file", "right", "files"))
    if not is_here(tool) and not (tool in IN_CI and "CI" in os.environ):
        pytest.skip(f"{tool} is not on this machine")
    command, report = rows()[begin]
    unit = {"report": report, "with": sorted(files), **{key: row[key] for key in ("from",) if key in row}}
    unit["command"] = yaml.safe_load(command) if command.startswith("[") else command
    spec = {
        **TABLE["spec"],
        "language": row["language"],
        "files": {"required": [name]},
        "program": ["cat", name],
        "reference": {"files": "reference", "program": ["cat", name]},
        "tests": [{"name": "sums", "points": 2, "unit": unit, **{key: row[key] for key in ("env",) if key in row}}],
    }
    written = {**files, f"reference/{name}": right, "specs/sums.yaml": yaml.safe_dump(spec)}
    lay(tmp_path, written)
    course = prepare(tmp_path / "specs/sums.yaml")

    def graded(student: str, text: str) -> Report:
        return grade_files(tmp_path / "specs/sums.yaml", tmp_path / "submissions" / student, {name: text}, course)

    found = graded("right", right)
    told = [case.message for case in found.tests[0].cases]
    assert (found.score, len(told)) == (2, 2), told
    # Right for 2 and 2 alone.
    wrong = right.replace(row["part"], row["part"].replace("+", "*"))
    assert graded("wrong", wrong).score == 1
    if not begin.startswith("[g++"):  # half a minute for a compiler
        assert graded("broken", f")]}} nothing (\n{right}").score == 0
