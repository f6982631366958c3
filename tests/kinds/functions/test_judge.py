"""How far calls of functions came, and what they came to: of records that are made up."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.judge.case import reachable
from grader.core.model.execution import Execution
from grader.core.model.report import Verdict
from grader.core.model.spec import Case, Leaf
from grader.core.model.values import NewObject, Opaque, PlainValue, Wildcard
from grader.kinds.functions.headings import python_constructor
from grader.kinds.functions.judge import answer_to, broken_off, where_stopped
from grader.kinds.functions.model import (
    Calls,
    ExpectedOutcome,
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Raised,
    name_of_call,
)
from tests.support.functions import (
    REFERENCE,
    G,
    H,
    asked,
    case_of,
    compared,
    expecting,
    function,
    judged_calls,
    messages,
    plain,
    returned,
    wants,
)
from tests.support.rows import each_row

OOPS = Raised(type="a.Oops", kinds=("a.Oops", "Exception"), message="no")
OPEN = Wildcard()
THING = Opaque(type="Jar")
ASKED, REFERRED = asked(), asked(REFERENCE)
ANY, AS_REFERENCE = asked(raises="any"), asked(raises="reference")
REFERRED_OR_ANY, REFERRED_ALL = asked(REFERENCE, raises="any"), asked(REFERENCE, raises="reference")
STEP, MAY_RAISE = asked(steps={0: ExpectedOutcome()}), asked(steps={0: ExpectedOutcome(raises="any")})
LOADED = Calls(loaded=True)


def case_of_calls(function: FunctionCase) -> Case:
    return Case(id="t", kind="functions", payload=function)


def end(case: FunctionCase, calls: Calls, answer: Calls | None = None, **run: Any) -> Any:
    made = Execution(facts=calls, **{"status": 0, **run})
    return broken_off(judged_calls(case_of_calls(case), calls, answer), made)


# ---------------------------------------------------------------- the reference


@each_row
def test_a_reference_that_came_to_no_end_is_our_fault(case: FunctionCase, answer: Calls, fault: str) -> None:
    ready, right = Case(id="t", kind="functions", payload=case), Execution(status=0, facts=answer)
    if fault:
        with pytest.raises(HostError, match=f"^t: {fault}"):
            answer_to(ready, right)
    else:
        assert answer_to(ready, right) == answer


def test_the_reference_is_needed_only_where_it_is_asked_for() -> None:
    assert answer_to(Case(id="t", kind="functions", payload=asked(wants(1))), None) is None
    with pytest.raises(HostError, match="did not run"):
        answer_to(Case(id="t", kind="functions", payload=asked(REFERENCE)), None)
    with pytest.raises(HostError, match="there is no Calls: nothing was recorded"):
        answer_to(Case(id="t", kind="functions", payload=asked(REFERENCE)), Execution(status=0))


# ---------------------------------------------------------------- where it was


@each_row
def test_where_calls_were_when_they_were_stopped(case: FunctionCase, calls: Calls, told: str) -> None:
    assert where_stopped(judged_calls(case_of_calls(case), calls)) == told.strip()


@each_row
def test_calls_that_were_broken_off(case: FunctionCase, calls: Calls, told: str | None) -> None:
    found = end(case, calls)
    assert (found is None) is (told is None)
    if told is not None:
        assert found[1].text.startswith(told)
        assert found[1].text == told or told[-1] != "."
        crashed = Verdict.MEMORY if "MemoryError" in told else Verdict.CRASHED
        assert found[0] == (Verdict.FAILED if not calls.is_recorded else crashed)


def test_a_signal_is_told_as_of_any_program() -> None:
    assert end(asked(), returned(1), status=None, signal=11) is None
    assert end(asked(), returned(1), status=3)[1].text.endswith("with status 3.")


@each_row
def test_a_call_of_what_nothing_defines_is_told(status: int, stderr: bytes, told: str) -> None:
    assert end(asked(), returned(1), status=status, stderr=stderr)[1].text == f"`f` {told}."


@each_row
def test_calls_with_one_cause_have_one_key(calls: Calls, key: tuple[str, ...]) -> None:
    assert end(asked(), calls)[1].key == key


@pytest.mark.parametrize(
    ("answer", "is_right"), [(returned(1, raised=OOPS), True), (returned(1, 2, 3), False), (None, False)]
)
def test_an_end_as_that_of_the_reference_is_none(answer: Calls | None, *, is_right: bool) -> None:
    assert (end(asked(raises="reference"), returned(1, raised=OOPS), answer) is None) is is_right


def test_of_several_calls_of_a_name_each_has_its_number() -> None:
    many = expecting(function("def f(b)", 1, before=[G] * 11, then=[H]), steps={})
    names = [name_of_call(many, at) for at in (0, 1, 9, 10, 11, 12)]
    assert names == ["the first `g`", "the second `g`", "the tenth `g`", "`g`, called the 11th time,", "`f`", "`h`"]
    assert name_of_call(replace(many, steps=0), 1) == "`g`"
    made = expecting(many, before=(G, replace(G, makes=True)))
    assert name_of_call(made, 1) == "`g`"


@pytest.mark.parametrize(("at", "found"), [(0, OOPS), (1, None), (2, replace(OOPS, type="Last")), (3, None)])
def test_with_what_a_call_ended(at: int, found: Raised | None) -> None:
    calls = returned(None, 2, caught={0: OOPS}, raised=replace(OOPS, type="Last"))
    assert calls.ends.get(at) == found


# ---------------------------------------------------------------- what they came to


@each_row
def test_what_a_call_came_to(asks: ExpectedOutcome, calls: Calls, told: list[str]) -> None:
    asks = plain(asks)
    case = asked(asks.returns, raises=asks.raises, message=asks.message)
    found = messages(case, plain(calls))
    if asks.message and told:
        assert len(found) == len(told)
    else:
        assert found == told


def test_an_argument_and_a_step_that_are_wrong_are_told() -> None:
    three = returned(1, 2, 3, args=(6,))
    assert messages(asked(args={0: wants(6)}), three) == []
    assert messages(asked(args={0: wants(5)}), three) == ["After `h`, `b` is 6; 5 is expected."]
    # After a step that is wrong, nothing later is told.
    for value, told in ((8, "`g` returned 1; 8 is expected."), (1, "`f(1)` returned 2; 7 is expected.")):
        assert messages(asked(wants(7), steps={0: ExpectedOutcome(returns=wants(value))}), three) == [told]


@pytest.mark.parametrize(("heading", "args"), [("Jar()", ()), ("Jar(n)", (NewObject(),))])
def test_an_object_that_must_not_be_made_is_told(heading: str, args: tuple[PlainValue, ...]) -> None:
    signature = python_constructor(heading)
    assert signature
    call = FunctionCall(signature=signature, args=args, makes=True, expect=ExpectedOutcome(raises="Oops"))
    for made in (THING, Opaque(type="Jar", text="Jar(3)"), 3):
        assert messages(case_of(call), returned(made)) == ["`Jar` raised nothing; `Oops` is expected."]


@each_row
def test_what_the_reference_returned_is_right(answer: Calls, told: list[str]) -> None:
    assert messages(asked(REFERENCE), returned(1, 2, 3), answer) == told


def test_what_the_reference_left_of_an_argument_is_right() -> None:
    case = asked(args={0: REFERENCE})
    assert messages(case, returned(1, 2, 3, args=(5,)), returned(1, 2, 3, args=(5,))) == []
    assert messages(case, returned(1, 2, 3, args=(5,)), returned(1, 2, 3, args=(6,))) == [
        "After `h`, `b` is 5; 6 is expected."
    ]


CELLS = {(0, 1): wants(2), (1,): wants(3)}


@each_row
def test_only_some_cells_are_looked_at(value: PlainValue, told: list[str], expected: str) -> None:
    value = plain(value)
    case = Case(id="t", kind="functions", payload=asked(ExpectedValue(cells=CELLS)))
    found = compared(case, returned(1, value, 3))
    assert [one.message for one, _ in found] == told
    assert [contrast.expected for _, contrast in found if contrast] == ([expected] if told else [])


def test_a_cell_has_every_deviation_of_its_text() -> None:
    """The first one may cost nothing, and another one all."""
    cells: dict[tuple[int, ...], ExpectedValue] = {
        (0,): ExpectedValue(text=Leaf(how="text", want=("A b",))),
        (1,): wants(3),
    }
    tolerate = {"inner-space": Fraction(1), "letter-case": Fraction(1, 2)}
    case = Case(id="t", kind="functions", payload=asked(ExpectedValue(cells=cells)), tolerate=tolerate)
    found = compared(case, returned(1, ("a  b", 3), 3))
    assert {one.kind: one.keeps for one, _ in found} == tolerate


def test_the_nearest_of_several_values_is_told() -> None:
    either = ExpectedValue(either=(wants((1, 2, 3)), wants((4, 5, 7)), REFERENCE))
    near = " 3 answers are right; this is about the closest."
    told = messages(asked(either), returned(1, (4, 5, 6), 3), returned(1, (8, 8, 8), 3))
    assert told == [f"`f(1)` returned `[4, 5, 6]`; `[4, 5, 7]` is expected.{near}"]
    told = messages(asked(either), returned(1, (8, 8, 6), 3), returned(1, (8, 8, 8), 3))
    assert told == [f"`f(1)` returned `[8, 8, 6]`; `[8, 8, 8]` is expected.{near}"]
    assert messages(asked(either), returned(1, (8, 8, 8), 3), returned(1, (8, 8, 8), 3)) == []


def test_open_cells_are_right_and_stand_as_they_are() -> None:
    case = Case(id="t", kind="functions", payload=asked(wants(((OPEN, 1), 2))))
    ((_, contrast),) = compared(case, returned(1, ((7, 0), 2), 3))
    assert contrast
    assert (contrast.name, contrast.expected, contrast.actual) == ("returned value", "[7, 1]\n2\n", "[7, 0]\n2\n")


# ---------------------------------------------------------------- where the reference says what is right

SAYS = Leaf(how="text")


def test_the_message_of_the_reference_is_right() -> None:
    case = asked(raises="any", message=SAYS)
    assert messages(case, returned(1, raised=OOPS), returned(1, raised=OOPS)) == []
    assert len(messages(case, returned(1, raised=OOPS), returned(1, raised=replace(OOPS, message="yes")))) == 1
    with pytest.raises(HostError, match="the reference ends with no exception that could have a message"):
        messages(case, returned(1, raised=OOPS), returned(1, 2, 3))
    with pytest.raises(HostError, match="the reference ends with no exception that could have a message"):
        messages(case, returned(1, raised=OOPS), None)
    own = asked(raises="any", message=Leaf(how="text", want=("no",)))
    assert messages(own, returned(1, raised=OOPS), returned(1, 2, 3)) == []


def test_what_is_asked_for_itself_is_right_whatever_the_reference_came_to() -> None:
    case = asked(wants(2), args={0: wants(5)})
    assert messages(case, returned(1, 2, 3, args=(5,)), returned()) == []


def test_a_cell_that_the_reference_has_not_is_our_fault() -> None:
    case = asked(ExpectedValue(cells={(1,): REFERENCE}))
    with pytest.raises(HostError, match=r"the reference has no \[1\] in returned value"):
        messages(case, returned(1, (1, 2), 3), returned(1, (1,), 3))


def test_a_cell_of_an_argument_is_named() -> None:
    case = asked(args={0: ExpectedValue(cells={(1,): wants(7)})})
    assert messages(case, returned(1, 2, 3, args=((1, 2),))) == ["After `h`, `b[1]` is 2; 7 is expected."]
    assert messages(case, returned(1, 2, 3, args=((1,),))) == ["`b[1]` after `h` is missing."]


@each_row
def test_what_may_be_several_stands_as_open_beside_what_there_is(open_cell: ExpectedValue) -> None:
    cells: dict[tuple[int, ...], ExpectedValue] = {(0,): open_cell, (1,): wants(3)}
    case = Case(id="t", kind="functions", payload=asked(ExpectedValue(cells=cells)))
    ((_, contrast),) = compared(case, returned(1, (7, 0), 3))
    assert contrast
    assert contrast.expected == "[_, 3]\n"


# ---------------------------------------------------------------- what the judge asks


def test_values_have_the_deviations_of_what_compares_them() -> None:
    assert reachable(case_of_calls(asked(wants(7)))) == {"wrong"}
    words = ExpectedValue(text=Leaf(how="tokens", want=("a",)))
    assert reachable(case_of_calls(asked(words))) == {"wrong", "letter-case"}
