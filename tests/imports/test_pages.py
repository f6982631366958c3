"""The pages on other graders show beside an assignment what its import writes, but for what is by hand."""

import re
from pathlib import Path

import yaml

from grader.imports import write_assignment
from grader.imports.registry import find_importer
from tests.support.packages import lay
from tests.support.page_examples import examples, shown_files
from tests.support.rows import each_row

BY_HAND = re.compile(r"(?m)^  - name: (.+)  # written by hand$")


@each_row
def test_a_page_shows_what_the_import_writes(name: str, folder: str, tmp_path: Path) -> None:
    page = f"coming-from-{name}"
    imported = find_importer(name)(lay(tmp_path, shown_files(page)) / folder, None)
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
