"""JSON that is expected: from the reference's answer into a spec and back."""

import json
from pathlib import Path

import pytest

from grader.author.to_yaml import with_answer
from grader.core.errors import CannotBeWrittenError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expectation, Expected, Leaf
from grader.core.reader.expectation import write_expected
from grader.core.reader.spec import load
from grader.core.yaml.nodes import in_line
from tests.support.rows import each_row

SPEC = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests:\n- name: t\n  each: {n: [1]}\n  expect: {stdout: %s}\n"


def answered(output: bytes) -> Expected | None:
    case = Case(id="t", expect=Expectation(stdout=Leaf(how="json")))
    return with_answer(case, Execution(stdout=output, status=0)).expect.stdout


@each_row
def test_it_is_read_as_the_same_value(output: str, tmp_path: Path) -> None:
    wanted = answered(output.encode())
    assert wanted is not None
    path = tmp_path / "x.yaml"
    path.write_text(SPEC % in_line(write_expected(wanted)))
    read = load(path).tests[0].cases[0].expect.stdout
    assert read is not None
    [leaf] = read.leaves
    assert leaf.how == "json"
    assert leaf.want is not None
    assert json.loads(leaf.want[0], parse_float=str) == json.loads(output.replace("-3e-7", "-3E-7"), parse_float=str)


def test_what_is_no_json_cannot_be_written() -> None:
    wanted = answered(b"Hello")
    assert wanted is not None
    with pytest.raises(CannotBeWrittenError, match="this is not JSON"):
        write_expected(wanted)
