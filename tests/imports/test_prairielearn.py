from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model import Job, Submission, Verdict
from grader.core.pipeline import grade
from grader.core.reader import load
from grader.imports import Written, write_assignment
from grader.imports.prairielearn import import_prairielearn
from tests.support.other_graders import PRAIRIELEARN
from tests.support.packages import lay

pytestmark = pytest.mark.usefixtures("shared_cache")
INFO = PRAIRIELEARN["info.json"]


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_prairielearn(lay(folder / "halves", files)), folder / "course")


def test_a_question_becomes_a_spec_that_grades(tmp_path: Path) -> None:
    written = imported(tmp_path, dict(PRAIRIELEARN))
    spec = load(written.spec)
    assert spec.files.required_names == ("halves.py",)
    assert [(test.name, float(test.points)) for test in spec.tests] == [
        ("half of a number", 2),
        ("half of each", 3),
        ("no loop", 1),
    ]
    assert "todo_test_2" in written.notes[0]
    assert any("setup_code.py" in note for note in written.notes)
    for name, program, verdicts in (
        ("ada", PRAIRIELEARN["tests/ans.py"].replace("number / 2", "number * 0.5"), [Verdict.PASSED] * 2),
        ("bo", PRAIRIELEARN["tests/ans.py"].replace("number / 2", "number // 2"), [Verdict.FAILED] * 2),
    ):
        work = lay(tmp_path / name, {"halves.py": program})
        report = grade(Job(spec=written.spec, submission=Submission(id=name, path=work)))
        assert [test.verdict for test in report.tests[:2]] == verdicts


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("__import__('os').system('touch ran')", "known only when it is run"),
        ("x = self.st.half(open('x'))", "known only when it is run"),
        ("x = self.st.y", "known only when it is run"),
        ("Feedback.set_score(0.25)", "known only when it is run"),
        ("if Feedback.check_scalar('x', 4, self.st.half(8)): pass", "known only when it is run"),
        ("if Feedback.check_numpy_array_allclose('x', self.ref.half(8), self.st.half(8)): s += 1", "no counterpart"),
        ("if Feedback.check_scalar('x', self.ref.half(6), self.st.half(8)): s += 1", "the same call"),
        ("if Feedback.check_scalar('x', self.ref.half({1}), self.st.half({1})): s += 1", "no counterpart"),
        (
            "if Feedback.check_scalar('x', self.ref.half(8), self.st.half(8)): Feedback.set_score(0)",
            "only when it is run",
        ),
        ("pass", "compares nothing"),
    ],
)
def test_what_is_no_comparison_remains_to_be_written(tmp_path: Path, body: str, reason: str) -> None:
    test = f"class T(PLTestCase):\n    def test_0(self):\n        {body}\n"
    imported(tmp_path, {**PRAIRIELEARN, "tests/test.py": test})
    told = (tmp_path / "course/data/halves/to_do.py").read_text()
    assert reason in " ".join(told.split())
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"info.json": "{"}, "is not JSON"),
        ({"info.json": "[" * 100_000}, "nested too deeply"),
        ({"info.json": '{"title": 1, "title": 2}'}, "twice"),
        ({"info.json": '{"gradingMethod": "Internal"}'}, "only questions with the gradingMethod External"),
        ({"info.json": INFO.replace("grader-python", "grader-c")}, "is not that of the Python autograder"),
        ({"info.json": INFO}, "no file tests/test.py"),
        ({"info.json": INFO, "tests/test.py": "("}, "is not Python"),
        ({"info.json": INFO, "tests/test.py": "x = 1"}, "no class of PLTestCase"),
        ({**PRAIRIELEARN, "question.html": '<pl-file-editor file-name="../x.py">'}, "outside"),
        ({**PRAIRIELEARN, "question.html": '<pl-file-upload file-names="a.ipynb">'}, "a file in Python"),
    ],
)
def test_what_is_no_question_is_refused_with_words(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, files)
