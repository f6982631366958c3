from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model import Job, Submission, Verdict
from grader.core.pipeline import grade
from grader.core.reader import load
from grader.imports import Written, write_assignment
from grader.imports.exercism import import_exercism
from tests.support.other_graders import EXERCISM_JAVA, EXERCISM_PYTHON
from tests.support.packages import lay

pytestmark = pytest.mark.usefixtures("shared_cache")


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_exercism(lay(folder / "some-exercise", files)), folder / "course")


def test_an_exercise_in_python_becomes_a_spec_that_grades(tmp_path: Path) -> None:
    written = imported(tmp_path, dict(EXERCISM_PYTHON))
    spec = load(written.spec)
    assert (spec.id, spec.language, spec.files.required_names, [float(test.points) for test in spec.tests]) == (
        "some-exercise",
        "python",
        ("round_year.py",),
        [2],
    )
    assert (tmp_path / "course/reference/some-exercise/round_year.py").is_file()
    work = lay(tmp_path / "bo", {"round_year.py": "def is_round(year):\n    return True\n"})
    report = grade(Job(spec=written.spec, submission=Submission(id="bo", path=work)))
    assert [case.verdict for test in report.tests for case in test.cases] == [Verdict.PASSED, Verdict.FAILED]


def test_an_exercise_in_java_has_all_of_its_methods(tmp_path: Path) -> None:
    written = imported(tmp_path, dict(EXERCISM_JAVA))
    (test,) = load(written.spec).tests
    assert (test.name, float(test.points), len(test.cases)) == ("HalfTest", 2, 2)
    assert "@Disabled" not in (tmp_path / "course/data/some-exercise/HalfTest.java").read_text()
    assert (tmp_path / "course/reference/some-exercise/src/main/java/Half.java").is_file()


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "names no files"),
        ('{"files": {"solution": [], "test": []}}', "a file each"),
        ('{"files": {}, "files": {}}', "twice"),
        ('{"files": {"solution": ["a.rb"], "test": ["b.rb"]}}', "cannot be read"),
        ('{"files": {"solution": ["../a.py"], "test": ["b.py"]}}', "outside"),
        ('{"files": {"solution": ["a.py"], "test": ["b.py"]}}', "no file b.py"),
    ],
)
def test_what_is_no_exercise_is_refused_with_words(tmp_path: Path, config: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, {".meta/config.json": config})
