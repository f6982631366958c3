"""A class of 60 in five wrappings, from the download to what is uploaded; no file is edited by hand but the roster."""

import csv
import io
import zipfile
from pathlib import Path

import pytest

from tests.support.classes import grader
from tests.support.wrappings import COURSE_FILE, SIZE, SPEC, WRAPPINGS, Wrapping

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shared_cache")]
_IDS = ("id", "ID number", "SIS User ID")
_SCORES = ("final_score", "score", "Grade", "Sums (77)")


def scores_in(text: str) -> dict[str, float]:
    """Return the scores of a gradebook, by id; rows without one are left out."""
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        name, score = (next((row[one] for one in names if row.get(one)), "") for names in (_IDS, _SCORES))
        if name and score:
            found[name] = float(score)
    return found


def hand_back(root: Path, out: str, wrapping: Wrapping) -> None:
    """Export everything that the platform takes, and compare it with what the work is worth."""
    for form, options in wrapping.exports.items():
        file = root / f"{out}.{form}"
        done = grader(root, "export", form, f"reports/{out}", *options, "--out", file)
        assert done.returncode == 0, done.stderr
        if file.read_bytes()[:2] == b"PK":
            with zipfile.ZipFile(file) as archive:
                names = [name for name in archive.namelist() if not name.endswith("index.html")]
            assert len(names) >= SIZE
        else:
            assert {name: scores_in(file.read_text()).get(name) for name in wrapping.scores} == wrapping.scores


@pytest.mark.parametrize("name", WRAPPINGS)
def test_from_the_download_to_the_learning_platform(name: str, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "sums.yaml").write_text(SPEC)
    (tmp_path / "grader.yaml").write_text(COURSE_FILE)
    wrapping = WRAPPINGS[name](tmp_path / "download")
    grade = (str(wrapping.folder), *wrapping.options, "--out", f"reports/{name}")
    done = grader(tmp_path, "class", *grade)
    if wrapping.mend:
        assert (done.returncode, done.stderr) == (3, "")
        assert "write its name there, in the column folder" in done.stdout
        wrapping.mend()
        done = grader(tmp_path, "class", *grade)
        assert "1 submission is of nobody on the roster: " in done.stdout
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "handed in nothing" not in done.stdout
    hand_back(tmp_path, name, wrapping)
