"""The tutorial, typed along in a fresh folder, as it is written."""

import csv
from pathlib import Path

from tests.support.layouts import LAYOUTS, ROOT
from tests.support.shown_commands import Command, NewFile, read, run

TUTORIAL = ROOT / "docs" / "tutorial" / "first-assignment.md"
STEPS = ("new", "lint", "run", "record", "verify", "handout", "class", "explain")
"""what a reader has done at its end"""


def test_the_tutorial_runs_as_written(tmp_path: Path) -> None:
    (scene,) = read(TUTORIAL.read_text()).scenes
    assert scene.name == "an empty folder"
    told = run(scene, tmp_path, tmp_path / "cache", LAYOUTS[scene.name])
    assert not told, "\n\n".join(told)
    out = tmp_path / "course" / "course" / "reports" / "sum"
    with (out / "grades.csv").open(newline="") as file:
        assert {row["id"]: row["score"] for row in csv.DictReader(file)} == {"ada": "100", "bo": "85", "cy": "0"}
    assert (out / "index.html").is_file()


def test_the_tutorial_leaves_nothing_out() -> None:
    text = TUTORIAL.read_text()
    page = read(text)
    assert not page.not_run
    assert "<!-- run:" not in text, "what is run is shown"
    steps = page.scenes[0].steps
    assert [step.name for step in steps if isinstance(step, NewFile)] == ["submissions/cy/sum.py"]
    typed = [step.text.split() for step in steps if isinstance(step, Command)]
    assert list(dict.fromkeys(words[1] for words in typed if words[0] == "grader")) == list(STEPS)
