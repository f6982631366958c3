"""Mutants that a spec marks as equivalent."""

from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.reader.spec import load

SMALL = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests: [{name: t, expect: {exit: 0}}]\n"


def written(folder: Path, marks: str) -> Path:
    path = folder / "x.yaml"
    path.write_text(SMALL + marks)
    return path


def test_markings_are_read_by_name(tmp_path: Path) -> None:
    marks = 'equivalent: [{mutant: "t/exit/*", reason: It is left open.}, {mutant: "a[1] -> a", reason: The same.}]'
    assert load(written(tmp_path, marks)).equivalent == {"t/exit/*": "It is left open.", "a[1] -> a": "The same."}
    assert load(written(tmp_path, "")).equivalent == {}


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ("equivalent: [{mutant: a}]\n", "equivalent[0].reason: this key is missing"),
        ("equivalent: [{reason: a}]\n", "equivalent[0].mutant: this key is missing"),
        ("equivalent: [{mutant: a, reason: b, why: c}]\n", "equivalent[0].why: unknown key; there are: mutant, reason"),
        (
            "equivalent: [{mutant: a, reason: b}, {mutant: a, reason: c}]\n",
            "equivalent[1].mutant: this mutant is marked twice: keep one reason",
        ),
        (
            "equivalent: [{reason: a}, {reason: a}]\n",
            "equivalent[0].mutant: this key is missing\nequivalent[1].mutant: this key is missing",
        ),
        (
            'equivalent: [{mutant: "", reason: b}]\n',
            'equivalent[0].mutant: wanted a name on one line, found the text ""',
        ),
        ("equivalent: a\n", 'equivalent: wanted a list, found "a"'),
    ],
)
def test_a_wrong_marking_is_told(tmp_path: Path, marks: str, message: str) -> None:
    with pytest.raises(SpecError) as error:
        load(written(tmp_path, marks))
    assert "\n".join(line.split(": ", 1)[1] for line in str(error.value).splitlines()) == message
