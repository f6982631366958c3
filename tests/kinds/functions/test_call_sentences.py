"""What is said of calls of functions: facts as the runner tells them, and the sentence that a student reads."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.judge.case import judge
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, Expectation, Leaf, Toolchain
from grader.core.model.values import PlainValue
from grader.core.text import QUOTED
from grader.kinds.functions.model import Calls, ExpectedOutcome, ExpectedValue, FunctionCase, Missing, Raised
from tests.support.functions import call, expecting, function, plain
from tests.support.languages import TOOLCHAINS
from tests.support.rows import each_row

JAVA = Toolchain(
    name="java", out_of_memory=(r"\bjava\.lang\.OutOfMemoryError\b",), crash=('(?m)^Exception in thread "',)
)
ENDED = Execution(status=0)
PLACE = "static void placeQueen(int[][] B, int i, int j)"
BOARD = ((0, 0), (0, 0))
INDEX = Raised(
    type="java.lang.ArrayIndexOutOfBoundsException",
    kinds=("java.lang.ArrayIndexOutOfBoundsException", "java.lang.IndexOutOfBoundsException", "java.lang.Exception"),
    message="Index 5 out of bounds for length 5",
    place="Queens.java:12",
)


def judged(
    asked: FunctionCase,
    calls: Calls,
    *,
    stdout: bytes = b"",
    printed: str | None = None,
    answer: Calls | None = None,
    run: Execution = ENDED,
) -> CaseResult:
    expect = Expectation(stdout=Leaf(how="text", want=(printed,)) if printed is not None else None)
    case = Case(id="t[1]", kind="functions", payload=asked, expect=expect)
    execution = replace(run, stdout=stdout, facts=calls)
    expected = Execution(status=0, facts=answer) if answer else None
    return judge(case, execution, expected, toolchain=JAVA, command="f()")


def returning(value: PlainValue, wanted: PlainValue, heading: str = "int f(int i)") -> CaseResult:
    asked = expecting(function(heading, 1), returns=ExpectedValue(want=wanted))
    return judged(asked, Calls(loaded=True, returned=(value,), args=(1,)))


def leaving(value: PlainValue, wanted: PlainValue) -> CaseResult:
    asked = expecting(function(PLACE, BOARD, 1, 0), args={0: ExpectedValue(want=wanted)})
    return judged(asked, Calls(loaded=True, returned=(None,), args=(value, 1, 0)))


@each_row
def test_a_call_is_shown_with_its_arguments(heading: str, args: tuple[PlainValue, ...], called: str) -> None:
    args = plain(args)
    asked = expecting(function(heading, *args), returns=ExpectedValue(want=10))
    result = judged(asked, Calls(loaded=True, returned=(11,), args=args))
    assert result.message.text.endswith(f"`{called}` returned 11; 10 is expected.")


def test_one_of_several_calls_is_counted() -> None:
    """Its arguments would read as if it were the second that has these."""
    add = replace(call("int add(int n)", 2), expect=ExpectedOutcome(returns=ExpectedValue(want=4)))
    asked = expecting(function("int add(int n)", 1), before=[replace(add, args=(9,), expect=ExpectedOutcome()), add])
    asked = replace(asked, steps=3)
    assert judged(asked, Calls(loaded=True, returned=(9, 3, 4), args=(1,))).message.text.startswith(
        "The second `add` ret"
    )


@each_row
def test_what_is_right_passes(value: PlainValue, wanted: PlainValue) -> None:
    value, wanted = plain(value), plain(wanted)
    result = returning(value, wanted)
    assert (result.verdict, result.credit, result.message.text) == (Verdict.PASSED, Fraction(1), "")


@each_row
def test_what_is_returned_wrongly(value: PlainValue, wanted: PlainValue, message: str) -> None:
    value, wanted = plain(value), plain(wanted)
    result = returning(value, wanted)
    assert (result.verdict, result.credit, result.message.text) == (Verdict.FAILED, Fraction(0), message)
    (deviation,) = result.deviations
    assert (deviation.kind, deviation.stream) == ("wrong", "call")


def test_an_int_of_many_digits_that_is_returned_is_cut() -> None:
    assert returning(1.0, 10**400).message.text == f"`f(1)` returned 1.0; {10**400} is expected."
    cut = f"`f(1)` returned `1{'0' * (QUOTED - 1)}…`; 7 is expected."
    assert returning(10**4000, 7).message.text == cut


def test_values_are_written_as_the_language_has_them() -> None:
    result = returning((None, "a"), (True, "a"), "def f(i)")
    assert result.message.text == "`f(1)` returned `[None, 'a']`; `[True, 'a']` is expected."
    assert (result.contrasts[0].expected, result.contrasts[0].actual) == ("[True, 'a']\n", "[None, 'a']\n")


def test_what_is_left_of_an_argument() -> None:
    result = leaving(((0, 1), (0, 0)), ((0, 0), (1, 0)))
    assert result.message.text == "After `placeQueen`, `B[0][1]` is 1; 0 is expected (1 more place differs)."
    (contrast,) = result.contrasts
    assert (contrast.name, contrast.expected, contrast.actual) == (
        "argument `B`",
        "[0, 0]\n[1, 0]\n",
        "[0, 1]\n[0, 0]\n",
    )


def test_what_it_prints_is_held_against_a_text() -> None:
    result = judged(
        function("int f()"), Calls(loaded=True, returned=(1,), args=()), stdout=b"(1, 2)\n", printed="(2, 1)\n"
    )
    assert result.verdict is Verdict.FAILED
    assert [deviation.stream for deviation in result.deviations] == ["stdout"]


# ---------------------------------------------------------------- what does not come to its end


@each_row
def test_calls_that_do_not_come_to_their_end(calls: Calls, verdict: Verdict, message: str) -> None:
    asked = expecting(
        function("int f(int i)", 1, before=[call("void init()")], then=[call("void g()")]),
        returns=ExpectedValue(want=1),
    )
    result = judged(asked, calls)
    assert (result.verdict, result.credit, result.message.text) == (verdict, Fraction(0), message)


def test_a_module_that_ended_early_has_its_functions() -> None:
    asked = expecting(function("def f()"), returns=ExpectedValue(want=1))
    calls = Calls(loaded=True, load_error=Raised(type="ValueError", message="no"), returned=(1,), args=())
    right, wrong = judged(asked, calls), judged(asked, replace(calls, returned=(2,)))
    assert (right.verdict, right.message.text) == (
        Verdict.PASSED,
        "Outside of its functions your program ended with `ValueError: no`; what comes after that did not run.",
    )
    assert wrong.message.text == "`f` returned 2; 1 is expected."


@each_row
def test_at_a_limit_it_is_said_where_it_was(calls: Calls, told: str) -> None:
    asked = function("int f(int i)", 1, before=[call("void init()")], then=[call("void g()")])
    run = Execution(signal=9, limit="time", limits=Limits(time=2), time=2.2, cpu=2)
    result = judged(asked, calls, run=run)
    assert result.verdict is Verdict.TIMEOUT
    assert result.message.text == (
        "Your program was stopped after 2.2 s (2 s of processor time); the limit is 2 s. "
        f"It was busy all the time: a loop may never end, or the method is too slow.{told}"
    )


def test_a_signal_is_a_crash() -> None:
    result = judged(function("def f()"), Calls(loaded=True), run=Execution(signal=11))
    assert (result.verdict, result.message.text) == (
        Verdict.CRASHED,
        "Your program crashed: segmentation fault (SIGSEGV).",
    )


# ---------------------------------------------------------------- what is missing


@each_row
def test_a_function_that_is_missing_is_named_with_what_there_is(missing: Missing, message: str) -> None:
    asked = expecting(function(PLACE, BOARD, 1, 0), args={0: ExpectedValue(want=BOARD)})
    result = judged(asked, Calls(loaded=missing.call is not None, missing=missing), printed="x\n")
    assert (result.verdict, result.message.text) == (Verdict.FAILED, message)
    assert [deviation.stream for deviation in result.deviations] == ["call"]


# ---------------------------------------------------------------- exceptions that are asked for


@each_row
def test_exceptions_that_are_asked_for(raises: str, calls: Calls, message: str) -> None:
    result = judged(expecting(function("int f()"), raises=raises), calls)
    assert (result.verdict is Verdict.PASSED, result.message.text) == (not message, message)


@each_row
def test_an_exception_exactly_if_the_reference_raises_one(
    mine: Raised | None, theirs: Raised | None, verdict: Verdict
) -> None:
    def calls(raised: Raised | None) -> Calls:
        return Calls(loaded=True, raised=raised) if raised else Calls(loaded=True, returned=(8,), args=())

    asked = expecting(function("int f()"), raises="reference", returns=ExpectedValue(reference=True))
    assert judged(asked, calls(mine), answer=calls(theirs)).verdict is verdict


# ---------------------------------------------------------------- the reference


@each_row
def test_a_reference_that_fails_is_our_fault(answer: Calls, message: str) -> None:
    asked = expecting(function("int f()"), returns=ExpectedValue(reference=True))
    with pytest.raises(HostError, match=message):
        judged(asked, Calls(loaded=True, returned=(1,), args=()), answer=answer)
    with pytest.raises(HostError, match=message):
        judged(asked, Calls(loaded=True, raised=INDEX), answer=answer)


SOURCES = {("Queens.java", 12): "  B[i] = j;", ("x.py", 3): "def f(:"}
REAL_PYTHON = TOOLCHAINS["python"]


def describe_with_sources(calls: Calls, language: Toolchain) -> str:
    case = Case(id="t[1]", kind="functions", payload=function("def f()"))
    execution = Execution(status=0, facts=calls)
    return judge(
        case, execution, None, toolchain=language, command="f()", read_line=lambda *at: SOURCES.get(at, "")
    ).message.text


@each_row
def test_an_exception_is_told_with_its_line(raised: Raised, told: str) -> None:
    assert describe_with_sources(Calls(loaded=True, raised=raised), JAVA) == told


@pytest.mark.parametrize("name", ["x.py", "sub/x.py"])
def test_a_module_that_python_cannot_read_is_told_as_a_program_is(name: str) -> None:
    error = Raised(
        type="SyntaxError", kinds=("SyntaxError",), message="invalid syntax (x.py, line 3)", place=f"{name}:3"
    )
    told = "Python cannot read your program: `SyntaxError: invalid syntax` in line 3 of `x.py`, `def f(:`."
    missing = Missing(call=0)
    assert describe_with_sources(Calls(loaded=True, load_error=error, missing=missing), REAL_PYTHON) == told
    evaluated = replace(error, place="<string>:1", message="invalid syntax (<string>, line 1)")
    called = describe_with_sources(Calls(loaded=True, raised=error), REAL_PYTHON)
    loaded = describe_with_sources(Calls(loaded=True, load_error=evaluated, missing=missing), REAL_PYTHON)
    assert "cannot read" not in called + loaded


def test_why_a_result_may_be_wrong_is_told_of_that_result() -> None:
    """What an earlier step keeps of the credit is no reason for it."""
    greeting = ExpectedOutcome(returns=ExpectedValue(text=Leaf(how="text", want=("a b",))))
    first = replace(call("def g()"), expect=greeting)
    asked = replace(expecting(function("def f(i)", 1, before=[first]), returns=ExpectedValue(want=3)), steps=2)
    case = Case(id="t[1]", kind="functions", payload=asked, tolerate={"inner-space": Fraction(1, 2)})
    run = Execution(status=0, facts=Calls(loaded=True, returned=("a  b", None), args=(1,)))
    found = judge(case, run, None, toolchain=JAVA, command="f()")
    first_told, told = ((one.kind, one.message) for one in found.deviations)
    assert told == ("wrong", "`f(1)` returned None; 3 is expected. Is a `return` missing?")
    assert first_told[0] == "inner-space"
    assert not first_told[1].endswith("missing?")


def test_why_a_result_may_be_wrong() -> None:
    asked = expecting(function("def f(i)", 1), returns=ExpectedValue(want=3))
    nothing = Calls(loaded=True, returned=(None,), args=(1,))
    told = "`f(1)` returned None; 3 is expected."
    assert judged(asked, nothing).message.text == f"{told} Is a `return` missing?"
    given_back = "instead: a result has to be given back by `return`."
    assert judged(asked, nothing, stdout=b"\n3\n").message.text == f"{told} It printed `3` and 1 more line {given_back}"
    assert judged(asked, nothing, stdout=b"3\n").message.text == f"{told} It printed `3` {given_back}"
    lost = "Its decimals are missing (integer division?)."
    assert returning(1.0, 1.5).message.text == f"`f(1)` returned 1.0; 1.5 is expected. {lost}"
    assert returning(1.0, 2.5).message.text == "`f(1)` returned 1.0; 2.5 is expected."
