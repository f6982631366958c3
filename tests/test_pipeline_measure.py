"""A machine that is too busy, from a submission to its report."""

import json
from pathlib import Path

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade
from grader.core.report.json import from_json, to_json
from tests.support.courses import SPEC, course, submission
from tests.support.processes import UNHEARD, processor_taken
from tests.support.rows import read_data

WORK = "import time\nwhile time.process_time() < 0.3: pass\nprint()\n"
DATA = read_data(__file__)
BUSY = DATA["BUSY"]


def test_who_was_not_let_run_is_ungraded_with_both_measurements_in_the_report(tmp_path: Path) -> None:
    spec = SPEC[: SPEC.index("  - name: words")] + BUSY
    spec = spec.replace("program: ", f"program: {' '.join(UNHEARD)} ").replace("{time: 5 s,", "{time: 200 ms,")
    path, handed_in = course(tmp_path, spec), submission(tmp_path, program=WORK)
    with processor_taken():
        report = grade(Job(spec=path, submission=Submission(id="alice", path=handed_in)))
    (case,) = report.tests[0].cases
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)
    assert case.message.startswith("The machine was too busy to measure your program: it took ")
    assert [one["limit"] for one in json.loads(to_json(report))["tests"][0]["cases"][0]["measured"]] == ["time", "time"]
    assert from_json(to_json(report)) == report


def test_what_is_measured_once_has_no_list_of_measurements(tmp_path: Path) -> None:
    handed_in = submission(tmp_path)
    report = grade(Job(spec=course(tmp_path), submission=Submission(id="alice", path=handed_in)))
    assert report.verdict == Verdict.PASSED
    assert b'"measured"' not in to_json(report)
