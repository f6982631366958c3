"""`grader new`: an assignment that lints, verifies and grades at once, in every language; and one made of a program."""

import re
import subprocess
from pathlib import Path

import pytest

from grader.author.new import create, start_assignment
from grader.check.samples import read_samples, sample_differences
from grader.cli.assignments import LIKE
from grader.core.errors import UsageError
from grader.core.model.report import Job
from grader.core.model.spec import LANGUAGES
from grader.core.pipeline import grade, prepare
from grader.core.reader.locate import root_at
from grader.core.reader.spec import load
from tests.support.commands import run_grader_text
from tests.support.editors import complaints
from tests.support.languages import each
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
HELLO = DATA["HELLO"]


def call(*args: str, at: Path) -> subprocess.CompletedProcess[str]:
    return run_grader_text(*args, cwd=at)


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
@each("java", "python", "c", "cpp", "prolog", "shell", "sql")
def test_it_lints_and_verifies_at_once(language: str, tmp_path: Path) -> None:
    done = call("new", "my-sum-2", "--language", language, at=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    commands = re.findall(r"^  grader (.*)$", done.stdout, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["lint", "verify", "run"]
    for command in commands:
        followed = call(*command.split(), at=tmp_path)
        assert followed.returncode == 0, followed.stdout + followed.stderr
    assert list(complaints((tmp_path / "specs/my-sum-2.yaml").read_text())) == []


@pytest.mark.slow
@each(*LANGUAGES)
def test_both_samples_get_what_is_stated(language: str, tmp_path: Path) -> None:
    create(tmp_path, start_assignment("sum", language, {}))
    path = tmp_path / "specs/sum.yaml"
    course = prepare(path)
    samples = read_samples(course.spec)
    wrong = {"sql": {"other-order": "50"}, "notebook": {"not-above": "53.33"}}.get(language, {"wrong-stream": "85"})
    assert {sample.submission.id: sample.score for sample in samples} == {"right": "100", **wrong}
    for sample in samples:
        assert sample_differences(grade(Job(spec=path, submission=sample.submission), course), sample) == ()


@pytest.mark.timeout(200)
@pytest.mark.parametrize("like", [LIKE[0], *(pytest.param(one, marks=pytest.mark.slow) for one in LIKE[1:])])
def test_each_kind_of_assignment_is_right_at_once_and_notices_what_is_wrong(like: str, tmp_path: Path) -> None:
    made, linted, verified = (
        call(*words, at=tmp_path)
        for words in (("new", "my-own", "--like", like), ("lint", "my-own"), ("verify", "my-own"))
    )
    assert (made.returncode, made.stderr) == (0, "")
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert re.search(r"\b([2-9]) of \1 as expected", verified.stdout), verified.stdout
    # Of the tests that students write there are no mutants: the wrong programs are in the spec.
    assert like == "student-tests" or "100 % lose points" in verified.stdout


@each_row
def test_what_is_not_enough_or_too_much_is_told(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = call("new", "x", *words, at=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_first_line_names_a_schema_that_is_there(tmp_path: Path) -> None:
    create(tmp_path, start_assignment("sum", "c", {}))
    spec = tmp_path / "specs/sum.yaml"
    named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", spec.read_text())
    assert named
    shipped = call("schema", at=tmp_path).stdout
    assert (spec.parent / named[1]).read_text() == shipped


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    assert call("new", "sum", "--language", "c", at=tmp_path).returncode == 0
    (tmp_path / "specs/sum.yaml").unlink()
    (tmp_path / "reference/sum.py").write_text("mine\n")
    before = tree(tmp_path)
    done = call("new", "sum", "--language", "java", at=tmp_path)
    assert done.returncode == 2
    assert "reference/sum.py" in done.stderr
    assert "sample_submissions/sum/expected.yaml" in done.stderr
    assert "specs/sum.yaml" not in done.stderr
    assert tree(tmp_path) == before


def test_a_second_assignment_joins_the_course_and_its_schema_stays(tmp_path: Path) -> None:
    create(tmp_path, start_assignment("one", "c", {}))
    (tmp_path / "specs/spec.schema.json").write_text("{}")
    deep = tmp_path / "sample_submissions/one"
    done = call("new", "two", "--language", "java", at=deep)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "specs/two.yaml").is_file()
    assert (tmp_path / "specs/spec.schema.json").read_text() == "{}"
    assert root_at(deep) == tmp_path
    assert root_at(tmp_path.parent) == tmp_path.parent


@pytest.mark.parametrize("spec_id", ["Sum", "a b", "../x", "", "ä"])
def test_an_id_is_small_letters_digits_and_hyphens(spec_id: str) -> None:
    with pytest.raises(UsageError, match="is no id"):
        start_assignment(spec_id, "c", {})


@pytest.mark.parametrize(("spec_id", "name"), [("string", "ProgramString"), ("2-sum", "Program2Sum"), ("a-b2", "AB2")])
def test_a_class_has_a_name_that_java_takes(spec_id: str, name: str) -> None:
    assert f"sample_submissions/{spec_id}/right/{name}.java" in start_assignment(spec_id, "java", {})


# ---------------------------------------------------------------- made of a program


def test_a_program_becomes_the_reference_and_its_runs_become_cases(tmp_path: Path) -> None:
    own, course = tmp_path / "own", tmp_path / "course"
    own.mkdir()
    course.mkdir()
    (own / "hello.py").write_text(HELLO)
    (own / "words.py").write_text('greeting = "hello"\n')
    (own / "secret.txt").write_text("not asked for")
    program = f"python3 {own / 'hello.py'}"
    done = call("new", "hi", "--language", "java", "--from", program, "--args", "ann 'b  c'", at=course)
    assert done.returncode == 0, done.stderr
    assert "hello ann b  c {n}\n" in done.stdout
    assert set(tree(course)) == {"specs/hi.yaml", "specs/spec.schema.json", "reference/hello.py", "reference/words.py"}
    spec = load(course / "specs/hi.yaml")
    assert spec.reference == ("python3", "reference/hello.py")
    assert [case.args for case in spec.tests[0].cases] == [(), ("ann", "b  c")]
    assert all(case.asks_reference for case in spec.tests[0].cases)
    for command in ("lint", "verify"):
        followed = call(command, "specs/hi.yaml", at=course)
        assert followed.returncode == 0, followed.stdout + followed.stderr


def test_the_text_itself_is_written_when_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "hello.sh").write_text('[ $# -gt 0 ] || { echo usage >&2; exit 2; }\ncat\necho "hi $* {n}"\n')
    (tmp_path / "in.txt").write_text("one\n")
    done = call(
        *("new", "hi", "--language", "shell", "--from", "hello.sh", "--args", "a", "--stdin", "in.txt", "--literal"),
        at=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    spec = load(tmp_path / "specs/hi.yaml")
    one, other = spec.tests[0].cases
    assert (one.expect.stderr and one.expect.stderr.leaves[0].want, one.stdin) == (("usage\n",), b"one\n")
    assert other.expect.stdout
    assert other.expect.stdout.leaves[0].want == ("one\nhi a {n}\n",)
    assert call("verify", "hi", at=tmp_path).returncode == 0


def test_each_input_makes_a_run_and_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "hello.sh").write_text('cat - words.txt\necho "$#"\n')
    for name, text in (("10.in", "ten\n"), ("9.in", "nine\n"), ("w.txt", "word\n")):
        (tmp_path / name).write_text(text)
    given = ("--args", "a", "--stdin", "*.in", "--file", "words.txt=w.txt")
    done = call("new", "hi", "--language", "shell", "--from", "hello.sh", *given, at=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "$ program < 10.in\nten\nword\n0\n$ program a < 9.in\nnine\nword\n1\n" in done.stdout
    assert (tmp_path / "specs/hi.yaml").read_text().count('files: {"words.txt": {file: w.txt}}') == 4
    assert [case.stdin for case in load(tmp_path / "specs/hi.yaml").tests[0].cases] == [b"nine\n", b"ten\n"] * 2


@pytest.mark.parametrize("name", ["solution.py", "my solution.py"])
def test_a_program_in_the_language_of_the_assignment_is_a_right_sample(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("print('hi')\n")
    done = call("new", "hi", "--language", "python", "--from", name, at=tmp_path)
    assert "sample_submissions/hi/right/hi.py" in done.stdout
    verified = call("verify", "hi", at=tmp_path)
    assert "samples: 1 of 1 as expected" in verified.stdout, verified.stdout + verified.stderr


def test_a_compiled_program_is_a_reference_too(tmp_path: Path) -> None:
    course = tmp_path / "course"
    course.mkdir()
    (tmp_path / "x.c").write_text('#include <stdio.h>\nint main(int n, char **v) { return printf("%d\\n", n) < 0; }\n')
    subprocess.run(["/usr/bin/gcc", "-o", tmp_path / "count", tmp_path / "x.c"], check=True)
    done = call("new", "count", "--language", "c", "--from", f"{tmp_path / 'count'} -x", "--args", "a b", at=course)
    assert done.returncode == 0, done.stderr
    assert load(course / "specs/count.yaml").reference == ("reference/count", "-x")
    assert "$ program a b\n4\n" in done.stdout
    assert call("lint", "count", at=course).returncode == 0


@pytest.mark.slow
@each_row
def test_a_reference_is_made_of_sources(files: dict[str, str], program: str, reference: str, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "course").mkdir()
    for name, text in files.items():
        (tmp_path / "own" / name).write_text(text)
    done = call("new", "sum", "--language", "java", "--from", f"../{program}", "--args", "1", at=tmp_path / "course")
    assert done.returncode == 0, done.stderr
    assert "$ program 1\n3" in done.stdout
    assert f"reference: {reference}\n" in (tmp_path / "course" / "specs" / "sum.yaml").read_text()
    assert call("lint", "sum", at=tmp_path / "course").returncode == 0


@each_row
def test_what_cannot_be_a_reference_leaves_nothing_behind(program: str, code: int, told: str, tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("no program\n")
    (tmp_path / "crash.py").write_text("raise ValueError\n")
    before = tree(tmp_path)
    done = call("new", "x", "--language", "c", "--from", program, at=tmp_path)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    assert tree(tmp_path) == before


def test_runs_need_a_program(tmp_path: Path) -> None:
    done = call("new", "x", "--language", "c", "--args", "1", at=tmp_path)
    assert done.returncode == 2
    assert "--from" in done.stderr


def test_of_the_folder_of_references_only_what_is_named_is_read(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/hello.sh").write_text("echo hello\n")
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference/odd").symlink_to("/proc/self/mem")  # nobody can read its first byte
    (tmp_path / "reference/other.sh").write_text("echo hello\n")
    done = call("new", "a", "--language", "shell", "--from", "tools/hello.sh", at=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = call("new", "b", "--language", "shell", "--from", "reference/other.sh", at=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"grader: {tmp_path}/reference/odd cannot be read: Input/output error\n"
