from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.load import load
from grader.model import Expected, Spec

SPEC = """\
spec: 1
id: x
title: T
program: ./x
tests:
- name: t
  each: {n: [4, 6]}
  expect: {stdout: WRITTEN}
"""


def loaded(folder: Path, written: str) -> Spec:
    (folder / "specs").mkdir(exist_ok=True)
    (folder / "reference").mkdir(exist_ok=True)
    for name in ("checks.py", "reference/checks.py", "reference/queens.py"):
        path = folder / name
        path.exists() or path.write_text(f"# {name}\n")
    path = folder / "specs" / "x.yaml"
    path.write_text(SPEC.replace("WRITTEN", written))
    return load(path)


def streams(spec: Spec) -> list[Expected | None]:
    return [case.expect.stdout for case in spec.tests[0].cases]


def test_options_are_text_with_the_variables_filled_in(tmp_path: Path) -> None:
    spec = loaded(tmp_path, "{check: 'reference/checks.py:boards', n: '{n}', size: 08, order: any}")
    assert streams(spec) == [
        Expected(how="check", want=(), function="reference/checks.py:boards", options=options)
        for options in ({"n": "4", "size": "08", "order": "any"}, {"n": "6", "size": "08", "order": "any"})
    ]
    assert not any(case.expect.asks_reference for case in spec.tests[0].cases)


def test_the_function_may_have_a_variable_in_its_name(tmp_path: Path) -> None:
    found = streams(loaded(tmp_path, "{check: 'reference/checks.py:of_{n}'}"))
    assert [stream and stream.function for stream in found] == ["reference/checks.py:of_4", "reference/checks.py:of_6"]


@pytest.mark.parametrize(
    ("written", "changed", "differs"),
    [
        ("{check: 'reference/checks.py:boards'}", "reference/checks.py", True),
        ("{check: 'reference/checks.py:boards'}", "reference/queens.py", True),
        ("{check: 'reference/checks.py:boards'}", "checks.py", False),
        ("{check: 'checks.py:boards'}", "checks.py", True),
        ("{check: 'checks.py:boards'}", "reference/queens.py", False),
    ],
)
def test_what_the_file_can_import_counts_in_the_digest(
    written: str, changed: str, tmp_path: Path, *, differs: bool
) -> None:
    before = loaded(tmp_path, written).digest
    assert loaded(tmp_path, written).digest == before
    (tmp_path / "reference" / "__pycache__").mkdir()
    (tmp_path / "reference" / "__pycache__" / "queens.pyc").write_bytes(b"x")
    assert loaded(tmp_path, written).digest == before
    (tmp_path / changed).write_text("# another\n")
    assert (loaded(tmp_path, written).digest != before) is differs


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{check: 'reference/none.py:boards'}", '8:28: tests[0].expect.stdout.check: there is no file "reference/none'),
        ("{check: 'reference:boards'}", "8:28: tests[0].expect.stdout.check: wanted a function of the course's own"),
        ("{check: '/etc/x.py:boards'}", "8:28: tests[0].expect.stdout.check: wanted a relative path without .."),
        ("{check: 'reference/out.py:boards'}", '8:28: tests[0].expect.stdout.check: "reference/out.py" is a link out'),
        ("{check: 'checks.py:boards', class: x}", "8:48: tests[0].expect.stdout.class: wanted the name of an option"),
        ("{check: 'checks.py:boards', 'a b': x}", "8:48: tests[0].expect.stdout.a b: wanted the name of an option"),
        ("{check: 'checks.py:boards', n: '{m}'}", "8:51: tests[0].expect.stdout.n: {m} is no variable of this test"),
    ],
)
def test_a_mistake_has_its_place(written: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "out.py").symlink_to("/etc/passwd")
    with pytest.raises(SpecError) as raised:
        loaded(tmp_path, written)
    assert len(raised.value.problems) == 1
    assert message in str(raised.value)
