"""Small problem packages and tests of other graders, laid out for tests of the import. All of it is made up here."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.rows import read_data

SUM = "print(sum(map(int, input().split())))\n"
PAIRS: Mapping[str, str] = {
    "problem.yaml": "name: Pair Sums\nsource: Invented Open\nlicense: cc by-sa\nrights_owner: Nobody\n",
    "problem_statement/problem.en.tex": "\\problemname{Pair Sums} Add.",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/big.in": "40 2\n",
    "data/secret/big.ans": "42\n",
    "data/secret/word.in": "0 0\n",
    "data/secret/word.ans": "0\n",
    "submissions/accepted/ann.py": SUM,
    "submissions/accepted/cecil.cpp": "int main() {}\n",
    "submissions/wrong_answer/three.py": "input()\nprint(3)\n",
    "submissions/run_time_error/small.py": "raise ValueError\n",
    "submissions/time_limit_exceeded/asleep.py": "import time\ntime.sleep(99)\n",
    "submissions/rejected/who_knows.py": "print()\n",
}
SCORED: Mapping[str, str] = {
    "problem.yaml": "name: {sv: Summor, en: Sums}\ntype: scoring\n",
    "data/sample/1.in": "1 1\n",
    "data/sample/1.ans": "2\n",
    "data/testdata.yaml": "grader_flags: ignore_sample\n",
    "data/secret/testdata.yaml": "on_reject: continue\nrange: 0 100\ngrader_flags: accept_if_any_accepted\n",
    "data/secret/first/testdata.yaml": "accept_score: 30\nrange: 0 30\ngrader_flags: min\n",
    "data/secret/first/a.in": "1 2\n",
    "data/secret/first/a.ans": "3\n",
    "data/secret/second/testdata.yaml": "accept_score: 35\n",
    "data/secret/second/b.in": "2 2\n",
    "data/secret/second/b.ans": "4\n",
    "data/secret/second/c.in": "2 3\n",
    "data/secret/second/c.ans": "5\n",
    "submissions/accepted/ann.py": SUM,
    "submissions/partially_accepted/pat.py": "print(3)\n",
    "submissions/wrong_answer/none.py": "print()\n",
}
_DATA = read_data(__file__)
NEWER: Mapping[str, str] = _DATA["NEWER"]
IO: Mapping[str, Any] = _DATA["IO"]


def lay(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files into a folder; return the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def io_tests(folder: Path, content: Any = IO) -> Path:
    """Write a `tests.json` with a file beside it; return its path."""
    lay(folder, {"tests.json": json.dumps(content), "in.txt": "Al\n"})
    return folder / "tests.json"


CLASSROOM: Mapping[str, str] = _DATA["CLASSROOM"]
GRADESCOPE: Mapping[str, str] = _DATA["GRADESCOPE"]


GRADESCOPE_JAVA: Mapping[str, str] = _DATA["GRADESCOPE_JAVA"]


def classroom_repository(folder: Path) -> Path:
    """Lay out a repository of GitHub Classroom with an `autograding.json` and a test file."""
    files = {
        ".github/classroom/autograding.json": json.dumps(CLASSROOM),
        "add.py": "# to be written\n",
        "test_add.py": "from add import add\n\n\ndef test_one():\n    assert add(1, 0) == 1\n\n\n"
        "def test_two():\n    assert add(1, 1) == 2\n",
    }
    return lay(folder, files)
