"""Texts that functions return, where more than one is right."""

from grader.core.errors import Wrong
from grader.core.judge.case import judge
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, CheckOptions, Expected, Leaf, Toolchain
from grader.core.model.values import Check, Facts, PlainValue
from grader.kinds.functions.headings import java_heading
from grader.kinds.functions.model import Calls, ExpectedOutcome, ExpectedValue, FunctionCall, FunctionCase
from tests.support.rows import each_row

CONTAINS = Leaf(how="contains", want=("7 3",))
CHECK = Leaf(how="check", want=(), options=CheckOptions(function="checks.py:seven"))


def _seven(output: bytes) -> None:
    if b"7" not in output:
        raise Wrong("There is no 7.")


def _checks(asked: CheckOptions, _: Facts) -> Check:
    assert asked == CHECK.options
    return _seven


def _execution(returned: PlainValue) -> Execution:
    return Execution(status=0, facts=Calls(loaded=True, returned=(returned,), args=()))


def _judged(returned: PlainValue, asked: Expected, reference: PlainValue = None) -> CaseResult:
    signature = java_heading("String snapshot()")
    assert signature
    expected = ExpectedValue(text=asked, reference=asked.asks_reference)
    call = FunctionCall(signature=signature, expect=ExpectedOutcome(returns=expected))
    function = FunctionCase(within=("Queens",), calls=(call,))
    case = Case(id="case", kind="functions", payload=function)
    return judge(
        case,
        _execution(returned),
        _execution(reference),
        toolchain=Toolchain(name="any"),
        command="java Queens",
        checks=_checks,
    )


@each_row
def test_a_returned_text_is_compared(returned: PlainValue, asked: Expected, message: str) -> None:
    result = _judged(returned, asked, reference="7 3")
    assert (result.message.text, result.verdict) == (message, Verdict.FAILED if message else Verdict.PASSED)
    assert [(deviation.kind, deviation.stream) for deviation in result.deviations] == [("wrong", "call")] * bool(
        message
    )


def test_half_a_character_is_compared_as_well() -> None:
    assert _judged("7 3\ud800", CONTAINS).verdict == Verdict.PASSED
