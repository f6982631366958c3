"""The pages on other graders show beside an assignment what its import writes, but for what is by hand."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from grader.imports import Imported, write_assignment
from grader.imports.check50 import import_check50
from grader.imports.exercism import import_exercism
from grader.imports.prairielearn import import_prairielearn
from grader.imports.submitty import import_submitty
from tests.support.packages import lay
from tests.support.page_examples import examples, shown_files

BY_HAND = re.compile(r"(?m)^  - name: (.+)  # written by hand$")


@pytest.mark.parametrize(
    ("name", "import_", "folder"),
    [
        ("check50", import_check50, "problems/words"),
        ("exercism", import_exercism, "exercises/practice/acronym"),
        ("prairielearn", import_prairielearn, "questions/share"),
        ("submitty", import_submitty, "steps"),
    ],
)
def test_a_page_shows_what_the_import_writes(
    name: str, import_: Callable[[Path], Imported], folder: str, tmp_path: Path
) -> None:
    page = f"coming-from-{name}"
    lay(tmp_path, shown_files(page))
    imported = import_(tmp_path / folder)
    written = yaml.safe_load(write_assignment(imported, tmp_path / "course").spec.read_text())
    text = examples()[f"{page} 1"]
    shown = yaml.safe_load(text)
    by_hand = set(BY_HAND.findall(text))
    assert len(by_hand) == 1
    assert {**written, "tests": _without(written["tests"], by_hand)} == {
        **shown,
        "tests": _without(shown["tests"], by_hand),
    }


def _without(tests: list[dict[str, object]], names: set[str]) -> list[dict[str, object]]:
    return [test for test in tests if test["name"] not in names]
