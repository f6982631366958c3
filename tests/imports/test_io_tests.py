from pathlib import Path
from typing import Any

import pytest

from grader.core.errors import UsageError
from grader.core.model.report import Verdict
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.io_tests import import_io_tests
from tests.support.courses import grade_files
from tests.support.packages import IO, io_tests, lay
from tests.support.rows import each_row


def imported(folder: Path, content: Any = IO, name: str | None = None) -> Written:
    return write_assignment(import_io_tests(io_tests(folder / "hello", content), name), folder / "course")


def one(run: str, **keys: Any) -> dict[str, Any]:
    """A file with one test."""
    test = {"name": "t", "type": "io", "run": run, "comparison": "exact", "expected": "x", "points": 1, **keys}
    return {**IO, "tests": [{key: value for key, value in test.items() if value is not None}]}


@each_row
def test_lines_that_need_a_shell_get_one(
    tmp_path: Path, run: str, program: tuple[str, ...], command: tuple[str, ...] | None, args: tuple[str, ...]
) -> None:
    spec = load(imported(tmp_path, one(run)).spec)
    case = spec.tests[0].cases[0]
    assert (spec.program, case.command, case.args) == (program, command, args)


def test_a_setup_of_one_test_stays_with_it(tmp_path: Path) -> None:
    tests = [
        {**one("./a.sh", name="a", expected="1\n")["tests"][0], "setup": "echo 1 > in", "input": "2\n"},
        {**one("./a.sh", name="b", expected="2\n")["tests"][0], "setup": "cat > /dev/null; echo 2 > in"},
        {**one("./a.sh", name="c", expected="3\n")["tests"][0], "setup": "echo 1 > in; false"},
    ]
    spec = imported(tmp_path, {**IO, "tests": tests}).spec
    alice = lay(tmp_path / "alice", {"a.sh": "#!/bin/sh\ncat in\n"})
    (alice / "a.sh").chmod(0o755)
    report = grade_files(spec, alice, {})
    assert [t.verdict for t in report.tests] == [Verdict.PASSED, Verdict.PASSED, Verdict.FAILED]


@each_row
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, content)
    assert not (tmp_path / "course" / "specs").exists()


@each_row
@pytest.mark.parametrize("key", ["input-file", "expected-file"])
def test_files_come_from_beside_the_tests_only(tmp_path: Path, key: str, name: str, message: str) -> None:
    folder = lay(tmp_path / "hello", {"folder/x": "", "../outside.txt": "the key"})
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    content = one("a", **{"expected": None if key == "expected-file" else "x", key: name})
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, content)
