"""Output mutants: each is what it says it is, and nothing else."""

from collections.abc import Iterable
from fractions import Fraction

import pytest
from msgspec.structs import replace

from grader.core.judge import judge
from grader.core.model import (
    Case,
    Execution,
    Expectation,
    Expected,
    ExpectedFiles,
    Spec,
    Step,
    Test,
    Toolchain,
    Turn,
    Wildcard,
)
from grader.kinds.dialogue.model import Dialogue
from grader.kinds.functions.model import Calls, ExpectedValue, FunctionCall, FunctionCase, Signature
from grader.verify.mutants import Mutant, Scope, scopes
from grader.verify.output_mutants import FAMILIES, output_mutants
from grader.verify.text_edits import EDITS, TextEdit
from tests.support.scenes import case, printing, scope, text

LISTED = "(2, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n"
EDITED = {
    "final-newline": LISTED.removesuffix("\n"),
    "line-endings": LISTED.replace("\n", "\r\n"),
    "trailing-space": LISTED.replace("\n", " \n"),
    "leading-space": "  (2, 4, 1, 3)\n  (3, 1, 4, 2)\n  4-Queens has 2 solutions\n",
    "inner-space": "(2,  4,  1,  3)\n(3,  1,  4,  2)\n4-Queens  has  2  solutions\n",
    "blank-lines": f"\n{LISTED}",
    "letter-case": LISTED.lower(),
    "order": "(3, 1, 4, 2)\n(2, 4, 1, 3)\n4-Queens has 2 solutions\n",
    "extra-lines-first": f"Welcome to my program.\n{LISTED}",
    "extra-lines-last": f"{LISTED}Welcome to my program.\n",
    "joined-lines": "(2, 4, 1, 3) (3, 1, 4, 2) 4-Queens has 2 solutions\n",
    "prompt": f"Enter a number: {LISTED}",
    "wording": LISTED.replace("solutions", "soultions"),
    "zero-based": "(1, 3, 0, 2)\n(2, 0, 3, 1)\n4-Queens has 2 solutions\n",
    "one-based": "(3, 5, 2, 4)\n(4, 2, 5, 3)\n4-Queens has 2 solutions\n",
    "reversed": "(3, 1, 4, 2)\n(2, 4, 1, 3)\n4-Queens has 2 solutions\n",
    "transposed": "(3, 1, 4, 2)\n(2, 4, 1, 3)\n4-Queens has 2 solutions\n",
    "last-to-first": "(3, 1, 4, 2)\n(2, 4, 1, 3)\n4-Queens has 2 solutions\n",
    "last-line-missing": "(2, 4, 1, 3)\n(3, 1, 4, 2)\n",
    "one-missing-first": "(3, 1, 4, 2)\n4-Queens has 2 solutions\n",
    "one-missing-last": "(2, 4, 1, 3)\n4-Queens has 2 solutions\n",
    "only-first": "(2, 4, 1, 3)\n4-Queens has 2 solutions\n",
    "one-repeated": f"(2, 4, 1, 3)\n{LISTED}",
    "two-swapped": "(3, 1, 4, 2)\n(2, 4, 1, 3)\n4-Queens has 2 solutions\n",
    "one-invalid-first": "(4, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n",
    "one-invalid-last": "(2, 4, 1, 3)\n(1, 1, 4, 2)\n4-Queens has 2 solutions\n",
    "count-more": LISTED.replace("has 2", "has 3"),
    "count-less": LISTED.replace("has 2", "has 1"),
    "number-more": None,
    "number-less": None,
    "half": LISTED[: len(LISTED) // 2],
    "nothing": "",
    "something-else": "Welcome to my program.\n",
}
NOT_OF_ONE_LINE = {
    *(
        "zero-based",
        "one-based",
        "reversed",
        "transposed",
        "last-to-first",
        "order",
        "last-line-missing",
        "joined-lines",
    ),
    *("one-missing-first", "one-missing-last", "only-first", "one-repeated", "two-swapped"),
    *("one-invalid-first", "one-invalid-last", "count-more", "count-less"),
}


def by_name(mutants: Iterable[Mutant]) -> dict[str, Mutant]:
    """Those that do something, by the part of their name behind the test's."""
    return {mutant.name.partition("/")[2]: mutant for mutant in mutants}


def changed(where: Scope, *families: str) -> dict[str, list[Execution | None]]:
    """What each mutant of the families does in each case, None where it is right; only what is wrong somewhere."""
    found = {}
    for name, mutant in by_name(mutant for family in families for mutant in FAMILIES[family](where)).items():
        done = [mutant.apply(scene) for scene in where.scenes]
        if any(one != scene.right for one, scene in zip(done, where.scenes, strict=True)):
            found[name] = [None if one == scene.right else one for one, scene in zip(done, where.scenes, strict=True)]
    return found


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_makes_the_mistake_that_it_is_named_for(edit: TextEdit) -> None:
    found = edit.change(LISTED.encode())
    stated = EDITED[edit.name]
    assert found == (None if stated is None else stated.encode())


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_of_a_single_line_is_another_line_or_none(edit: TextEdit) -> None:
    line = b"4-Queens has 2 solutions\n"
    found = edit.change(line)
    assert (found is None) == (edit.name in NOT_OF_ONE_LINE)
    assert found != line


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit.named], ids=lambda edit: edit.name)
def test_the_judge_names_the_mistake(edit: TextEdit) -> None:
    wrong = edit.change(LISTED.encode()) or b""
    result = judge(
        case(expect=Expectation(stdout=text(LISTED))),
        Execution(stdout=wrong, status=0),
        None,
        toolchain=Toolchain(name="python"),
        command="x",
    )
    named = set(edit.named)
    kinds = {deviation.kind for deviation in result.deviations}
    assert kinds <= named


def edits(text: str) -> dict[str, bytes | None]:
    return {edit.name: edit.change(text.encode()) for edit in EDITS}


def test_boards_of_many_lines_are_things_of_a_list() -> None:
    board = "curcol = {}\n   0 1\n0: Q\n1:\n"
    one, other, behind = board.format(0), board.format(1), "Q0\n"
    found = edits(one + other + behind)
    assert found["one-missing-first"] == (other + behind).encode()
    assert found["one-missing-last"] == (one + behind).encode()
    assert found["last-to-first"] == (other + one + behind).encode()
    assert found["one-invalid-first"] == f"curcol = 0\n   0 1\n1:\n0: Q\n{other}{behind}".encode()


def test_a_text_without_numbers_lists_nothing() -> None:
    found = edits("a\na\nb 1\n")
    listing = ("one-missing-first", "one-missing-last", "only-first", "one-repeated", "two-swapped", "count-more")
    assert [found[name] for name in listing] == [None] * len(listing)


def test_layout_is_no_mistake_where_a_check_looks() -> None:
    where = scope(printing(1, LISTED, "check"))
    found = changed(where, "texts")
    assert "stdout/one-missing-first" in found
    assert not {"stdout/final-newline", "stdout/order", "stdout/wording"} & set(found)


@pytest.mark.parametrize(
    ("chosen", "number", "nothing"),
    [
        ({"only": "^a"}, b"a 2\n", b""),
        ({"skip": "^(b|Enter)"}, b"a 2\n", b""),
        ({"only": "^b"}, b"Enter: \na 1\nb 3\n", b""),
    ],
)
def test_a_line_is_wrong_that_is_compared(chosen: dict[str, str], number: bytes, nothing: bytes) -> None:
    one, right = printing(1, "Enter: \na 1\nb 2\n")
    assert one.expect.stdout
    where = scope((replace(one, expect=Expectation(stdout=replace(one.expect.stdout, **chosen))), right))
    found = changed(where, "texts")
    done = [found[f"stdout/{name}"][0] for name in ("number-more", "nothing")]
    assert [execution and execution.stdout for execution in done] == [number, nothing]


def test_a_stream_that_is_not_checked_has_no_mutants() -> None:
    where = scope((case(), Execution(stdout=b"a\n", status=0)))
    assert not changed(where, "texts", "streams", "answers")


def test_texts_go_to_the_other_stream() -> None:
    where = scope(printing(1, "a\nb\n"))
    found = changed(where, "streams")
    one, other = found["stdout/wrong-stream"][0], found["stdout/split-streams"][0]
    assert one
    assert (one.stdout, one.stderr) == (b"", b"a\nb\n")
    assert other
    assert (other.stdout, other.stderr) == (b"a\n", b"b\n")


def test_answers_are_given_to_other_cases() -> None:
    where = scope(printing(1, "1\n"), printing(2, "2\n"), printing(3, "2\n"))
    found = changed(where, "answers")

    def said(name: str) -> list[bytes | None]:
        return [None if one is None else one.stdout for one in found[name]]

    assert said("answers/one-for-all") == [None, b"1\n", b"1\n"]
    assert said("answers/next-case") == [b"2\n", None, b"1\n"]
    assert said("answers/only[1]") == [b"2\n", None, None]
    assert said("answers/only[3]") == [None, None, b"1\n"]


def test_a_mutant_is_wrong_wherever_a_program_is_given_the_same() -> None:
    one, right = printing(1, "1\n")
    other = replace(one, id="again[1]")
    tests = [Test(name=name, points=Fraction(1), cases=(this,)) for name, this in (("one", one), ("again", other))]
    scenes = [
        replace(scope((this, right)).scenes[0], test=test) for test, this in zip(tests, (one, other), strict=True)
    ]
    spec = Spec(id="x", title="x", root=None, digest="", tests=tuple(tests), program=("x",))  # type: ignore[arg-type]
    assert [found.test.name for found in scopes(spec, scenes)] == ["one"]
    mutant = next(m for m in output_mutants(spec, scenes) if m.name == "one/stdout/nothing")
    assert [mutant.apply(scene).stdout for scene in scenes] == [b"", b""]


def test_a_program_that_knows_the_visible_answers_is_silent_in_hidden_tests() -> None:
    shown, hidden = printing(1, "1\n"), printing(2, "2\n")
    tests = [
        Test(name="shown", points=Fraction(1), cases=(shown[0],)),
        Test(name="hidden", points=Fraction(1), cases=(hidden[0],), visibility="hidden"),
    ]
    scenes = [replace(scope(pair).scenes[0], test=test) for test, pair in zip(tests, (shown, hidden), strict=True)]
    spec = Spec(id="x", title="x", root=None, digest="", tests=tuple(tests), program=("x",))  # type: ignore[arg-type]
    (mutant,) = [m for m in output_mutants(spec, scenes) if m.name == "all/visible-only"]
    assert [mutant.apply(scene).stdout for scene in scenes] == [b"1\n", b""]


# ---------------------------------------------------------------- functions


def calling(number: int, value: object, before: object = (), after: object = ()) -> tuple[Case, Execution]:
    """A call that returns a value and leaves something of its argument."""
    call = FunctionCall(signature=Signature(text="def f(x)", name="f"), args=(before,))
    function = FunctionCase(
        within=("m",), call=call, returns=ExpectedValue(want=value), args={0: ExpectedValue(want=after)}
    )
    asked = case(
        number, args=(), kind="functions", payload=replace(function, call=replace(call, args=(before, number)))
    )
    return asked, Execution(status=0, facts=Calls(loaded=True, returned=(value,), args=(after, number)))


def test_functions_return_something_else() -> None:
    right = (True, False, 5, ((1, 2), (3, 4)), "ab")
    where = scope(*(calling(number, value) for number, value in enumerate(right, start=1)))
    found = changed(where, "calls")

    def returned(name: str) -> list[object]:
        return [one and one.calls and one.calls.returned[0] for one in found[f"returned/{name}"]]

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
    found = changed(where, "calls")

    def left(name: str) -> object:
        one = found[f"arguments/{name}"][0]
        return one and one.calls and one.calls.args and one.calls.args[0]

    assert left("untouched") == ((0, 0), (0, 0))
    assert left("first-undone") == ((0, 0), (-1, 0))
    assert left("last-undone") == ((0, 1), (0, 0))
    assert left("first-overdone") == ((1, 1), (-1, 0))
    assert left("last-overdone") == ((0, 1), (-1, 1))
    assert left("transposed") == ((0, -1), (1, 0))


EQUAL = ((7, 0), (2, 0))


@pytest.mark.parametrize(
    ("asked", "other", "overdone"),
    [
        (ExpectedValue(want=EQUAL), ((8, 0), (2, 0)), ((8, 0), (2, 0))),
        (ExpectedValue(want=((Wildcard(), 0), (2, 0))), ((7, 1), (2, 0)), ((7, 1), (2, 0))),
        (ExpectedValue(want=(Wildcard(), (2, 0))), ((7, 0), (3, 0)), ((7, 0), (3, 0))),
        (ExpectedValue(cells={(1, 0): ExpectedValue(want=2)}), ((7, 0), (3, 0)), ((7, 0), (3, 0))),
        (ExpectedValue(cells={(1,): ExpectedValue(want=(Wildcard(), 0))}), ((7, 0), (2, 1)), ((7, 0), (2, 1))),
        (ExpectedValue(either=(ExpectedValue(want=EQUAL), ExpectedValue(want=5))), ((8, 0), (2, 0)), ((8, 0), (2, 0))),
        (ExpectedValue(want=((Wildcard(), Wildcard()), Wildcard())), None, None),
    ],
    ids=["all", "one cell open", "a row open", "one cell", "one cell of a row", "any of two", "all open"],
)
def test_functions_are_wrong_where_somebody_looks(asked: ExpectedValue, other: object, overdone: object) -> None:
    one, right = calling(1, EQUAL, EQUAL, EQUAL)
    assert one.functions
    where = scope((replace(one, payload=replace(one.functions, returns=asked, args={0: asked})), right))
    found = changed(where, "calls")

    def done(name: str) -> Calls | None:
        execution = found.get(name, [None])[0]
        return execution.calls if execution else None

    returned, left = done("returned/other"), done("arguments/first-overdone")
    assert (returned and returned.returned[0]) == other
    assert (left and left.args and left.args[0]) == overdone
    assert "calls/only[1]" in found or other is None


def test_a_constant_that_is_right_as_far_as_anybody_looks_is_no_mutant() -> None:
    pairs = [calling(1, (3, 0)), calling(2, (4, 0)), calling(3, (4, 1))]
    asked = [ExpectedValue(want=(Wildcard(), last)) for last in (0, 0, 1)]
    cases = [
        replace(one, payload=replace(one.functions, returns=want))
        for (one, _), want in zip(pairs, asked, strict=True)
        if one.functions
    ]
    found = changed(scope(*zip(cases, (right for _, right in pairs), strict=True)), "calls")
    assert [done is None for done in found["returned/always-1"]] == [True, True, False]
    assert [done is None for done in found["returned/always-3"]] == [False, False, True]


def test_functions_raise_what_they_should_not_and_the_reverse() -> None:
    where = scope(calling(1, 5))
    (raising,) = changed(where, "calls")["calls/raises"]
    assert raising
    assert raising.calls
    assert raising.calls.raised
    assert raising.calls.returned == ()
    again = scope((where.scenes[0].case, raising))
    (silent,) = changed(again, "calls")["calls/raises-not"]
    assert silent
    assert silent.calls
    assert (silent.calls.raised, silent.calls.returned) == (None, (None,))


# ---------------------------------------------------------------- dialogues

TALK = (
    Step(do="expect", text="? "),
    Step(do="send", text="2"),
    Step(do="regex", text="twice [0-9] "),
    Step(do="send", text="3"),
    Step(do="expect", text="twice 6 "),
    Step(do="send", text="end"),
    Step(do="eof"),
)


def talking() -> Scope:
    said = [b"? ", b"2\n", b"twice 4 ", b"3\n", b"twice 6 ", b"end\n", b"bye\n", b""]
    turns = tuple(
        Turn(time=at, stream="stdin" if at % 2 else "stdout", text=text) for at, text in enumerate(said) if text
    )
    output = b"".join(turn.text for turn in turns if turn.stream == "stdout")
    return scope(
        (case(kind="dialogue", payload=Dialogue(steps=TALK)), Execution(stdout=output, status=0, transcript=turns))
    )


def test_a_dialogue_is_gone_through_again_with_what_a_mutant_says() -> None:
    where = talking()
    found = changed(where, "dialogues")
    stops = {name: one.stop and (one.stop.number, one.stop.ended) for name, (one,) in found.items() if one}
    assert stops["dialogue/missing-0"] == (1, False)
    assert stops["dialogue/missing-1"] == (3, False)
    assert stops["dialogue/wrong-1"] is None  # the pattern takes any number
    assert stops["dialogue/wrong-2"] == (5, False)
    assert stops["dialogue/swapped-1"] == (5, False)
    assert stops["dialogue/ends-1"] == (5, True)
    assert stops["dialogue/ends-2"] is None  # all that was asked for has come
    assert stops["dialogue/endless"] == (7, False)
    assert stops["dialogue/unflushed"] == (1, False)
    assert found["dialogue/unflushed"][0].stop.late  # type: ignore[union-attr]


def test_a_dialogue_that_cannot_be_told_apart_is_left_alone() -> None:
    where = talking()
    mixed = replace(where.scenes[0].right, stderr=b"prompt")
    again = scope((where.scenes[0].case, mixed))
    assert set(changed(again, "dialogues")) == {"dialogue/unflushed", "dialogue/endless"}


# ---------------------------------------------------------------- endings and files


def test_programs_end_in_another_way() -> None:
    where = scope((case(expect=Expectation(exit="success")), Execution(status=0)))
    found = changed(where, "endings")
    status, crash = found["exit/status"][0], found["exit/crash"][0]
    assert status
    assert status.status == 1
    assert crash
    assert (crash.status, crash.signal) == (None, 11)


def test_an_exit_status_that_nobody_asks_for_is_left_alone() -> None:
    where = scope((case(), Execution(status=0)))
    assert set(changed(where, "endings")) == {"exit/crash"}


def test_files_are_missing_left_behind_or_other_ones() -> None:
    asked = ExpectedFiles(present=("out/",), absent=("*.class",), same={"a": "1\n"})
    right = Execution(status=0, names=("a", "ab", "out/", "out/b"), files={"a": b"1\n"})
    where = scope((case(expect=Expectation(files=asked)), right))
    found = {name: one for name, (one,) in changed(where, "files").items() if one}
    assert found["files/missing-out/"].names == ("a", "ab")
    assert found["files/missing-a"].names == ("ab", "out/", "out/b")
    assert found["files/left-*.class"].names == ("a", "ab", "out/", "out/b", "x.class")
    assert found["files/other-a"].files == {"a": b"1\nmore\n"}


def test_files_are_empty_or_miscounted_where_their_layout_is_free() -> None:
    asked = ExpectedFiles(compared={"a": Expected(how="numbers", want=("1",)), "b": text("1\n")})
    right = Execution(status=0, names=("a", "b"), files={"a": b"1\n", "b": b"1\n"})
    # Another test, which gives a program the same, looks into the files.
    where = scope((case(), right), (case(expect=Expectation(files=asked)), right))
    found = {name: made[0] for name, made in changed(where, "files").items() if made[0]}
    assert found["files/number-a"].files == {"a": b"2\n", "b": b"1\n"}
    assert found["files/empty-a"].files == {"a": b"", "b": b"1\n"}
    assert found["files/other-b"].files == {"a": b"1\n", "b": b"1\nmore\n"}
    assert found.keys().isdisjoint({"files/other-a", "files/number-b", "files/empty-b"})


def test_what_must_not_be_there_is_written() -> None:
    neither = Expected(how="any", either=(Expected(how="contains", want=("Error",)), text("x")))
    asked = Expected(how="all", want=(), parts=(text("1\n"), Expected(how="not", want=(), parts=(neither,))))
    where = scope((case(expect=Expectation(stdout=asked)), Execution(status=0, stdout=b"1\n")))
    found = {name: one.stdout for name, (one,) in changed(where, "denied").items() if one}
    assert found == {"stdout/denied-1": b"1\nError\n", "stdout/denied-2": b"x"}
