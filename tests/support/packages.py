"""Small problem packages and tests of other graders, laid out for tests of the import. All of it is made up here."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_STORED

from tests.support.archives import make_zip
from tests.support.notebooks import notebook
from tests.support.rows import read_data

SUM = "print(sum(map(int, input().split())))\n"
_DATA = read_data(__file__)
PAIRS: Mapping[str, str] = _DATA["PAIRS"]
SCORED: Mapping[str, str] = _DATA["SCORED"]
NEWER: Mapping[str, str] = _DATA["NEWER"]
IO: Mapping[str, Any] = _DATA["IO"]
Texts = Mapping[str, Any]
"""path -> its text or bytes; a list of the cells of a notebook; the files of an archive"""
Changes = Mapping[str, str]
"""a text -> what stands there instead"""


def lay(folder: Path, files: Texts) -> Path:
    """Write files into a folder, which is made if it is not there; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8", newline="")
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_bytes(_archive(*content.items()) if isinstance(content, dict) else notebook(*content))
    return folder


def changed(files: Texts, changes: Changes) -> Texts:
    """Return files with changes of their texts, each of which finds something to change."""
    for old, new in changes.items():
        found = {name: text.replace(old, new) for name, text in files.items() if isinstance(text, str) and old in text}
        assert found, old
        files = {**files, **found}
    return files


def merged(base: Texts, more: Texts) -> Texts:
    """Return files with more of them: a new text, or changes of one that is there, or null for one that goes."""
    files = {**base, **more}
    for name, text in more.items():
        if isinstance(text, dict) and name in base:
            files |= changed({name: base[name]}, text)
    return {name: text for name, text in files.items() if text is not None}


@cache
def _archive(*files: tuple[str, str]) -> bytes:
    """Return a ZIP archive of files, with classes instead of sources of Java, which are compiled beside JUnit 4."""
    with TemporaryDirectory() as folder:
        inside = lay(Path(folder, "inside"), dict(files))
        if sources := [name for name, _ in files if name.endswith(".java")]:
            command = ["/usr/bin/javac", "-cp", "/usr/share/java/junit4.jar", "-d", ".", *sources]
            subprocess.run(command, cwd=inside, check=True, timeout=100)
        for name in sources:
            (inside / name).unlink()
        return Path(shutil.make_archive(f"{folder}/made", "zip", inside)).read_bytes()


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return a ZIP archive whose members have these names, whatever they are."""
    return make_zip(*files.items(), method=ZIP_STORED)


def io_tests(folder: Path, content: Any = IO) -> Path:
    """Write a `tests.json` with a file beside it; return its path."""
    lay(folder, {"tests.json": json.dumps(content), "in.txt": "Al\n"})
    return folder / "tests.json"


CLASSROOM: Mapping[str, str] = _DATA["CLASSROOM"]
GRADESCOPE: Mapping[str, str] = _DATA["GRADESCOPE"]


GRADESCOPE_JAVA: Mapping[str, str] = _DATA["GRADESCOPE_JAVA"]


def classroom_repository(folder: Path) -> Path:
    """Lay out a repository of GitHub Classroom with an `autograding.json` and a test file."""
    return lay(folder, {**_DATA["CLASSROOM_FILES"], ".github/classroom/autograding.json": json.dumps(CLASSROOM)})
