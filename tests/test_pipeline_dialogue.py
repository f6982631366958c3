"""Dialogues: which runs are repeated alone, and a pattern that takes for ever. `scenarios/dialogue/` has the others."""

from pathlib import Path
from threading import Event

import pytest

from grader.core.model.execution import Execution, Launch
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade, prepare
from grader.core.run.runner import execute
from grader.core.sandbox.command import Sandbox
from tests.support.courses import course, submission
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
RIGHT = 'print("Enter n: ", end="", flush=True)\nprint("twice:", 2 * int(input()))\n'

pytestmark = pytest.mark.slow


def test_a_pattern_that_takes_for_ever_makes_ungraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.5)
    path = course(tmp_path, SPEC.replace("twice: [0-9]+", "(a|a)+b"))
    handed_in = submission(tmp_path, program=RIGHT.replace('"twice:"', "'a' * 50"))
    report = grade(Job(spec=path, submission=Submission(id="alice", path=handed_in)))
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)
    assert "the pattern `(a|a)+b\n` of a dialogue took over 0.5 s" in report.tests[0].cases[0].message


@each_row
def test_who_was_busy_is_asked_once_more_alone(
    tmp_path: Path, program: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[Launch] = []

    def counted(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
        again.append(launch)
        return execute(sandbox, launch, cancelled)

    path = course(tmp_path, SPEC)
    job = Job(spec=path, submission=Submission(id="alice", path=submission(tmp_path, program=program)))
    prepared = prepare(path)
    monkeypatch.setattr("grader.core.run.measuring.execute", counted)
    grade(job, prepared)
    assert [launch.dialogue[0].text for launch in again] == ["Enter n: "] * times
