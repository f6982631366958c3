"""Small problem packages and tests of other graders, laid out for tests of the import. All of it is made up here."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.rows import read_data

SUM = "print(sum(map(int, input().split())))\n"
_DATA = read_data(__file__)
PAIRS: Mapping[str, str] = _DATA["PAIRS"]
SCORED: Mapping[str, str] = _DATA["SCORED"]
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
