"""Mutants that a spec marks as equivalent."""

from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.reader.spec import load
from tests.support.rows import each_row

SMALL = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests: [{name: t, expect: {exit: 0}}]\n"


def written(folder: Path, marks: str) -> Path:
    path = folder / "x.yaml"
    path.write_text(SMALL + marks)
    return path


def test_markings_are_read_by_name(tmp_path: Path) -> None:
    marks = 'equivalent: [{mutant: "t/exit/*", reason: It is left open.}, {mutant: "a[1] -> a", reason: The same.}]'
    assert load(written(tmp_path, marks)).equivalent == {"t/exit/*": "It is left open.", "a[1] -> a": "The same."}
    assert load(written(tmp_path, "")).equivalent == {}


@each_row
def test_a_wrong_marking_is_told(tmp_path: Path, marks: str, message: str) -> None:
    with pytest.raises(SpecError) as error:
        load(written(tmp_path, marks))
    assert "\n".join(line.split(": ", 1)[1] for line in str(error.value).splitlines()) == message
