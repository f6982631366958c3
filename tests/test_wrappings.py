"""A class in five wrappings, from the download to what is uploaded; no file is edited by hand but the roster."""

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.classes import grader
from tests.support.packages import lay, zipped
from tests.support.rows import read_data

pytestmark = pytest.mark.slow
DATA = read_data(__file__)
_IDS = ("id", "ID number", "SIS User ID")
_SCORES = ("final_score", "score", "Grade", "Sums (77)")


def content_of(name: str, written: str) -> bytes:
    """Return a file of a download: a program of the table, zipped where the name says so, or a text."""
    source: bytes = DATA["PROGRAMS"].get(written, written).encode()
    return zipped({"sum.py": source}) if name.endswith(".zip") else source


def scores_in(text: str) -> dict[str, float]:
    """Return the scores of a gradebook, by id; rows without one are left out."""
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        name, score = (next((row[one] for one in names if row.get(one)), "") for names in (_IDS, _SCORES))
        if name and score:
            found[name] = float(score)
    return found


def hand_back(root: Path, wrapping: Any) -> None:
    """Export everything that the platform takes, and compare it with what the work is worth."""
    for form, options in wrapping["exports"].items():
        file = root / f"out.{form}"
        done = grader(root, "export", form, "reports/out", *options, "--out", file)
        assert done.returncode == 0, done.stderr
        if file.read_bytes()[:2] == b"PK":
            with zipfile.ZipFile(file) as archive:
                names = [name for name in archive.namelist() if not name.endswith("index.html")]
            assert len(names) >= len(wrapping["scores"])
        else:
            scores = scores_in(file.read_text())
            assert {name: scores.get(name) for name in wrapping["scores"]} == wrapping["scores"]


@pytest.mark.parametrize("name", DATA["WRAPPINGS"])
def test_from_the_download_to_the_learning_platform(name: str, tmp_path: Path) -> None:
    wrapping = DATA["WRAPPINGS"][name]
    lay(tmp_path, {"specs/sums.yaml": DATA["SPEC"], "grader.yaml": DATA["COURSE"], **wrapping["beside"]})
    lay(tmp_path / "download", {path: content_of(path, text) for path, text in wrapping["files"].items()})
    grade = ("class", "download", *wrapping["options"], "--out", "reports/out")
    done = grader(tmp_path, *grade)
    if mended := wrapping.get("mended"):
        assert (done.returncode, done.stderr) == (3, "")
        assert "write its name there, in the column folder" in done.stdout
        lay(tmp_path, mended)
        done = grader(tmp_path, *grade)
        assert "1 submission is of nobody on the roster: " in done.stdout
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "handed in nothing" not in done.stdout
    hand_back(tmp_path, wrapping)
