"""Functions and unit tests of another program than the spec's are answered by the reference of that program."""

from pathlib import Path

import pytest

from grader.check.runner import asking, examine
from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare

pytestmark = pytest.mark.usefixtures("shared_cache")
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
  - name: called
    functions:
      in: unique
      declare: def unique(words)
      calls:
        - {args: [[b, a, b]], expect: {returns: reference}}
  - {name: tested, unit: {pytest: tests/test_unique.py}}
  - {name: own, unit: {unittest: tests/test_count.py}}
""",
    "reference/count.py": "def count(text):\n    return len(text.split())\nif __name__ == '__main__':\n"
    "    print(count(input()))\n",
    "other/unique.py": "def unique(words):\n    return list(dict.fromkeys(words))\n",
    "tests/test_unique.py": "import unique\ndef test_order():\n    assert unique.unique(['b', 'a', 'b'])[0] == 'b'\n"
    "def test_wrong():\n    assert unique.unique([1]) == []\n",
    "tests/test_count.py": "import unittest, count\nclass TestCount(unittest.TestCase):\n    def test_two(self):\n"
    "        self.assertEqual(count.count('a b'), 2)\n",
    "ada/unique.py": "def unique(words):\n    return sorted(set(words))\n",
}


def test_each_program_has_its_reference(tmp_path: Path) -> None:
    for name, text in {**FILES, "ada/count.py": FILES["reference/count.py"]}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    path = tmp_path / "specs/words.yaml"
    report = grade(Job(spec=path, submission=Submission(id="ada", path=tmp_path / "ada")), prepare(path))
    cases = {case.id: case for test in report.tests for case in test.cases}
    assert {name: case.verdict for name, case in cases.items()} == {
        "start": "passed",
        "called[1]": "failed",
        "tested[test_order]": "failed",
        "tested[test_wrong]": "ungraded",  # not even the reference passes it
        "own[TestCount.test_two]": "passed",
    }
    assert '["b", "a"]' in cases["called[1]"].message or "['b', 'a']" in cases["called[1]"].message
    errors = [one for one in examine(path, asking("auto", 1)).remarks if one.level == "error"]
    assert [(one.rule, one.path) for one in errors] == [("reference-differs", "tests[2].unit")]


def test_the_reference_has_the_limits_of_the_spec_where_they_are_wider(tmp_path: Path) -> None:
    test = """
import threading, unittest, held
class Held(unittest.TestCase):
    def test_threads(self):
        done = threading.Event()
        threads = [threading.Thread(target=done.wait) for _ in range(400)]
        try:
            for thread in threads:
                thread.start()
        finally:
            done.set()
        self.assertEqual(held.ONE, 1)
"""
    spec = """
spec: 1
id: held
title: Held
language: python
files: {required: [held.py]}
program: python3 held.py
reference: python3 reference/held.py
limits: {processes: 1000}
tests: [{name: held, unit: {unittest: tests/test_held.py}}]
"""
    one = "ONE = 1\n"
    files = {"specs/held.yaml": spec, "tests/test_held.py": test, "reference/held.py": one, "ada/held.py": one}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    path = tmp_path / "specs/held.yaml"
    report = grade(Job(spec=path, submission=Submission(id="ada", path=tmp_path / "ada")), prepare(path))
    assert [case.verdict for test in report.tests for case in test.cases] == ["passed"]
    assert not [one for one in examine(path, asking("auto", 1)).remarks if one.level == "error"]
