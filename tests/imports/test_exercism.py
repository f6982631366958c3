from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model import Job, Submission, Verdict
from grader.core.pipeline import grade, prepare
from grader.core.reader import load
from grader.imports import Written, write_assignment
from grader.imports.exercism import import_exercism
from grader.kinds.reported_tests.model import reported_test_of
from tests.support.other_graders import EXERCISM_C, EXERCISM_JAVA, EXERCISM_PYTHON, EXERCISM_REPORTED
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


HELPED = {
    ".meta/config.json": """\
{"files": {"solution": ["tea.py"], "test": ["tea_test.py", "pots.py"], "exemplar": [".meta/exemplar.py"],
  "editor": ["kinds.py", "missing.py"]}}
""",
    ".meta/exemplar.py": "from kinds import GREEN\n\ndef is_green(tea):\n    return tea in GREEN\n",
    "kinds.py": "GREEN = {'sencha'}\n",
    "pots.py": "class Pot:\n    def __init__(self, tea):\n        self.tea = tea\n",
    "tea_test.py": """\
from pots import Pot
from tea import is_green


def test_sencha():
    assert is_green(Pot("sencha").tea)
def test_assam():
    assert not is_green(Pot("assam").tea)
""",
}


def test_helpers_of_an_exercise_in_python_lie_beside_its_tests(tmp_path: Path) -> None:
    written = imported(tmp_path, HELPED)
    (test,) = load(written.spec).tests
    assert float(test.points) == 2
    assert [note for note in written.notes if "Left out" in note] == [
        "Left out: missing.py; where a test needs them, name them under `files`."
    ]
    work = lay(tmp_path / "bo", {"tea.py": "from kinds import GREEN\n\ndef is_green(tea):\n    return True\n"})
    report = grade(Job(spec=written.spec, submission=Submission(id="bo", path=work)))
    assert [case.verdict for test in report.tests for case in test.cases] == [Verdict.PASSED, Verdict.FAILED]


def test_a_class_that_learners_get_is_built_with_their_solution(tmp_path: Path) -> None:
    files = {
        **EXERCISM_JAVA,
        ".meta/config.json": EXERCISM_JAVA[".meta/config.json"].replace("build.gradle", "src/main/java/Two.java"),
        "src/main/java/Two.java": "class Two { static final int VALUE = 2; }\n",
    }
    written = imported(tmp_path, files)
    assert not any("Left out" in note for note in written.notes)
    text = "class Half { static int of(int n) { return n == 0 ? 1 : n / Two.VALUE; } }\n"
    work = lay(tmp_path / "bo", {"src/main/java/Half.java": text})
    report = grade(Job(spec=written.spec, submission=Submission(id="bo", path=work)))
    assert [case.verdict for test in report.tests for case in test.cases] == [Verdict.PASSED, Verdict.FAILED]


@pytest.mark.parametrize("word", ["@Disabled", "@Ignore"])
def test_an_exercise_in_java_has_all_of_its_methods(word: str, tmp_path: Path) -> None:
    files = {name: text.replace("@Disabled", word) for name, text in EXERCISM_JAVA.items()}
    assert any(word in text for text in files.values())
    written = imported(tmp_path, files)
    (test,) = load(written.spec).tests
    assert (test.name, float(test.points), len(test.cases)) == ("HalfTest", 2, 2)
    assert word not in (tmp_path / "course/data/some-exercise/HalfTest.java").read_text()
    assert (tmp_path / "course/reference/some-exercise/src/main/java/Half.java").is_file()


def test_an_exercise_in_c_is_built_with_its_tests_and_graded_by_their_report(tmp_path: Path) -> None:
    written = imported(tmp_path, dict(EXERCISM_C))
    spec = load(written.spec)
    assert (spec.program, [float(test.points) for test in spec.tests]) == (("./run-tests",), [3])
    assert "TEST_IGNORE" not in (tmp_path / "course/data/some-exercise/test_leap.c").read_text()
    wrong = {
        "leap.h": EXERCISM_C["leap.h"],
        "leap.c": '#include "leap.h"\nbool leap_year(int y) { return y % 4 == 0; }\n',
    }
    warned = {**wrong, "leap.c": wrong["leap.c"].replace("{ ", "{ int unused; ")}
    crashed = {**wrong, "leap.c": wrong["leap.c"].replace("{ ", "{ if (y == 1900) { int *p = 0; *p = 1; } ")}
    for name, files in (("bo", wrong), ("cy", warned), ("di", crashed)):
        lay(tmp_path / name, files)
    course = prepare(written.spec)
    reports = [
        grade(Job(spec=written.spec, submission=Submission(id=n, path=tmp_path / n)), course)
        for n in ("bo", "cy", "di")
    ]
    assert [[(case.id, case.verdict) for test in report.tests for case in test.cases] for report in reports] == [
        [
            ("test_leap[test_not_divisible_by_4]", Verdict.PASSED),
            ("test_leap[test_divisible_by_4]", Verdict.PASSED),
            ("test_leap[test_century]", Verdict.FAILED),
        ],
        [
            (f"test_leap[test_{name}]", Verdict.BUILD_FAILED)
            for name in ("not_divisible_by_4", "divisible_by_4", "century")
        ],
        [  # what was reported before the crash counts
            ("test_leap[test_not_divisible_by_4]", Verdict.PASSED),
            ("test_leap[test_divisible_by_4]", Verdict.PASSED),
            ("test_leap[test_century]", Verdict.CRASHED),
        ],
    ]


@pytest.mark.parametrize(
    ("track", "command", "points", "beside"),
    [
        (
            "javascript",
            "jest leap.spec.js --ci --reporters=jest-junit",
            3,
            {"leap.spec.js", "package.json"},
        ),
        ("go", "go test -json ./...", 1, {"leap_test.go", "cases_test.go", "go.mod"}),
        ("rust", "cargo test --offline --no-fail-fast --test leap", 3, {"tests/leap.rs", "Cargo.toml"}),
    ],
)
def test_other_tracks_run_the_command_of_the_track_on_all_of_its_tests(
    tmp_path: Path, track: str, command: str, points: int, beside: set[str]
) -> None:
    written = imported(tmp_path, dict(EXERCISM_REPORTED[track]))
    spec = load(written.spec)
    (test,) = spec.tests
    asked = reported_test_of(test.cases[0])
    assert asked
    assert (spec.language, float(test.points), asked.commands, set(asked.files)) == (
        track,
        points,
        (tuple(command.split()),),
        beside,
    )
    assert not any(mark in content for content in asked.files.values() for mark in (b"xtest(", b"#[ignore]"))
    assert (
        spec.reference == ("node", "reference/some-exercise/leap.js") if track == "javascript" else spec.reference_work
    )
    assert not any("Left out" in note for note in written.notes)


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
