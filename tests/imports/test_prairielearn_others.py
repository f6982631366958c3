"""Questions of PrairieLearn for its autograders of C and Java; all of them are made up here."""

import json
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.imports import Written, write_assignment
from grader.imports.prairielearn import import_prairielearn
from tests.support.packages import lay
from tests.support.rows import each_row, read_data


def question(language: str, student: str, files: dict[str, str]) -> dict[str, str]:
    options = {"image": f"prairielearn/grader-{language}:latest"}
    info = {"title": "Cubes", "gradingMethod": "External", "externalGradingOptions": options}
    html = f'<pl-file-editor file-name="{student}" source-file-name="start/{student}"></pl-file-editor>'
    return {"info.json": json.dumps(info), "question.html": html, **files}


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_prairielearn(lay(folder / "cubes", files)), folder / "course")


JUNIT = read_data(__file__)["JUNIT"]


@each_row
def test_a_test_in_c_that_does_more_is_refused_with_words(tmp_path: Path, body: str, message: str) -> None:
    test = f"class T(CGrader):\n    def tests(self):\n        {body}\n"
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, question("c", "a.c", {"tests/test.py": test}))


@each_row
def test_what_is_no_such_question_is_refused_with_words(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, files)
