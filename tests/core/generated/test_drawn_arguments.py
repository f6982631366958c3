from pathlib import Path

import pytest

from grader.core.errors import HostError
from grader.core.generate import generate_inputs
from grader.core.model.spec import Spec
from grader.core.reader.spec import load
from tests.support.packages import lay
from tests.support.payloads import functions_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
GENERATOR = DATA["GENERATOR"]


def spec(folder: Path, generator: str = GENERATOR) -> Spec:
    return load(lay(folder, {"reference/generators.py": generator, "x.yaml": DATA["SPEC"]}) / "x.yaml")


def drawn(folder: Path, generator: str = GENERATOR) -> Spec:
    return generate_inputs(spec(folder, generator))


def args(spec: Spec) -> list[list[object]]:
    return [[functions_in(case).call.args for case in test.cases if functions_in(case)] for test in spec.tests]


def test_each_call_has_its_own_and_every_time_the_same(tmp_path: Path) -> None:
    first, second = args(drawn(tmp_path))
    assert first[0] == (((1,),), 1)
    assert [len(each[0]) for each in second if isinstance(each, tuple)] == [1, 2, 3, 4, 5]
    assert first[1:] == second[:3]
    assert args(drawn(tmp_path)) == [first, second]
    assert all(
        functions_in(case) and functions_in(case).generated_input is None for case in drawn(tmp_path).tests[1].cases
    )


def test_a_spec_without_draws_is_left_alone(tmp_path: Path) -> None:
    once = drawn(tmp_path)
    assert generate_inputs(once) is once


@each_row
def test_a_generator_that_fails_is_the_instructors_fault(generator: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HostError, match=message):
        drawn(tmp_path, generator)
