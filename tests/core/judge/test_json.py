"""JSON by value: what is the same, what is none, and how the first difference is told."""

from collections.abc import Callable

import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult
from grader.core.model.spec import Expectation, Leaf
from tests.support.rows import each_row

Judged = Callable[..., CaseResult]


def held(judged: Judged, output: bytes, want: str | None, answer: bytes = b"") -> CaseResult:
    expect = Expectation(stdout=Leaf(how="json", want=None if want is None else (want,)))
    return judged(Execution(stdout=output, status=0), expect, None, Execution(stdout=answer, status=0))


@each_row
def test_the_same_value(judged: Judged, output: bytes, want: str) -> None:
    assert held(judged, output, want).deviations == ()
    assert held(judged, output, None, want.encode()).deviations == ()


@each_row
def test_the_first_difference(judged: Judged, output: bytes, want: str, message: str) -> None:
    result = held(judged, output, want)
    assert [deviation.kind for deviation in result.deviations] == ["wrong"]
    is_whole, told = message.startswith("value"), message.removeprefix("value ")
    assert (
        result.message.text
        == f"{'The JSON value in' if is_whole else 'In'} standard output{'' if is_whole else ','} {told}."
    )


@each_row
def test_what_is_no_json(judged: Judged, output: bytes, why: str) -> None:
    result = held(judged, output, "1")
    assert [deviation.kind for deviation in result.deviations] == ["wrong"]
    assert result.message.text == f"Standard output is not JSON: {why}."


def test_on_the_other_stream(judged: Judged) -> None:
    expect = Expectation(stdout=Leaf(how="json", want=('{"n": 8}',)))
    result = judged(Execution(stdout=b"Hello\n", stderr=b'{"n": 8.0}', status=0), expect)
    assert [deviation.kind for deviation in result.deviations] == ["wrong-stream", "extra-lines"]


def test_a_reference_that_writes_no_json_is_no_fault_of_the_student(judged: Judged) -> None:
    with pytest.raises(HostError, match="what is expected of standard output is not JSON: it is empty"):
        held(judged, b"1", None, b"")


@pytest.mark.slow
@pytest.mark.parametrize("unit", [b"1,", b"[],", b'"a",', b"[[1,[2]],{}],", b"1.5,"])
def test_much_of_it(judged: Judged, unit: bytes) -> None:
    output = b"[" + unit * (2**18 // len(unit)) + b"0]"
    assert held(judged, output, None, output).deviations == ()
    assert "`0`; expected `1`" in held(judged, output, None, output[:-2] + b"1]").message.text
