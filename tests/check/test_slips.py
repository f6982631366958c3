"""The rules of `lint` on commands, on texts that YAML reads otherwise, and on what the reference shows."""

from pathlib import Path

from grader.check.runner import asking, examine
from tests.support.courses import course
from tests.support.rows import each_row

HEAD = "spec: 1\nid: echo\ntitle: Echo\nlanguage: python\nfiles: {required: [echo.py]}\nprogram: python3 echo.py\n"
TEST = "tests:\n  - name: one\n    args: [a]\n    expect: {stdout: a}\n"


def found(folder: Path, text: str) -> list[str]:
    """Return what is found in a spec without running anything: rule, line and message."""
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "in.txt").write_text("5 3\n")
    path = folder / "x.yaml"
    path.write_text(text)
    return [f"{one.rule} {one.line} {one.message}" for one in examine(path, None).remarks]


def whole(text: str) -> str:
    """Return a spec of these lines, with a test where they have none."""
    return f"spec: 1\nid: echo\n{text}{'' if 'tests:' in text else TEST}"


def one_test(*lines: str) -> str:
    """Return a spec with one test of these lines."""
    return HEAD + "tests:\n  - name: one\n" + "".join(f"    {line}\n" for line in lines)


@each_row
def test_a_spec_that_only_looks_wrong_is_left_alone(text: str, tmp_path: Path) -> None:
    assert found(tmp_path, whole(text)) == []


def test_a_text_that_is_longer_than_a_name_can_be_is_no_file(tmp_path: Path) -> None:
    name = "a" * 300 + ".txt"
    assert (
        found(tmp_path, one_test(f"args: [{name}, {'b/' * 3000}{name}]", f"stdin: {name}", "expect: {stdout: a}")) == []
    )


@each_row
def test_what_only_looks_wrong_is_left_alone(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert found(tmp_path, one_test(*lines)) == []


@each_row
def test_a_wrong_spec_is_told_where_it_is(text: str, start: str, told: str, tmp_path: Path) -> None:
    (remark,) = found(tmp_path, whole(text))
    assert (remark.startswith(start), told in remark) == (True, True), remark


@each_row
def test_what_is_wrong_is_told_where_it_is(lines: tuple[str, ...], start: str, told: str, tmp_path: Path) -> None:
    remarks = [one for one in found(tmp_path, one_test(*lines)) if not one.startswith("repeated-case")]
    assert [(one.startswith(start), told in one) for one in remarks] == [(True, True)], remarks


@each_row
def test_what_the_reference_shows(reference: str, expect: str, rules: list[str], tmp_path: Path) -> None:
    spec = (
        HEAD
        + "reference: python3 reference/echo.py\n"
        + (f"tests:\n  - name: one\n    cases: [{{args: [a]}}, {{args: [b]}}]\n    points: 2\n    expect: {expect}\n")
    )
    path = course(tmp_path, spec, reference)
    remarks = examine(path, asking("auto", 2)).remarks
    assert [f"{one.rule} {one.line}" for one in remarks] == rules, remarks


def test_a_program_that_generates_is_told_with_its_line_and_seed(tmp_path: Path) -> None:
    spec = (
        HEAD
        + "reference: python3 reference/echo.py\nseed: course\ntests:\n  - name: one\n"
        + ("    args: [a]\n    stdin: {generate: reference/make.py}\n    expect: reference\n")
    )
    path = course(tmp_path, spec)
    (tmp_path / "reference" / "make.py").write_text("import sys\nprint(sys.argv[2])\n")
    (tmp_path / "draws.secret").write_text("nobody guesses this one\n")
    (tmp_path / "draws.secret").chmod(0o600)
    (remark,) = [one for one in examine(path, asking("auto", 1)).remarks if one.level == "error"]
    assert (remark.rule, remark.line) == ("course-function", 12)
    assert remark.message.startswith("reference/make.py ")
    assert "IndexError" in remark.message
