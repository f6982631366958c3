import json
from pathlib import Path
from typing import Any

import pytest

from grader.core.errors import UsageError
from grader.core.languages import locate_tool
from grader.core.model.report import Verdict
from grader.imports import Written, write_assignment
from grader.imports.github_classroom import (
    UnitCommand,
    find_unit_run,
    import_github_classroom,
    parse_workflow,
    reason_out_of_reach,
    without_installations,
)
from grader.imports.io_tests import import_io_tests
from grader.imports.projects import NodeTestRun, java_test_run, node_test_run
from grader.imports.shell_lines import is_compilation
from tests.support.courses import grade_files
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)


def one(run: str = "python3 a.py", **keys: Any) -> dict[str, Any]:
    return {"tests": [{"name": "t", "run": run, "points": 1, "timeout": 1, **keys}]}


def imported(folder: Path, content: Any, **files: str) -> Written:
    written = content if isinstance(content, str) else json.dumps(content)
    repository = lay(folder / "sums", {".github/classroom/autograding.json": written, **files})
    return write_assignment(import_github_classroom(repository), folder / "course")


def verdicts(spec: Path, folder: Path, **files: str) -> list[Verdict]:
    return [test.verdict for test in grade_files(spec, folder / "ann", files).tests]


@each_row
def test_texts_are_compared_as_the_action_does(
    tmp_path: Path, comparison: str, output: str, program: str, expected: object
) -> None:
    content = one(comparison=comparison, output=output)
    found = verdicts(imported(tmp_path, content).spec, tmp_path, **{"a.py": program})
    assert (found == [Verdict.PASSED]) == expected


@each_row
def test_what_cannot_be_said_is_refused_with_words(tmp_path: Path, content: str | dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, content)
    assert not (tmp_path / "course" / "specs").exists()


_SUM = "print(sum(map(int, input().split())))"
_SUM_IN_C = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d", a + b); return 0; }'


@each_row
def test_lines_do_what_they_did_there(  # noqa: PLR0917 - the columns of the table
    tmp_path: Path,
    tests: list[dict[str, str]],
    course: dict[str, str],
    right: dict[str, str],
    wrong: dict[str, str],
    expected: str,
) -> None:
    content = {"tests": [{"name": f"t{number}", "points": 1, **test} for number, test in enumerate(tests)]}
    written = imported(tmp_path, content, **course)
    for work, result in ((right, "." * len(tests)), (wrong, expected)):
        found = verdicts(written.spec, tmp_path / result, **work)
        assert "".join("." if one is Verdict.PASSED else "F" for one in found) == result


def test_lines_are_understood() -> None:
    assert without_installations("sudo -H pip3 install pytest && make") == ("make", ["sudo -H pip3 install pytest"])
    files = {"t/test_a.py": b"", "test_b.py": b""}
    found = find_unit_run("python3 -m pytest -v t/test_a.py::TestA::test_x", files)
    assert isinstance(found, UnitCommand)
    assert dict(found.files) == {"t/test_a.py": ["TestA.test_x"]}
    assert find_unit_run("python3 main.py", files) is None
    assert reason_out_of_reach("A=$(git log) && [ $A ]").startswith("`git`")
    assert not reason_out_of_reach("echo git && ./done")
    assert is_compilation("mkdir -p build && cd build && cmake .. && make")


@each_row
def test_options_of_pytest_are_understood(line: str, methods: list[str] | None) -> None:
    source = (
        b"from unittest import *\nclass TestA(TestCase):\n    def test_adds(self): pass\n\ndef test_adds_slow(): 0\n"
    )
    found = find_unit_run(line, {"test_a.py": source, "sums.py": source})
    assert (list(found.files["test_a.py"]) if isinstance(found, UnitCommand) else found) == methods


def test_steps_that_are_commands_are_no_tests() -> None:
    workflow = b"jobs: {grade: {steps: [{run: javac A.java}, {run: sh tests/check.sh}]}}"
    assert parse_workflow(workflow, ".github/workflows/classroom.yml").tests == []


def test_io_tests_points_here(tmp_path: Path) -> None:
    lay(tmp_path, {"autograding.json": json.dumps(one())})
    with pytest.raises(UsageError, match="grader import github-classroom"):
        import_io_tests(tmp_path / "autograding.json")


JAVA_PROJECT = DATA["JAVA_PROJECT"]


@each_row
def test_tests_of_gradle_and_maven_are_found(line: str, wanted: dict[str, list[str]] | str | None) -> None:
    files = {name: text.encode() for name, text in JAVA_PROJECT.items()}
    found = java_test_run(line, files)
    if isinstance(wanted, dict):
        assert isinstance(found, dict)
        assert {Path(name).stem: methods for name, methods in found.items()} == wanted
    else:
        assert (found is None) if wanted is None else wanted in str(found)


NODE_PROJECT = DATA["NODE_PROJECT"]


@each_row
def test_tests_of_node_are_found(line: str, script: str, wanted: str) -> None:
    package = json.dumps({"scripts": {"test": script}})
    files = {name: text.encode() for name, text in {**NODE_PROJECT, "package.json": package}.items()}
    found = node_test_run(line, files)
    if isinstance(found, NodeTestRun):
        assert found.command == wanted
        assert (found.required, found.beside) == (["sum.js"], ["sum.test.js", "package.json"])
    else:
        assert wanted in (found or "")
        assert bool(wanted) == bool(found)


@pytest.mark.skipif(locate_tool("node") is None, reason="Node.js is not installed")
def test_a_project_of_node_becomes_reported_tests(tmp_path: Path) -> None:
    tests = [{"name": "all", "setup": "npm ci", "run": "npm test", "points": 6}]
    files = {**NODE_PROJECT, ".github/classroom/autograding.json": json.dumps({"tests": tests})}
    written = write_assignment(import_github_classroom(lay(tmp_path / "sums", files)), tmp_path / "course")
    assert any("put a solution below reference/sums" in note for note in written.notes)
    right = NODE_PROJECT["sum.js"].replace("=> 0", "=> a + b")
    lay(tmp_path / "course/reference/sums", {"sum.js": right})
    text = written.spec.read_text().replace("\ntests:", "\nreference: node reference/sums/sum.js\ntests:")
    written.spec.write_text(text.replace("all_or_nothing: true", "all_or_nothing: false"))
    for program, score in ((right, 6), (NODE_PROJECT["sum.js"], 3)):
        report = grade_files(written.spec, tmp_path / f"work{score}", {"sum.js": program})
        assert report.score == score, report
