"""How far calls of functions came, and what they came to: of records that are made up."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.judge.case import reachable
from grader.core.model.execution import Execution
from grader.core.model.report import Judged, Message, Settled, Verdict
from grader.core.model.spec import Case, Leaf
from grader.core.model.values import MapValue, NewObject, Opaque, PlainValue, Wildcard
from grader.kinds.functions.headings import python_constructor
from grader.kinds.functions.judge import answer_to, broken_off, judge, where_stopped
from grader.kinds.functions.model import (
    Calls,
    ExpectedOutcome,
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Missing,
    Raised,
    functions_in,
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


def made(heading: str, *args: PlainValue) -> FunctionCase:
    """Ask for an object that must not be made."""
    signature = python_constructor(heading)
    assert signature
    expect = ExpectedOutcome(raises="Oops")
    return case_of(FunctionCall(signature=signature, args=args, makes=True, expect=expect))


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


@pytest.mark.parametrize(
    ("case", "calls", "told"),
    [
        (asked(wants(2)), returned(1, 2, 3), []),
        (asked(), returned(1, 2, 3), []),
        (asked(wants(7)), returned(1, 2, 3), ["`f(1)` returned 2; 7 is expected."]),
        (asked(args={0: wants(5)}), returned(1, 2, 3, args=(5,)), []),
        (asked(args={0: wants(5)}), returned(1, 2, 3, args=(6,)), ["After `h`, `b` is 6; 5 is expected."]),
        (asked(wants((1, 2))), returned(1, (1,), 3), ["`f(1)` returned `[1]`; `[1, 2]` is expected."]),
        (
            asked(wants(((1, 2), 3))),
            returned(1, ((1, 0), 0), 3),
            ["`f(1)` returned `[[1, 0], 0]`; `[[1, 2], 3]` is expected."],
        ),
        (
            asked(wants((1, 2, 3))),
            returned(1, (0, 0, 0), 3),
            ["`f(1)` returned `[0, 0, 0]`; `[1, 2, 3]` is expected."],
        ),
        (
            asked(wants(MapValue(items=(("a", 1),)))),
            returned(1, MapValue(items=(("a", 2),)), 3),
            ['`f(1)` returned a map in which `["a"]` is 2; 1 is expected.'],
        ),
        (asked(raises="any"), returned(1, 2, 3), ["`f(1)` returned 2; an exception is expected."]),
        (asked(raises="Oops"), returned(1, 2, 3), ["`f(1)` returned 2; `Oops` is expected."]),
        # Of an object there is nothing to show.
        (asked(raises="Oops"), returned(1, THING, 3), ["`f(1)` raised nothing; `Oops` is expected."]),
        (asked(raises="Oops"), returned(1, (THING,), 3), ["`f(1)` raised nothing; `Oops` is expected."]),
        (asked(raises="Oops"), returned(1, None, 3), ["`f(1)` returned None; `Oops` is expected."]),
        (made("Jar()"), returned(MapValue()), ["`Jar` raised nothing; `Oops` is expected."]),
        (made("Jar(n)", NewObject()), returned(THING), ["`Jar` raised nothing; `Oops` is expected."]),
        (asked(raises="Oops"), returned(1, raised=OOPS), []),
        (asked(raises="a.Oops"), returned(1, raised=OOPS), []),
        (asked(raises="Exception"), returned(1, raised=OOPS), []),
        (asked(raises="Other"), returned(1, raised=OOPS), ["`f(1)` ended with `Oops`: `no`; `Other` is expected."]),
        (
            asked(raises="any", message=Leaf(how="text", want=("yes",))),
            returned(1, raised=OOPS),
            ["The message of the exception of `f` is `no`, expected `yes`."],
        ),
        (asked(raises="any", message=Leaf(how="text", want=("no",))), returned(1, raised=OOPS), []),
        # After a step that is wrong, nothing later is told.
        (
            asked(wants(7), steps={0: ExpectedOutcome(returns=wants(8))}),
            returned(1, 2, 3),
            ["`g` returned 1; 8 is expected."],
        ),
        (
            asked(wants(7), steps={0: ExpectedOutcome(returns=wants(1))}),
            returned(1, 2, 3),
            ["`f(1)` returned 2; 7 is expected."],
        ),
    ],
)
def test_what_calls_came_to(case: FunctionCase, calls: Calls, told: list[str]) -> None:
    found = messages(case, calls)
    if told and "message of the exception" in told[0]:
        assert len(found) == 1
    else:
        assert found == told


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
    assert messages(case, returned(1, 2, 3, args=((1, 2),))) == [
        "After `h`, `b[1]` is 2; 7 is expected.",
    ]
    assert messages(case, returned(1, 2, 3, args=((1,),))) == [
        "`b[1]` after `h` is missing.",
    ]


@each_row
def test_what_may_be_several_stands_as_open_beside_what_there_is(open_cell: ExpectedValue) -> None:
    cells: dict[tuple[int, ...], ExpectedValue] = {(0,): open_cell, (1,): wants(3)}
    case = Case(id="t", kind="functions", payload=asked(ExpectedValue(cells=cells)))
    ((_, contrast),) = compared(case, returned(1, (7, 0), 3))
    assert contrast
    assert contrast.expected == "[_, 3]\n"


# ---------------------------------------------------------------- what the judge asks

CONTEXT = judged_calls(Case(id="t", kind="functions", payload=asked()), Calls()).context


def text_of(ending: Settled | None) -> tuple[Verdict, str] | None:
    return (ending[0], ending[1].text) if ending else None


def settle(execution: Execution, stopped: Settled | None = None) -> Settled | None:
    found = judge(case_of_calls(asked()), execution, None, replace(CONTEXT, stopped=stopped))
    return None if isinstance(found, Judged) else found


def test_calls_that_were_stopped_broken_off_or_followed_by_a_crash() -> None:
    stopped = (Verdict.TIMEOUT, Message("It was stopped."))
    made = Execution(signal=9, facts=returned())
    assert text_of(settle(made, stopped)) == (
        Verdict.TIMEOUT,
        "It was stopped. It was running `g`.",
    )
    made = Execution(status=0, facts=returned(1, raised=OOPS))
    assert text_of(settle(made)) == (
        Verdict.CRASHED,
        "`f` ended with `Oops`: `no`.",
    )
    made = Execution(signal=11, facts=returned(1, 2, 3))
    crash = settle(made)
    assert crash is not None
    assert crash[0] == Verdict.CRASHED
    assert settle(Execution(status=0, facts=returned(1, 2, 3))) is None


def test_where_a_function_is_missing_nothing_else_is_compared() -> None:
    found = judge(case_of_calls(asked()), Execution(facts=returned(missing=Missing(call=1))), None, CONTEXT)
    assert isinstance(found, Judged)
    assert (len(found.deviations), found.contrasts, found.compares_outputs) == (1, (), False)
    found = judge(case_of_calls(asked(wants(7))), Execution(facts=returned(1, 2, 3)), None, CONTEXT)
    assert isinstance(found, Judged)
    assert ([one.message for one in found.deviations], found.compares_outputs) == (
        ["`f(1)` returned 2; 7 is expected."],
        True,
    )
    assert len(found.contrasts) == 1


def test_a_check_gets_the_arguments_and_the_value_of_the_main_call() -> None:
    case = case_of_calls(asked())
    assert functions_in(case).facts_for_checks(Execution(facts=returned(4, 5, 6))) == {"args": (1,), "returned": 5}
    assert functions_in(case).facts_for_checks(Execution(facts=returned(4))) == {"args": (1,), "returned": None}
    assert functions_in(case).facts_for_checks(Execution()) == {"args": (1,), "returned": None}


def test_values_have_the_deviations_of_what_compares_them() -> None:
    assert reachable(case_of_calls(asked(wants(7)))) == {"wrong"}
    words = ExpectedValue(text=Leaf(how="tokens", want=("a",)))
    assert reachable(case_of_calls(asked(words))) == {"wrong", "letter-case"}
