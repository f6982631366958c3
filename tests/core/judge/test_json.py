"""JSON by value: what is the same, what is none, and how the first difference is told."""

from collections.abc import Callable

import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult
from grader.core.model.spec import Expectation, Leaf

Judged = Callable[..., CaseResult]


def held(judged: Judged, output: bytes, want: str | None, answer: bytes = b"") -> CaseResult:
    expect = Expectation(stdout=Leaf(how="json", want=None if want is None else (want,)))
    return judged(Execution(stdout=output, status=0), expect, None, Execution(stdout=answer, status=0))


@pytest.mark.parametrize(
    ("output", "want"),
    [
        (b'{"a": 1, "b": [true, null]}\n', '{"b":[true,null],"a":1}'),
        (b"1.0", "1"),
        (b"-0", "0"),
        (b"10e-1", "1.00"),
        (b"100000000000000000000000000000000000001", "100000000000000000000000000000000000001"),
        (b" \t\r\n[ ]", "[]"),
        (rb'"\u00e9"', '"é"'),
        ('"é"'.encode(), r'"\u00e9"'),
        (rb'"\ud83d"', r'"\ud83d"'),
        (b"[" * 400 + b"]" * 400, "[" * 400 + "]" * 400),
    ],
)
def test_the_same_value(judged: Judged, output: bytes, want: str) -> None:
    assert held(judged, output, want).deviations == ()
    assert held(judged, output, None, want.encode()).deviations == ()


@pytest.mark.parametrize(
    ("output", "want", "message"),
    [
        (b'{"rows": [{}, {}, {"n": 3}]}', '{"rows": [{}, {}, {"n": 4}]}', "`$.rows[2].n` is `3`; expected `4`"),
        (b'{"b": 1, "c": 1}', '{"a": 1, "b": 2}', "`$.a` is missing; expected `1`"),
        (b'{"a": 1, "c d": []}', '{"a": 1}', '`$["c d"]` is a list, where nothing is expected'),
        (b"[1]", "[1, 2]", "value has 1 item; expected 2"),
        (b"[[1, 2]]", "[[1, 3]]", "`$[0][1]` is `2`; expected `3`"),
        (b'"1"', "1", 'value is `"1"`; expected `1`'),
        (b"1", "true", "value is `1`; expected `true`"),
        (b"false", "0", "value is `false`; expected `0`"),
        (b"null", "{}", "value is `null`; expected an object"),
        (b'"A"', '"a"', 'value is `"A"`; expected `"a"`'),
        (b"0.1", "0.10000000000000000001", "value is `0.1`; expected `0.10000000000000000001`"),
        (b'{"\\n`": 1}', "{}", '`$["\\n`"]` is `1`, where nothing is expected'),
        (b'{"%s": 1}' % (b"x" * 500), "{}", f"`$.{'x' * 118}…` is `1`, where nothing is expected"),
    ],
)
def test_the_first_difference(judged: Judged, output: bytes, want: str, message: str) -> None:
    result = held(judged, output, want)
    assert [deviation.kind for deviation in result.deviations] == ["wrong"]
    is_whole, told = message.startswith("value"), message.removeprefix("value ")
    assert (
        result.message.text
        == f"{'The JSON value in' if is_whole else 'In'} standard output{'' if is_whole else ','} {told}."
    )


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b'{"a": 1, "b": 2, "a": 1}', "the name `a` appears twice in one object"),
        (b"[NaN]", "NaN is not a number in JSON"),
        (b"-Infinity", "-Infinity is not a number in JSON"),
        (b"{'a': 1}", "line 1, column 2: expecting property name enclosed in double quotes"),
        (b"[1,\n2] 3", "line 2, column 4: extra data"),
        (b"\xff", "byte 1 is not UTF-8"),
        (b"1e99999999999999999999", "the number `1e99999999999999999999` is too large"),
        (b"[" * 200_000, "it is nested too deeply"),
        (b"\xef\xbb\xbf1", "line 1, column 1: unexpected UTF-8 BOM (decode using utf-8-sig)"),
    ],
)
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
