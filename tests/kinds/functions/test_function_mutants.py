"""Mutants of functions: each is what it says it is, and nothing else."""

from msgspec.structs import replace

from grader.check.source_mutants import read_program
from grader.core.model.execution import Execution
from grader.core.model.spec import Case
from grader.core.model.values import PlainValue, Wildcard
from grader.kinds.functions.model import Calls, ExpectedOutcome, ExpectedValue, FunctionCall, FunctionCase, Signature
from tests.support.functions import expecting, plain
from tests.support.payloads import calls_in, functions_in
from tests.support.rows import each_row
from tests.support.scenes import case, changed, scope


def calling(number: int, value: object, before: object = (), after: object = ()) -> tuple[Case, Execution]:
    """A call that returns a value and leaves something of its argument."""
    expect = ExpectedOutcome(returns=ExpectedValue(want=value))
    call = FunctionCall(signature=Signature(text="def f(x)", name="f"), args=(before, number), expect=expect)
    function = FunctionCase(within=("m",), calls=(call,), args={0: ExpectedValue(want=after)})
    asked = case(number, kind="functions", args=(), payload=function)
    return asked, Execution(status=0, facts=Calls(loaded=True, returned=(value,), args=(after, number)))


def test_functions_return_something_else() -> None:
    right = (True, False, 5, ((1, 2), (3, 4)), "ab")
    where = scope(*(calling(number, value) for number, value in enumerate(right, start=1)))
    found = changed(where, "functions")

    def returned(name: str) -> list[object]:
        return [one and calls_in(one).returned[0] for one in found[f"returned/{name}"]]

    assert returned("negated") == [False, True, None, None, None]
    assert returned("one-more") == [None, None, 6, None, None]
    assert returned("transposed") == [None, None, None, ((1, 3), (2, 4)), None]
    assert returned("shorter") == [None, None, None, ((1, 2),), None]
    assert returned("empty") == [None, None, None, None, ""]
    assert returned("always-1") == [None, True, True, True, True]
    assert found["calls/only[2]"][0] is None
    assert found["calls/only[2]"][1] is not None


def test_functions_leave_something_else_of_their_arguments() -> None:
    where = scope(calling(1, None, ((0, 0), (0, 0)), ((0, 1), (-1, 0))))
    found = changed(where, "functions")

    def left(name: str) -> object:
        one = found[f"arguments/{name}"][0]
        args = calls_in(one).args if one else None
        return args and args[0]

    assert left("untouched") == ((0, 0), (0, 0))
    assert left("first-undone") == ((0, 0), (-1, 0))
    assert left("last-undone") == ((0, 1), (0, 0))
    assert left("first-overdone") == ((1, 1), (-1, 0))
    assert left("last-overdone") == ((0, 1), (-1, 1))
    assert left("transposed") == ((0, -1), (1, 0))


EQUAL = ((7, 0), (2, 0))
ONE_CELL = ExpectedValue(cells={(1, 0): ExpectedValue(want=2)})
ONE_OF_A_ROW = ExpectedValue(cells={(1,): ExpectedValue(want=(Wildcard(), 0))})


@each_row
def test_functions_are_wrong_where_somebody_looks(
    asked: ExpectedValue, other: PlainValue, overdone: PlainValue
) -> None:
    asked, other, overdone = plain(asked), plain(other), plain(overdone)
    one, right = calling(1, EQUAL, EQUAL, EQUAL)
    where = scope((replace(one, payload=expecting(functions_in(one), returns=asked, args={0: asked})), right))
    found = changed(where, "functions")

    def done(name: str) -> Calls | None:
        execution = found.get(name, [None])[0]
        return calls_in(execution) if execution else None

    returned, left = done("returned/other"), done("arguments/first-overdone")
    assert (returned and returned.returned[0]) == other
    assert (left and left.args and left.args[0]) == overdone
    assert "calls/only[1]" in found or other is None


def test_a_constant_that_is_right_as_far_as_anybody_looks_is_no_mutant() -> None:
    pairs = [calling(1, (3, 0)), calling(2, (4, 0)), calling(3, (4, 1))]
    asked = [ExpectedValue(want=(Wildcard(), last)) for last in (0, 0, 1)]
    cases = [
        replace(one, payload=expecting(functions_in(one), returns=want))
        for (one, _), want in zip(pairs, asked, strict=True)
    ]
    found = changed(scope(*zip(cases, (right for _, right in pairs), strict=True)), "functions")
    assert [done is None for done in found["returned/always-1"]] == [True, True, False]
    assert [done is None for done in found["returned/always-3"]] == [False, False, True]


def test_functions_raise_what_they_should_not_and_the_reverse() -> None:
    where = scope(calling(1, 5))
    (raising,) = changed(where, "functions")["calls/raises"]
    assert raising
    assert calls_in(raising).raised
    assert calls_in(raising).returned == ()
    again = scope((where.scenes[0].case, raising))
    (silent,) = changed(again, "functions")["calls/raises-not"]
    assert silent
    assert (calls_in(silent).raised, calls_in(silent).returned) == (None, (None,))


def test_a_case_that_calls_functions_reaches_those_however_they_are_spelt() -> None:
    source = b"def place_queen():\n    mark()\n\ndef mark():\n    pass\n\ndef other():\n    pass\n\nother()\n"
    program = read_program(("python3", "reference/x.py"), {"reference/x.py": source})
    call = FunctionCall(signature=Signature(text="void placeQueen()", name="placeQueen"))
    assert program.reached(Case(id="a", kind="functions", payload=FunctionCase(within=("Q",), calls=(call,)))) == {
        "place_queen",
        "mark",
    }
    assert program.reached(Case(id="b")) == {"other"}
