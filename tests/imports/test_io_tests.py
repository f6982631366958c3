import json
from pathlib import Path
from typing import Any

import pytest

from grader.core.errors import UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.model.spec import Leaf
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.io_tests import import_io_tests
from tests.support.packages import IO, io_tests, lay
from tests.support.rows import each_row


def imported(folder: Path, content: Any = IO, name: str | None = None) -> Written:
    return write_assignment(import_io_tests(io_tests(folder / "hello", content), name), folder / "course")


def one(run: str, **keys: Any) -> dict[str, Any]:
    """A file with one test."""
    test = {"name": "t", "type": "io", "run": run, "comparison": "exact", "expected": "x", "points": 1, **keys}
    return {**IO, "tests": [{key: value for key, value in test.items() if value is not None}]}


pytestmark = pytest.mark.usefixtures("shared_cache")


def test_a_tests_json_becomes_a_spec(tmp_path: Path) -> None:
    written = imported(tmp_path)
    spec = load(written.spec)
    assert (spec.id, spec.language, spec.program, spec.files.required_names) == (
        "hello",
        "c",
        ("./hello",),
        ("hello.c",),
    )
    assert spec.build is not None
    assert (spec.build.run, spec.build.produces) == ((("gcc", "-o", "hello", "hello.c"),), ("hello",))
    assert [(t.name, int(t.points), str(t.visibility), len(t.cases)) for t in spec.tests] == [
        ("compiles", 2, "visible", 1),
        ("says {it}", 3, "visible", 1),
        ("piped", 1, "visible", 1),
        ("from a file", 1, "hidden", 1),
        ("suite", 5, "visible", 1),
    ]
    compiles, says, piped, from_file, suite = (test.cases[0] for test in spec.tests)
    assert (compiles.command, compiles.expect.exit) == (("gcc", "-o", "hello", "hello.c"), (0,))
    assert (says.stdin, says.command, says.args) == (b"{Bob}\n", None, ())
    assert says.expect.stdout == Leaf(how="text", want=("hello, {Bob}\n",))
    assert set(says.tolerate) == {"final-newline", "blank-lines", "trailing-space"}
    assert (piped.command, piped.limits) == (("sh", "-c", "./hello | tail -n 1"), {"time": 3.0})
    assert piped.expect.stdout == Leaf(how="regex", want=("(?m)^hello, \\w*$",))
    assert (from_file.stdin, from_file.args) == (b"Al\n", ("-q",))
    assert from_file.expect.stdout == Leaf(how="contains", want=("hello",))
    assert suite.expect.stdout is not None
    assert any("todo_suite" in note for note in written.notes)


@each_row
def test_lines_that_need_a_shell_get_one(
    tmp_path: Path, run: str, program: tuple[str, ...], command: tuple[str, ...] | None, args: tuple[str, ...]
) -> None:
    spec = load(imported(tmp_path, one(run)).spec)
    case = spec.tests[0].cases[0]
    assert (spec.program, case.command, case.args) == (program, command, args)


def test_what_lines_have_in_common_is_the_program(tmp_path: Path) -> None:
    lines = ["python3 a.py 1", "python3 a.py 2 3", "python3 b.py", "ls"]
    tests = [{**one(line)["tests"][0], "name": line} for line in lines]
    spec = load(imported(tmp_path, {**IO, "tests": tests}).spec)
    assert spec.program == ("python3", "a.py", "1")
    tests.pop(2)
    spec = load(imported(tmp_path, {**IO, "tests": tests}, "other").spec)
    assert spec.program == ("python3", "a.py")
    assert [(test.cases[0].args, test.cases[0].command) for test in spec.tests] == [
        (("1",), None),
        (("2", "3"), None),
        ((), ("ls",)),
    ]


def test_a_setup_of_one_test_stays_with_it(tmp_path: Path) -> None:
    tests = [
        {**one("./a.sh", name="a", expected="1\n")["tests"][0], "setup": "echo 1 > in", "input": "2\n"},
        {**one("./a.sh", name="b", expected="2\n")["tests"][0], "setup": "cat > /dev/null; echo 2 > in"},
        {**one("./a.sh", name="c", expected="3\n")["tests"][0], "setup": "echo 1 > in; false"},
    ]
    spec = imported(tmp_path, {**IO, "tests": tests}).spec
    alice = lay(tmp_path / "alice", {"a.sh": "#!/bin/sh\ncat in\n"})
    (alice / "a.sh").chmod(0o755)
    report = grade(Job(spec=spec, submission=Submission(id="alice", path=alice)))
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


def test_an_expected_file_is_written_into_the_spec(tmp_path: Path) -> None:
    content = one("a", expected=None, **{"expected-file": "in.txt"})
    spec = load(imported(tmp_path, content).spec)
    assert spec.tests[0].cases[0].expect.stdout == Leaf(how="text", want=("Al\n",))


@each_row
def test_a_test_that_contradicts_itself_is_to_be_written(tmp_path: Path, content: Any, reason: str) -> None:
    written = imported(tmp_path, content)
    alice = lay(tmp_path / "alice", {"a": ""})
    report = grade(Job(spec=written.spec, submission=Submission(id="alice", path=alice)))
    assert [test.verdict for test in report.tests] == [Verdict.UNGRADED]
    assert load(written.spec).max_score == 1
    told = (tmp_path / "course/data/hello/to_do.py").read_text()
    assert reason in " ".join(told.split())


def test_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        import_io_tests(tmp_path / "tests.json")
    (tmp_path / "tests.json").write_text(json.dumps(3))
    with pytest.raises(UsageError, match=r"no tests\.json"):
        import_io_tests(tmp_path / "tests.json")
