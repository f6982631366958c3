"""Every example of the language on a page is tried: a right program gets all points by it, and a wrong one does not."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.core.errors import HostError
from grader.core.languages import find_tool
from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from tests.support import page_examples

ENTRIES = dict(page_examples.entries())


def test_every_example_is_tried_or_says_why_not() -> None:
    tried = set().union(*(page_examples.names_in(str(entry)) for entry in ENTRIES.values()))
    left_out = page_examples.not_tried()
    assert sorted(page_examples.examples().keys() - tried - left_out.keys()) == []
    assert sorted((tried | left_out.keys()) - page_examples.examples().keys()) == []
    assert sorted(tried & left_out.keys()) == []
    assert all(left_out.values())


def test_every_entry_has_a_right_program_and_a_wrong_one() -> None:
    lacking = [name for name, entry in ENTRIES.items() if not (entry.get("right") and entry.get("wrong"))]
    assert lacking == []


@pytest.mark.parametrize("name", ENTRIES)
def test_its_spec_can_be_read(name: str, tmp_path: Path) -> None:
    load(lay_out(tmp_path, ENTRIES[name]))


def lay_out(folder: Path, entry: Mapping[str, Any]) -> Path:
    """Write the course of an entry; return the path of its spec. Skips the test where a tool is missing."""
    for tool in entry.get("needs", ()):
        if not _is_here(tool):
            pytest.skip(f"{tool} is not on this machine")
    ours = {path: text for path, text in shown_files(entry).items() if not path.startswith(("specs/", "submissions/"))}
    page_examples.write(folder, {**ours, **entry.get("files", {}), "specs/one.yaml": entry["spec"]})
    if (folder / "draws.secret").exists():
        (folder / "draws.secret").chmod(0o600)
    return folder / "specs/one.yaml"


def shown_files(entry: Mapping[str, Any]) -> Mapping[str, str]:
    return page_examples.shown_files(entry["page"]) if "page" in entry else {}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_right_program_gets_all_points_and_a_wrong_one_fewer(name: str, tmp_path: Path) -> None:
    entry = ENTRIES[name]
    shown = shown_files(entry)
    spec = lay_out(tmp_path, entry)
    course = prepare(spec)
    for kind in ("right", "wrong"):
        programs = entry[kind] if isinstance(entry[kind], list) else [entry[kind]]
        for number, program in enumerate(programs):
            work = tmp_path / "handed-in" / entry.get("student", f"{kind}-{number}")
            page_examples.write(work, _files_of(program, shown))
            judged = grade(Job(spec=spec, submission=Submission(id=work.name, path=work)), course)
            told = "\n".join(case.message for test in judged.tests for case in test.cases)
            assert judged.verdict not in ("ungraded", "build-failed") or kind == "wrong", told
            has_all = judged.score == judged.max_score - entry.get("loses", 0)
            assert (kind, number, has_all) == (kind, number, kind == "right"), told


def _is_here(tool: str) -> bool:
    """Whether a sandbox has a tool: that of the system, or beside this Python where a sandbox shows it."""
    beside = Path(sys.executable).with_name(tool)
    try:
        return bool(find_tool(tool, tool))
    except HostError:
        return beside.exists() and not beside.is_relative_to("/tmp")


def _files_of(program: str | Mapping[str, str], shown: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the files of a program: those that are written, or those that the page shows in that folder."""
    if not isinstance(program, str):
        return program
    found = {path.removeprefix(f"{program}/"): text for path, text in shown.items() if path.startswith(f"{program}/")}
    assert found, program
    return found
