"""`grader record`: new cases, and what the reference says otherwise than the spec; comments and layout stay."""

import difflib
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from grader.core.reader.spec import load
from tests.support.commands import run_grader_text
from tests.support.courses import course
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
REFERENCE = DATA["REFERENCE"]
SPEC = DATA["SPEC"]


def call(*args: str, at: Path) -> subprocess.CompletedProcess[str]:
    return run_grader_text("record", "echo", *args, cwd=at)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A spec with comments, and cases in both layouts."""
    return course(tmp_path, SPEC, REFERENCE)


def changes(path: Path) -> list[str]:
    """The lines that are not as they were, each with its sign."""
    lines = difflib.unified_diff(SPEC.splitlines(), path.read_text().splitlines(), n=0, lineterm="")
    return [line for line in lines if line[:3] not in ("---", "+++") and not line.startswith("@@")]


@each_row
def test_a_case_is_added_and_nothing_else_changes(options: list[str], wanted: list[str], path: Path) -> None:
    done = call(*options, at=path.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert changes(path) == wanted
    load(path)


def test_the_file_behind_a_link_is_written_and_keeps_its_mode(path: Path, tmp_path: Path) -> None:
    kept = path.rename(tmp_path / "kept.yaml")
    kept.chmod(0o600)
    path.symlink_to(kept)
    done = call("--test", "words", "--args", "x", at=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (path.is_symlink(), kept.stat().st_mode & 0o777, len(load(path).tests[0].cases)) == (True, 0o600, 3)


def test_several_runs_and_an_input_of_several_lines(path: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("one\ntwo\n")
    done = call("--test", "words", "--args", "x", "--args", "y", "--stdin", str(tmp_path / "in.txt"), at=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "$ python3 echo.py x\nx\none\ntwo\n" in done.stdout
    cases = load(path).tests[0].cases
    assert [(case.args, case.stdin) for case in cases[2:]] == [(("x",), b"one\ntwo\n"), (("y",), b"one\ntwo\n")]


def test_the_spec_is_the_one_behind_the_links_of_its_path(path: Path, tmp_path: Path) -> None:
    for folder in ("inner", "work"):
        (tmp_path / folder).mkdir()
    (tmp_path / "work/link").symlink_to("../inner")
    at = tmp_path / "work"
    done = run_grader_text("record", "link/../specs/echo.yaml", "--test", "words", "--args", "x", cwd=at)
    assert (done.returncode, done.stderr) == (0, "")
    assert load(path).tests[0].cases[-1].args == ("x",)


def test_a_long_input_stays_a_file_of_the_course(path: Path, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("x" * 5000)
    done = call("--test", "words", "--args", "x", "--stdin", "long.txt", at=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "        stdin: {file: long.txt}" in path.read_text()
    assert load(path).tests[0].cases[2].stdin == b"x" * 5000


def test_each_input_is_a_case_with_each_line_of_arguments(path: Path, tmp_path: Path) -> None:
    for name in ("10", "9"):
        (tmp_path / f"{name}.in").write_text(f"{name}\n")
    outside = tmp_path.with_name(f"{tmp_path.name}.txt")
    outside.write_text("far\n")
    inputs = ("--stdin", "*.in", "--stdin", str(outside))
    done = call("--test", "words", "--args", "x", "--args", "y", *inputs, at=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    cases = load(path).tests[0].cases[2:]
    assert [(case.args[0], case.stdin) for case in cases] == [
        (arg, text) for arg in "xy" for text in (b"9\n", b"10\n", b"far\n")
    ]
    assert [line.strip("+ ") for line in changes(path) if "stdin" in line][:3] == [
        'stdin: {file: "9.in"}',
        'stdin: {file: "10.in"}',
        'stdin: "far\\n"',
    ]


COPY = "import sys\nprint('copied')\nopen('out.txt', 'w').write(open('in.txt').read() + sys.argv[1])\n"


def test_files_that_are_found_and_files_that_are_left(path: Path, tmp_path: Path) -> None:
    (path.parent.parent / "reference/echo.py").write_text(COPY)
    (tmp_path / "own.txt").write_text("one ")
    given = ("--test", "words", "--args", "x", "--file", "in.txt=own.txt")
    done = call(*given, "--expect-file", "out.txt", at=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "copied\n[file out.txt]\none x\n" in done.stdout
    assert changes(path) == [
        "+      - args: [x]",
        '+        files: {"in.txt": {file: own.txt}}',
        '+        expect: {files: {"out.txt": reference}}',
    ]
    assert call(*given, at=tmp_path).returncode == 0, "it is there"
    literal = (*given, "--test", "more", "--points", "1", "--expect-file", "out.txt", "--literal")
    assert call(*literal, at=tmp_path).returncode == 0
    assert '        expect: {stdout: "copied\\n", stderr: "", files: {"out.txt": one x}}' in path.read_text()
    before = path.read_text()
    done = call(*given, "--expect-file", "other.txt", at=tmp_path)
    assert (done.returncode, path.read_text()) == (3, before)
    assert "leaves no file other.txt" in done.stderr


@pytest.mark.parametrize("defaults", ["{exit: 0}", "{stdout: {contains: x}}", "reference"])
def test_a_new_test_compares_what_is_recorded_whatever_the_defaults_are(path: Path, defaults: str) -> None:
    path.write_text(path.read_text().replace("tests:\n", f"defaults: {{expect: {defaults}}}\ntests:\n", 1))
    assert call("--test", "more", "--points", "1", "--args", "x", at=path.parent).returncode == 0
    assert changes(path)[-1] == "+        expect: reference"
    assert call("--test", "plain", "--points", "1", "--args", "x", "--literal", at=path.parent).returncode == 0
    assert "        expect: {stdout: " in changes(path)[-1]


def test_each_input_is_the_file_that_was_named_also_where_contents_are_alike(path: Path, tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("same\n")
    (tmp_path / "empty.txt").touch()
    outside = tmp_path.with_name(f"{tmp_path.name}.txt")
    outside.write_text("same\n")
    files = ("--file", "a=one.txt", "--file", "b=two.txt", "--file", "c=empty.txt", "--file", f"d={outside}")
    assert call("--test", "words", "--args", "x", *files, at=tmp_path).returncode == 0
    assert call("--test", "words", "--args", "y", "--stdin", "two.txt", *files[:2], at=tmp_path).returncode == 0
    assert call("--test", "words", "--args", "z", "--stdin", "empty.txt", at=tmp_path).returncode == 0
    kinds = ("+        files", "+        stdin")
    assert [line.strip("+ ") for line in changes(path) if line.startswith(kinds)] == [
        r'files: {a: {file: one.txt}, b: {file: two.txt}, c: {file: empty.txt}, d: "same\n"}',
        "stdin: {file: two.txt}",
        "files: {a: {file: one.txt}}",
        "stdin: {file: empty.txt}",
    ]


ASK = DATA["ASK"]
STEPS = DATA["STEPS"]


@pytest.fixture
def asking(path: Path) -> Path:
    """A spec whose reference holds a dialogue."""
    (path.parent.parent / "reference/echo.py").write_text(ASK)
    return path


def test_lines_that_are_typed_become_a_dialogue(asking: Path, tmp_path: Path) -> None:
    (tmp_path / "typed").write_text("one\nend\n")
    done = call("--test", "words", "--dialogue", "typed", at=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert changes(asking) == [
        "+      - args: []",
        "+        dialogue:",
        *STEPS,
        "+          - {send: end}",
        "+          - {eof: true}",
    ]
    done = call("--test", "more", "--points", "1", "--dialogue", "typed", "--literal", at=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    case = load(asking).tests[-1].cases[0]
    assert case.expect.screen
    assert case.expect.stdout
    assert case.expect.stdout.leaves[0].want == ("Hello\nword? one is a word? No\nword? bye\n",)
    (tmp_path / "typed").write_text("end\nmore\n")
    before = asking.read_text()
    done = call("--test", "words", "--dialogue", "typed", at=tmp_path)
    assert (done.returncode, asking.read_text()) == (2, before)
    assert "the line 'more'" in done.stderr


def test_a_person_types_and_the_program_may_wait_for_more(asking: Path) -> None:
    args = ["-m", "grader", "record", "echo", "--test", "texts", "--dialogue", "-"]
    person = pexpect.spawn(sys.executable, args, cwd=asking.parent, encoding="utf-8", timeout=100)
    person.expect_exact("Hello\r\nword? ")
    person.sendline("one")
    person.expect_exact("No\r\nword? ")
    person.sendeof()
    person.expect(pexpect.EOF)
    person.close()
    assert person.exitstatus == 0
    assert changes(asking) == ["+      - args: []", "+        dialogue:", *STEPS, "+        expect: reference"]


def test_the_same_is_said_where_nothing_changed(path: Path) -> None:
    done = call(at=path.parent)
    assert (done.returncode, changes(path)) == (0, [])
    assert "8 cases" in done.stdout


def test_differences_are_shown_and_accepted_only_when_told(path: Path) -> None:
    reference = path.parent.parent / "reference/echo.py"
    reference.write_text(REFERENCE.replace("word ...", "WORD...").replace("sys.exit(2)", "sys.exit(3)"))
    done = call(at=path.parent)
    assert done.returncode == 1
    assert "- usage: echo word ...\n" in done.stdout
    assert "+ usage: echo WORD...\n" in done.stdout
    assert changes(path) == []
    assert call("--test", "words", at=path.parent).returncode == 0
    done = call("--accept", at=path.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert changes(path) == [
        '-    expect: {stdout: "", stderr: "usage: echo word ...\\n", exit: 2}',
        '+    expect: {stdout: "", stderr: "usage: echo WORD...\\n", exit: 3}',
    ]
    assert call(at=path.parent).returncode == 0


def test_what_no_text_can_be_exchanged_for_is_told(path: Path) -> None:
    reference = path.parent.parent / "reference/echo.py"
    reference.write_text(REFERENCE.replace("print(*sys.argv[1:])", 'print(*sys.argv[1:], "!", sep="\\n")'))
    done = call("--accept", at=path.parent)
    assert done.returncode == 1
    assert changes(path) == [
        '-      - {args: [d, e], expect: {stdout: "d e\\n"}}',
        "+            !",
        '+      - {args: [d, e], expect: {stdout: "d\\ne\\n!\\n"}}',
    ]
    assert "texts[3], an expectation: not changed: this is no text" in done.stderr
    assert "many[n=1], standard output: not changed: " in done.stderr
    assert "2 of 5 changed" in done.stdout


def test_a_case_that_is_there_is_compared_and_not_added_again(path: Path) -> None:
    done = call("--test", "texts", "--args", "d e", at=path.parent)
    assert (done.returncode, changes(path)) == (0, [])
    path.write_text(SPEC.replace('"d e\\n"', '"d  e\\n"'))
    done = call("--args", "d e", at=path.parent)
    assert done.returncode == 1
    assert "texts[2], standard output" in done.stdout
    assert call("--args", "d e", "--accept", at=path.parent).returncode == 0
    assert changes(path) == []


@each_row
def test_what_cannot_be_recorded_is_told_and_changes_nothing(options: list[str], told: str, path: Path) -> None:
    done = call(*options, at=path.parent)
    assert (done.returncode, changes(path)) == (2, [])
    assert told in done.stderr


def test_an_odd_layout_is_not_edited_but_told(path: Path) -> None:
    odd = SPEC.replace("      - args: [a]   # one\n", "      -\n        args: [a]\n")
    path.write_text(odd)
    done = call("--test", "words", "--args", "x", at=path.parent)
    assert (done.returncode, path.read_text()) == (2, odd)
    assert "  - args: [x]" in done.stderr or "- args: [x]" in done.stderr


@each_row
def test_a_reference_that_fails_records_nothing(program: str, told: str, path: Path) -> None:
    (path.parent.parent / "reference/echo.py").write_text(program)
    done = call("--test", "words", "--args", "x", at=path.parent)
    assert (done.returncode, changes(path)) == (3, [])
    assert told in done.stderr


def test_a_command_without_a_reference_is_told_with_the_entry_that_it_needs(path: Path) -> None:
    added = "  - name: other\n    command: python3 unique.py -c\n    expect: {stdout: a}\n"
    path.write_text(SPEC + added)
    done = call("--test", "other", "--args", "x", at=path.parent)
    assert (done.returncode, path.read_text()) == (2, SPEC + added)
    assert "'other' starts `python3 unique.py -c`" in done.stderr
    assert "`references: {unique: ...}`" in done.stderr


def test_a_case_in_order_finds_what_those_before_it_left(tmp_path: Path) -> None:
    test = "tests:\n  - name: log\n    in-order: true\n    expect: {exit: 0}\n    cases: [{args: [a]}, {args: [b]}]\n"
    reference = 'import os\n\nopen("log", "a").write("x")\nprint(os.path.getsize("log"))\n'
    path = course(tmp_path, SPEC[: SPEC.index("tests:")] + test, reference)
    assert call("--args", "c", "--literal", at=path.parent).stdout.splitlines()[:2] == ["$ python3 echo.py c", "3"]
