"""The public copy: it judges as the spec does, and holds nothing that students must not have."""

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.author.public import make_public, write_public
from grader.check.runner import asking, examine
from grader.check.samples import read_samples
from grader.core.errors import HostError, UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade, prepare
from grader.core.reader.locate import find_spec
from grader.core.reader.spec import load, read
from tests.support.commands import run_grader_text
from tests.support.courses import SPEC, course, grade_files
from tests.support.expected import ROOT, SAMPLES
from tests.support.handout_samples import MARKER, REFERENCE
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

SHARED = frozenset({"reference/queens.py"})
"""what the checks of the course need of what its references use"""
LEFT_OUT = {
    "comp333-queens-functions": {"getPositionsSnapshot"},
    "comp333-queens-java": {"solutions", "listing", "trace"},
}
DATA = read_data(__file__)
CHECKS = DATA["CHECKS"]
TESTS = DATA["TESTS"]
ECHO = DATA["ECHO"]


def copied(folder: Path, tests: str, reference: str = ECHO, shared: frozenset[str] = frozenset()) -> Path:
    """Lay out a course with these tests and make the public copy; return where that is."""
    path = course(folder / "course", TESTS + tests, reference)
    (path.parent.parent / "reference/checks.py").write_text(CHECKS)
    (path.parent.parent / "reference/helper.py").write_text("WORD = True\n")
    (path.parent.parent / "in.txt").write_text("{x}\n")
    target = folder / "public/specs/echo.yaml"
    write_public(make_public(prepare(path), shared=shared), target)
    return target


@pytest.mark.parametrize("name", [path.stem for path in sorted((ROOT / "specs").glob("*.yaml"))])
def test_a_right_sample_has_full_marks_by_the_copy(name: str, tmp_path: Path) -> None:
    course = prepare(ROOT / "specs" / f"{name}.yaml")
    found = make_public(course, shared=SHARED, jobs=2)
    target = tmp_path / "specs" / f"{name}.yaml"
    write_public(found, target)
    assert set(found.left_out) == LEFT_OUT.get(name, set())
    examination = examine(target, asking("full", 2))
    assert [remark for remark in examination.remarks if remark.level == "error"] == []
    copy = load(target)
    assert copy.reference is None
    assert [test.name for test in copy.tests] == [t.name for t in course.spec.tests if t.name not in found.left_out]
    right = next(sample for sample in read_samples(course.spec) if sample.is_right(course.spec))
    # Every third case: each was written out of the same answers of the reference, which were examined above.
    tests = tuple(replace(test, cases=test.cases[::3]) for test in copy.tests)
    report = grade(
        Job(spec=target, submission=right.submission), replace(prepare(target), spec=replace(copy, tests=tests))
    )
    assert (report.score, report.verdict) == (float(copy.max_score), Verdict.PASSED)


def test_a_wrong_sample_loses_the_same_by_the_copy(tmp_path: Path) -> None:
    name = "cmps12b-pa2"
    target = tmp_path / "copy.yaml"
    write_public(make_public(prepare(ROOT / "specs" / f"{name}.yaml")), target)
    job = Job(spec=target, submission=Submission(id="henry", path=SAMPLES / name / "henry"), only=("usage", "listing"))
    assert [float(test.score or 0) for test in grade(job).tests] == [8, 29.6]


def test_no_file_of_the_reference_is_in_it() -> None:
    for path in sorted((ROOT / "specs").glob("*.yaml")):
        found = make_public(prepare(path), shared=SHARED)
        programs = {word for spec in (ROOT / "specs").glob("*.yaml") for word in load(spec).reference or ()}
        assert not programs & set(found.files)
        assert b"reference: " not in found.text.replace(b"reference/", b"")
    with pytest.raises(UsageError, match=r"needs reference/queens.py, of which a reference is made"):
        make_public(prepare(ROOT / "specs/nqueens-matrix.yaml"))


def test_nothing_of_a_hidden_test_is_in_it(tmp_path: Path) -> None:
    path = course(tmp_path / "course", MARKER, REFERENCE)
    target = tmp_path / "public/echo.yaml"
    done = run_grader_text("handout", path, "--public", target)
    assert done.returncode == 0, done.stderr
    assert "Hidden, and not in it: 2." in done.stdout
    texts = [file.read_bytes() for file in target.parent.rglob("*") if file.is_file()]
    assert b"MARKER" not in b"".join(texts) + done.stdout.encode() + done.stderr.encode()
    assert [test.needs for test in load(target).tests] == [(), ("usage",), ()]
    heading = target.read_text().partition("\n\n")[0].replace("\n# ", " ")
    assert heading.endswith("the tests that you can run yourself, 5.5 of 12.5 points.")


EVERYTHING = DATA["EVERYTHING"]


def test_defaults_are_written_out_with_the_cases(tmp_path: Path) -> None:
    defaults = 'defaults: {args: [a], env: {A: b}, files: {x: {file: NAME}}, expect: {stderr: ""}}\n'
    tests = f"{SPEC[SPEC.index('  - name: words') :]}  - name: own\n    args: [b]\n    expect: {{stdout: 'b\\n'}}\n"
    head = SPEC[: SPEC.index("tests:")]
    path = course(tmp_path / "right", head + defaults.replace("NAME", "in.txt") + "tests:\n" + tests)
    (tmp_path / "right/in.txt").write_text("one\n")
    (tmp_path / "right/specs/.#echo.yaml").symlink_to("ada@desk.4711")  # as Emacs marks a file with unsaved changes
    copy = make_public(prepare(path))
    assert b"defaults" not in copy.text
    assert set(copy.files) == {"in.txt"}
    own = next(test for test in read(copy.text, "x", path.parents[1]).tests if test.name == "own").cases[0]
    assert own == replace(load(path).tests[-1].cases[0], id=own.id, path=own.path)
    path = course(tmp_path / "wrong", head + defaults.replace("NAME", "reference/echo.py") + "tests:\n" + tests)
    with pytest.raises(UsageError, match=r"needs reference/echo\.py"):
        make_public(prepare(path))


def test_all_that_asks_the_reference_is_written_out(tmp_path: Path) -> None:
    target = copied(tmp_path, EVERYTHING)
    spec, copy = load(tmp_path / "course/specs/echo.yaml"), load(target)
    assert sum(len(test.cases) for test in copy.tests) == 15
    for test, other in zip(spec.tests, copy.tests, strict=True):
        assert (test.points, test.name) == (other.points, other.name)
        for case, own in zip(test.cases, other.cases, strict=True):
            assert not own.asks_reference
            blank = {"id": "", "expect": case.expect, "payload": case.payload}
            assert replace(own, **blank) == replace(case, **blank, path=own.path)
    report = grade_files(target, tmp_path / "alice", {"echo.py": ECHO})
    assert [case.message for test in report.tests for case in test.cases if case.message] == []
    report = grade_files(target, tmp_path / "alice", {"echo.py": "print()\n"})
    assert all(test.score == 0 for test in report.tests if test.name != "talk")
    assert {file.name for file in (tmp_path / "public").rglob("*.*")} == {
        "echo.yaml",
        "checks.py",
        "helper.py",
        "in.txt",
    }


@each_row
def test_what_cannot_be_public_is_left_out_with_the_reason(test: str, why: str, tmp_path: Path) -> None:
    tests = f"  - name: fine\n    args: [a]\n    expect: reference\n  - name: bad\n    cases: [{test}]\n"
    path = course(tmp_path, TESTS + tests, DATA["ODD_REFERENCE"])
    folder = path.parent.parent / "reference"
    (folder / "bad.py").write_text("import echo\ndef right(output):\n    pass\n")
    (folder / "data.txt").write_text("x")
    (folder / "data.py").write_text(
        "from pathlib import Path\ndef right(output):\n    Path(__file__).with_name('data.txt').read_text()\n"
    )
    found = make_public(prepare(path))
    assert list(found.left_out) == ["bad"]
    assert why in found.left_out["bad"]
    assert b"fine" in found.text


def test_a_reference_that_fails_makes_no_copy(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="the reference failed"):
        copied(tmp_path, "  - name: a\n    expect: reference\n", "raise ValueError\n")


def test_a_copy_takes_the_place_of_an_earlier_one_and_of_nothing_else(tmp_path: Path) -> None:
    tests = "  - name: a\n    args: [k]\n    expect: {stdout: {check: 'reference/checks.py:right', word: k}}\n"
    target = copied(tmp_path, tests)
    spec = tmp_path / "course/specs/echo.yaml"

    def call(*args: Path | str) -> subprocess.CompletedProcess[str]:
        return run_grader_text("handout", spec, *args, cwd=tmp_path)

    spec.write_text(spec.read_text().replace("name: a", "name: b"))
    assert call("--public", target).returncode == 0
    assert load(target).tests[0].name == "b"
    before = spec.read_bytes()
    done = call("--public", spec)
    assert (done.returncode, spec.read_bytes()) == (2, before)
    assert "is no public copy" in done.stderr
    other = tmp_path / "other/reference/checks.py"
    other.parent.mkdir(parents=True)
    other.write_text("mine\n")
    done = call("--public", tmp_path / "other/copy.yaml")
    assert (done.returncode, other.read_text()) == (2, "mine\n")
    assert not (tmp_path / "other/copy.yaml").exists()
    assert call("--public").returncode == 0
    assert load(tmp_path / "handout/echo/specs/echo.yaml").tests[0].name == "b"
    assert "there is no such file" in call("--public", "--share", "nosuch.py").stderr


def test_a_language_of_the_course_s_own_comes_with_the_copy(tmp_path: Path) -> None:
    """Students have the folder to themselves, and lay what they wrote right in it."""
    languages = "snake: {like: python, title: Snake}\n"
    path = course(
        tmp_path / "course",
        TESTS.replace("python\n", "snake\n") + "  - {name: a, args: [x], expect: reference}\n",
        ECHO,
    )
    (tmp_path / "course/toolchains.yaml").write_text(languages)
    target = tmp_path / "public/specs/echo.yaml"
    write_public(make_public(prepare(path)), target)
    assert (tmp_path / "public/toolchains.yaml").read_text() == languages
    mine = lay(tmp_path / "public/mine", {"echo.py": ECHO})
    spec = find_spec(str(target), [mine], tmp_path / "public")
    assert grade_files(spec, mine, {}).verdict is Verdict.PASSED


@pytest.mark.parametrize("name", ["lib.py", "echo.py"])
@pytest.mark.parametrize("source", ["{file: reference/echo.py}", "{folder: reference}"])
def test_a_build_that_adds_the_reference_is_refused(tmp_path: Path, name: str, source: str) -> None:
    added = f"{{{name}: {source}}}" if "file" in source else f"{{parts: {source}}}"
    tests = TESTS.replace("tests:", f"build: {{run: 'true', with: {added}}}\ntests:")
    (tmp_path / "specs").mkdir()
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference/echo.py").write_text(ECHO)
    spec = tmp_path / "specs/echo.yaml"
    spec.write_text(f"{tests}  - {{name: one, points: 1, args: [a], expect: reference}}\n")
    with pytest.raises(UsageError, match=r"`build` adds reference/echo\.py"):
        make_public(prepare(spec))
