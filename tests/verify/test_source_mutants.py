"""Changes of a reference's source: which there are, and what is left alone."""

import ast
from pathlib import Path

import pytest

from grader.load import load
from grader.model import Case, FunctionCall, FunctionCase, Signature, Spec
from grader.verify.python_program import read_program
from grader.verify.source_changes import changes
from grader.verify.source_mutants import changed_sources

SPEC = """\
spec: 1
id: x
title: X
language: python
program: python3 x.py
reference: python3 reference/x.py
tests: [{name: t, expect: reference}]
"""
FUNCTION = "def f(n: int | None = 1) -> int | None:\n    '''Say 1 + 1.'''\n"


def spec(folder: Path) -> Spec:
    (folder / "reference").mkdir()
    (folder / "specs").mkdir()
    (folder / "reference/x.py").write_text("")
    (folder / "specs/x.yaml").write_text(SPEC)
    return load(folder / "specs/x.yaml")


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        (
            "return n < 2",
            ["return n < 2 -> return", "n < 2 -> n <= 2", "n < 2 -> n >= 2", "n < 2 -> n < 3", "n < 2 -> n < 1"],
        ),
        ("return n in x", ["return n in x -> return", "n in x -> n not in x"]),
        ("return n * m", ["return n * m -> return", "n * m -> n + m"]),
        ("return n << m", ["return n << m -> return", "n << m -> n >> m"]),
        ("return a and b", ["return a and b -> return", "a and b -> a or b"]),
        ("return not a", ["return not a -> return", "not a -> a"]),
        ("return 'word'", ["return 'word' -> return", "'word' -> 'wor'"]),
        ("return f'{n} x'", ["return f'{n} x' -> return", "f'{n} x' -> f'{n} '"]),
        ("return True", ["return True -> return", "return True -> return False"]),
        ("return None", []),
        ("n += m", ["n += m -> n -= m", "n += m -> pass"]),
        ("x[n] = m", ["x[n] = m -> pass"]),
        ("x = n", []),
        ("g(n)", ["g(n) -> pass"]),
        ("if a:\n        g()", ["if a -> if not a", "g() -> pass"]),
        ("for i in range(n, m): pass", ["range(n, m) -> range(n, m + 1)", "range(n, m) -> range(n, m - 1)"]),
        ("x: dict[int, 2] = n", []),
    ],
)
def test_what_can_be_changed_in_a_line(line: str, stated: list[str]) -> None:
    function = ast.parse(FUNCTION + f"    {line}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    found = [f"{change.before} -> {change.after}" for change in changes(function)]
    assert [name for name in found if not name.startswith("n: int")] == stated


def test_a_default_is_changed_and_an_annotation_is_not() -> None:
    function = ast.parse(FUNCTION + "    pass\n").body[0]
    assert [change.after for change in changes(function)] == ["n: int | None=2", "n: int | None=0"]


def test_each_change_is_made_in_one_place(tmp_path: Path) -> None:
    source = "def f(n):\n    return n + 1 + n + 1\n\nprint(f(1))\n"
    found = list(changed_sources(spec(tmp_path), {"reference/x.py": source.encode()}))
    assert len({changed.name for changed in found}) == len(found)
    texts = [changed.source().decode().splitlines()[1].strip() for changed in found]
    assert texts == [
        "return",
        "return n + 1 + n - 1",
        "return n + 1 - n + 1",
        "return n - 1 + n + 1",
        "return n + 2 + n + 1",
        "return n + 0 + n + 1",
        "return n + 1 + n + 2",
        "return n + 1 + n + 0",
    ]
    assert all(changed.source().decode().endswith("print(f(1))") for changed in found)


def test_only_what_is_reached_is_changed(tmp_path: Path) -> None:
    files = {
        "reference/x.py": b"from helper import used\n\ndef idle():\n    return 1\n\nprint(used())\n",
        "reference/helper.py": (
            b"def used():\n    return inner()\n\ndef inner():\n    return 2\n\ndef unused():\n    return 3\n"
        ),
        "reference/other.py": b"def used():\n    return 4\n",
        "reference/data.txt": b"\xff",
    }
    names = [changed.name for changed in changed_sources(spec(tmp_path), files)]
    assert names == [
        "helper.used: return inner() -> return",
        "helper.inner: return 2 -> return",
        "helper.inner: return 2 -> return 3",
        "helper.inner: return 2 -> return 1",
    ]


def test_a_case_that_calls_functions_reaches_those_however_they_are_spelt() -> None:
    source = b"def place_queen():\n    mark()\n\ndef mark():\n    pass\n\ndef other():\n    pass\n\nother()\n"
    program = read_program(("python3", "reference/x.py"), {"reference/x.py": source})
    call = FunctionCall(signature=Signature(text="void placeQueen()", name="placeQueen"))
    assert program.reached(Case(id="a", functions=FunctionCase(within="Q", call=call))) == {"place_queen", "mark"}
    assert program.reached(Case(id="b")) == {"other"}


@pytest.mark.parametrize("source", [b"print 'an old Python'\n", b"\x00", b"\xff\xfe"])
def test_what_is_no_python_of_ours_has_no_mutants(tmp_path: Path, source: bytes) -> None:
    assert not list(changed_sources(spec(tmp_path), {"reference/x.py": source}))


def test_a_long_piece_of_code_is_cut_to_where_the_difference_is(tmp_path: Path) -> None:
    words = " + ".join(f"word{number}" for number in range(30))
    source = f"def f():\n    return {words} + 7\n\nf()\n"
    names = [changed.name for changed in changed_sources(spec(tmp_path), {"reference/x.py": source.encode()})]
    assert any(name.startswith("x.f: …") and name.endswith("word29 + 8") for name in names)
    assert all(len(name) < 140 for name in names)
