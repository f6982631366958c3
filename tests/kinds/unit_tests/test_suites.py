"""What is the course's own fault is known before anything is handed in; what a student's module lacks is theirs."""

import re
from pathlib import Path

import pytest

from grader.check.runner import asking, examine
from grader.core.model.report import Verdict
from grader.core.pipeline import Course, prepare
from grader.kinds.unit_tests.model import unit_of
from tests.support.courses import grade_files
from tests.support.packages import lay
from tests.support.rows import read_data

DATA = read_data(__file__)
BROKEN = DATA["BROKEN"]
SOUND = DATA["SOUND"]


def _course(root: Path, files: dict[str, str], tests: list[tuple[str, str]], reference: str = "") -> Course:
    lay(root, {**files, "tests/shared.py": "there = 1\n"})
    lines = [
        f"  - {{name: {name.replace('_', '-')}, unit: {{{framework}: tests/{name}.py, with: [tests/shared.py]}}}}"
        for name, framework in tests
    ]
    named = f"reference: {reference}" if reference else ""
    (root / "specs").mkdir()
    (root / "specs/bank.yaml").write_text(DATA["SPEC"].format(reference=named, tests="\n".join(lines)))
    return prepare(root / "specs/bank.yaml")


def _faults(course: Course) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for test in course.spec.tests:
        units = [unit for unit in map(unit_of, test.cases) if unit and unit.fault]
        found[test.name.replace("-", "_")] = [unit.fault for unit in units]
    return found


def test_what_no_submission_can_mend_is_known_without_a_reference(tmp_path: Path) -> None:
    files = {f"tests/{name}.py": text for name, (_, text, _) in BROKEN.items()}
    files |= {f"tests/{name}.py": text for name, text in SOUND.items()}
    tests = [*((name, framework) for name, (framework, _, _) in BROKEN.items()), *((name, "pytest") for name in SOUND)]
    found = _faults(_course(tmp_path, files, tests))
    assert {name: found[name] for name in SOUND} == {name: [] for name in SOUND}
    for name, (_, _, sentence) in BROKEN.items():
        (said,) = found[name]
        start, _, end = sentence.partition("…")
        assert (said.startswith(start), said.endswith(end)) == (True, True), said
    remarks = [one for one in examine(tmp_path / "specs/bank.yaml", asking("auto", 1)).remarks if one.level == "error"]
    assert {one.rule for one in remarks} == {"unit-test-broken"}
    assert len(remarks) == len(BROKEN)


def test_without_a_list_of_files_any_module_may_be_handed_in(tmp_path: Path) -> None:
    tests = {"tests/more.py": "import shapes\ndef test_a():\n    assert shapes.area(2) == 4\n"}
    course = _course(tmp_path, tests, [("more", "pytest")])
    path = tmp_path / "specs/bank.yaml"
    path.write_text(re.sub(r"(?m)^files:.*\n", "", path.read_text()))
    assert len(_faults(course)["more"]) == 1
    assert _faults(prepare(path))["more"] == []


@pytest.mark.slow
def test_with_a_reference_what_that_lacks_is_the_courses_and_what_a_student_lacks_is_not(tmp_path: Path) -> None:
    names = [("lacks", "pytest"), ("fails", "pytest"), ("name", "pytest")]
    files = {**DATA["DOUBLE"], "tests/name.py": SOUND["name"]}
    course = _course(tmp_path, files, names, "python3 reference/bank.py")
    (said,) = _faults(course)["lacks"]
    assert said.startswith("tests/lacks.py cannot be loaded with the reference either: `ImportError`: `cannot import")
    for name, (program, expected) in DATA["DOUBLED"].items():
        report = grade_files(tmp_path / "specs/bank.yaml", tmp_path / name, {"bank.py": program}, course)
        cases = [case for test in report.tests for case in test.cases]
        assert {case.id: case.verdict for case in cases} == expected
        assert all(case.message for case in cases if case.verdict != Verdict.PASSED)
