"""Every comparator of the table, by what each has to bring along."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from grader.core.comparators import COMPARATORS, in_words
from grader.core.comparators.base import Comparator, WantedPlace
from grader.core.deviations.table import DEVIATIONS
from grader.core.errors import SpecError
from grader.core.judge.case import deviations_of, reachable, wanted_text
from grader.core.model.spec import Case, Expectation, Leaf
from grader.core.reader.expectation import write_expected
from grader.core.reader.language import COMPARED, make_schema
from grader.core.yaml.nodes import in_line
from tests.support.courses import load_text
from tests.support.rows import each_row

SPEC = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\ntests:\n- name: t\n  expect: {stdout: "
OUTPUTS = (b"", b"1 5\n2 4\n", b"4-Queens has 2 solutions\n", b"\xff\x00[", b'{"n": 8}')
EVERY = pytest.mark.parametrize("comparator", COMPARATORS.values(), ids=COMPARATORS)


def expected_of(written: str, folder: Path) -> Leaf:
    checks = {"reference/checks.py": "def boards(output, **options): ...\n"}
    stdout = load_text(folder, f"{SPEC}{written}}}\n", checks).tests[0].cases[0].expect.stdout
    assert isinstance(stdout, Leaf)
    return stdout


def complaints(written: str) -> Iterator[Any]:
    spec = yaml.safe_load(f"{SPEC}{written}}}\n")
    return jsonschema.Draft202012Validator(make_schema()).iter_errors(spec)


@pytest.mark.parametrize("name", COMPARATORS)
def test_a_comparator_stands_under_its_name(name: str) -> None:
    comparator = COMPARATORS[name]
    assert comparator.name == name
    assert COMPARED[name].alternative
    assert all(name in key.beside.split() for key in comparator.options.values())
    kinds = {key.kind for key in (comparator.key, *comparator.options.values())}
    assert kinds <= make_schema()["$defs"].keys()
    assert comparator.kinds.keys() <= make_schema()["$defs"].keys()


@EVERY
def test_its_schema_takes_what_its_reader_takes(comparator: Comparator, tmp_path: Path) -> None:
    assert expected_of(comparator.example, tmp_path).how == comparator.name
    assert list(complaints(comparator.example)) == []


@pytest.mark.parametrize(
    "written",
    ["{contains: a}", "{contains: [a]}", "{numbers: 1, tolerance: 0.5}", "{numbers: 1, relative: 0.5}"],
)
def test_the_schema_takes_what_is_just_enough(written: str) -> None:
    assert list(complaints(written)) == []


@each_row
def test_the_schema_refuses_what_the_reader_refuses(written: str, tmp_path: Path) -> None:
    assert list(complaints(written))
    with pytest.raises(SpecError):
        expected_of(written, tmp_path)


@EVERY
def test_it_is_written_as_it_is_read(comparator: Comparator, tmp_path: Path) -> None:
    expected = expected_of(comparator.example, tmp_path)
    assert expected_of(in_line(write_expected(expected)), tmp_path) == expected


@EVERY
def test_it_names_nothing_but_what_is_in_its_reach(comparator: Comparator, tmp_path: Path) -> None:
    expected = expected_of(comparator.example, tmp_path)
    place: tuple[WantedPlace, str] = ("stdout", "standard output")
    wanted = wanted_text(expected, b"1 5\n2 4\n", {}, place, lambda *_: lambda _: None)
    kinds = reachable(Case(id="t", expect=Expectation(stdout=expected)))
    assert kinds <= set(DEVIATIONS)
    found = {deviation.kind for output in OUTPUTS for deviation in deviations_of(output, wanted)}
    assert found <= kinds
    right = wanted.values[0] if wanted.values else b"1 5\n2 4\n"
    assert deviations_of(right, wanted) == () or comparator.name in ("regex", "contains")


@EVERY
def test_it_is_told_in_words(comparator: Comparator, tmp_path: Path) -> None:
    told = in_words(expected_of(comparator.example, tmp_path), lambda text: f"`{text}`")
    assert told
    assert not told.endswith(".")


@EVERY
def test_the_reference_can_be_frozen(comparator: Comparator, tmp_path: Path) -> None:
    expected = expected_of(comparator.example, tmp_path)
    frozen = comparator.freeze(b"1 5\n2 4\n")
    assert all(isinstance(value, str) for value in frozen)
    assert isinstance(comparator.asks(expected), bool)
    assert expected.asks_reference is (expected.want is None)
