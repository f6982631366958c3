"""Cases that are made of files of the course, and what is expected that stands in one."""
# ruff: noqa: E501 -- messages are compared whole

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.author.to_yaml import expectation_node
from grader.core.errors import SpecError
from grader.core.model.spec import Spec
from grader.core.yaml.nodes import in_line
from tests.support.courses import load_text
from tests.support.rows import each_row

HEAD = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests:\n- name: t\n"
FILES = {
    f"tests/{name}.{kind}": text for name in ("a2", "a10", "a1") for kind, text in (("in", name), ("out", f"{name}\n"))
}


def spec_of(folder: Path, test: str, files: Mapping[str, str | bytes] = FILES) -> Spec:
    return load_text(folder, f"{HEAD}  {test}\n", files)


def told(folder: Path, test: str, files: Mapping[str, str | bytes] = FILES) -> str:
    with pytest.raises(SpecError) as caught:
        spec_of(folder, test, files)
    (problem,) = caught.value.problems
    return f"{problem.line}:{problem.column}: {problem.path}: {problem.message}"


def test_each_is_named_after_its_file_in_natural_order(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "cases: {from: tests/*.in, answers: tests/*.out}")
    cases = spec.tests[0].cases
    assert [case.id for case in cases] == ["t[a1]", "t[a2]", "t[a10]"]
    assert [case.stdin for case in cases] == [b"a1", b"a2", b"a10"]
    assert [case.expect.stdout and case.expect.stdout.leaves[0].want for case in cases] == [
        ("a1\n",),
        ("a2\n",),
        ("a10\n",),
    ]
    assert spec.attached.keys() == FILES.keys()
    assert {case.path for case in cases} == {"tests[0]"}


def test_a_file_more_is_another_spec(tmp_path: Path) -> None:
    first = spec_of(tmp_path, "cases: {from: tests/*.in}\n  expect: {exit: 0}")
    second = spec_of(tmp_path, "cases: {from: tests/*.in}\n  expect: {exit: 0}", {**FILES, "tests/b.in": "b"})
    assert len(second.tests[0].cases) == 4
    assert first.digest != second.digest


def test_the_name_is_a_variable_beside_others(tmp_path: Path) -> None:
    test = """each: {n: [1, 2]}
  args: ["{n}", "{name}"]
  cases: {from: tests/*.in}
  expect: {stdout: {tokens: {file: "tests/{name}.out"}, tolerance: 0.5}, stderr: "", files: {o.txt: {file: tests/a1.out}}}"""
    cases = spec_of(tmp_path, test).tests[0].cases
    assert [case.id for case in cases][2:4] == ["t[n=1,a10]", "t[n=2,a1]"]
    assert cases[2].args == ("1", "a10")
    assert in_line(expectation_node(cases[2].expect)) == (
        '{stdout: {tokens: [a10], tolerance: 0.5}, stderr: "", files: {"o.txt": "a1\\n"}}'
    )


@each_row
def test_of_a_file_saved_on_windows_plain_newlines_are_right_as_well(
    expect: str, wanted: list[tuple[str, ...]], tmp_path: Path
) -> None:
    files = {"w.out": b"\xef\xbb\xbfa\r\nb\r\n"}
    stdout = spec_of(tmp_path, f"expect: {{stdout: {expect}}}", files).tests[0].cases[0].expect.stdout
    assert stdout is not None
    assert [one.want for one in stdout.leaves] == wanted


def test_a_large_file_with_a_mark_is_read_without_it(tmp_path: Path) -> None:
    files = {"w.out": b"\xef\xbb\xbf" + b"a\n" * 2**20}
    stdout = spec_of(tmp_path, "expect: {stdout: {file: w.out}}", files).tests[0].cases[0].expect.stdout
    assert stdout is not None
    assert stdout.leaves[0].want == ("a\n" * 2**20,)


def test_what_lies_beside_a_function_is_not_read_for_each_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    monkeypatch.setattr("grader.core.yaml.value.content_of", read.append)
    files = {"checks/all.py": "def right(run): ...\n", "checks/data": "x"}
    spec = spec_of(tmp_path, "each: {n: 1..9}\n  expect: {stdout: {check: 'checks/all.py:right'}}", files)
    assert (len(spec.tests[0].cases), sorted(spec.attached), read) == (9, ["checks/all.py", "checks/data"], [])


@each_row
def test_what_is_wrong_is_told_where_it_is(test: str, message: str, tmp_path: Path) -> None:
    files: Mapping[str, str | bytes] = {
        **FILES,
        "odd/a\tb.in": "",
        "other/a1.in": "",
        "other/a1.out": "",
        "bytes/x.in": "",
        "bytes/x.out": b"\xff",
        "words/x.in": "1e999",
    }
    assert told(tmp_path, test, files) == message.replace("{root}", str(tmp_path))
