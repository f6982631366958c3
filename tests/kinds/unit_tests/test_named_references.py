"""Lint of unit tests that another reference answers; `scenarios/unit-tests/faults.yaml` has what these get."""

from pathlib import Path

import pytest

from grader.check.runner import asking, examine

FILES = {
    "specs/words.yaml": """
spec: 1
id: words
title: Words
language: python
files: {required: [unique.py, count.py]}
program: python3 count.py
references: {count: reference/count.py, unique: other/unique.py}
tests:
  - {name: start, stdin: a b, expect: reference}
  - {name: tested, unit: {pytest: tests/test_unique.py}}
""",
    "reference/count.py": "print(len(input().split()))\n",
    "other/unique.py": "def unique(words):\n    return list(dict.fromkeys(words))\n",
    "tests/test_unique.py": "import unique\ndef test_order():\n    assert unique.unique(['b', 'a', 'b'])[0] == 'b'\n"
    "def test_wrong():\n    assert unique.unique([1]) == []\n",
}


@pytest.mark.usefixtures("shared_cache")
def test_each_program_is_held_against_its_own_reference(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    remarks = examine(tmp_path / "specs/words.yaml", asking("auto", 1)).remarks
    errors = [one for one in remarks if one.level == "error"]
    assert [(one.rule, one.path) for one in errors] == [("reference-differs", "tests[1].unit")]
