import json
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model.report import Verdict
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.prairielearn import import_prairielearn
from tests.support.courses import grade_files
from tests.support.other_graders import PRAIRIELEARN
from tests.support.packages import lay
from tests.support.payloads import unit_in
from tests.support.rows import each_row, from_data, read_data

BASES = {"": {}, "info": {"info.json": PRAIRIELEARN["info.json"]}, "all": PRAIRIELEARN}


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_prairielearn(lay(folder / "halves", files)), folder / "course")


@each_row
def test_what_needs_more_than_the_test_remains_to_be_written(tmp_path: Path, body: str, reason: str) -> None:
    test = f"class T(PLTestCase):\n    def test_0(self):\n        {body}\n"
    imported(tmp_path, {**PRAIRIELEARN, "tests/test.py": test})
    told = (tmp_path / "course/data/halves/to_do.py").read_text()
    assert reason in " ".join(told.split())


@each_row
def test_a_helper_that_needs_what_is_not_there_leaves_the_methods_open(
    tmp_path: Path, files: dict[str, str], reason: str
) -> None:
    spec = load(imported(tmp_path, {**PRAIRIELEARN, **files}).spec)
    assert [case.kind for test in spec.tests for case in test.cases] == ["program"]
    told = (tmp_path / "course/data/halves/to_do.py").read_text()
    assert reason in " ".join(told.split())


DATA = read_data(__file__)
HEAD = DATA["HEAD"]


SHARES = from_data(DATA["SHARES"], list[tuple[str, float] | tuple[str, int]])


@pytest.mark.slow
def test_a_method_that_is_no_call_is_run_as_it_is(tmp_path: Path) -> None:
    methods = (
        f"    @points(4)\n    def test_{number:02}(self):\n        {body}\n" for number, (body, _) in enumerate(SHARES)
    )
    files = {
        **PRAIRIELEARN,
        "tests/test.py": f"{HEAD}class T(PLTestCase):\n{''.join(methods)}",
        "tests/setup_code.py": "x = 5\ny = 6\n",
        "server.py": 'def generate(data):\n    data["params"]["names_for_user"] = [{"name": "x"}]\n',
    }
    written = imported(tmp_path, files)
    unit = unit_in(load(written.spec).tests[0].cases[0])
    assert unit.helpers.keys() == {"ans.py", "setup_code.py"}
    peeps = "five = x\nseen = ''\ntry:\n    open('.grader-unit/ans.py')\nexcept OSError as error:\n"
    program = f"{peeps}    seen = type(error).__name__\ndef half(number):\n    return number / 2\n"
    report = grade_files(written.spec, tmp_path / "ann", {"halves.py": program})
    for (body, share), test in zip(SHARES, report.tests, strict=True):
        # What the reference does not pass either is nobody's fault.
        assert test.score == 4 * share or (share == 0 and test.verdict == Verdict.UNGRADED), body


@each_row
def test_what_is_no_question_is_refused_with_words(
    tmp_path: Path, base: str, files: dict[str, str], message: str
) -> None:
    files = {**BASES[base], **files}
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, files)


def question_in_c(files: dict[str, str]) -> dict[str, str]:
    options = {"image": "prairielearn/grader-c:latest"}
    info = {"title": "Cubes", "gradingMethod": "External", "externalGradingOptions": options}
    html = '<pl-file-editor file-name="a.c" source-file-name="start/a.c"></pl-file-editor>'
    return {"info.json": json.dumps(info), "question.html": html, **files}


@each_row
def test_a_test_in_c_that_does_more_is_refused_with_words(tmp_path: Path, body: str, message: str) -> None:
    test = f"class T(CGrader):\n    def tests(self):\n        {body}\n"
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, question_in_c({"tests/test.py": test}))
