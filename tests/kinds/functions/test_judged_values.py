"""What is said of values that calls returned: texts, sets and maps, lists of several right ones."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.spec import Case, CheckOptions, Leaf
from grader.core.model.values import Check, MapValue, Opaque, PartlyRight, PlainValue, SetValue, Wildcard
from grader.kinds.functions.model import Calls, ExpectedValue, Missing
from tests.support.functions import (
    REFERENCE,
    asked,
    case_of,
    compared,
    expecting,
    function,
    messages,
    plain,
    returned,
    wants,
)
from tests.support.rows import each_row

TEXT = Leaf(how="text", want=("7",))
LIKE_REFERENCE = ExpectedValue(reference=True, text=Leaf(how="text"))
OPEN = Wildcard()
THING = Opaque(type="Thing")
TEXT_IN_A_CELL = ExpectedValue(cells={(1,): ExpectedValue(text=TEXT)})


@each_row
def test_an_element_too_many_or_too_few(wanted: PlainValue, actual: PlainValue, told: str) -> None:
    assert messages(asked(wants(wanted)), returned(1, actual, 3)) == [told]


@each_row
def test_a_float_of_c_or_java_has_fewer_digits(
    heading: str, actual: PlainValue, computed: PlainValue, *, is_right: bool
) -> None:
    actual, computed = plain(actual), plain(computed)
    case = expecting(function(heading), returns=REFERENCE)
    assert (messages(case, returned(actual), returned(computed)) == []) is is_right


@each_row
def test_a_value_written_out(expected: ExpectedValue, actual: PlainValue, right: PlainValue, told: list[str]) -> None:
    actual = plain(actual)
    found = messages(asked(expected), returned(1, actual, 3), returned(1, right, 3))
    assert [one.endswith(end) for one, end in zip(found, told, strict=True)] == [True] * len(told)
    assert all("in which `[1]` is" in one for one in found) is (bool(expected.cells) or not found)


@each_row
def test_a_reference_that_returns_no_text_is_our_fault(returns: str, right: PlainValue, fault: str) -> None:
    right = plain(right)
    case = asked(LIKE_REFERENCE)
    signature = replace(case.call.signature, returns=returns)
    case = expecting(case_of(replace(case.call, signature=signature)), before=case.calls[:1], then=case.calls[2:])
    with pytest.raises(HostError, match=f"^t: the reference returned {fault}$"):
        messages(case, returned(1, "a", 3), returned(1, right, 3))


@pytest.mark.parametrize(
    "right", [THING, (1, (THING,)), MapValue(items=(("a", THING),)), SetValue(items=(THING,)), (THING, 2)]
)
@pytest.mark.parametrize("actual", [THING, 5, (1, (THING,))])
def test_what_the_reference_returned_without_its_value_is_our_fault(right: PlainValue, actual: PlainValue) -> None:
    fault = "the returned value of the reference has something of the type `Thing`"
    with pytest.raises(HostError, match=f"^t: {fault}.*: nothing can be compared with that$"):
        messages(asked(REFERENCE), returned(1, actual, 3), returned(1, right, 3))
    cells = ExpectedValue(cells={(1,): REFERENCE})
    assert messages(asked(cells), returned(1, (0, 2), 3), returned(1, (THING, 2), 3)) == []


@each_row
def test_the_nearest_of_a_number_and_of_lists(actual: PlainValue, told: str) -> None:
    actual = plain(actual)
    either = ExpectedValue(either=(wants(7), wants((1, 2)), wants((3, 5))))
    (found,) = messages(asked(either), returned(1, actual, 3))
    assert found.startswith(told)


def contrast_of(expected: ExpectedValue, actual: PlainValue, answer: Calls | None = None) -> str:
    case = Case(id="t", kind="functions", payload=asked(expected))
    ((_, contrast),) = compared(case, returned(1, actual, 3), answer)
    assert contrast
    return contrast.expected


def test_what_neither_has_stands_as_open_beside_what_there_is() -> None:
    assert contrast_of(ExpectedValue(cells={(1,): REFERENCE}), (1,), returned(1, (1,), 3)) == "[1, _]\n"
    assert contrast_of(wants((1, OPEN)), (2,)) == "[1, _]\n"
    within = ExpectedValue(cells={(0,): ExpectedValue(text=TEXT)})
    assert contrast_of(ExpectedValue(cells={(0,): within, (1,): wants(3)}), ((7,), 0)) == "[_, 3]\n"


def test_a_deviation_of_another_kind_in_another_cell_counts_too() -> None:
    spaced = ExpectedValue(text=Leaf(how="text", want=("a b",)))
    cells: dict[tuple[int, ...], ExpectedValue] = {(0,): wants(1), (1,): wants(2), (2,): spaced}
    case = Case(
        id="t", kind="functions", payload=asked(ExpectedValue(cells=cells)), tolerate={"inner-space": Fraction(1, 2)}
    )
    for actual, kinds in [((0, 0, "a  b"), ["wrong", "inner-space"]), ((1, 0, "a  b"), ["wrong", "inner-space"])]:
        found = compared(case, returned(1, actual, 3), None)
        assert [one.kind for one, _ in found] == kinds


def test_every_deviation_of_the_first_wrong_cell_counts() -> None:
    """Else the one that is tolerated hides the one that is not."""
    spaced = ExpectedValue(text=Leaf(how="text", want=("a b",)))
    payload = asked(ExpectedValue(cells={(0,): spaced, (1,): wants(1)}))
    case = Case(id="t", kind="functions", payload=payload, tolerate={"inner-space": Fraction(1)})
    for actual, kinds in [(("A  b", 1), ["inner-space", "letter-case"]), (("a  b", 0), ["inner-space", "wrong"])]:
        found = compared(case, returned(1, actual, 3), None)
        assert [one.kind for one, _ in found] == kinds


@pytest.mark.parametrize(("first", "second", "shares"), [("1/2", "1/4", ["1/2", "1/4"]), ("1/2", "0", ["1/2", "0"])])
def test_the_share_of_every_wrong_cell_counts(first: str, second: str, shares: list[str]) -> None:
    def checks(expected: CheckOptions, _right: bytes) -> Check:
        def check(_output: bytes) -> None:
            raise PartlyRight("Some is right.", Fraction(expected.function))

        return check

    asks = [
        ExpectedValue(text=Leaf(how="check", want=(), options=CheckOptions(function=share)))
        for share in (first, second)
    ]
    cells: dict[tuple[int, ...], ExpectedValue] = {(at,): one for at, one in enumerate(asks)}
    case = Case(id="t", kind="functions", payload=asked(ExpectedValue(cells=cells)))
    found = compared(case, returned(1, ("a", "b"), 3), None, checks)
    assert [str(one.keeps) for one, _ in found] == shares


@each_row
def test_what_is_missing_in_c(missing: Missing, told: str) -> None:
    """What else is known there is what the assignment asks for."""
    case = replace(function("int f(int i)", 1), within=("four.c",))
    assert messages(case, returned(missing=missing)) == [told]


@each_row
def test_a_list_of_c_without_elements_is_a_null_pointer(
    wanted: PlainValue, actual: PlainValue, told: list[str]
) -> None:
    wanted, actual = plain(wanted), plain(actual)
    case = function("int f(int i)", 1)
    main = replace(case.call, signature=replace(case.call.signature, returns="struct node *"))
    assert messages(case_of(main), returned(actual)) == []
    assert messages(expecting(case_of(main), returns=wants(wanted)), returned(actual)) == told


@each_row
def test_null_of_a_reference_is_also_what_returns_nothing(
    right: PlainValue, actual: PlainValue, told: list[str]
) -> None:
    right, actual = plain(right), plain(actual)
    case = expecting(function("int f(int i)", 1), returns=REFERENCE)
    assert messages(case, returned(actual), returned(right)) == told


def test_of_a_list_in_a_cell_it_is_told_where_it_differs() -> None:
    cells = asked(ExpectedValue(cells={(0,): wants((1, 4)), (1,): wants()}))
    nothing = Opaque(type="undefined", text="undefined")
    told = ["`f(1)` returned a list in which `[0][1]` is 2; 4 is expected."]
    assert messages(cells, returned(1, ((1, 2), nothing), 3)) == told


def test_without_an_answer_of_the_reference_nothing_is_right_but_null() -> None:
    assert messages(asked(REFERENCE), returned(1, 2, 3)) == ["`f(1)` returned 2; None is expected."]
    case = asked(args={0: REFERENCE})
    assert messages(case, returned(1, 2, 3, args=(5,))) == ["After `h`, `b` is 5; None is expected."]
    with pytest.raises(HostError, match=r"^t: the reference has no"):
        messages(case, returned(1, 2, 3, args=(5,)), returned(1, 2, 3))


@each_row
def test_many_places_are_counted_up_to_a_bound(length: int, told: str) -> None:
    [message] = messages(asked(wants((1,) * length)), returned(1, (0,) * length, 3))
    assert told in message
