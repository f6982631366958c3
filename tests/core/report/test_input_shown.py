"""What a program was given is told beside what it did: everywhere, and never of a test that students may not see."""

import json

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import grade
from grader.core.report.formats import render
from tests.support.courses import course, submission
from tests.support.report_samples import on_screen
from tests.support.rows import read_data

SPEC = read_data(__file__)["SPEC"]
COMMAND = r"printf '1 2\n' > data.txt && printf '4\n' | MODE=fast python3 echo.py -v 'a b'"
LINES = [f"line {number} of the input" for number in range(100)]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("given")
    path = course(folder, SPEC)
    (folder / "reference" / "long.txt").write_text("\n".join(LINES))
    handed_in = Submission(id="alice", path=submission(folder, program="print('nothing')\n"))
    return grade(Job(spec=path, submission=handed_in))


def as_shown(report: Report) -> dict[str, str]:
    files = {name: data.decode() for name, data in render(report).items()}
    return {**files, "terminal": on_screen(report, 200)}


def test_what_is_given_is_told_wherever_a_report_is_shown(report: Report) -> None:
    shown = as_shown(report)
    everything = json.loads(shown.pop("report.json"))["tests"]
    assert everything[0]["cases"][0]["command"] == COMMAND
    given = {"args": ["-v", "a b"], "stdin": "4\n", "env": {"MODE": "fast"}, "files": {"data.txt": "1 2\n"}}
    assert everything[0]["cases"][0]["input"] == given
    assert everything[0]["cases"][2]["input"]["stdin"].splitlines() == LINES
    for name, text in shown.items():
        told = text.replace("&#39;", "'").replace("&gt;", ">").replace("&amp;", "&")
        assert COMMAND in told, name
        assert "second 2" in told, name
        assert "python3 echo.py < stdin.txt" in told.replace("&lt;", "<"), name
        assert "SECRET" not in told, name
